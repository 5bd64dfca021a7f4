"""The pocket rule: the best simple rule that a person can remember, and how good it is.

The family. A rule says, in this order, what to do after a throw:

1. If something wins, or if all dice score, set all of it aside.
2. If some of what scores brings the turn total to the number for the dice that are then left, bank
   (with as many points as can be).
3. Else roll on. A spare die is worth points: of what may be set aside, take what has the most
   points when so many dice left count for so many points.
4. Never meet a dump truck if there is anything else to do.

To this come exceptions, at most three on the card: see `TWISTS`. The first that applies, in the
order of that table, changes the numbers of step 2.

All numbers are exact chances against optimal play (:mod:`solver.evaluate`). The rule is found by
:mod:`solver.charts.search`; for the default game it is on record in ``pocket.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, ClassVar

from solver.charts.keeps import shown
from solver.charts.model import Block, Chart, Source, Table, Value
from solver.charts.survey import choices
from solver.charts.words import ChartError, Words
from solver.rules import Rules
from solver.solve import Solution
from solver.thresholds import NEVER, Case, Plain, Thresholds

__all__ = ["TWISTS", "Pocket", "PocketChart", "Rung", "Twist", "pocket_rule"]

RECORD = "pocket.json"
ON_CARD = 3  # exceptions
_CLASS, _POINTS = 1 << 44, 1 << 20


@dataclass(frozen=True)
class Twist:
    """An exception.

    Attributes
    ----------
    kind : str
        One of `TWISTS`.
    at : int
        Where it begins: points, or 0 where that goes without saying.
    bank : int
        What it does to the numbers: see `TWISTS`. `NEVER`: do not bank at all.
    """

    kind: str
    at: int
    bank: int


Cases = Callable[[Rules, tuple[int, ...], Twist], list[Case]]


def _short_of_dump(rules: Rules, bank: tuple[int, ...], twist: Twist) -> list[Case]:
    return [
        Case(bank=0, reaching=(score - twist.at, score - rules.step)) for score in rules.dump_trucks
    ]


def _into_barrel(rules: Rules, bank: tuple[int, ...], twist: Twist) -> list[Case]:
    spans = [(low, high - 1) for low, high in rules.barrels]
    return [Case(bank=_at_least(bank, twist.bank), reaching=span) for span in spans]


def _at_least(bank: tuple[int, ...], least: int) -> tuple[int, ...]:
    return tuple(max(number, least) for number in bank)


def _shifted(**when: Any) -> Cases:
    """Every number is so many points higher (or lower) in some situations."""

    def cases(rules: Rules, bank: tuple[int, ...], twist: Twist) -> list[Case]:
        moved = tuple(max(number + twist.bank, 0) for number in bank)
        conditions = {name: make(rules, twist.at) for name, make in when.items()}
        return [Case(bank=NEVER if twist.bank == NEVER else moved, **conditions)]

    return cases


TWISTS: dict[str, Cases] = {
    "dump": _short_of_dump,
    "into_barrel": _into_barrel,
    "on_barrel": _shifted(barrel=lambda rules, at: True),
    "opponent_near": _shifted(opponent_score=lambda rules, at: (at, None)),
    "behind": _shifted(lead=lambda rules, at: (None, -at)),
    "ahead": _shifted(lead=lambda rules, at: (at, None)),
    "last_bolt": _shifted(bolts=lambda rules, at: (rules.bolts_to_penalty - 1, None)),
    "outside": _shifted(entered=lambda rules, at: False),
    "opponent_outside": _shifted(opponent_entered=lambda rules, at: False),
}
"""The exceptions, in the order in which they apply.

dump: when banking leaves one `at` points or less short of a dump truck, bank at once.
into_barrel: bank into a barrel only with `bank` points or more.
All others add `bank` points to every number: on_barrel: who started the turn in one;
opponent_near: against one who has `at` or more; behind, ahead: by `at` or more; last_bolt: who has
all bolts but one; outside, opponent_outside: who has not entered, against one who has not.
"""


@dataclass(frozen=True)
class _Spare(Plain):
    """A rule in one situation, ranking what is set aside as the family has it."""

    def rank(self, then: str, points: int, left: int, dice: int) -> int:
        """A number that is highest for what is set aside."""
        if then == "dump":
            return points
        if then == "win":
            return 4 * _CLASS + points
        if left in (0, dice):
            return 3 * _CLASS + points
        if then == "bank":
            return 2 * _CLASS + points
        return _CLASS + worth(self.keep, points, left)


def worth(spare: Any, points: int, left: int) -> int:
    """What a set-aside is ranked by when the turn goes on; of equals, more points first."""
    rank: int = (points + spare[left - 1]) * _POINTS + points
    return rank


@dataclass(frozen=True)
class _Rule(Thresholds):
    """A rule of the family, as a policy."""

    def plain(self, cases: Any) -> Plain:
        """The rule when these cases are the ones that apply."""
        plain = super().plain(cases)
        return _Spare(plain.keep, plain.banks)


@dataclass(frozen=True)
class Pocket:
    """A rule of the family.

    Attributes
    ----------
    bank : tuple of int
        The numbers: for 1, 2, ... dice left.
    spare : tuple of int
        What so many dice left count for when the turn goes on.
    twists : tuple of Twist
    """

    bank: tuple[int, ...]
    spare: tuple[int, ...]
    twists: tuple[Twist, ...] = ()

    def policy(self, rules: Rules) -> Thresholds:
        """The rule as a policy for :func:`solver.evaluate.evaluate`.

        Examples
        --------
        >>> from solver import SHARABESHKI, State
        >>> rule = Pocket((20, 20, 40, 85, 85), (0, 0, 7, 17, 0)).policy(SHARABESHKI)
        >>> [str(rule(State.parse(s), t)) for s, t in (("0e:0e", (1, 5, 2, 2, 6)),
        ...  ("0e+15d3:0e", (1, 5, 2)), ("0e+20d2:0e", (1, 5)))]
        ['keep 1, roll', 'keep 1 5, bank', 'keep 1 5, roll']
        """
        cases = tuple(
            case
            for kind, make in TWISTS.items()
            for twist in self.twists
            if twist.kind == kind
            for case in make(rules, self.bank, twist)
        )
        return _Rule(self.bank, self.spare, cases)

    def without(self, twist: Twist) -> Pocket:
        """The rule without one of its exceptions."""
        return replace(self, twists=tuple(other for other in self.twists if other != twist))

    @property
    def numbers(self) -> int:
        """How many numbers one has to remember."""
        spare = len({value for value in self.spare if value})
        own = sum((twist.at > 0) + (twist.bank not in (0, NEVER)) for twist in self.twists)
        return len(set(self.bank[:-1]) or self.bank) + spare + max(own, len(self.twists))

    def record(self) -> dict[str, Any]:
        """The rule as JSON values."""
        return {
            "bank": list(self.bank),
            "spare": list(self.spare),
            "twists": [[twist.kind, twist.at, twist.bank] for twist in self.twists],
        }

    @classmethod
    def of(cls, record: dict[str, Any]) -> Pocket:
        """The rule that a record holds."""
        twists = tuple(Twist(*twist) for twist in record["twists"])
        return cls(tuple(record["bank"]), tuple(record["spare"]), twists)


@dataclass(frozen=True)
class Rung:
    """A rule with what it achieves against optimal play.

    Attributes
    ----------
    name : str
        What sort of rule: "asap", "single", "dice", "spare", or "twists".
    rule : Pocket
    first, second : float
        The chance to win going first and second.
    """

    name: str
    rule: Pocket
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The chance to win when either goes first as often."""
        return (self.first + self.second) / 2


@dataclass(frozen=True, eq=False)
class PocketChart(Chart):
    """The pocket rule of a game.

    Attributes
    ----------
    source : Source
    rung : Rung
        The rule and its chances.
    optimal : float
        The first player's chance when both play optimally.
    twists : tuple of (Twist, float, float)
        The exceptions of the rule, and what the rule loses without each, going first and second.
    ladder : tuple of Rung
        Simpler rules and richer ones, the simplest first.
    evaluations : int
        Exact evaluations of the search that found it.
    """

    kind: ClassVar[str] = "pocket"
    source: Source
    rung: Rung
    optimal: float
    twists: tuple[tuple[Twist, float, float], ...]
    ladder: tuple[Rung, ...]
    evaluations: int

    @property
    def rule(self) -> Pocket:
        """The rule itself."""
        return self.rung.rule

    def facts(self) -> dict[str, Any]:
        """Everything: the record from which the chart can be made again."""
        return {
            "rule": self.rule.record(),
            "first": self.rung.first,
            "second": self.rung.second,
            "optimal_first": self.optimal,
            "optimal_second": 1.0 - self.optimal,
            "evaluations": self.evaluations,
            "twists_worth": [[first, second] for _, first, second in self.twists],
            "ladder": [
                {"name": rung.name, "rule": rung.rule.record(), "first": rung.first,
                 "second": rung.second}
                for rung in self.ladder
            ],
        }  # fmt: skip

    def tables(self) -> tuple[Table, ...]:
        """The rules of the ladder, and the exceptions of the pocket rule."""
        rungs = tuple(
            (
                rung.name, " ".join(map(str, rung.rule.bank)), " ".join(map(str, rung.rule.spare)),
                " ".join(twist.kind for twist in rung.rule.twists), rung.rule.numbers, rung.first,
                rung.second, self.cost(rung), rung == self.rung,
            )
            for rung in self.ladder
        )  # fmt: skip
        twists = tuple(
            (twist.kind, twist.at, twist.bank if twist.bank != NEVER else None, first, second)
            for twist, first, second in self.twists
        )
        return (
            Table("ladder", ("name", "bank", "spare", "twists", "numbers", "first", "second",
                             "cost", "on_card"), rungs),
            Table("twists", ("kind", "at", "bank", "worth_first", "worth_second"), twists),
        )  # fmt: skip

    def cost(self, rung: Rung) -> float:
        """What a rule gives away against optimal play, on the mean of both seats."""
        return 0.5 - rung.mean

    def numbers(self) -> list[tuple[int, int]]:
        """(dice left, number) for the dice with which one may be asked."""
        most = len(self.rule.bank) - (self.source.rules.hot_dice == "must_roll")
        return list(enumerate(self.rule.bank[:most], start=1))

    def keeps(self) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
        """(throw, all that scores, what is set aside) where that is less and the turn goes on."""
        rules, found = self.source.rules, []
        for dice in range(rules.dice, 1, -1):
            table = choices(rules, dice)
            order = sorted(range(len(table.options)), key=lambda k: (-table.chance[k], k))
            for options in (table.options[k] for k in order):
                open_to = [option for option in options if option[1]]
                if not open_to or len(open_to) < len(options):
                    continue
                best = max(open_to, key=lambda o: worth(self.rule.spare, *o))
                if best != options[0]:
                    throw, kept = shown(rules, dice, options)
                    found.append((throw, kept[0], kept[options.index(best)]))
        return found

    def exceptions(self, words: Words) -> list[str]:
        """The exceptions in words."""
        return [self.said(words, twist) for twist, _, _ in self.twists]

    def said(self, words: Words, twist: Twist) -> str:
        """An exception in words."""
        rules, values = self.source.rules, {"at": twist.at, "bank": abs(twist.bank)}
        if twist.kind == "dump":
            scores = [
                words.number(score - short)
                for score in rules.dump_trucks
                for short in range(twist.at, 0, -rules.step)
            ]
            return words("pocket.twist.dump", scores=words.listing(scores))
        how = "never" if twist.bank == NEVER else "more" if twist.bank >= 0 else "less"
        if twist.kind == "into_barrel":
            return words(f"pocket.twist.into_barrel.{how}", **values)
        when = words(f"pocket.when.{twist.kind}", **values)
        return words(f"pocket.how.{how}", when=when, **values)

    def blocks(self, words: Words) -> Iterator[Block]:
        """The rule, its chances, its exceptions and what they are worth, and the ladder."""
        yield words("pocket.title")
        yield words("pocket.bank", numbers=self._numbers(words))
        yield words("pocket.hot")
        yield words("pocket.keep" if self.keeps() else "pocket.keep_all")
        yield from (
            f"   {' '.join(map(str, scoring))} → {' '.join(map(str, kept))}"
            + f" {words('pocket.of', dice=len(throw))}"
            for throw, scoring, kept in self.keeps()
        )
        yield from self.exceptions(words)
        yield from self.headline(words)
        yield self.worths(words)
        yield self.table(words)
        yield words("pocket.source", evaluations=self.evaluations)

    def _numbers(self, words: Words) -> str:
        parts = (
            words("thresholds.example_part", dice=dice, least=least)
            for dice, least in self.numbers()
        )
        return ", ".join(parts)

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
                self.name(words, rung) + (" ◂" if rung == self.rung else ""),
                words.number(rung.rule.numbers),
                words.percent(rung.first, 2),
                words.percent(rung.second, 2),
                words.decimal(100 * self.cost(rung), 2),
            )
            for rung in self.ladder
        ]
        lines.append(
            (words("pocket.perfect"), "", words.percent(self.optimal, 2),
             words.percent(1.0 - self.optimal, 2), words.decimal(0.0, 2))
        )  # fmt: skip
        return Table("", tuple(words(f"pocket.{name}") for name in head), tuple(lines))

    def name(self, words: Words, rung: Rung) -> str:
        """What a rule of the ladder is called."""
        count = len(rung.rule.twists)
        return words(f"pocket.rung.{rung.name}", count=count, bank=rung.rule.bank[0])


def pocket_rule(solution: Solution) -> PocketChart:
    """The pocket rule on record for the rules of a solution.

    Raises
    ------
    ChartError
        If there is none; :func:`solver.charts.search.search` finds one.
    """
    text = resources.files("solver.charts").joinpath(RECORD)
    if text.is_file():
        record = json.loads(text.read_text(encoding="utf-8"))
        if record["rules"] == solution.rules.digest:
            return of_record(solution, record)
    raise ChartError("no pocket rule is on record for these rules: look for one with --search")


def of_record(solution: Solution, record: dict[str, Any]) -> PocketChart:
    """The chart that a record, as `PocketChart.json` writes it, was made from."""
    rung = Rung("twists", Pocket.of(record["rule"]), record["first"], record["second"])
    worths = zip(rung.rule.twists, record["twists_worth"], strict=True)
    ladder = tuple(
        Rung(one["name"], Pocket.of(one["rule"]), one["first"], one["second"])
        for one in record["ladder"]
    )
    return PocketChart(
        Source.of(solution),
        next((one for one in ladder if one.rule == rung.rule), rung),
        record["optimal_first"],
        tuple((twist, first, second) for twist, (first, second) in worths),
        ladder,
        record["evaluations"],
    )
