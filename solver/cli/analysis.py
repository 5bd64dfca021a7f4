"""``sharabeshki policies``: what human rules cost; ``sharabeshki floors``: what the floor does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.cli.options import (
    add_cache_options,
    add_rules_options,
    add_solution_options,
    rules_of,
    source_of,
    whole,
)
from solver.cli.text import certain, print_rows, upward

if TYPE_CHECKING:
    from solver.analysis import Habit
    from solver.thresholds import Thresholds

__all__ = ["add_floors", "add_policies"]

FORMS = {
    "markdown": "as Markdown",
    "csv": "all digits, as CSV",
    "json": "all digits, as JSON",
}


def add_policies(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "policies",
        help="how much winning chance human rules give away",
        description="Evaluate human rules exactly against optimal play, and print how much winning"
        " chance they give away. The best thresholds are searched for: for the default game"
        " about a hundred evaluations, which take some minutes.",
        allow_abbrev=False,
    )
    _add_forms(parser)
    add_rules_options(parser)
    add_solution_options(parser)
    parser.set_defaults(run=run_policies)


def add_floors(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "floors",
        help="what the lowest score does to the first player's chance",
        description="Solve the game with several floors, and print the first player's chance.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--at",
        type=_wholes,
        metavar="N,N,...",
        help="floors, default: -100 to -500 in steps of 100",
    )
    _add_forms(parser)
    add_rules_options(parser)
    add_cache_options(parser.add_argument_group("solution"))
    parser.set_defaults(run=run_floors)


def _wholes(text: str) -> tuple[int, ...]:
    return tuple(whole(part) for part in text.split(","))


def _add_forms(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    for name, text in FORMS.items():
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=text)


def run_policies(arguments: argparse.Namespace) -> int:
    """Print the table of human rules."""
    from solver.analysis import habits
    from solver.progress import Line

    _, get = source_of(arguments)
    solution = get()
    with Line() as line:
        found = habits(solution, line.show)
    head = ("rule", "banks from", "keeps", "first", "second", "gives away first", "second")
    _print(arguments.form, head, [_habit(habit) for habit in found], [_data(h) for h in found])
    return 0


def _habit(habit: Habit) -> tuple[str, ...]:
    chances = habit.first, habit.second, habit.gives_first, habit.gives_second
    percent = (f"{100 * chance:z.2f} %" for chance in chances)  # z: never -0.00
    return (habit.name, _banks(habit.rule), str(habit.rule.keep), *percent)


def _banks(rule: Thresholds) -> str:
    """Thresholds in words."""
    from solver.thresholds import NEVER

    bank = rule.bank if isinstance(rule.bank, tuple) else (rule.bank,)
    numbers = bank[:1] if len(set(bank)) == 1 else bank
    return ", ".join("never" if number >= NEVER else str(number) for number in numbers)


def _data(habit: Habit) -> dict[str, Any]:
    return {
        "rule": habit.name,
        "bank": _banks(habit.rule),
        "keep": habit.rule.keep,
        "first": habit.first,
        "second": habit.second,
        "gives_first": habit.gives_first,
        "gives_second": habit.gives_second,
    }


def run_floors(arguments: argparse.Namespace) -> int:
    """Print the table of floors."""
    from solver.analysis import FLOORS, floors
    from solver.progress import Line
    from solver.tables import cached

    found = []
    rules = rules_of(arguments)
    with Line() as line:
        for row in floors(
            rules,
            arguments.at or FLOORS,
            arguments.tolerance,
            lambda game, tolerance: cached(game, tolerance, folder=arguments.cache),
        ):
            found.append(row)
            line.show(f"floor {row.floor}")
    rows = [
        (
            str(row.floor),
            f"{row.positions:,}",
            certain(row.start, row.error_bound),
            upward(row.error_bound),
        )
        for row in found
    ]
    head = ("floor", "positions", "first player's chance", "error bound")
    _print(arguments.form, head, rows, [vars(row) for row in found])
    return 0


def _print(
    form: str | None,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    data: Sequence[dict[str, Any]],
) -> None:
    """A table, in one of the `FORMS` or for reading."""
    if form == "csv":
        from solver.charts.model import Table

        rows_of_data = tuple(tuple(row.values()) for row in data)
        print(Table("", tuple(data[0]), rows_of_data).csv(), end="")
    elif form == "json":
        import json

        print(json.dumps(data, indent=1))
    elif form == "markdown":
        for row in (head, ["---"] * len(head), *rows):
            print("| " + " | ".join(row) + " |")
    else:
        print_rows(head, rows)
