"""The pocket rule as a chart: the best simple rule, what it wins, and other rules beside it.

:mod:`solver.pocket` says what rules there are and finds the best; all numbers are exact chances
against optimal play. For the default game what was found is on record in ``pocket.json``, which is
the chart itself as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar

from solver.charts.keeps import shown
from solver.charts.model import Block, Chart, Source, Table, Value
from solver.charts.survey import choices
from solver.charts.words import ChartError, Words
from solver.moves import reachable
from solver.pocket import ENOUGH, WHEN, Ladder, Pocket, Rung, Twist, pocket_ladder
from solver.search import OnTry, asked
from solver.solution import Solution
from solver.thresholds import NEVER

__all__ = ["PocketChart", "pocket_rule", "pocket_search"]

RECORD = "pocket.json"
LADDER = (
    "name", "bank", "keep", "twists", "numbers", "first", "second", "cost", "on_card",
)  # fmt: skip

Dice = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PocketChart(Chart):
    """The pocket rule of a game.

    Attributes
    ----------
    source : Source
    ladder : Ladder
        The rule, simpler and richer ones, with their chances.
    optimal : float
        The first player's chance when both play optimally.
    """

    kind: ClassVar[str] = "pocket"
    source: Source
    ladder: Ladder
    optimal: float

    @property
    def rung(self) -> Rung:
        """The pocket rule with its chances."""
        return self.ladder.rungs[self.ladder.card]

    @property
    def rule(self) -> Pocket:
        """The pocket rule."""
        return self.rung.rule

    @property
    def twists(self) -> list[tuple[Twist, float, float]]:
        """Its exceptions in the order in which they apply, each with what it is worth."""
        order = list(WHEN)
        pairs = zip(self.rule.twists, self.ladder.worths, strict=True)
        rows = [(twist, *worths) for twist, worths in pairs]
        return sorted(rows, key=lambda row: order.index(row[0].kind))

    def facts(self) -> dict[str, Any]:
        """Everything: what `of_record` makes the chart from."""
        return {
            "optimal_first": self.optimal,
            "optimal_second": 1.0 - self.optimal,
            "evaluations": self.ladder.evaluations,
            "card": self.ladder.card,
            "worths": self.ladder.worths,
            "ladder": [
                {
                    "name": rung.name,
                    "bank": rung.rule.bank,
                    "keep": rung.rule.keep,
                    "twists": [(twist.kind, twist.at, twist.by) for twist in rung.rule.twists],
                    "first": rung.first,
                    "second": rung.second,
                }
                for rung in self.ladder.rungs
            ],
        }

    def tables(self) -> tuple[Table, ...]:
        """The rules, and the exceptions of the pocket rule."""
        rungs = tuple(
            (
                rung.name, _spaced(rung.rule.bank), _spaced(rung.rule.keep),
                " ".join(twist.kind for twist in rung.rule.twists),
                rung.rule.numbers(self.source.rules), rung.first, rung.second, rung.cost,
                rung is self.rung,
            )
            for rung in self.ladder.rungs
        )  # fmt: skip
        twists = tuple(
            (twist.kind, twist.at, None if twist.by == NEVER else twist.by, first, second)
            for twist, first, second in self.twists
        )
        columns = ("kind", "at", "by", "worth_first", "worth_second")
        return Table("ladder", LADDER, rungs), Table("twists", columns, twists)

    def numbers(self) -> list[tuple[int, int]]:
        """(dice left, number) for the dice with which one may be asked; none is below what a turn
        that leaves so many dice has at least."""
        rules = self.source.rules
        totals: dict[int, list[int]] = {}
        for total, dice in reachable(rules, rules.floor):
            totals.setdefault(dice, []).append(total or rules.step)
        bank = enumerate(self.rule.bank[: asked(rules)], start=1)
        return [(dice, max(number, min(totals.get(dice, [0])))) for dice, number in bank]

    def keeps(self) -> list[tuple[Dice, Dice, Dice]]:
        """(throw, all that scores, what is set aside) where that is less and the turn goes on."""
        rules, keep = self.source.rules, self.rule.keep
        found: list[tuple[Dice, Dice, Dice]] = []
        for dice in range(rules.dice, 1, -1) if isinstance(keep, tuple) else ():
            table = choices(rules, dice)
            order = sorted(range(len(table.options)), key=lambda k: (-table.chance[k], k))
            for options in (table.options[k] for k in order):
                if not options or any(left == 0 for _, left in options):
                    continue
                worth = [points + int(keep[left - 1]) for points, left in options]
                best = worth.index(max(worth))  # of equals the one with more points
                if best:
                    throw, kept = shown(rules, dice, options)
                    found.append((throw, kept[0], kept[best]))
        return found

    def said(self, words: Words, twist: Twist) -> str:
        """An exception in words."""
        if twist.kind in ENOUGH:
            spans = [words.span(*when["reaching"]) for when in self._when(twist)]
            key = "pocket.enough" if twist.by else "pocket.at_once"
            return words(key, spans=words.listing(spans), by=twist.by)
        how = "never" if twist.by == NEVER else "more" if twist.by >= 0 else "less"
        values = {"at": twist.at, "by": abs(twist.by)}
        if twist.kind == "into_barrel":
            return words(f"pocket.into_barrel.{how}", **values)
        when = words(f"pocket.when.{twist.kind}", **values)
        return words(f"pocket.how.{how}", when=when, **values)

    def _when(self, twist: Twist) -> list[dict[str, Any]]:
        return WHEN[twist.kind](self.source.rules, twist.at)

    def exceptions(self, words: Words) -> list[str]:
        """The exceptions in words."""
        return [self.said(words, twist) for twist, _, _ in self.twists]

    def blocks(self, words: Words) -> Iterator[Block]:
        """The rule, its exceptions, its chances, what they are worth, and the other rules."""
        yield words("pocket.title")
        parts = (
            words("thresholds.example_part", dice=dice, least=least)
            for dice, least in self.numbers()
        )
        yield words("pocket.bank", numbers=", ".join(parts))
        yield words("pocket.hot")
        keeps = self.keeps()
        yield words("pocket.keep" if keeps else "pocket.keep_all")
        for throw, scoring, kept in keeps:
            dice = words("pocket.of", dice=len(throw))
            yield f"   {_spaced(scoring)} → {_spaced(kept)} {dice}"
        if self.source.rules.dump_trucks:
            yield words("pocket.dump_last")
        yield from self.exceptions(words)
        yield from self.headline(words)
        if self.twists:
            yield self.worths(words)
        yield self.table(words)
        yield words("pocket.source", evaluations=self.ladder.evaluations)

    def headline(self, words: Words) -> list[str]:
        """What the rule achieves."""
        return [
            words("pocket.chance", first=self.rung.first, second=self.rung.second),
            words("pocket.optimal", first=self.optimal, second=1.0 - self.optimal),
        ]

    def worths(self, words: Words) -> Table:
        """What each exception is worth."""
        head = ("exception", "worth_first", "worth_second")
        lines: list[tuple[Value, ...]] = [
            (self.said(words, twist), words.decimal(100 * first, 2), words.decimal(100 * second, 2))
            for twist, first, second in self.twists
        ]
        return Table("", tuple(words(f"pocket.{name}") for name in head), tuple(lines))

    def table(self, words: Words) -> Table:
        """Simpler and richer rules against their cost."""
        head = ("rule", "numbers", "first", "second", "cost")
        lines: list[tuple[Value, ...]] = [
            (
                self.name(words, rung) + (" ◂" if rung is self.rung else ""),
                words.number(rung.rule.numbers(self.source.rules)),
                *self._chances(words, rung.first, rung.second, rung.cost),
            )
            for rung in self.ladder.rungs
        ]
        best = self._chances(words, self.optimal, 1.0 - self.optimal, 0.0)
        lines.append((words("pocket.perfect"), "", *best))
        return Table("", tuple(words(f"pocket.{name}") for name in head), tuple(lines))

    def _chances(self, words: Words, first: float, second: float, cost: float) -> list[str]:
        return [words.percent(first, 2), words.percent(second, 2), words.decimal(100 * cost, 2)]

    def name(self, words: Words, rung: Rung) -> str:
        """What a rule of the ladder is called."""
        twists = rung.rule.twists
        what = ", ".join(words(f"pocket.label.{twist.kind}") for twist in twists)
        bank = rung.rule.bank[0]
        return words(f"pocket.rung.{rung.name}", count=len(twists), bank=bank, what=what)


def pocket_search(solution: Solution, on_try: OnTry | None = None) -> PocketChart:
    """Look for the pocket rule of a game.

    Parameters
    ----------
    solution : Solution
    on_try : callable, optional
        Called with the number of rules tried and the best chance among them.
    """
    return PocketChart(Source.of(solution), pocket_ladder(solution, on_try), solution.start)


def pocket_rule(solution: Solution) -> PocketChart:
    """The pocket rule on record for the rules of a solution.

    Raises
    ------
    ChartError
        If there is none; :func:`pocket_search` finds one.
    """
    text = resources.files("solver.charts").joinpath(RECORD).read_text(encoding="utf-8")
    record = json.loads(text)
    if record["rules"] != solution.rules.digest:
        raise ChartError("no pocket rule is on record for these rules: look for one with --search")
    return of_record(solution, record)


def of_record(solution: Solution, record: dict[str, Any]) -> PocketChart:
    """The chart that its JSON was made from."""
    rungs = tuple(
        Rung(
            one["name"],
            Pocket(
                tuple(one["bank"]),
                one["keep"] if isinstance(one["keep"], str) else tuple(one["keep"]),
                tuple(Twist(*twist) for twist in one["twists"]),
            ),
            one["first"],
            one["second"],
        )
        for one in record["ladder"]
    )
    worths = tuple((first, second) for first, second in record["worths"])
    ladder = Ladder(rungs, record["card"], worths, record["evaluations"])
    return PocketChart(Source.of(solution), ladder, record["optimal_first"])


def _spaced(values: Dice | str | int) -> str:
    """Numbers in a row; words as they are."""
    return " ".join(map(str, values)) if isinstance(values, tuple) else str(values)
