"""A naive reference for the "1000" family of dice games: slow, short, independent of the solver.

Everything here is written from the text of the rules and shares no code with the package under
test. A status is ``(score, entered, bolts)``, one player between turns; a position is the mover's
status and the other's; a cell is ``(turn total, dice to throw)``. Numbers stay in the arithmetic
of the values that are passed in (Fraction or float).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict, namedtuple
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

Status = tuple[int, bool, int]
Position = tuple[Status, Status]
Cell = tuple[int, int]
Dice = tuple[int, ...]
Value = Callable[[Status, Status], Any]
Policy = Callable[[Status, Status, int, int, Dice], tuple[Dice, str]]

_THOUSAND = (
    [((1,), 10), ((5,), 5), ((1, 2, 3, 4, 5), 125), ((2, 3, 4, 5, 6), 250)]
    + [((1,) * 3, 100), ((1,) * 4, 200), ((1,) * 5, 1000)]
    + [((f,) * n, f * tens) for f in range(2, 7) for n, tens in ((3, 10), (4, 20), (5, 100))]
)
DEFAULTS: dict[str, Any] = {
    "target": 1000, "entry": 50, "barrels": ((200, 300), (600, 700), (900, 1000)),
    "dump_trucks": (555,), "dump_on_penalty": False, "bolts_to_penalty": 3, "bolt_penalty": 50,
    "bolt_on": "any_throw", "overtake_penalty": 50, "hot_dice": "must_roll", "set_aside": "any",
    "floor": -300, "dice": 5, "sides": 6, "combinations": tuple(sorted(_THOUSAND)),
}  # fmt: skip
Text = namedtuple("Text", list(DEFAULTS))  # hashable, so that it can key the caches


def make(**overrides: Any) -> Text:
    """Rules of the default game with some switches changed."""
    return Text(**{**DEFAULTS, **overrides})


def freeze(rules: Any) -> Text:
    """Any object with the attributes of rules, as a hashable copy (tuples, not lists, inside)."""
    return rules if isinstance(rules, Text) else Text(*(getattr(rules, n) for n in Text._fields))


def step(rules: Any) -> int:
    """Greatest common divisor of all points and both penalties."""
    points = [points for _, points in rules.combinations]
    return math.gcd(rules.bolt_penalty, rules.overtake_penalty, *points)


# ---------------------------------------------------------------------------------------- dice


@cache
def _throws(d: int, sides: int) -> Counter[Dice]:
    outcomes = itertools.product(range(1, sides + 1), repeat=d)
    return Counter(tuple(sorted(outcome)) for outcome in outcomes)


def throws(d: int, rules: Any) -> dict[Dice, int]:
    """Every distinct throw of `d` dice and how many of the sides^d outcomes show it."""
    return dict(_throws(d, rules.sides))


@cache
def best_split(dice: Dice, combinations: tuple[tuple[Dice, int], ...]) -> int | None:
    """Most points that `dice` give when split wholly into combinations, None if they cannot be."""
    if not dice:
        return 0
    found = []
    for faces, points in combinations:
        rest = Counter(dice)
        rest.subtract(faces)
        if min(rest.values()) >= 0:
            worth = best_split(tuple(sorted(rest.elements())), combinations)
            if worth is not None:
                found.append(points + worth)
    return max(found, default=None)


@cache
def _keeps(throw: Dice, rules: Text) -> dict[Dice, int]:
    options = {}
    for size in range(1, len(throw) + 1):
        for kept in sorted(set(itertools.combinations(throw, size))):
            points = best_split(kept, rules.combinations)
            if points is not None:
                options[kept] = points
    if rules.set_aside == "all" and options:
        only = min(options, key=lambda kept: (-options[kept], -len(kept), kept))
        return {only: options[only]}
    return options


def keeps(throw: Iterable[int], rules: Any) -> dict[Dice, int]:
    """What may be set aside after `throw`, with its points; empty for a bust."""
    return dict(_keeps(tuple(sorted(throw)), freeze(rules)))


# ------------------------------------------------------------------- players between two turns


def statuses(rules: Any) -> list[Status]:
    """Every status that a player can have between turns, those not entered first."""
    outside, low = [], 0
    while rules.entry > 0 and low not in outside:
        outside.append(low)
        if rules.bolts_to_penalty > 0:
            low = max(rules.floor, low - rules.bolt_penalty)
    inside = list(range(rules.floor, rules.target, step(rules)))
    if rules.dump_on_penalty:
        inside = [score for score in inside if score not in rules.dump_trucks]
    players = [(score, False) for score in outside] + [(score, True) for score in inside]
    return [(*player, b) for player in players for b in range(max(1, rules.bolts_to_penalty))]


def start(rules: Any) -> Status:
    """The status of both players at the start of the game."""
    return (0, rules.entry == 0, 0)


def penalised(rules: Any, score: int, penalty: int) -> int:
    """A score after a penalty: not below the floor, and perhaps dumped by it."""
    score = max(score - penalty, rules.floor)
    return 0 if rules.dump_on_penalty and score in rules.dump_trucks else score


def after_bust(rules: Any, me: Status, first_throw: bool) -> Status:
    """The mover's status after a throw in which nothing scored."""
    score, entered, bolts = me
    gives_bolt = {
        "any_throw": True,
        "first_throw": first_throw,
        "any_throw_until_entered": first_throw or not entered,
    }[rules.bolt_on]
    if rules.bolts_to_penalty == 0 or not gives_bolt:
        return me
    if bolts + 1 < rules.bolts_to_penalty:
        return (score, entered, bolts + 1)
    return (penalised(rules, score, rules.bolt_penalty), entered, 0)


def after_bank(
    rules: Any, me: Status, opponents: list[Status], turn_total: int
) -> tuple[Status, list[Status]]:
    """The mover's status and all the others' after `turn_total` is written down."""
    before, now = me[0], me[0] + turn_total
    others = []
    for score, entered, bolts in opponents:
        if entered and before < score < now:
            score = penalised(rules, score, rules.overtake_penalty)
        others.append((score, entered, bolts))
    return (now, True, 0), others


def after_dump(rules: Any, me: Status) -> Status:
    """The mover's status after hitting a dump truck: from nothing, but in the game."""
    return (0, True, 0)


def what_happens(rules: Any, me: Status, turn_total: int) -> str | None:
    """What ends the turn by itself once the turn total has grown: "win", "dump" or None."""
    if me[0] + turn_total >= rules.target:
        return "win"
    if turn_total > 0 and me[0] + turn_total in rules.dump_trucks:
        return "dump"
    return None


def may_bank(rules: Any, me: Status, turn_total: int, dice_left_after_keep: int) -> bool:
    """Whether the turn total may be written down (hot dice: 0 dice left, or all of them)."""
    score, entered, _ = me
    if turn_total <= 0 or what_happens(rules, me, turn_total):
        return False
    if dice_left_after_keep in (0, rules.dice) and rules.hot_dice == "must_roll":
        return False
    if not entered:
        return turn_total >= rules.entry
    return all(score + turn_total >= hi for lo, hi in rules.barrels if lo <= score < hi)


def allowed(rules: Any, me: Status, turn_total: int, dice_left: int) -> list[str]:
    """What may follow once dice are set aside: ["win"], ["dump"], ["roll"], ["roll", "bank"]."""
    ended = what_happens(rules, me, turn_total)
    if ended:
        return [ended]
    return ["roll", "bank"] if may_bank(rules, me, turn_total, dice_left) else ["roll"]


def after(rules: Any, me: Status, opp: Status, turn_total: int, then: str) -> Position | str:
    """Both statuses (mover first) once the turn ends by "bank", "dump", "bust"; or "win"."""
    if then == "win":
        return "win"
    if then == "dump":
        return after_dump(rules, me), opp
    if then == "bust":
        return after_bust(rules, me, turn_total == 0), opp
    me, (opp,) = after_bank(rules, me, [opp], turn_total)
    return me, opp


# ------------------------------------------------------------------------------- inside a turn


@cache
def _plan(rules: Text, me_score: int, first: Cell) -> dict[Cell, dict[tuple[Cell, ...], int]]:
    """Every cell reachable from `first` (highest total first), each with its throws.

    The throws of a cell are grouped by the set of cells that their keeps lead to (no cells: a
    bust). A cell in which the turn has ended by itself has no throws.
    """
    found: dict[Cell, dict[tuple[Cell, ...], int]] = {}
    waiting = [first]
    while waiting:
        total, dice = cell = waiting.pop()
        if cell in found:
            continue
        found[cell] = groups = defaultdict(int)
        if what_happens(rules, (me_score, True, 0), total):
            continue
        for throw, count in _throws(dice, rules.sides).items():
            kept = _keeps(throw, rules).items()
            ends = {(total + points, dice - len(k) or rules.dice) for k, points in kept}
            groups[tuple(sorted(ends))] += count
            waiting.extend(ends)
    return dict(sorted(found.items(), reverse=True))


class Turn:
    """The turn of `me` against `opp`, from `cell` on, played best for the values between turns."""

    def __init__(
        self, rules: Any, value: Value, me: Status, opp: Status, cell: Cell | None = None
    ) -> None:
        self.rules, self.value, self.me, self.opp = freeze(rules), value, me, opp
        self.one = value(opp, me) * 0 + 1  # so that sums of sure wins keep the arithmetic
        self.bust = {first: self.ended(0 if first else 1, "bust") for first in (True, False)}
        self.thens: dict[Cell, dict[str, Any]] = {}
        self.best: dict[Cell, Any] = {}
        first = cell or (0, rules.dice)
        for here, groups in _plan(self.rules, me[0], first).items():
            self.thens[here] = {
                then: self.roll(here, groups) if then == "roll" else self.ended(here[0], then)
                for then in allowed(self.rules, me, *here)
            }
            self.best[here] = max(self.thens[here].values())
        self.chance = self.best[first]

    def ended(self, turn_total: int, then: str) -> Any:
        """Win chance once the turn has ended."""
        end = after(self.rules, self.me, self.opp, turn_total, then)
        return self.one if end == "win" else 1 - self.value(end[1], end[0])

    def roll(self, cell: Cell, groups: dict[tuple[Cell, ...], int]) -> Any:
        """Win chance when the dice of the cell are thrown."""
        bust, worth = self.bust[cell[0] == 0], self.best.__getitem__
        total = sum(n * (max(map(worth, ends)) if ends else bust) for ends, n in groups.items())
        return total / self.rules.sides ** cell[1]

    def options(self, turn_total: int, dice_left: int, throw: Iterable[int]) -> dict[Any, Any]:
        """What every (kept, then) is worth after a throw, or "bust"."""
        found = {}
        for kept, points in keeps(throw, self.rules).items():
            cell = (turn_total + points, dice_left - len(kept) or self.rules.dice)
            found.update({(kept, then): worth for then, worth in self.thens[cell].items()})
        return found or {"bust": self.bust[turn_total == 0]}

    def choose(self, me: Status, opp: Status, total: int, dice: int, throw: Dice) -> Any:
        """The best (kept, then), the first of equals: a policy for this one turn."""
        options = self.options(total, dice, throw)
        return max(options, key=options.__getitem__)


def backward(rules: Any, value: Value, me: Status, opp: Status) -> Any:
    """The mover's win chance when value(mover, other) holds for the turns after this one."""
    return Turn(rules, value, me, opp).chance


def turn(rules: Any, value: Value, me: Status, opp: Status) -> dict[Cell, dict[str, Any]]:
    """What "roll" and (where allowed) "bank" are worth in every cell that the turn can reach."""
    thens = Turn(rules, value, me, opp).thens
    return {cell: options for cell, options in thens.items() if "roll" in options}


def throw_values(
    rules: Any, value: Value, me: Status, opp: Status,
    turn_total: int, dice_left: int, throw: Iterable[int],
) -> dict[Any, Any]:  # fmt: skip
    """What every (kept, then) is worth after a throw; {"bust": value} when nothing scores."""
    here = Turn(rules, value, me, opp, (turn_total, dice_left))
    return here.options(turn_total, dice_left, throw)


def greedy(rules: Any, value: Value) -> Policy:
    """The policy that takes the best (kept, then) for `value`, the first of equals."""
    turns = cache(lambda me, opp, cell: Turn(rules, value, me, opp, cell))
    return lambda me, opp, *at: turns(me, opp, at[:2]).choose(me, opp, *at)


# -------------------------------------------------------------------------- policies, evaluated


def outcome_distribution(
    rules: Any, policy: Policy, me: Status, opp: Status
) -> dict[Position | str, Fraction]:
    """Where a turn under `policy` ends: the mover's and the other's status then, or "win"."""
    ends: dict[Position | str, Fraction] = defaultdict(Fraction)
    mass = {(0, rules.dice): Fraction(1)}
    while mass:
        total, dice = min(mass)  # totals only grow, so nothing more can flow into the lowest
        here = mass.pop((total, dice)) / rules.sides**dice
        for throw, count in throws(dice, rules).items():
            options = keeps(throw, rules)
            if not options:
                ends[after(rules, me, opp, total, "bust")] += here * count
                continue
            kept, then = policy(me, opp, total, dice, throw)
            cell = (total + options[kept], dice - len(kept) or rules.dice)
            if then not in allowed(rules, me, *cell):
                raise ValueError(f"{then} after {kept} of {throw} at {me}, {total}")
            if then == "roll":
                mass[cell] = mass.get(cell, Fraction(0)) + here * count
            else:
                ends[after(rules, me, opp, cell[0], then)] += here * count
    return dict(ends)


def _equation(
    row: dict[Position | str, Fraction], name: Callable[[Position], Any]
) -> tuple[Fraction, dict[Any, Fraction]]:
    """A position's value from where its turn ends: won, or 1 less the other's value there."""
    terms: dict[Any, Fraction] = defaultdict(Fraction)
    for end, chance in row.items():
        if end != "win":
            terms[name((end[1], end[0]))] -= chance
    return sum(row.values(), Fraction(0)), terms


def solve_linear(equations: dict[Any, tuple[Fraction, dict[Any, Fraction]]]) -> dict[Any, Fraction]:
    """Exact x with x[p] = constant + sum of coefficient * x[q], by elimination, sparsest first."""
    constant = {p: c for p, (c, _) in equations.items()}
    terms = {p: dict(row) for p, (_, row) in equations.items()}
    users: dict[Any, set] = {p: {q for q in terms if p in terms[q]} for p in terms}
    order: list[Any] = []
    left = set(terms)
    while left:
        p = min(left, key=lambda p: len(terms[p]) * len(users[p]))
        left.remove(p)
        order.append(p)
        rest = 1 - terms[p].pop(p, Fraction(0))
        if rest == 0:
            raise ValueError("under this play the game need not end")
        constant[p] /= rest
        terms[p] = {q: a / rest for q, a in terms[p].items()}
        for q in terms[p]:
            users[q].discard(p)
        for user in users.pop(p) - {p}:
            share = terms[user].pop(p)
            constant[user] += share * constant[p]
            for q, a in terms[p].items():
                terms[user][q] = terms[user].get(q, 0) + share * a
                users[q].add(user)
    for p in reversed(order):
        constant[p] += sum(a * constant[q] for q, a in terms[p].items())
    return constant


def evaluate_exact(
    rules: Any, policy: Policy, opponent_policy: Policy, begin: Position | None = None
) -> dict[Position, Fraction]:
    """Win chance of `policy`, about to move, in all positions that play from `begin` reaches."""
    waiting = [(0, begin or (start(rules), start(rules)))]
    equations: dict[Any, tuple[Fraction, dict]] = {}
    while waiting:
        key = who, position = waiting.pop()
        if key in equations:
            continue
        row = outcome_distribution(rules, (policy, opponent_policy)[who], *position)
        equations[key] = _equation(row, lambda end, other=1 - who: (other, end))
        waiting.extend(equations[key][1])
    return {position: x for (who, position), x in solve_linear(equations).items() if who == 0}


# --------------------------------------------------------------------------------- whole games


def positions(rules: Any) -> list[Position]:
    """Every position between turns, the mover's status first."""
    return list(itertools.product(statuses(rules), repeat=2))


def solve_exact(rules: Any) -> dict[Position, Fraction]:
    """Exact values of all positions: best play by floats, improved until exactly optimal."""
    values: dict[Position, Any] = solve_float(rules, 1e-12)
    exact = False
    while True:
        turns = {p: Turn(rules, lambda me, opp, v=values: v[me, opp], *p) for p in values}
        if exact and all(turn.chance == values[p] for p, turn in turns.items()):
            return values
        rows = {p: outcome_distribution(rules, turn.choose, *p) for p, turn in turns.items()}
        values = solve_linear({p: _equation(row, lambda end: end) for p, row in rows.items()})
        exact = True


def _against_all(rules: Text, me: Status, at: dict[Status, int]) -> Callable[[Any], Any]:
    """The turn of `me` against every opponent at once: from the table of values to his row of it.

    The arithmetic of `Turn` with a vector over opponents for every number. `best` has a line for
    every cell in which the turn goes on, and four more for the ways in which it ends by itself.
    """
    plan = {cell: groups for cell, groups in _plan(rules, me[0], (0, rules.dice)).items() if groups}
    line: dict[Any, int] = {name: k for k, name in enumerate((*plan, True, False, "dump", "win"))}

    def exits(total: int, then: str) -> tuple[list[int], list[int]]:
        ends = [after(rules, me, opp, total, then) for opp in at]
        return [at[other] for _, other in ends], [at[mover] for mover, _ in ends]

    def rolls(cell: Cell, groups: dict[tuple[Cell, ...], int]) -> Any:
        merged: Counter[tuple[int, ...]] = Counter()
        for ends, n in groups.items():
            lines = {line[what_happens(rules, me, end[0]) or end] for end in ends}
            merged[tuple(lines) or (line[cell[0] == 0],)] += n
        padded = np.array([(k * max(map(len, merged)))[: max(map(len, merged))] for k in merged])
        return padded, np.array(list(merged.values())) / rules.sides ** cell[1]

    throwing = [rolls(cell, groups) for cell, groups in plan.items()]
    banks = [exits(cell[0], "bank") if may_bank(rules, me, *cell) else None for cell in plan]
    ended = [exits(0, "bust"), exits(1, "bust"), exits(0, "dump")]

    def row(values: Any) -> Any:
        best = np.ones((len(line), len(at)))
        best[len(plan) : -1] = [1 - values[end] for end in ended]
        for k, (lines, chances) in enumerate(throwing):
            best[k] = chances @ best[lines].max(axis=1)
            if banks[k]:
                best[k] = np.maximum(best[k], 1 - values[banks[k]])
        return best[line[0, rules.dice]]

    return row


def solve_float(rules: Any, eps: float = 1e-14) -> dict[Position, float]:
    """Values by plain value iteration, until a pass over all positions moves none by over `eps`."""
    at = {status: k for k, status in enumerate(statuses(rules))}
    rows = {k: _against_all(freeze(rules), status, at) for status, k in at.items()}
    values, change = np.full((len(at), len(at)), 0.5), 1.0
    while change > eps:
        before = values.copy()
        for k in reversed(rows):  # those with the highest scores first: the rest follow from them
            values[k] = rows[k](values)
        change = np.abs(values - before).max()
    return {(me, opp): float(values[i, k]) for me, i in at.items() for opp, k in at.items()}


# --------------------------------------------------------------------------- tiny games to solve

_COIN, _PAIRS = (((1,), 1),), (((1,), 1), ((1, 1), 3), ((2, 2), 2))
_PLAIN = {"barrels": (), "dump_trucks": (), "entry": 0, "floor": 0, "bolts_to_penalty": 0}
_PLAIN |= {"bolt_penalty": 1, "overtake_penalty": 0}
_ONE = {**_PLAIN, "dice": 1, "hot_dice": "may_roll"}
_TWO = {**_PLAIN, "dice": 2, "sides": 3, "combinations": _PAIRS, "bolts_to_penalty": 2}

#: Small games that between them turn every switch on and off; what makes each special stands last.
TINY: dict[str, dict[str, Any]] = {
    "coin": {**_ONE, "sides": 2, "combinations": _COIN, "target": 4},
    "pig_off_step": {  # the target and a barrel's ends lie off the step
        **_ONE, "sides": 4, "combinations": (((3,), 4), ((4,), 2)), "bolt_penalty": 2,
        "target": 15, "barrels": ((5, 13),),
    },
    "coin_entry": {
        **_ONE, "sides": 2, "combinations": _COIN, "target": 4, "bolts_to_penalty": 2, "floor": -1,
        "overtake_penalty": 1, "bolt_on": "any_throw_until_entered", "entry": 2,
    },
    "every_bolt_costs": {
        **_ONE, "sides": 3, "combinations": (*_COIN, ((2,), 2)), "target": 5, "entry": 3,
        "bolt_penalty": 2, "overtake_penalty": 3, "floor": -3, "bolts_to_penalty": 1,
    },
    "entry_beyond_target": {
        **_ONE, "sides": 3, "combinations": (*_COIN, ((2,), 2)), "target": 4, "floor": -2,
        "bolts_to_penalty": 2, "overtake_penalty": 2, "bolt_on": "first_throw", "entry": 5,
    },
    "must_roll": {
        **_TWO, "target": 5, "entry": 2, "overtake_penalty": 2, "floor": -1,
        "bolt_on": "first_throw", "hot_dice": "must_roll",
    },
    "all_may_roll": {
        **_TWO, "target": 6, "bolt_penalty": 2, "overtake_penalty": 1, "floor": -1,
        "hot_dice": "may_roll", "set_aside": "all",
    },
    "barrel_at_nothing": {
        **_TWO, "target": 6, "entry": 1, "overtake_penalty": 3, "floor": -1,
        "bolt_on": "any_throw_until_entered", "barrels": ((0, 2), (4, 6)),
    },
    "dump_truck": {
        **_TWO, "target": 6, "entry": 3, "overtake_penalty": 1, "dump_trucks": (3, 5),
    },
    "dump_on_penalty": {
        **_TWO, "target": 7, "entry": 2, "overtake_penalty": 2, "dump_trucks": (2,),
        "dump_on_penalty": True,
    },
    "three_bolts": {
        **_TWO, "sides": 2, "combinations": (*_COIN, ((1, 1), 3)), "target": 4, "bolt_penalty": 2,
        "overtake_penalty": 1, "floor": -1, "dump_trucks": (2,), "bolts_to_penalty": 3,
    },
    "split_not_first": {  # 1 1 2 2 is worth 6 as 1 2 and 1 2, not the 5 of 1 1 and 2 2
        **_TWO, "target": 7, "overtake_penalty": 1,
        "dice": 4, "combinations": (((1, 1), 4), ((1, 2), 3), ((2, 2), 1)),
    },
    "three_dice_all": {
        **_TWO, "target": 23, "entry": 10, "barrels": ((5, 14),), "dump_trucks": (20,),
        "bolt_penalty": 10, "overtake_penalty": 5, "floor": -5, "set_aside": "all",
        "bolt_on": "first_throw", "dice": 3, "sides": 4,
        "combinations": (((1,), 10), ((1, 2, 3), 25), ((2,), 5), ((3, 3, 3), 30)),
    },
    "five_dice": {
        "target": 20, "entry": 10, "barrels": (), "dump_trucks": (), "floor": 0,
    },
}  # fmt: skip
