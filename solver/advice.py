"""What to do: the best action, the value of every action, and hold/roll tables.

Everything is read off the values between turns: a turn of one position is worked through on
demand (one backward pass of one position, some tens of microseconds) and kept.

Ties. Two actions whose values differ by at most :attr:`Adviser.tie` (four times the error bound)
are held to be equal. Among equals the order is: bank before roll; then more points set aside; then
more dice left; then the smaller multiset.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.bellman import Array
from solver.dice import normal_throw, throws
from solver.positions import (
    Positions,
    Status,
    actions_in,
    bank_from,
    bust,
    check,
    dump,
    dumped,
    may_bank,
    positions,
    reachable,
    sides,
)
from solver.rules import Rules
from solver.state import Action, State

__all__ = ["Adviser", "HoldRollTable", "Turn"]

LEAST_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Turn:
    """All that a turn of one position can come to.

    Attributes
    ----------
    rolls : (levels, dice) array
        The chance to win when rolling with `dice` (from 1) left at each level of score + turn
        total; nan where the turn has ended.
    banks : (levels,) array
        The chance after banking there, allowed or not.
    """

    rolls: Array
    banks: Array


@dataclass(frozen=True, eq=False)
class HoldRollTable:
    """Every turn total and number of dice left that can occur in a turn, and what to do there.

    Attributes
    ----------
    state : State
        The position, at the start of the turn.
    turn_totals : tuple of int
        Rows; totals that end the turn by a dump truck are among them, those that win are not.
    dice : tuple of int
        Columns: 1 to all; all dice with a turn total are hot dice.
    action : (rows, columns) array of str
        "bank", "roll", "dump", or "" where the cell cannot occur.
    roll, bank : (rows, columns) arrays
        The chances to win; nan where that is not possible.
    forced : (rows, columns) array of str
        Why there is no choice: "first roll", "hot dice", "entry", "barrel", "dump truck"; else "".
    """

    state: State
    turn_totals: tuple[int, ...]
    dice: tuple[int, ...]
    action: Array
    roll: Array
    bank: Array
    forced: Array

    @property
    def value(self) -> Array:
        """(rows, columns): the chance to win with the better choice; nan where none occurs."""
        better: Array = np.fmax(self.roll, self.bank)
        return better


class Adviser:
    """Answers questions about the positions of one solution.

    Parameters
    ----------
    rules : Rules
    values : (n, n) array
    error_bound : float or None

    Attributes
    ----------
    tie : float
        Values closer than this are equal.
    """

    def __init__(self, rules: Rules, values: Array, error_bound: float | None) -> None:
        self.rules, self.values = rules, values
        self.positions: Positions = positions(rules)
        self.tie = max(4.0 * (error_bound or 0.0), LEAST_TIE)
        self._game = self.positions.game()
        self._table = np.zeros((len(self.positions), self._game.lanes))
        self._table[:, : len(self.positions)] = values.T
        self._local = threading.local()
        self.turn = lru_cache(maxsize=1024)(self._turn)
        self._ranked = lru_cache(maxsize=65536)(self._rank)

    def _turn(self, me: Status, opponent: Status) -> Turn:
        """The turn of one position; ask by :attr:`turn`, which keeps it."""
        index = self.positions.index
        rolls, banks = self.turns(index[me], [index[opponent]])
        return Turn(rolls[0], banks[0])

    def turns(self, me: int, opponents: Iterable[int]) -> tuple[Array, Array]:
        """Turns of one status against up to BLOCK others, as indices: stacked as in `Turn`."""
        others = np.array(list(opponents), dtype=np.int32)
        levels, dice = self.positions.levels, self.rules.dice
        rolls, banks = np.full((len(others), levels, dice), np.nan), np.empty((len(others), levels))
        if not hasattr(self._local, "scratch"):
            self._local.scratch = self._game.scratch()
        self._game.turns(self._local.scratch, self._table, me, others, rolls, banks)
        rolls[:, self.positions.dump_levels] = np.nan
        return rolls, banks

    def action_values(
        self, state: State, throw: Iterable[int] | None = None
    ) -> list[tuple[Action, float]]:
        """Every legal action and its win probability, best first; ties by the documented rule."""
        return list(self._ask(state, throw))

    def best_action(self, state: State, throw: Iterable[int] | None = None) -> Action:
        """The action that wins most often."""
        return self._ask(state, throw)[0][0]

    def win_probability(self, state: State, throw: Iterable[int] | None = None) -> float:
        """The mover's chance when both play on optimally."""
        return max(value for _, value in self._ask(state, throw))

    def _ask(self, state: State, throw: Iterable[int] | None) -> tuple[tuple[Action, float], ...]:
        """The actions ranked, from memory if the same was asked before."""
        if throw is None:
            return self._ranked(state, None)
        faces = tuple(throw)
        if all(type(face) is int for face in faces):
            return self._ranked(state, tuple(sorted(faces)))
        return self._rank(state, faces)  # True == 1 would find what was kept for 1

    def _rank(
        self, state: State, throw: tuple[int, ...] | None
    ) -> tuple[tuple[Action, float], ...]:
        state = check(self.rules, state)
        shown = None if throw is None else normal_throw(self.rules, throw, state.dice_left)
        valued = [
            (self._value(state, shown, action), self._order(shown, action), action)
            for action in actions_in(self.rules, state, shown)
        ]
        valued.sort(key=lambda item: -item[0])
        ranked: list[tuple[Action, float]] = []
        while valued:
            equal = sum(value >= valued[0][0] - self.tie for value, _, _ in valued)
            ranked += [(action, value) for value, _, action in sorted(valued[:equal], key=_second)]
            valued = valued[equal:]
        return tuple(ranked)

    def _order(self, throw: tuple[int, ...] | None, action: Action) -> tuple[object, ...]:
        """The order of equals."""
        points = throws(self.rules, len(throw))[throw].keeps.get(action.dice, 0) if throw else 0
        rolls = "roll" in (action.kind, action.then)
        return rolls, -points, len(action.dice), action.dice

    def _value(self, state: State, throw: tuple[int, ...] | None, action: Action) -> float:
        """The chance to win after an action in a checked state."""
        me, opponent = sides(state)
        if action.kind == "bust":
            return self._left(opponent, bust(self.rules, me, state.turn_total == 0))
        if action.then == "dump":
            return self._left(opponent, dump())
        if action.then == "win":
            return 1.0
        if state.turn_total == 0 and action.kind == "roll":
            return self._left_value(me, opponent)
        total, dice = state.turn_total, state.dice_left or self.rules.dice
        if throw is not None:
            total += throws(self.rules, len(throw))[throw].keeps[action.dice]
            dice = len(throw) - len(action.dice) or self.rules.dice
        turn, level = self.turn(me, opponent), self.positions.level(me.score + total)
        if "bank" in (action.kind, action.then):
            return float(turn.banks[level])
        return float(turn.rolls[level, dice - 1])

    def _left_value(self, me: Status, opponent: Status) -> float:
        index = self.positions.index
        return float(self.values[index[me], index[opponent]])

    def _left(self, opponent: Status, me: Status) -> float:
        """The chance of a player who leaves himself at `me`, the opponent to move."""
        return 1.0 - self._left_value(opponent, me)

    def hold_roll_table(self, state: State) -> HoldRollTable:
        """What to do with every turn total and number of dice left, for the position of `state`.

        The turn total and dice of `state` are left out of account.
        """
        state = State(
            state.score, state.opponent_score, 0, None, state.bolts, state.opponent_bolts,
            state.entered, state.opponent_entered,
        )  # fmt: skip
        state = check(self.rules, state)
        me, opponent = sides(state)
        cells = reachable(self.rules, me.score)
        dumps = dumped(self.rules, me.score)
        totals = sorted({total for total, _ in cells | dumps})
        shape = (len(totals), self.rules.dice)
        table = HoldRollTable(
            state,
            tuple(totals),
            tuple(range(1, self.rules.dice + 1)),
            np.full(shape, "", dtype="<U4"),
            np.full(shape, np.nan),
            np.full(shape, np.nan),
            np.full(shape, "", dtype="<U10"),
        )
        for row, total in enumerate(totals):
            for column, dice in enumerate(table.dice):
                if (total, dice) in cells:
                    self._fill(table, row, column, me, opponent)
                elif (total, dice) in dumps:
                    table.action[row, column], table.forced[row, column] = "dump", "dump truck"
                    table.roll[row, column] = self._left(opponent, dump())
        return table

    def _fill(
        self, table: HoldRollTable, row: int, column: int, me: Status, opponent: Status
    ) -> None:
        """One cell in which the player decides, or is forced to roll."""
        total, dice = table.turn_totals[row], table.dice[column]
        turn, level = self.turn(me, opponent), self.positions.level(me.score + total)
        value = turn.rolls[level, column] if total else self._left_value(me, opponent)
        roll = table.roll[row, column] = value
        if may_bank(self.rules, me, total, dice):
            bank = table.bank[row, column] = turn.banks[level]
            table.action[row, column] = "bank" if bank >= roll - self.tie else "roll"
            return
        table.action[row, column] = "roll"
        if total == 0:
            table.forced[row, column] = "first roll"
        elif me.score + total < bank_from(self.rules, me):
            table.forced[row, column] = "barrel" if me.entered else "entry"
        else:
            table.forced[row, column] = "hot dice"


def _second(item: tuple[float, tuple[object, ...], Action]) -> tuple[object, ...]:
    return item[1]
