"""``sharabeshki chart``: charts for the terminal, for files and for the printer."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from solver.cli.options import (
    add_rules_options,
    add_solution_options,
    add_state_options,
    source_of,
    state_and_throw_of,
    whole,
)
from solver.cli.text import Failure, UsageError

if TYPE_CHECKING:
    from solver.charts.model import Chart
    from solver.solution import Solution

__all__ = ["add_chart"]

KINDS = {
    "position": "one position: bank or roll, and what the wrong choice costs",
    "thresholds": "from which turn total on to bank, for every pair of scores",
    "keeps": "which dice to set aside, where that is not simply all that scores",
    "pocket": "the best simple rule on a card, and what it costs",
    "book": "a whole strategy as a booklet of A4 pages",
}


def add_chart(commands: Any) -> None:
    """Add the command, with a subcommand for each kind of chart."""
    parser = commands.add_parser(
        "chart",
        help="strategy charts to read and to print",
        description="Strategy charts, in English and Russian: as text, or as PDF, SVG, PNG.",
        allow_abbrev=False,
    )
    kinds = parser.add_subparsers(title="charts", metavar="CHART", required=True)
    for kind, text in KINDS.items():
        one = kinds.add_parser(kind, help=text, description=f"Chart: {text}.", allow_abbrev=False)
        _add_own_options(kind, one)
        _add_output_options(one)
        add_rules_options(one)
        add_solution_options(one)
        one.set_defaults(run=run, make=MAKERS[kind])


def _add_own_options(kind: str, parser: argparse.ArgumentParser) -> None:
    if kind == "position":
        add_state_options(parser, throw=False)
    if kind == "thresholds":
        parser.add_argument("--bolts", type=whole, metavar="N", help="yours; default: all pairs")
        parser.add_argument("--opponent-bolts", type=whole, metavar="N")
    if kind == "pocket":
        parser.add_argument(
            "--search",
            action="store_true",
            help="look for the rule, which takes half an hour or more for the default game; without"
            " it the rule on record is shown",
        )
    if kind in ("keeps", "book"):
        parser.add_argument(
            "--games", type=whole, default=2000, metavar="N", help="optimal games to count (2000)"
        )
        parser.add_argument("--seed", type=whole, default=1000, metavar="N", help="of these (1000)")


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    """The language, and where the chart goes."""
    group = parser.add_argument_group("output", "text on the terminal, unless a file is named")
    group.add_argument("--lang", choices=("en", "ru"), default="en")
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--output", metavar="FILE", help="ends in .pdf, .svg, .png, .txt, .csv or .json"
    )
    where.add_argument("--csv", action="store_true", help="the data, as CSV")
    where.add_argument("--json", action="store_true", help="the data, as JSON")
    group.add_argument("--dpi", type=whole, default=150, metavar="N", help="of PNG (150)")


def run(arguments: argparse.Namespace) -> int:
    """Make the chart, then show or write it."""
    from solver.charts.words import ChartError

    try:
        _check_output(arguments)
        chart: Chart = arguments.make(arguments)
        _put(chart, arguments)
    except ChartError as error:
        raise UsageError(str(error)) from None
    return 0


def _check_output(arguments: argparse.Namespace) -> None:
    """Fail before the work rather than after it."""
    from solver.charts.model import check_ending

    if arguments.output is None:
        return
    check_ending(arguments.output)
    folder = os.path.dirname(os.path.realpath(arguments.output))
    if not os.access(folder, os.W_OK | os.X_OK) or os.path.isdir(arguments.output):
        raise Failure(f"cannot write {arguments.output}: is its folder there, and writable?")


def _put(chart: Chart, arguments: argparse.Namespace) -> None:
    """Write the chart to a file, or to stdout."""
    from solver.charts.bar import bar

    if arguments.output is not None:
        with bar() as report:
            written = chart.save(arguments.output, arguments.lang, arguments.dpi, report)
        print(*written, sep="\n")
    elif arguments.csv:
        sys.stdout.write(chart.csv())
    elif arguments.json:
        sys.stdout.write(chart.json())
    else:
        sys.stdout.write(chart.text(arguments.lang))


def _position(arguments: argparse.Namespace) -> Chart:
    from solver.charts.position import position_sheet

    rules, get = source_of(arguments)
    state, throw = state_and_throw_of(arguments, rules)
    if throw is not None:
        raise UsageError("a position sheet is for a state; best says what to do with a throw")
    return position_sheet(get(), state)


def _thresholds(arguments: argparse.Namespace) -> Chart:
    from solver.charts.bar import bar
    from solver.charts.thresholds import threshold_map, threshold_maps

    _, get = source_of(arguments)
    solution = get()
    if arguments.bolts is None and arguments.opponent_bolts is None:
        with bar() as report:
            return threshold_maps(solution, report)
    return threshold_map(solution, arguments.bolts or 0, arguments.opponent_bolts or 0)


def _keeps(arguments: argparse.Namespace) -> Chart:
    from solver.charts.bar import bar
    from solver.charts.keeps import keep_guide

    solution = _counted(arguments)
    with bar() as report:
        return keep_guide(solution, arguments.games, arguments.seed, report)


def _pocket(arguments: argparse.Namespace) -> Chart:
    from solver.charts.pocket import pocket_rule, pocket_search
    from solver.progress import Line

    solution = source_of(arguments)[1]()
    if not arguments.search:
        return pocket_rule(solution)
    with Line() as line:
        return pocket_search(
            solution,
            lambda tried, best: line.show(f"{tried} rules tried, the best wins {100 * best:.2f} %"),
        )


def _book(arguments: argparse.Namespace) -> Chart:
    from solver.charts.bar import bar
    from solver.charts.book import booklet

    solution = _counted(arguments)
    with bar() as report:
        return booklet(solution, arguments.games, arguments.seed, report)


def _counted(arguments: argparse.Namespace) -> Solution:
    """The solution, once the number of games is known to make sense."""
    if not 1 <= arguments.games <= MOST_GAMES:
        raise UsageError(f"--games {arguments.games}: must be from 1 to {MOST_GAMES}")
    if arguments.seed < 0:
        raise UsageError(f"--seed {arguments.seed}: must not be negative")
    return source_of(arguments)[1]()


MOST_GAMES = 20_000  # in step: more would not go into the memory
MAKERS = {
    "position": _position,
    "thresholds": _thresholds,
    "keeps": _keeps,
    "pocket": _pocket,
    "book": _book,
}
