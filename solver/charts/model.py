"""What every chart is made of: facts and tables, the same for the eye and for the machine.

A chart holds numbers, not drawings. Its `tables` are its data, in English identifiers, for CSV and
JSON; its `blocks` are lines and tables in the words of one language, for text and HTML; its
`figures` are drawn by :mod:`solver.charts.draw`, the only place that loads matplotlib.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from solver.charts.bar import OnStage
from solver.charts.words import ChartError, Words
from solver.rules import PRESETS, Rules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from solver.solution import Solution

__all__ = ["Block", "Chart", "Source", "Table", "Value"]

Value = int | float | str | bool | None
DRAWN = (".pdf", ".svg", ".png")
WRITTEN = (".txt", ".csv", ".json")


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    Examples
    --------
    >>> print(Table("demo", ("dice", "chance"), ((1, 0.5), (2, math.nan))).csv(), end="")
    dice,chance
    1,0.5
    2,
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def csv(self) -> str:
        """The table as CSV; what is missing is left empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_plain(value) for value in row] for row in self.rows)
        return out.getvalue()

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]


Block = str | Table
"""A line of text, or a table."""


def _plain(value: Value) -> Value:
    """A value that JSON knows; NaN becomes None."""
    return None if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True)
class Source:
    """Where the numbers of a chart come from.

    Attributes
    ----------
    rules : Rules
    error_bound : float or None
        Of every chance between turns; None: not certified.
    """

    rules: Rules
    error_bound: float | None

    @classmethod
    def of(cls, solution: Solution) -> Source:
        """The source that a solution is."""
        return cls(solution.rules, solution.error_bound)

    @property
    def game(self) -> str:
        """The name of the rule set, or its digest where it has no name."""
        names = [name for name, rules in sorted(PRESETS.items()) if rules == self.rules]
        return names[0] if names else self.rules.digest

    def digits(self, most: int) -> int:
        """Decimals of a percentage that the error bound makes good, at most `most`."""
        digits = most
        while self.error_bound is not None and digits and 200.0 * self.error_bound > 10.0**-digits:
            digits -= 1
        return digits

    def line(self, words: Words) -> str:
        """The line at the foot of a page: which program, which game, how sure."""
        from solver import __version__

        if self.error_bound is None:
            sure = words("foot.uncertified")
        else:
            sure = words("foot.certified", bound=_power(self.error_bound))
        return words("foot.source", version=__version__, game=self.game, sure=sure)


def _power(bound: float) -> str:
    """The smallest power of ten that is no less than a bound, as it is printed."""
    exponent = math.ceil(math.log10(bound) - 1e-9) if bound > 0 else -16
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


class Chart(ABC):
    """A chart of one kind: see the module.

    Attributes
    ----------
    kind : str
    source : Source
    """

    kind: ClassVar[str]
    source: Source

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What is not in the tables, as JSON values."""

    @abstractmethod
    def tables(self) -> tuple[Table, ...]:
        """The data; the first table is the chart itself."""

    @abstractmethod
    def blocks(self, words: Words) -> Iterator[Block]:
        """The chart as lines and tables to read."""

    def csv(self) -> str:
        """The first table as CSV."""
        return self.tables()[0].csv()

    def record(self) -> dict[str, Any]:
        """Everything, as JSON values."""
        from solver import __version__

        return {
            "chart": self.kind,
            "version": __version__,
            "rules": self.source.rules.digest,
            "error_bound": self.source.error_bound,
            **self.facts(),
            "tables": {table.name: table.records() for table in self.tables()},
        }

    def json(self) -> str:
        """Everything, as JSON."""
        return json.dumps(self.record(), indent=1, ensure_ascii=False) + "\n"

    def text(self, language: str = "en") -> str:
        """The chart for a terminal."""
        from solver.charts.text import plain

        words = Words(language)
        return plain([*self.blocks(words), self.source.line(words)])

    def figures(self, language: str = "en") -> list[Figure]:
        """The pages as matplotlib figures, which a notebook shows.

        Raises
        ------
        ChartError
            If matplotlib is not installed.
        """
        return [figure for _, figure in self.pages(language)]

    def figure(self, language: str = "en", page: int = 1) -> Figure:
        """One page as a matplotlib figure: see :meth:`figures`."""
        for number, (count, figure) in enumerate(self.pages(language), start=1):
            if number == page:
                return figure
            if not 1 <= page <= count:
                break
        raise ChartError(f"page {page}: must be from 1 to {count}")

    def pages(self, language: str = "en") -> Iterator[tuple[int, Figure]]:
        """Each page as it is drawn, with the number of pages that there will be."""
        pages: Iterator[tuple[int, Figure]] = _draw().pages(self, Words(language))
        return pages

    def save(
        self,
        path: str | os.PathLike[str],
        language: str = "en",
        dpi: int = 150,
        on_stage: OnStage | None = None,
    ) -> list[Path]:
        """Write the chart; the ending of the name says how.

        Parameters
        ----------
        path : str or path
            ``.pdf``: all pages; ``.svg`` or ``.png``: a file a page, numbered if there are
            several; ``.txt``, ``.csv`` (the first table) or ``.json``.
        language : {"en", "ru"}
        dpi : int
            Of PNG.
        on_stage : callable, optional
            Called with "pages" and the share of them that is drawn.

        Returns
        -------
        list of Path
            What was written.

        Raises
        ------
        ChartError
            For another ending, another language, and a drawing without matplotlib.
        """
        target, ending = Path(path), check_ending(path)
        if ending in DRAWN:
            written: list[Path] = _draw().save(self, target, Words(language), dpi, on_stage)
            return written
        content = {".txt": lambda: self.text(language), ".csv": self.csv, ".json": self.json}
        with whole(target) as scratch:
            scratch.write_text(content[ending](), encoding="utf-8")
        return [target]


def check_ending(path: str | os.PathLike[str]) -> str:
    """The ending of a file name, if a chart can be written to it."""
    ending = Path(path).suffix.lower()
    if ending not in (*DRAWN, *WRITTEN):
        raise ChartError(f"{os.fspath(path)}: must end in one of {' '.join((*DRAWN, *WRITTEN))}")
    return ending


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A name to write to; what was written is moved to `target` once it is complete."""
    scratch = target.with_name(f".{target.name}.part")
    try:
        yield scratch
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def _draw() -> Any:
    """The drawing module, or an error that says what to install."""
    try:
        import solver.charts.draw as module
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ChartError("drawing needs matplotlib: pip install 'sharabeshki[charts]'") from None
    return module


def joined(parts: Iterable[str]) -> str:
    """Parts of a line that stand beside each other."""
    return " · ".join(part for part in parts if part)
