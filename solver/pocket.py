"""The pocket rule: the best simple rule that a person can remember, found by a search.

The family. After a throw, in this order (:class:`solver.thresholds.Thresholds`):

1. Set aside what wins; or all dice, if all score.
2. If some of what scores brings the turn total to the number for the dice that are then left, bank
   (with as many points as can be).
3. Else roll on. A spare die is worth points: of what may be set aside, take what has the most
   points when so many dice left count for so many points more.
4. Never meet a dump truck if there is anything else to do.

To this come exceptions, at most three on the card. The first that applies, in the order of `WHEN`,
changes the numbers of step 2.

The search begins with simpler rules: bank as soon as allowed, one number for all dice, a number for
each number of dice. Then the worth of spare dice comes in, then one exception after another: the
one that helps most as it is first tried, its numbers improved. Once there are three, everything is
improved together until no rule beside it is better: a number moved a little or more, or two of them
a little; an exception moved, dropped, added or put in another's place. Then more exceptions come
in, and the numbers of the richest rule are improved together too. What counts is the mean of both
seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from solver.analysis import points_thresholds
from solver.rules import Rules
from solver.search import Numbers, OnTry, Search, asked, beside
from solver.solution import Solution
from solver.thresholds import EVERYTHING, NEVER, Case, Keep, Thresholds

__all__ = [
    "ON_CARD",
    "Climb",
    "Ladder",
    "Pocket",
    "Rung",
    "Twist",
    "around",
    "openings",
    "pocket_ladder",
]

ON_CARD, RICHEST = 3, 6  # exceptions: of the pocket rule, and of the richest rule beside it
GAIN = 1e-4  # of an exception that is worth remembering
MOVES = (1, 2, 3, 4)  # by how many steps of the score a number is moved
SPARE = 4  # steps that a throw's most dice left are first worth


@dataclass(frozen=True)
class Twist:
    """An exception.

    Attributes
    ----------
    kind : str
        A key of `WHEN`.
    at : int
        Where it begins, where that does not go without saying.
    by : int
        into_barrel: no number is lower. Those in `ENOUGH`: none is higher. Else what is added to
        every number; `NEVER`: do not bank.
    """

    kind: str
    at: int = 0
    by: int = 0

    def cases(self, rules: Rules, bank: Numbers) -> list[Case]:
        """The exception to some numbers."""
        changed: Numbers | int
        if self.by == NEVER:
            changed = self.by
        elif self.kind in ENOUGH:
            changed = tuple(min(number, self.by) for number in bank)
        elif self.kind == "into_barrel":
            changed = tuple(max(number, self.by) for number in bank)
        else:
            changed = tuple(max(number + self.by, 0) for number in bank)
        return [Case(bank=changed, **when) for when in WHEN[self.kind](rules, self.at)]


WHEN: dict[str, Callable[[Rules, int], list[dict[str, Any]]]] = {
    "dump": lambda rules, at: [
        {"reaching": (score - at, score + at)} for score in rules.dump_trucks
    ],
    "short_of_barrel": lambda rules, at: [
        {"reaching": (low - at, low - rules.step)} for low, _ in rules.barrels
    ],
    "into_barrel": lambda rules, at: [
        {"reaching": (low, high - rules.step)} for low, high in rules.barrels
    ],
    "on_barrel": lambda rules, at: [{"barrel": True}],
    "opponent_near": lambda rules, at: [{"opponent_score": (at, None)}],
    "behind": lambda rules, at: [{"lead": (None, -at)}],
    "ahead": lambda rules, at: [{"lead": (at, None)}],
    "last_bolt": lambda rules, at: [{"bolts": (rules.bolts_to_penalty - 1, None)}],
    "outside": lambda rules, at: [{"entered": False}],
    "opponent_outside": lambda rules, at: [{"opponent_entered": False}],
}
"""When exceptions apply, the first first: banking would come within `at` points of a dump truck; or
`at` points or less short of a barrel; or onto one; the turn began on one; the opponent has `at` or
more; one is `at` or more behind, or ahead; one has all bolts but one; one has not entered, or the
opponent has not."""

ENOUGH = ("dump", "short_of_barrel")  # so many points are enough there


@dataclass(frozen=True)
class Pocket:
    """A rule of the family.

    Attributes
    ----------
    bank : tuple of int
        The numbers: for 1, 2, ... dice left.
    keep : tuple of int, or "everything"
        What so many dice left count for when the turn goes on.
    twists : tuple of Twist
    """

    bank: Numbers
    keep: Keep = EVERYTHING
    twists: tuple[Twist, ...] = ()

    def policy(self, rules: Rules) -> Thresholds:
        """The rule as a policy for :func:`solver.evaluate.evaluate`.

        Examples
        --------
        >>> from solver import SHARABESHKI, State
        >>> rule = Pocket((20, 20, 40, 85, 360), (0, 0, 0, 20, 0)).policy(SHARABESHKI)
        >>> [str(rule(State.parse(s), t)) for s, t in (("0e:0e", (1, 5, 2, 2, 6)),
        ...  ("0e+15d3:0e", (1, 5, 2)), ("0e+20d2:0e", (1, 5)))]
        ['keep 1, roll', 'keep 1 5, bank', 'keep 1 5, roll']
        """
        order = list(WHEN)
        twists = sorted(self.twists, key=lambda twist: order.index(twist.kind))
        cases = (case for twist in twists for case in twist.cases(rules, self.bank))
        return Thresholds(self.bank, self.keep, tuple(cases))

    def without(self, twist: Twist) -> Pocket:
        """The rule without one of its exceptions."""
        return replace(self, twists=tuple(other for other in self.twists if other != twist))

    def numbers(self, rules: Rules) -> int:
        """How many numbers one has to remember; an exception without any counts as one."""
        spare = {value for value in self.keep if value} if isinstance(self.keep, tuple) else ()
        own = ((twist.at > 0) + (twist.by not in (0, NEVER)) for twist in self.twists)
        return len(set(self.bank[: asked(rules)])) + len(spare) + sum(max(n, 1) for n in own)


@dataclass(frozen=True)
class Rung:
    """A rule with what it achieves against optimal play.

    Attributes
    ----------
    name : str
        What sort of rule: "asap", "single", "dice", "spare" or "twists".
    rule : Pocket
    first, second : float
        The chance to win going first and second.
    """

    name: str
    rule: Pocket
    first: float
    second: float

    @property
    def cost(self) -> float:
        """What it gives away against optimal play, on the mean of both seats."""
        return 0.5 - (self.first + self.second) / 2


@dataclass(frozen=True)
class Ladder:
    """What a search has found.

    Attributes
    ----------
    rungs : tuple of Rung
        The simplest rule first.
    card : int
        Which of them is the pocket rule.
    worths : tuple of (float, float)
        What it loses without each of its exceptions, going first and second.
    evaluations : int
    """

    rungs: tuple[Rung, ...]
    card: int
    worths: tuple[tuple[float, float], ...]
    evaluations: int


def pocket_ladder(solution: Solution, on_try: OnTry | None = None) -> Ladder:
    """Find the pocket rule of a game, and simpler and richer rules.

    Parameters
    ----------
    solution : Solution
    on_try : callable, optional
        Called with the number of rules tried and the best chance among them.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from solver.rules import PIG
    >>> from solver.solve import solve
    >>> ladder = pocket_ladder(solve(replace(PIG, target=20)))
    >>> [(rung.name, rung.rule.bank, round(rung.cost, 4)) for rung in ladder.rungs]
    [('asap', (0,), 0.425), ('single', (20,), 0.0)]
    """
    search = Search(solution, on_try)
    rules = search.rules
    single = search.single(EVERYTHING)
    found = [("asap", Pocket((0,) * rules.dice)), ("single", Pocket(single))]
    if rules.dice > 1:
        several = search.several(EVERYTHING, points_thresholds(rules), single)
        found.append(("dice", Pocket(several)))
    return Climb(search).run(found)


Moves = Callable[[Rules, Pocket], Iterator[Pocket]]


class Climb:
    """From the simplest rules to the richest."""

    def __init__(self, search: Search) -> None:
        self.search, self.rules = search, search.rules

    def run(self, found: list[tuple[str, Pocket]]) -> Ladder:
        """Go on from simple rules."""
        if self.rules.set_aside == "any" and self.rules.dice > 2:
            moves = partial(numbers_moved, self.rules)
            self.add(found, "spare", self.climb(self.spared(found[-1][1]), moves))
        self.grow(found, ON_CARD)
        self.improve(found, around)
        card = len(found) - 1
        self.grow(found, RICHEST)
        if len(found) - 1 > card:
            self.improve(found, moved)
        return self.ladder(found, card)

    def improve(self, found: list[tuple[str, Pocket]], moves: Moves) -> None:
        """Improve the last rule in every way."""
        name, rule = found.pop()
        rule = self.climb(rule, partial(moves, self.rules))
        found.append(("twists" if rule.twists else name, rule))

    def grow(self, found: list[tuple[str, Pocket]], most: int) -> None:
        """Add exceptions one by one, as long as they are worth it."""
        while len(found[-1][1].twists) < most:
            if not self.add(found, "twists", self.grown(found[-1][1])):
                break

    def add(self, found: list[tuple[str, Pocket]], name: str, rule: Pocket) -> bool:
        """Add a rule if it is enough better to be worth more numbers."""
        mine, last = (self.search.mean(one.policy(self.rules)) for one in (rule, found[-1][1]))
        if mine > last + GAIN:
            found.append((name, rule))
        return mine > last + GAIN

    def spared(self, rule: Pocket) -> Pocket:
        """The rule with spare dice kept back: only the most that can be left over."""
        most = self.rules.dice - 1
        worth = SPARE * self.rules.step
        keep = tuple(worth * (left == most) for left in range(1, self.rules.dice + 1))
        return replace(rule, keep=keep)

    def grown(self, rule: Pocket) -> Pocket:
        """The rule with the one more exception that helps most, its numbers improved."""
        used = {twist.kind for twist in rule.twists}
        more = [
            replace(rule, twists=(*rule.twists, twist))
            for twist in openings(self.rules)
            if twist.kind not in used
        ]
        if not more:
            return rule
        best = max(more, key=lambda other: self.search.mean(other.policy(self.rules)))
        return self.climb(best, lambda rule: twist_moved(self.rules, rule, rule.twists[-1]))

    def climb(self, rule: Pocket, moves: Callable[[Pocket], Iterator[Pocket]]) -> Pocket:
        """To where no move helps."""
        return self.search.climb(rule, moves, lambda rule: rule.policy(self.rules))

    def ladder(self, found: list[tuple[str, Pocket]], card: int) -> Ladder:
        """What was found, with its chances to the last digit."""
        rungs = tuple(self.rung(name, rule) for name, rule in found)
        mine = rungs[card]
        less = (self.rung("", mine.rule.without(twist)) for twist in mine.rule.twists)
        worths = tuple((mine.first - one.first, mine.second - one.second) for one in less)
        return Ladder(rungs, card, worths, len(self.search.known))

    def rung(self, name: str, rule: Pocket) -> Rung:
        """A rule with its chances."""
        result = self.search.chances(rule.policy(self.rules))
        return Rung(name, rule, result.first, result.second)


def openings(rules: Rules) -> Iterator[Twist]:
    """The exceptions that make sense under the rules, as a search first tries them."""
    step, target = rules.step, rules.target
    far, near = _round(target / 4, step), _round(0.85 * target, step)
    if rules.dump_trucks:
        yield Twist("dump", 2 * step, 2 * step)
    if rules.barrels:
        yield Twist("short_of_barrel", 2 * step, 3 * step)
        yield Twist("into_barrel", by=7 * step)
        yield Twist("on_barrel", by=-4 * step)
    yield Twist("opponent_near", near, 4 * step)
    yield Twist("behind", far, 2 * step)
    yield Twist("ahead", far, -step)
    if rules.bolts_to_penalty > 1:
        yield Twist("last_bolt", by=-step)
    if rules.entry:
        yield Twist("outside", by=2 * step)
        yield Twist("opponent_outside", by=-step)


def around(rules: Rules, rule: Pocket) -> Iterator[Pocket]:
    """The rules beside a rule that may have `ON_CARD` exceptions."""
    yield from numbers_moved(rules, rule)
    yield from pairs_moved(rules, rule)
    used = {twist.kind for twist in rule.twists}
    fresh = [twist for twist in openings(rules) if twist.kind not in used]
    for twist in rule.twists:
        yield from twist_moved(rules, rule, twist)
        yield rule.without(twist)
        yield from (_changed(rule, twist, other) for other in fresh)
    if len(rule.twists) < ON_CARD:
        yield from (replace(rule, twists=(*rule.twists, twist)) for twist in fresh)


def moved(rules: Rules, rule: Pocket) -> Iterator[Pocket]:
    """The rules with one number moved, of the rule or of its exceptions."""
    yield from numbers_moved(rules, rule)
    for twist in rule.twists:
        yield from twist_moved(rules, rule, twist)


def numbers_moved(rules: Rules, rule: Pocket) -> Iterator[Pocket]:
    """The rules with one number moved, or the worth of spare dice."""
    step, free, most = rules.step, asked(rules), rules.target - rules.floor
    for bank in beside(rule.bank[:free], [move * step for move in MOVES], most):
        yield replace(rule, bank=bank + rule.bank[free:])
    if isinstance(rule.keep, tuple):
        for keep in beside(rule.keep[1:-1], [step], most):
            yield replace(rule, keep=(rule.keep[0], *keep, rule.keep[-1]))


def pairs_moved(rules: Rules, rule: Pocket) -> Iterator[Pocket]:
    """The rules with two numbers moved by a step, the worth of most dice left among them."""
    free, most = asked(rules), rules.target - rules.floor
    spare = rule.keep[-2:-1] if isinstance(rule.keep, tuple) else ()
    for one in beside(rule.bank[:free] + spare, [rules.step], most):
        for numbers in beside(one, [rules.step], most):
            keep = (*rule.keep[:-2], *numbers[free:], rule.keep[-1]) if spare else rule.keep
            yield replace(rule, bank=numbers[:free] + rule.bank[free:], keep=keep)


def twist_moved(rules: Rules, rule: Pocket, twist: Twist) -> Iterator[Pocket]:
    """The rules with a number of one exception moved."""
    step, target, near = rules.step, rules.target, twist.kind in ENOUGH
    stride = step if near else _round(target / 20, step)
    if twist.at:
        for at in (twist.at - stride, twist.at + stride):
            yield _changed(rule, twist, replace(twist, at=min(max(at, step), target)))
    start = next(other.by for other in openings(rules) if other.kind == twist.kind)
    for move in (-1, 1, -2, 2) if near else (-1, 1, -4, 4):
        by = step * move + (start if twist.by == NEVER else twist.by)
        yield _changed(rule, twist, replace(twist, by=max(by, 0) if near else by))
    if not near:
        yield _changed(rule, twist, replace(twist, by=start if twist.by == NEVER else NEVER))


def _changed(rule: Pocket, old: Twist, new: Twist) -> Pocket:
    return replace(rule, twists=tuple(new if twist == old else twist for twist in rule.twists))


def _round(points: float, step: int) -> int:
    return max(round(points / step), 1) * step
