"""``sharabeshki solve``: solve a game and say what the first player's chance is."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.cli.options import add_cache_options, add_rules_options, rules_of
from solver.cli.text import Failure, certain, upward

if TYPE_CHECKING:
    from solver.solution import Solution

__all__ = ["add_solve", "report"]


def add_solve(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "solve",
        help="solve a game",
        description="Solve a game, or find it in the cache, and print the first player's chance"
        " to win with the decimals that the error bound makes certain.",
        usage="%(prog)s [options]",
        allow_abbrev=False,
    )
    add_rules_options(parser)
    group = parser.add_argument_group("solution")
    add_cache_options(group)
    group.add_argument("--output", metavar="FILE", help="save the solution there too")
    group.add_argument("--fresh", action="store_true", help="solve even if the cache has it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve, report, save."""
    from solver.tables import cached, save

    rules, output = rules_of(arguments), arguments.output
    if output is not None:
        _check_writable(output)
    solution = cached(rules, arguments.tolerance, folder=arguments.cache, fresh=arguments.fresh)
    report(solution)
    if output is not None:
        try:
            save(solution, output)
        except OSError as error:
            raise Failure(f"cannot write {output}: {error.strerror}") from None
    return 0


def _check_writable(path: str) -> None:
    """Fail before the work rather than after it."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise Failure(f"cannot write {path}: it is there and not a regular file")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise Failure(f"cannot write {path}: its folder is missing or closed to you")


def report(solution: Solution) -> None:
    """Print what a solution says, and how sure it is."""
    bound = solution.error_bound
    lines = {
        "first player's chance": certain(solution.start, bound),
        "positions": f"{solution.values.size:,}",
        "error bound": "none" if bound is None else upward(bound),
        "backward passes": f"{solution.passes:.1f}",
        "time": f"{solution.seconds:.1f} s",
    }
    for name, value in lines.items():
        print(f"{name:<23}{value}")
