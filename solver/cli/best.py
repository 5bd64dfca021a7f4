"""``sharabeshki best``: what to do now, ranked."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from solver.cli.options import (
    add_rules_options,
    add_solution_options,
    add_state_options,
    source_of,
    state_and_throw_of,
)
from solver.cli.text import decimals, print_rows

if TYPE_CHECKING:
    from solver.state import Action

__all__ = ["add_best"]


def add_best(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "best",
        help="what to do in a state, or with a throw",
        description="Rank what can be done, by the chance to win. Before a throw: bank or roll."
        " After one: which dice to set aside, and what then.",
        epilog='Example: "195+60d2:540" is 195 points, 60 set aside, two dice left, the opponent at'
        " 540; 195+60d2:540 1 4 is the same with 1 and 4 thrown.",
        usage="%(prog)s STATE [THROW ...] [options]",
        allow_abbrev=False,
    )
    add_state_options(parser, throw=True)
    add_rules_options(parser)
    add_solution_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the options in a table, best first."""
    rules, get = source_of(arguments)
    state, throw = state_and_throw_of(arguments, rules)
    solution = get()
    ranked = solution.action_values(state, throw)
    digits = decimals(solution.error_bound)
    title = " throw ".join([str(state), *([" ".join(map(str, throw))] if throw else [])])
    print_rows(("action", "chance", "behind"), _rows(ranked, digits), title)
    return 0


def _rows(ranked: list[tuple[Action, float]], digits: int) -> list[tuple[str, str, str]]:
    best = ranked[0][1]
    return [
        (str(action), f"{value:.{digits}f}", f"{value - best:.{digits}f}" if place else "")
        for place, (action, value) in enumerate(ranked)
    ]
