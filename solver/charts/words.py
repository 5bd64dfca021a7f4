"""Everything a chart says, in English and Russian: numbers, plural forms, messages.

A message is a format string in :mod:`solver.charts.messages`. Its fields may name a noun as their
format: ``{n:point}`` becomes "1 point", "45 points", "1 очко", "45 очков". The other formats are
``:pct0`` to ``:pct3`` for a chance in percent, ``:pp1`` to ``:pp3`` for a difference of chances in
percentage points and ``:d1`` to ``:d3`` for decimals; what is left is written as it is, with a real
minus sign.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from solver.charts.messages import MESSAGES, NOUNS

__all__ = ["LANGUAGES", "ChartError", "Words"]

LANGUAGES = ("en", "ru")
MINUS, DASH = "\u2212", "\u2013"
SPACE = "\u00a0"  # that does not break


class ChartError(ValueError):
    """A chart that cannot be made as it was asked for; the message says why."""


class Words(string.Formatter):
    r"""The words of one language.

    Parameters
    ----------
    language : {"en", "ru"}

    Raises
    ------
    ChartError
        For another language.

    Examples
    --------
    >>> Words("ru").count(21, "point"), Words("ru").count(112, "die")
    ('21\xa0очко', '112\xa0кубиков')
    >>> Words("en").percent(0.50964), Words("ru").percent(0.50964)
    ('51.0%', '51,0\xa0%')
    """

    def __init__(self, language: str = "en") -> None:
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ChartError(f"language {language!r} is not known: must be one of {known}")
        self.language, self._index = language, LANGUAGES.index(language)

    def __call__(self, key: str, /, **values: Any) -> str:
        """The message `key` with its fields filled in."""
        return self.vformat(MESSAGES[key][self._index], (), values)

    def format_field(self, value: Any, format_spec: str) -> str:
        """One field of a message."""
        if format_spec in NOUNS:
            return self.count(value, format_spec)
        kind, digits = format_spec[:-1], format_spec[-1:]
        if kind == "pct":
            return self.percent(value, int(digits))
        if kind == "pp":
            return self.decimal(100.0 * value, int(digits))
        if kind == "d":
            return self.decimal(value, int(digits))
        return self.number(value) if isinstance(value, int | float) else str(value)

    def number(self, value: float) -> str:
        """A whole number with a real minus sign; thousands apart from five digits on."""
        text = f"{abs(value):,}" if abs(value) >= 10_000 else f"{abs(value)}"
        text = text.replace(",", "," if self.language == "en" else SPACE)
        return MINUS + text if value < 0 else text

    def decimal(self, value: float, digits: int) -> str:
        """A number to some decimals; no minus before zeros."""
        text = f"{abs(value):.{digits}f}"
        sign = MINUS if value < 0 and float(text) else ""
        return sign + (text if self.language == "en" else text.replace(".", ","))

    def percent(self, chance: float, digits: int = 1) -> str:
        """A chance in percent; one that is not certain is not written as if it were."""
        if chance < 1.0 and round(100.0 * chance, digits) == 100.0:
            return ">\u2009" + self.percent(1.0 - 10.0 ** (-digits - 2), digits)
        sign = "%" if self.language == "en" else SPACE + "%"
        return self.decimal(100.0 * chance, digits) + sign

    def count(self, number: int, noun: str) -> str:
        """A number with its noun in the right form."""
        return self.number(number) + SPACE + self.noun(number, noun)

    def noun(self, number: int, noun: str) -> str:
        """The form of a noun that goes with a number."""
        return NOUNS[noun][self._index][(_english, _russian)[self._index](abs(number))]

    def ranges(self, spans: Sequence[tuple[int, int | None]]) -> str:
        """Spans of turn totals; the last may be open: "20–100, 190+".

        Examples
        --------
        >>> Words("en").ranges([(20, 100), (190, None)]), Words("ru").ranges([])
        ('20–100, 190+', '—')
        """
        return ", ".join(self.span(low, high) for low, high in spans) or "\u2014"

    def span(self, low: int, high: int | None) -> str:
        """One span."""
        if high is None:
            return f"{self.number(low)}+"
        if low == high:
            return self.number(low)
        return f"{self.number(low)}{DASH}{self.number(high)}"

    def listing(self, items: Iterable[str]) -> str:
        """Items in a row, with an "and" before the last."""
        *head, last = items
        return f"{', '.join(head)} {self('and')} {last}" if head else last


def fields_of(message: str) -> list[tuple[str, str]]:
    """The fields of a message with their formats, sorted: the same in every language."""
    parsed = string.Formatter().parse(message)
    return sorted((name, spec or "") for _, name, spec, _ in parsed if name is not None)


def _english(number: int) -> int:
    return int(number != 1)


def _russian(number: int) -> int:
    """0 for 1, 21, 31 ...; 1 for 2 to 4, 22 to 24 ...; 2 for the rest, 11 to 14 among them."""
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


Message = tuple[str, Mapping[str, Any]]
"""A message that is not yet in any language: its key and its values."""
