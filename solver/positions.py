"""Statuses between turns, and every transition of the score: bank, bust, overtake, dump truck.

A status is what the sheet says of one player: (score, entered, bolts). A position between turns
is a pair of statuses, the player to move first. The functions on statuses are the only place
where a score changes; the referee calls them, and :class:`Positions` tabulates them for the
kernel.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from solver import _kernel
from solver.dice import trie
from solver.rules import Rules, as_rules

__all__ = [
    "Positions",
    "Status",
    "bank",
    "bank_from",
    "bust",
    "dump",
    "ends_at",
    "may_bank",
    "overtaken",
    "positions",
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
        self.rules = as_rules(rules)
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

    def __reduce__(self) -> tuple[object, ...]:
        return positions, (self.rules,)

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

    def bankable(self, status: int | np.ndarray, level: np.ndarray) -> np.ndarray:
        """(..., dice) bool: :func:`may_bank` for indices of statuses and levels of score + turn
        total that are above the score, with each number of dice left."""
        allowed = np.asarray(level >= self.players[status, 1])
        hot = np.arange(1, self.rules.dice + 1) == self.rules.dice
        found: np.ndarray = allowed[..., None] & ~(hot & (self.rules.hot_dice == "must_roll"))
        return found

    def _opponents(self) -> np.ndarray:
        """Of each status, padded to whole blocks: level and shift if overtaken, else -1 and 0."""
        rows = [(-1, 0)] * (len(self) + -len(self) % _kernel.BLOCK)
        for index, status in enumerate(self.statuses):
            behind = overtaken(self.rules, status, status.score - 1, status.score + 1)
            if behind != status:
                rows[index] = self.level(status.score), self.index[behind] - index
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
