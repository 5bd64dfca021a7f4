"""Charts without a drawing: plain text for a terminal, HTML for a notebook."""

from __future__ import annotations

import html as escapes
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from solver.charts.model import Block, Table
from solver.charts.words import Words

if TYPE_CHECKING:
    from solver.advice import HoldRollTable

__all__ = ["html", "plain"]

CELL = "padding:1px 6px;text-align:center;border:1px solid #ccc;color:#000"
FORCED = "repeating-linear-gradient(45deg,#fff,#fff 4px,#ddd 4px,#ddd 5px)"


def plain(blocks: Iterable[Block]) -> str:
    """Lines and tables as text, a blank line around every table.

    Examples
    --------
    >>> print(plain(["Title", Table("", ("a", "long"), ((1, "x"), (22, "")))]), end="")
    Title
    <BLANKLINE>
    a   long
    1   x
    22
    """
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, str):
            lines.append(block)
            continue
        lines += ["", *_rows(block), ""]
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def _rows(table: Table) -> list[str]:
    cells = [table.columns, *(tuple(map(_text, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)) for row in cells]
    return [table.name, *lines] if table.name else lines


def _text(value: object) -> str:
    return "" if value is None else str(value)


def html(table: HoldRollTable, language: str = "en") -> str:
    """A hold/roll table as an HTML table; the shade says what the other choice would cost.

    Parameters
    ----------
    table : HoldRollTable
    language : {"en", "ru"}

    Returns
    -------
    str
        A fragment without scripts or outside styles.
    """
    words = Words(language)
    head = "".join(f"<th>{escapes.escape(words.count(dice, 'die'))}</th>" for dice in table.dice)
    rows = "".join(
        f"<tr><th>{total}</th>"
        + "".join(_cell(table, row, column, words) for column in range(len(table.dice)))
        + "</tr>"
        for row, total in enumerate(table.turn_totals)
    )
    return (
        f"<div style='max-height:32em;overflow:auto;display:inline-block'>"
        f"<table style='border-collapse:collapse'>"
        f"<caption>{escapes.escape(words('html.caption', state=str(table.state)))}</caption>"
        f"<thead><tr><th>{escapes.escape(words('turn_total'))}</th>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(table: HoldRollTable, row: int, column: int, words: Words) -> str:
    """One cell: the action and its chance, the shade of the cost, the other choice as a tip."""
    action, forced = str(table.action[row, column]), str(table.forced[row, column])
    if not action:
        return f"<td style='{CELL}'></td>"
    chance = words.percent(float(table.value[row, column]))
    label = escapes.escape(words(f"action.{action}"))
    if forced:
        tip = escapes.escape(words(f"forced.{forced.replace(' ', '_')}"))
        return f"<td style='{CELL};background:{FORCED}' title='{tip}'>{label} {chance}</td>"
    cost = abs(float(table.roll[row, column] - table.bank[row, column]))
    colour = "33,102,172" if action == "bank" else "217,95,14"
    shade = 0.0 if math.isnan(cost) else min(0.1 + 8.0 * cost, 0.75)
    tip = escapes.escape(words("html.cost", cost=cost))
    said = f"<b>{label}</b>" if action == "bank" else label
    style = f"{CELL};background:rgba({colour},{shade:.2f})"
    return f"<td style='{style}' title='{tip}'>{said} {chance}</td>"
