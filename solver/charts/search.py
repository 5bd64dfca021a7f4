"""The search for the pocket rule: a climb over exact evaluations against optimal play.

It begins with one number for all dice and lets the rule grow: a number for each number of dice,
then the worth of spare dice, then one exception after another, at each step the one that helps
most. After each step it climbs: it tries every neighbour (a number moved a little or a lot, an
exception moved, dropped, added or put in another's place) and takes the first that is better,
until none is. The last climb therefore ends at a local optimum of the family, with every
neighbour looked at. What is best on the mean of both seats counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solver.charts.bar import OnStage
from solver.charts.model import Source
from solver.charts.pocket import ON_CARD, Pocket, PocketChart, Rung, Twist
from solver.evaluate import Evaluation, evaluate
from solver.plans import prepare
from solver.rules import Rules
from solver.solve import Solution
from solver.thresholds import NEVER

__all__ = ["Search", "neighbours", "search"]

ROUGH, FINE = 1e-4, 1e-7  # error bounds asked for: where they tell rules apart, and else
FINAL = 1e-9  # of the chances that are reported
RICHEST = 6  # exceptions of the richest rule of the ladder
SINGLE = tuple(range(2, 10))  # single numbers to begin with, in steps
SPARES = (0, 2, 7, 12, 17, 22, 32)  # what spare dice may count for, in fifths of a step
EXPECTED = 400  # evaluations, about: for the bar


def search(solution: Solution, on_stage: OnStage | None = None) -> PocketChart:
    """Find the pocket rule of a game.

    Parameters
    ----------
    solution : Solution
    on_stage : callable, optional
        Called with "search" and about the share that is done.
    """
    return Search(solution, on_stage).run()


class Search:
    """A search under way.

    Attributes
    ----------
    known : dict of Pocket to (float, float)
        The rules that have been evaluated: the chance, on the mean of both seats, and a bound on
        its error.
    """

    def __init__(self, solution: Solution, on_stage: OnStage | None = None) -> None:
        self.solution, self.rules, self.on_stage = solution, solution.rules, on_stage
        self.known: dict[Pocket, tuple[float, float]] = {}
        self._plan = prepare(solution, solution.rules)
        self._last: Evaluation | None = None
        self._start: Evaluation | None = None  # of the rule that the climb has come to

    def run(self) -> PocketChart:
        """Climb from the simplest rule to the richest."""
        dice, step = self.rules.dice, self.rules.step
        none = (0,) * dice
        single = max((Pocket((n * step,) * dice, none) for n in SINGLE), key=self.value)
        ladder = [("asap", Pocket(none, none)), ("single", single)]
        rule = self.climb(single, spare=False, most=0)
        ladder.append(("dice", rule))
        better = self.climb(replace(rule, spare=self._spares()), most=0)
        if self.beats(better, rule):
            rule = better
            ladder.append(("spare", rule))
        for count in range(1, ON_CARD + 1):
            better = self.climb(self.grown(rule), most=count)
            if not self.beats(better, rule):
                break
            rule = better
            ladder.append(("twists", rule))
        card = rule
        for _ in range(ON_CARD, RICHEST):
            richer = self.grown(rule)
            if not self.beats(richer, rule):
                break
            rule = richer
            ladder.append(("twists", rule))
        return self._chart(card, ladder)

    def _spares(self) -> tuple[int, ...]:
        """Where the worth of spare dice begins: only of the most that can be left over."""
        most = self.rules.dice - 1
        return tuple(3 * self.rules.step * (left == most) for left in range(1, self.rules.dice + 1))

    def value(self, rule: Pocket) -> float:
        """The chance of a rule against optimal play, on the mean of both seats."""
        return self.estimate(rule, ROUGH)[0]

    def estimate(self, rule: Pocket, tolerance: float) -> tuple[float, float]:
        """The chance of a rule, and a bound on its error of at most about `tolerance`."""
        known = self.known.get(rule)
        if known is None or known[1] > tolerance:
            self._last = self._evaluate(rule, tolerance)
            known = (self._last.first + self._last.second) / 2, self._last.error_bound
            self.known[rule] = known
            self._start = self._start or self._last
            if self.on_stage is not None:
                self.on_stage("search", min(len(self.known) / EXPECTED, 0.99))
        return known

    def beats(self, one: Pocket, other: Pocket) -> bool:
        """Whether a rule is better than another; what is equal to within rounding is not.

        Rough evaluations decide where their error bounds allow it.
        """
        for tolerance in (ROUGH, FINE):
            mine, theirs = self.estimate(one, tolerance), self.estimate(other, tolerance)
            doubt = mine[1] + theirs[1]
            if abs(mine[0] - theirs[0]) > doubt:
                return mine[0] > theirs[0]
        return False

    def _evaluate(self, rule: Pocket, tolerance: float) -> Evaluation:
        policy = rule.policy(self.rules)
        return evaluate(policy, self._plan, self.rules, tolerance=tolerance, start=self._start)

    def climb(self, rule: Pocket, most: int, spare: bool = True) -> Pocket:
        """Go from rule to better rule until no neighbour is better.

        Parameters
        ----------
        rule : Pocket
        most : int
            Exceptions that it may have.
        spare : bool
            Whether the worth of spare dice may change.
        """
        tried = 0
        while True:
            around = list(neighbours(self.rules, rule, most, spare))
            for place in range(len(around)):
                other = around[(tried + place) % len(around)]
                if self.beats(other, rule):
                    rule, tried, self._start = other, tried + place, self._last
                    break
            else:
                return rule

    def grown(self, rule: Pocket) -> Pocket:
        """The rule with the one more exception that helps most."""
        used = {twist.kind for twist in rule.twists}
        return max(
            (
                replace(rule, twists=(*rule.twists, twist))
                for twist in openings(self.rules)
                if twist.kind not in used
            ),
            key=self.value,
            default=rule,
        )

    def _rung(self, name: str, rule: Pocket) -> Rung:
        result = self._evaluate(rule, FINAL)
        return Rung(name, rule, result.first, result.second)

    def _chart(self, card: Pocket, ladder: list[tuple[str, Pocket]]) -> PocketChart:
        """The chart of what was found, with its chances to the last digit."""
        rungs = tuple(self._rung(name, rule) for name, rule in ladder)
        mine = next(rung for rung in rungs if rung.rule == card)
        twists = []
        for twist in card.twists:
            less = self._rung("twists", card.without(twist))
            twists.append((twist, mine.first - less.first, mine.second - less.second))
        return PocketChart(
            Source.of(self.solution), mine, self.solution.start, tuple(twists), rungs,
            len(self.known),
        )  # fmt: skip


def openings(rules: Rules) -> Iterator[Twist]:
    """The exceptions that make sense under the rules, as a search first tries them."""
    step, target = rules.step, rules.target
    far, near = _round(target / 4, step), _round(0.85 * target, step)
    if rules.dump_trucks:
        yield Twist("dump", 2 * step, 0)
    if rules.barrels:
        yield Twist("into_barrel", 0, 8 * step)
        yield Twist("on_barrel", 0, -4 * step)
    yield Twist("opponent_near", near, 4 * step)
    yield Twist("behind", far, 2 * step)
    yield Twist("ahead", far, -step)
    if rules.bolts_to_penalty > 1:
        yield Twist("last_bolt", 0, -step)
    if rules.entry:
        yield Twist("outside", 0, 2 * step)
        yield Twist("opponent_outside", 0, -step)


def neighbours(rules: Rules, rule: Pocket, most: int, spare: bool = True) -> Iterator[Pocket]:
    """The rules of the family that are one move away.

    Parameters
    ----------
    rules : Rules
    rule : Pocket
    most : int
        Exceptions that a rule may have.
    spare : bool
        Whether the worth of spare dice may change.
    """
    step = rules.step
    asked = rules.dice if rules.hot_dice == "may_roll" else rules.dice - 1
    for place in range(max(asked, 1)):
        for move in (-step, step, -3 * step, 3 * step):
            if rule.bank[place] + move >= 0:
                yield replace(rule, bank=_put(rule.bank, place, rule.bank[place] + move))
    if spare and rules.set_aside == "any":
        for place in range(1, rules.dice - 1):
            for value in _beside(rule.spare[place], step):
                yield replace(rule, spare=_put(rule.spare, place, value))
    for twist in rule.twists:
        less = rule.without(twist)
        yield less
        used = {other.kind for other in less.twists}
        yield from (
            replace(rule, twists=_changed(rule.twists, twist, other))
            for other in (*_moved(rules, twist), *openings(rules))
            if other != twist
            and other.kind not in used
            and (other.kind != twist.kind or other in set(_moved(rules, twist)))
        )
    if len(rule.twists) < most:
        used = {twist.kind for twist in rule.twists}
        yield from (
            replace(rule, twists=(*rule.twists, twist))
            for twist in openings(rules)
            if twist.kind not in used
        )


def _put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _beside(value: int, step: int) -> list[int]:
    """The next lower and the next higher worth of spare dice."""
    scale = sorted({share * step // 5 for share in SPARES} | {value})
    place = scale.index(value)
    return scale[max(place - 1, 0) : place] + scale[place + 1 : place + 2]


def _changed(twists: tuple[Twist, ...], old: Twist, new: Twist) -> tuple[Twist, ...]:
    return tuple(new if twist == old else twist for twist in twists)


def _moved(rules: Rules, twist: Twist) -> Iterator[Twist]:
    """An exception with one of its numbers moved."""
    step = rules.step
    stride = step if twist.kind == "dump" else _round(rules.target / 20, step)
    for at in (twist.at - stride, twist.at + stride):
        if twist.at and 0 < at < rules.target:
            yield replace(twist, at=at)
    if twist.kind == "dump":
        return
    if twist.bank == NEVER:
        yield replace(twist, bank=12 * step)
        return
    for move in (-step, step, -4 * step, 4 * step):
        if twist.kind != "into_barrel" or twist.bank + move > 0:
            yield replace(twist, bank=twist.bank + move)
    if twist.bank >= 8 * step:
        yield replace(twist, bank=NEVER)


def _round(points: float, step: int) -> int:
    return max(round(points / step), 1) * step
