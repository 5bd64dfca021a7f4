"""What to do: the best action, the value of every action, and hold/roll tables.

Everything is read off the values between turns: a turn of one position is worked through on
demand (one backward pass of one position, some tens of microseconds) and kept.

Ties. Two actions whose values differ by at most :attr:`Adviser.tie` (four times the error bound)
are held to be equal. Among equals the order is: bank before roll; then more points set aside; then
more dice left; then the smaller multiset.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver.bellman import Array
from solver.dice import as_faces, normal_throw, throws
from solver.moves import actions_in, cells, check, sides
from solver.positions import Positions, Status, bust, dump, positions
from solver.rules import Rules
from solver.state import Action, State, StateError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Adviser", "Cell", "HoldRollTable", "Turn"]

LEAST_TIE = 1e-12

Dice = tuple[int, ...]
Ranked = tuple[tuple[Action, float], ...]


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


class Cell(NamedTuple):
    """One cell of a :class:`HoldRollTable`, whose attributes say what the fields mean."""

    turn_total: int
    dice_left: int
    action: str
    roll: float
    bank: float
    forced: str


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

    def cells(self) -> Iterator[Cell]:
        """The cells that can occur, row by row."""
        for row, total in enumerate(self.turn_totals):
            for column, dice in enumerate(self.dice):
                at = row, column
                if self.action[at]:
                    roll, bank = float(self.roll[at]), float(self.bank[at])
                    yield Cell(total, dice, str(self.action[at]), roll, bank, str(self.forced[at]))

    def _repr_html_(self) -> str:
        """In a notebook the table shows itself."""
        from solver.charts.text import html

        return html(self)


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
        self.positions: Positions = positions(rules)
        self.rules, self.values = self.positions.rules, values
        self.error_bound = error_bound
        self.tie = max(4.0 * (error_bound or 0.0), LEAST_TIE)
        self._game = self.positions.game()
        self._table = np.zeros((len(self.positions), self._game.lanes))
        self._table[:, : len(self.positions)] = values.T
        self._dumps = np.flatnonzero(self.positions.dump_levels)
        self._local = threading.local()
        self.turn = lru_cache(maxsize=1024)(self._turn)
        self._ranked = lru_cache(maxsize=65536)(self._rank)

    def __reduce__(self) -> tuple[object, ...]:
        return Adviser, (self.rules, self.values, self.error_bound)

    def _turn(self, me: Status, opponent: Status) -> Turn:
        """The turn of one position; ask by :attr:`turn`, which keeps it."""
        index = self.positions.index
        rolls, banks = self.turns(index[me], [index[opponent]])
        return Turn(rolls[0], banks[0])

    def turns(self, me: int, opponents: ArrayLike) -> tuple[Array, Array]:
        """Turns of one status against up to BLOCK others, as indices: stacked as in `Turn`."""
        others = np.array(opponents, dtype=np.int32)
        levels, dice = self.positions.levels, self.rules.dice
        rolls, banks = np.full((len(others), levels, dice), np.nan), np.empty((len(others), levels))
        if not hasattr(self._local, "scratch"):
            self._local.scratch = self._game.scratch()
        self._game.turns(self._local.scratch, self._table, me, others, rolls, banks)
        rolls[:, self._dumps] = np.nan
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

    def _ask(self, state: State, throw: Iterable[int] | None) -> Ranked:
        """The actions ranked, from memory if the same was asked before."""
        if not isinstance(state, State):
            raise StateError(f"{state!r}: must be a State")
        if throw is None:
            return self._ranked(state, None)
        faces = as_faces(throw)
        if all(type(face) is int for face in faces):
            return self._ranked(state, tuple(sorted(faces)))
        return self._rank(state, faces)  # True == 1 would find what was kept for 1

    def _rank(self, state: State, throw: Dice | None) -> Ranked:
        state = check(self.rules, state)
        shown = None if throw is None else normal_throw(self.rules, throw, state.dice_left)
        keeps = throws(self.rules, len(shown))[shown].keeps if shown else {}
        players, valued = sides(state), []
        for action in actions_in(self.rules, state, shown):
            points = keeps.get(action.dice, 0)
            rolls = "roll" in (action.kind, action.then)
            order = rolls, -points, len(action.dice), action.dice  # of equals
            valued.append((self._value(state, *players, action, points), order, action))
        valued.sort(key=itemgetter(0), reverse=True)
        ranked, rank, top = [], 0, valued[0][0]
        for value, order, action in valued:
            if value < top - self.tie:
                rank, top = rank + 1, value
            ranked.append((rank, order, action, value))
        ranked.sort(key=itemgetter(0, 1))
        return tuple((action, value) for _, _, action, value in ranked)

    def _value(
        self, state: State, me: Status, opponent: Status, action: Action, points: int
    ) -> float:
        """The chance to win after an action in a checked state, worth `points`."""
        if action.kind == "bust":
            return self._left(opponent, bust(self.rules, me, state.turn_total == 0))
        if action.then == "dump":
            return self._left(opponent, dump())
        if action.then == "win":
            return 1.0
        if state.turn_total == 0 and action.kind == "roll":
            return self._left_value(me, opponent)
        dice = (state.dice_left or self.rules.dice) - len(action.dice) or self.rules.dice
        level = self.positions.level(me.score + state.turn_total + points)
        turn = self.turn(me, opponent)
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
        if not isinstance(state, State):
            raise StateError(f"{state!r}: must be a State")
        state = check(self.rules, replace(state, turn_total=0, dice_left=None))
        me, opponent = sides(state)
        rules, level = self.rules, self.positions.level(me.score)
        decide, dumps = (cell[level] for cell in cells(rules))
        rows = np.flatnonzero((decide | dumps).any(axis=1))
        decide, dumps = decide[rows], dumps[rows]
        turn = self.turn(me, opponent)
        may = decide & self.positions.bankable(self.positions.index[me], level + rows)
        may[0] = False
        roll = np.where(decide, turn.rolls[level + rows], np.nan)
        roll[0, -1] = self._left_value(me, opponent)
        roll[dumps] = self._left(opponent, dump())
        bank = np.where(may, turn.banks[level + rows][:, None], np.nan)
        banks = may & (bank >= roll - self.tie)
        short = level + rows < self.positions.players[self.positions.index[me], 1]
        return HoldRollTable(
            state,
            tuple((rows * rules.step).tolist()),
            tuple(range(1, rules.dice + 1)),
            np.select([banks, decide, dumps], ["bank", "roll", "dump"], ""),
            roll,
            bank,
            self._forced(me, decide & ~may, dumps, short),
        )

    def _forced(self, me: Status, forced: Array, dumps: Array, short: Array) -> Array:
        """Why there is no choice; `short`: rows in which one may not bank for want of points."""
        want = "barrel" if me.entered else "entry"
        reasons = np.select(
            [dumps, forced & short[:, None], forced], ["dump truck", want, "hot dice"], ""
        )
        reasons[0, -1] = "first roll"
        return reasons
