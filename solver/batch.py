"""Win probabilities for arrays of positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from solver.bellman import BLOCK, Array
from solver.positions import Positions
from solver.state import StateError

if TYPE_CHECKING:
    from solver.advice import Adviser

__all__ = ["status_indices", "win_probabilities"]


def status_indices(
    positions: Positions, score: ArrayLike, entered: ArrayLike | None, bolts: ArrayLike
) -> Array:
    """Indices of statuses, for arrays that broadcast.

    Parameters
    ----------
    positions : Positions
    score, bolts : array_like of int
    entered : array_like of bool, optional
        None: the status that the score allows, not entered where both are possible.

    Raises
    ------
    StateError
        If there is a status that the rules do not have; the message shows the first.

    Examples
    --------
    >>> from solver.positions import positions
    >>> from solver.rules import SHARABESHKI
    >>> table = positions(SHARABESHKI)
    >>> [table.statuses[i] for i in status_indices(table, [0, 5], None, 1)]
    [Status(score=0, entered=False, bolts=1), Status(score=5, entered=True, bolts=1)]
    """
    rules = positions.rules
    level, off = np.divmod(np.subtract(score, rules.floor), rules.step)
    known = (off == 0) & (level >= 0) & (level < positions.levels)
    bolts = np.asarray(bolts)
    known = known & (bolts >= 0) & (bolts < positions.lookup.shape[1])
    level, bolts = np.where(known, level, 0), np.where(known, bolts, 0)
    if entered is None:
        outside, inside = positions.lookup[:, bolts, level]
        index = np.where(outside >= 0, outside, inside)
    else:
        index = positions.lookup[np.asarray(entered, dtype=int), bolts, level]
    index = np.where(known, index, -1)
    if (index < 0).any():
        first = int(np.argmax(index.ravel() < 0))
        wrong = np.broadcast_to(score, index.shape).ravel()[first]
        raise StateError(f"score {wrong} (item {first}): no such status under these rules")
    return index


def win_probabilities(
    adviser: Adviser, me: Array, opponent: Array, turn_total: ArrayLike, dice_left: ArrayLike | None
) -> Array:
    """The mover's chances under optimal play in many positions, before a throw.

    Parameters
    ----------
    adviser : Adviser
    me, opponent : integer arrays
        Indices of statuses, as :func:`status_indices` gives them.
    turn_total, dice_left : array_like of int
        As in `State`; None: all dice.

    Returns
    -------
    array of float64
        In the broadcast shape. Between turns this is a look-up.
    """
    dice = adviser.rules.dice if dice_left is None else dice_left
    me, opponent, turn_total, dice = np.broadcast_arrays(me, opponent, turn_total, dice)
    result: Array = adviser.values[me, opponent]
    inside = np.flatnonzero(turn_total)
    if ((np.ravel(dice) < 1) | (np.ravel(dice) > adviser.rules.dice)).any():
        raise StateError(f"dice_left: must be from 1 to {adviser.rules.dice}")
    if len(inside):
        flat = result.reshape(-1)
        flat[inside] = _inside(
            adviser, *(np.ravel(x)[inside] for x in (me, opponent, turn_total, dice))
        )
    return result


def _inside(adviser: Adviser, me: Array, opponent: Array, total: Array, dice: Array) -> Array:
    """The chances in the middle of turns, for flat arrays: each turn is worked through once."""
    positions, result = adviser.positions, np.empty(len(me))
    level, off = np.divmod(total, adviser.rules.step)
    level = level + positions.players[me, 0]
    if (off != 0).any() or (level >= positions.levels).any() or positions.dump_levels[level].any():
        raise StateError("turn_total: off the step, or the turn has ended")
    order = np.lexsort((opponent, me))
    cuts = np.flatnonzero(np.diff(me[order])) + 1
    for group in np.split(order, cuts):
        others, which = np.unique(opponent[group], return_inverse=True)
        mover = int(me[group[0]])
        for begin in range(0, len(others), BLOCK):
            rolls, banks = adviser.turns(mover, others[begin : begin + BLOCK])
            here = group[(which >= begin) & (which < begin + BLOCK)]
            lane = which[(which >= begin) & (which < begin + BLOCK)] - begin
            roll, bank = rolls[lane, level[here], dice[here] - 1], banks[lane, level[here]]
            hot = (dice[here] == adviser.rules.dice) & (adviser.rules.hot_dice == "must_roll")
            allowed = (level[here] >= positions.players[mover, 1]) & ~hot
            result[here] = np.where(allowed, np.fmax(bank, roll), roll)
    return result
