"""Win probabilities for arrays of positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solver.bellman import BLOCK, Array
from solver.moves import cells
from solver.positions import Positions
from solver.state import StateError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
    rules, scores, bolts = positions.rules, _whole("score", score), _whole("bolts", bolts)
    level, off = np.divmod(scores - rules.floor, rules.step)
    known = (off == 0) & (level >= 0) & (level < positions.levels)
    known = known & (bolts >= 0) & (bolts < positions.lookup.shape[1])
    level, bolts = np.where(known, level, 0), np.where(known, bolts, 0)
    if entered is None:
        outside, inside = positions.lookup[:, bolts, level]
        index = np.where(outside >= 0, outside, inside)
    else:
        index = positions.lookup[_flags(entered), bolts, level]
    index = np.where(known, index, -1)
    if (index < 0).any():
        item = int(np.argmax(index.ravel() < 0))
        wrong = np.broadcast_to(scores, index.shape).ravel()[item]
        raise StateError(f"score {wrong} (item {item}): no such status under these rules")
    return index


def _whole(name: str, values: ArrayLike) -> Array:
    """An int64 array of whole numbers, or a refusal."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise StateError(f"{name} = {values!r}: must be whole numbers")
    return array.astype(np.int64)


def _flags(entered: ArrayLike) -> Array:
    """0 and 1 for an array of bool, or a refusal."""
    array = np.asarray(entered)
    if array.dtype != bool and array.size:
        raise StateError(f"entered = {entered!r}: must be True or False")
    return array.astype(np.int8)


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

    Raises
    ------
    StateError
        For a turn total and a number of dice left with which no turn asks for a decision.
    """
    dice = _whole("dice_left", adviser.rules.dice if dice_left is None else dice_left)
    total = _whole("turn_total", turn_total)
    me, opponent, total, dice = np.broadcast_arrays(me, opponent, total, dice)
    result = np.array(adviser.values[me, opponent])
    inside = np.flatnonzero((total != 0) | (dice != adviser.rules.dice))
    if len(inside):
        where = [np.ravel(x)[inside] for x in (me, opponent, total, dice)]
        _check_cells(adviser, inside, *where)
        result.reshape(-1)[inside] = _inside(adviser, *where)
    return result


def _check_cells(
    adviser: Adviser, items: Array, me: Array, opponent: Array, total: Array, dice: Array
) -> None:
    """Refuse what cannot come up in a turn."""
    rules, players = adviser.rules, adviser.positions.players
    decide = cells(rules).decide
    place, off = np.divmod(total, rules.step)
    known = (off == 0) & (place >= 0) & (place < len(decide)) & (dice >= 1) & (dice <= rules.dice)
    place, column = np.where(known, place, 0), np.where(known, dice - 1, 0)
    wrong = ~(known & decide[players[me, 0], place, column])
    if wrong.any():
        item = int(np.argmax(wrong))
        raise StateError(
            f"turn_total {total[item]} with dice_left {dice[item]} (item {items[item]}): cannot "
            "come up in a turn, or has ended it"
        )


def _inside(adviser: Adviser, me: Array, opponent: Array, total: Array, dice: Array) -> Array:
    """The chances in the middle of turns, for flat arrays: each turn is worked through once."""
    positions, result = adviser.positions, np.empty(len(me))
    level = positions.players[me, 0] + total // adviser.rules.step
    may = positions.bankable(me, level)[np.arange(len(me)), dice - 1]
    order = np.lexsort((opponent, me))
    for group in np.split(order, np.flatnonzero(np.diff(me[order])) + 1):
        others, which = np.unique(opponent[group], return_inverse=True)
        mover = int(me[group[0]])
        for begin in range(0, len(others), BLOCK):
            rolls, banks = adviser.turns(mover, others[begin : begin + BLOCK])
            mine = (which >= begin) & (which < begin + BLOCK)
            here, lane = group[mine], which[mine] - begin
            roll, bank = rolls[lane, level[here], dice[here] - 1], banks[lane, level[here]]
            result[here] = np.where(may[here], np.fmax(bank, roll), roll)
    return result
