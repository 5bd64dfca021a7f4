"""Statuses between turns, and every transition of the score: bank, bust, overtake, dump truck.

A status is what the sheet says of one player: (score, entered, bolts). A position between turns
is a pair of statuses, the player to move first. The functions on statuses are the only place
where a score changes; the referee calls them, and :class:`Positions` tabulates them for the
kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from solver import _kernel
from solver.dice import normal_throw, option_sets, throws, trie
from solver.rules import Rules
from solver.state import Action, State, StateError

__all__ = [
    "Positions",
    "Status",
    "actions",
    "actions_in",
    "apply",
    "bank",
    "bank_from",
    "bust",
    "check",
    "dump",
    "dumped",
    "ends_at",
    "may_bank",
    "overtaken",
    "positions",
    "reachable",
    "sides",
    "start",
    "writes_bolt",
]


class Status(NamedTuple):
    """One player between turns."""

    score: int
    entered: bool
    bolts: int


def start(rules: Rules) -> Status:
    """The status that every player starts with."""
    return Status(0, rules.entry == 0, 0)


def _penalised(rules: Rules, status: Status, points: int) -> Status:
    """A status after a penalty: never below the floor; perhaps a dump truck, once."""
    score = max(rules.floor, status.score - points)
    if rules.dump_on_penalty and points and score in rules.dump_trucks:
        score = 0
    return status._replace(score=score)


def overtaken(rules: Rules, status: Status, before: int, after: int) -> Status:
    """What becomes of a player when another banks from score `before` to `after`."""
    if status.entered and before < status.score < after:
        return _penalised(rules, status, rules.overtake_penalty)
    return status


def bank(score: int) -> Status:
    """The status of a player who has banked and so has `score`."""
    return Status(score, True, 0)


def dump() -> Status:
    """The status of a player whom a dump truck has thrown back."""
    return Status(0, True, 0)


def writes_bolt(rules: Rules, status: Status, first_throw: bool) -> bool:
    """Whether a throw in which nothing scores is written down as a bolt."""
    return (
        rules.bolts_to_penalty > 0
        and {
            "any_throw": True,
            "first_throw": first_throw,
            "any_throw_until_entered": first_throw or not status.entered,
        }[rules.bolt_on]
    )


def bust(rules: Rules, status: Status, first_throw: bool) -> Status:
    """The status after a throw in which nothing scores."""
    if not writes_bolt(rules, status, first_throw):
        return status
    if status.bolts + 1 < rules.bolts_to_penalty:
        return status._replace(bolts=status.bolts + 1)
    return _penalised(rules, status._replace(bolts=0), rules.bolt_penalty)


def bank_from(rules: Rules, status: Status) -> int:
    """The lowest score + turn total that a player may bank: above his score, at least the entry
    if he has not entered, and out of the barrel in which he started the turn."""
    if not status.entered:
        return status.score + max(rules.entry, 1)
    leaving = [hi for lo, hi in rules.barrels if lo <= status.score < hi]
    return max([status.score + 1, *leaving])


def ends_at(rules: Rules, total: int) -> str | None:
    """How a turn ends by itself when score + turn total is `total`: "win", "dump" or None."""
    if total >= rules.target:
        return "win"
    return "dump" if total in rules.dump_trucks else None


class Positions:
    """The statuses of a rule set in their index order, and the kernel's tables of them.

    Statuses are ordered by bolts, then not entered before entered, then by score. Build it with
    :func:`positions`, which keeps it.

    Attributes
    ----------
    statuses : tuple of Status
    index : dict
        Status -> index.
    levels : int
        Number of scores from the floor to below the target, in steps.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        scores = range(rules.floor, rules.target, rules.step)
        self.levels = len(scores)
        sheet = [(score, False) for score in _outside(rules)] + [
            (score, True)
            for score in scores
            if not (rules.dump_on_penalty and score in rules.dump_trucks)
        ]
        self.statuses = tuple(
            Status(score, entered, bolts)
            for bolts in range(max(rules.bolts_to_penalty, 1))
            for score, entered in sheet
        )
        self.index = {status: index for index, status in enumerate(self.statuses)}
        self.bank_status = np.array(
            [self.index.get(bank(score), 0) for score in scores], dtype=np.int32
        )
        self.dump_status = self.index[dump()]
        self.dump_levels = np.array([score in rules.dump_trucks for score in scores])

    def __len__(self) -> int:
        return len(self.statuses)

    def level(self, score: int) -> int:
        """Steps from the floor to a score, rounded up."""
        return -((self.rules.floor - score) // self.rules.step)

    @cached_property
    def start(self) -> int:
        """The index of the status that every player starts with."""
        return self.index[start(self.rules)]

    def game(self, width: int = _kernel.WIDEST) -> _kernel.Game:
        """The rule set as the kernel wants it; `width` chooses the instruction set."""
        if width not in range(_kernel.WIDEST + 1):
            raise ValueError(f"width = {width!r}: must be from 0 to {_kernel.WIDEST} here")
        rules, nodes = self.rules, trie(self.rules)
        return _kernel.Game(
            levels=self.levels,
            dice=rules.dice,
            hot_may_bank=rules.hot_dice == "may_roll",
            nodes=nodes.nodes,
            node_start=nodes.start,
            bust_count=nodes.bust,
            outcomes=nodes.outcomes,
            dump=self.dump_levels.astype(np.uint8),
            status=self.players,
            opponent=self._opponents(),
            bank_status=self.bank_status,
            dump_status=self.dump_status,
            width=width,
        )

    @cached_property
    def lookup(self) -> np.ndarray:
        """(2, bolts, levels) int32: the index of [entered, bolts, level]; -1: no such status."""
        table = np.full((2, max(self.rules.bolts_to_penalty, 1), self.levels), -1, dtype=np.int32)
        for index, (score, entered, bolts) in enumerate(self.statuses):
            table[int(entered), bolts, self.level(score)] = index
        return table

    @cached_property
    def players(self) -> np.ndarray:
        """(n, 4) int32, of each status: its level, the lowest level that it may bank, and the
        statuses after a bust on the first throw and on a later one."""
        rows = [
            (
                self.level(status.score),
                self.level(bank_from(self.rules, status)),
                self.index[bust(self.rules, status, True)],
                self.index[bust(self.rules, status, False)],
            )
            for status in self.statuses
        ]
        return np.array(rows, dtype=np.int32)

    def _opponents(self) -> np.ndarray:
        """Of each status, padded to whole blocks: level if entered else -1; shift if overtaken."""
        rows = [
            (
                self.level(status.score) if status.entered else -1,
                self.index[overtaken(self.rules, status, status.score - 1, status.score + 1)]
                - index,
            )
            for index, status in enumerate(self.statuses)
        ]
        rows += [(-1, 0)] * (-len(rows) % _kernel.BLOCK)
        return np.array(rows, dtype=np.int32)


@lru_cache(maxsize=8)
def positions(rules: Rules) -> Positions:
    """The positions of a rule set."""
    return Positions(rules)


def _outside(rules: Rules) -> list[int]:
    """The scores of players who have not entered: 0 and what penalties make of it."""
    if rules.entry == 0:
        return []
    scores = {0}
    status = Status(0, False, 0)
    while rules.bolts_to_penalty:
        status = _penalised(rules, status, rules.bolt_penalty)
        if status.score in scores:
            break
        scores.add(status.score)
    return sorted(scores)


def may_bank(rules: Rules, status: Status, turn_total: int, dice_left: int) -> bool:
    """Whether a player may bank; all dice left with a turn total are hot dice."""
    if not turn_total or (dice_left == rules.dice and rules.hot_dice == "must_roll"):
        return False
    return status.score + turn_total >= bank_from(rules, status)


@lru_cache(maxsize=8)
def _gains(rules: Rules) -> dict[int, set[tuple[int, int]]]:
    """What a throw of each number of dice can bring: (points, dice left then)."""
    return {
        dice: {
            (points, left or rules.dice)
            for options in option_sets(rules, dice)
            for points, left in options
        }
        for dice in range(1, rules.dice + 1)
    }


@lru_cache(maxsize=1024)
def reachable(rules: Rules, score: int) -> frozenset[tuple[int, int]]:
    """The (turn total, dice left) in which a player with `score` can be asked to decide.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> (10, 4) in reachable(SHARABESHKI, 0), (5, 3) in reachable(SHARABESHKI, 0)
    (True, False)
    """
    gains = _gains(rules)
    waiting, seen = [(0, rules.dice)], {(0, rules.dice)}
    while waiting:
        total, dice = waiting.pop()
        for points, left in gains[dice]:
            cell = (total + points, left)
            if cell not in seen and ends_at(rules, score + cell[0]) is None:
                seen.add(cell)
                waiting.append(cell)
    return frozenset(seen)


@lru_cache(maxsize=1024)
def dumped(rules: Rules, score: int) -> frozenset[tuple[int, int]]:
    """The (turn total, dice left) in which a turn from `score` ends with a dump truck."""
    return frozenset(
        (total + points, left)
        for total, dice in reachable(rules, score)
        for points, left in _gains(rules)[dice]
        if ends_at(rules, score + total + points) == "dump"
    )


def check(rules: Rules, state: State) -> State:
    """Return a state with nothing left open, or refuse it.

    Raises
    ------
    StateError
        For a finished game or turn, a score off the step or the sheet, too many bolts, an entry
        status that the score does not allow, and a turn total that the dice set aside cannot
        have made.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> check(SHARABESHKI, State(195, 540)).dice_left
    5
    """
    entered = _check_side(rules, state, state.score, state.entered, state.bolts)
    other = _check_side(
        rules, state, state.opponent_score, state.opponent_entered, state.opponent_bolts
    )
    dice = rules.dice if state.dice_left is None else state.dice_left
    if dice > rules.dice:
        raise StateError(f"dice_left = {dice} in {state!s}: there are {rules.dice} dice")
    end = ends_at(rules, state.score + state.turn_total) if state.turn_total else None
    if end is not None:
        raise StateError(
            f"{state!s}: the turn has ended with a {end.replace('dump', 'dump truck')}"
        )
    if (state.turn_total, dice) not in reachable(rules, state.score):
        raise StateError(
            f"{state!s}: a turn total of {state.turn_total} with {dice} dice left cannot come up"
        )
    return replace(state, dice_left=dice, entered=entered, opponent_entered=other)


def _check_side(rules: Rules, state: State, score: int, entered: bool | None, bolts: int) -> bool:
    """The entry status of one player, completed."""
    if score >= rules.target:
        raise StateError(f"{state!s}: the game is over, {score} reaches the target {rules.target}")
    index = positions(rules).index
    if bolts >= max(rules.bolts_to_penalty, 1):
        most = max(rules.bolts_to_penalty, 1) - 1
        raise StateError(f"{state!s}: {bolts} bolts, must be at most {most}")
    choices = (False, True) if entered is None else (entered,)
    for choice in choices:
        if Status(score, choice, bolts) in index:
            return choice
    if score % rules.step or score < rules.floor:
        raise StateError(
            f"{state!s}: score {score} must be a multiple of {rules.step} from {rules.floor} to "
            f"below {rules.target}"
        )
    kind = {None: "", True: " entered", False: " not entered"}[entered]
    raise StateError(f"{state!s}: nobody can stand at {score}{kind}")


def sides(state: State) -> tuple[Status, Status]:
    """The statuses of the mover and of the opponent in a checked state."""
    return (
        Status(state.score, bool(state.entered), state.bolts),
        Status(state.opponent_score, bool(state.opponent_entered), state.opponent_bolts),
    )


def actions(rules: Rules, state: State, throw: Iterable[int] | None = None) -> list[Action]:
    """Every legal action in a state, before a throw or after it.

    Raises
    ------
    StateError
        As :func:`check`, and for a throw that the dice left cannot show.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> [str(a) for a in actions(SHARABESHKI, State.parse("195+60d2:540"), (1, 4))]
    ['keep 1, roll', 'keep 1, bank']
    """
    state = check(rules, state)
    return actions_in(rules, state, None if throw is None else _shown(rules, state, throw))


def _shown(rules: Rules, state: State, throw: Iterable[int]) -> tuple[int, ...]:
    return normal_throw(rules, throw, state.dice_left)


def actions_in(rules: Rules, state: State, throw: tuple[int, ...] | None) -> list[Action]:
    """As :func:`actions`, for a state and a sorted throw that have been checked."""
    me = sides(state)[0]
    if throw is None:
        bankable = may_bank(rules, me, state.turn_total, state.dice_left or rules.dice)
        return [Action("roll"), Action("bank")] if bankable else [Action("roll")]
    found = []
    for kept, points in throws(rules, len(throw))[throw].keeps.items():
        total, left = state.turn_total + points, len(throw) - len(kept)
        end = ends_at(rules, me.score + total)
        if end is not None:
            found.append(Action("keep", kept, end))
            continue
        found.append(Action("keep", kept, "roll"))
        if may_bank(rules, me, total, left or rules.dice):
            found.append(Action("keep", kept, "bank"))
    return found or [Action("bust")]


def apply(rules: Rules, state: State, action: Action, throw: Iterable[int] | None = None) -> State:
    """What follows an action: the rest of the turn, or the opponent's turn.

    A state after the turn shows the opponent as the player to move; after a win its
    `opponent_score` has reached the target.

    Raises
    ------
    StateError
        As :func:`actions`, and for an action that is not legal; nothing is changed.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> str(apply(SHARABESHKI, State.parse("500+70d3:550"), Action("bank")))
    '500ed5:570e'
    """
    state = check(rules, state)
    shown = None if throw is None else _shown(rules, state, throw)
    legal = actions_in(rules, state, shown)
    if action not in legal:
        after = "" if shown is None else f" after {' '.join(map(str, shown))}"
        allowed = "; ".join(map(str, legal))
        raise StateError(f"{action!s} in {state!s}{after}: must be one of: {allowed}")
    points = throws(rules, len(shown))[shown].keeps.get(action.dice, 0) if shown else 0
    turn_total = state.turn_total + points
    if action.kind == "roll":
        return state
    if action.then == "roll":
        left = len(shown or ()) - len(action.dice)
        return replace(state, turn_total=turn_total, dice_left=left or rules.dice)
    return _turn_over(rules, state, action, turn_total)


def _turn_over(rules: Rules, state: State, action: Action, turn_total: int) -> State:
    """The state in which the opponent starts his turn."""
    me, opponent = sides(state)
    total = me.score + turn_total
    if action.kind == "bust":
        after = bust(rules, me, first_throw=state.turn_total == 0)
    elif action.then == "dump":
        after = dump()
    else:
        after = bank(total)
        if action.then != "win":
            opponent = overtaken(rules, opponent, me.score, total)
    return State(
        score=opponent.score,
        opponent_score=after.score,
        dice_left=rules.dice,
        bolts=opponent.bolts,
        opponent_bolts=after.bolts,
        entered=opponent.entered,
        opponent_entered=after.entered,
    )
