"""``sharabeshki table``: bank or roll, for every turn total and number of dice left."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from solver.cli.options import (
    add_rules_options,
    add_solution_options,
    add_state_options,
    source_of,
    state_and_throw_of,
)
from solver.cli.text import UsageError, decimals, print_rows

if TYPE_CHECKING:
    from solver.advice import HoldRollTable
    from solver.charts.model import Table

__all__ = ["add_table"]


def add_table(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "table",
        help="bank or roll, for every turn total and number of dice left",
        description="Print what to do at every turn total and number of dice left, for the scores"
        " and bolts of STATE. A star marks what is forced; what cannot occur is left empty.",
        usage="%(prog)s STATE [options]",
        allow_abbrev=False,
    )
    add_state_options(parser, throw=False)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="all values, as CSV")
    form.add_argument("--json", action="store_true", help="all values, as JSON")
    form.add_argument(
        "--all", action="store_true", help="a line a turn total, with what the other choice costs"
    )
    add_rules_options(parser)
    add_solution_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    rules, get = source_of(arguments)
    state, throw = state_and_throw_of(arguments, rules)
    if throw is not None:
        raise UsageError("a table is for a state; what to do with a throw is for best to say")
    solution = get()
    table = solution.hold_roll_table(state)
    if arguments.csv:
        print(_data(table).csv(), end="")
    elif arguments.json:
        import json

        cells = _data(table).records()
        print(json.dumps({"state": str(table.state), "cells": cells}, indent=1))
    else:
        digits = decimals(solution.error_bound, 4)
        head = ("turn total", *(f"{dice} {'die' if dice == 1 else 'dice'}" for dice in table.dice))
        print_rows(head, list(_lines(table, digits if arguments.all else 0)), str(table.state))
    return 0


def _lines(table: HoldRollTable, digits: int) -> Iterator[tuple[str, ...]]:
    """Rows of text; without digits, turn totals in a row with the same actions are one line."""
    rows = [
        tuple(_cell(table, row, column, digits) for column in range(len(table.dice)))
        for row in range(len(table.turn_totals))
    ]
    if digits:
        yield from ((str(total), *row) for total, row in zip(table.turn_totals, rows, strict=True))
        return
    for same, group in groupby(zip(rows, table.turn_totals, strict=True), key=lambda pair: pair[0]):
        totals = [total for _, total in group]
        yield (f"{totals[0]}-{totals[-1]}" if len(totals) > 1 else f"{totals[0]}", *same)


def _cell(table: HoldRollTable, row: int, column: int, digits: int) -> str:
    """A cell: the action, and with digits how much better it is than the other."""
    text = str(table.action[row, column])
    if table.forced[row, column]:
        return text + "*"
    if text and digits:
        text += f" +{abs(table.roll[row, column] - table.bank[row, column]):.{digits}f}"
    return text


def _data(table: HoldRollTable) -> Table:
    """The cells that can occur, with all that is known of them."""
    from solver.advice import Cell
    from solver.charts.model import Table

    return Table("cells", Cell._fields, tuple(table.cells()))
