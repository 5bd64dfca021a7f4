"""What the commands share: errors, numbers with only their certain digits, and tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

__all__ = ["Failure", "UsageError", "certain", "decimals", "one_line", "print_rows", "upward"]

MOST_DIGITS = 15


class UsageError(ValueError):
    """A command line that makes no sense."""


class Failure(Exception):
    """Something that was asked for and could not be done."""


def one_line(error: BaseException) -> str:
    """The message of an error without line breaks.

    Examples
    --------
    >>> one_line(FileNotFoundError(2, "No such file or directory", "x.npz"))
    'x.npz: No such file or directory'
    """
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError) and error.strerror:
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return where + error.strerror
    return " ".join(str(error).split())


def certain(value: float, bound: float | None) -> str:
    """A chance to as many decimals as are certain.

    All chances within `bound` of `value` round to the same decimals. Six without a bound.

    Examples
    --------
    >>> certain(0.50963885998, 1e-9), certain(0.50963885998, 1e-4), certain(0.5, 0.4)
    ('0.50963886', '0.510', 'unknown')
    """
    if bound is None:
        return f"{value:.6f}"
    low = max(Decimal(value) - Decimal(bound), Decimal(0))
    high = min(Decimal(value) + Decimal(bound), Decimal(1))
    for digits in range(MOST_DIGITS, -1, -1):
        text = f"{low:.{digits}f}"
        if text == f"{high:.{digits}f}":
            return text
    return "unknown"


def decimals(bound: float | None, most: int = 6) -> int:
    """Decimals of which an error of twice `bound` moves the last by at most one.

    Examples
    --------
    >>> decimals(1e-9), decimals(1e-4), decimals(0.2)
    (6, 3, 1)
    """
    digits = most
    while bound is not None and digits > 1 and 2 * bound > 10.0**-digits:
        digits -= 1
    return digits


def upward(bound: float) -> str:
    """A bound to two digits, rounded up.

    Examples
    --------
    >>> upward(9.123e-10), upward(1e-9)
    ('9.2e-10', '1.1e-09')
    """
    exact = Decimal(bound)
    unit = Decimal(1).scaleb(exact.adjusted() - 1)
    return f"{float(exact.quantize(unit, rounding=ROUND_CEILING)):.1e}"


def print_rows(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table: by rich on a terminal where it is installed, else in plain columns."""
    if not (_is_fancy() and _print_rich(head, rows, title)):
        if title:
            print(title)
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        for row in (head, *rows):
            print("  ".join(map(str.ljust, row, widths)).rstrip())


def _is_fancy() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _print_rich(head: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> bool:
    """Print with rich; False if it is not installed."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return False
    table = Table(*head, title=title or None, title_justify="left", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
    return True
