"""What a player may do within a turn, and what follows: states checked, actions, their effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from solver.dice import normal_throw, offset, option_sets, throws
from solver.positions import Status, bank, bust, dump, ends_at, may_bank, overtaken, positions
from solver.rules import Rules
from solver.state import Action, State, StateError

__all__ = ["Cells", "actions", "actions_in", "apply", "cells", "check", "reachable", "sides"]


class Cells(NamedTuple):
    """Where a turn can come to, for every score with which it can begin.

    Attributes
    ----------
    decide, dump : (levels, levels, dice) bool arrays
        [level of the score, turn total in steps, dice left less one]: whether the player can be
        asked to decide there, and whether a dump truck can end the turn there.
    """

    decide: np.ndarray
    dump: np.ndarray


@lru_cache(maxsize=8)
def cells(rules: Rules) -> Cells:
    """Where the turns of a rule set can come to."""
    levels, step = positions(rules).levels, rules.step
    ends = [ends_at(rules, score) for score in range(rules.floor, rules.target, step)]
    ends += ["win"] * levels
    undecided, dump = (
        sliding_window_view([end == kind for end in ends], levels)[:levels].copy()  # by turn total
        for kind in (None, "dump")
    )
    undecided[:, 0], dump[:, 0] = True, False  # what has not begun has not ended
    come = _come(rules, undecided)
    return Cells(come & undecided[:, :, None], come & dump[:, :, None])


def _come(rules: Rules, undecided: np.ndarray) -> np.ndarray:
    """(levels, levels, dice) bool: whether a throw can come to a cell, whatever follows there.

    Scores are followed side by side: each is a bit of the whole numbers that are passed on.
    """
    levels, dice, wide = len(undecided), rules.dice, len(undecided) // 8 + 1
    going_on = np.packbits(undecided, axis=0, bitorder="little").T
    gains = [
        {offset(rules, option) for options in option_sets(rules, number) for option in options}
        for number in range(1, dice + 1)
    ]
    come = [0] * (levels * dice + max(gain for found in gains for gain in found) + 1)
    come[dice - 1] = (1 << levels) - 1
    for total in range(levels):
        mask, first = int.from_bytes(going_on[total].tobytes(), "little"), total * dice
        for place, found in enumerate(gains, first):
            going = come[place] & mask
            for gain in found if going else ():
                come[first + gain] |= going
    packed = b"".join(scores.to_bytes(wide, "little") for scores in come[: levels * dice])
    bits = np.frombuffer(packed, np.uint8).reshape(levels, dice, wide)
    flags = np.unpackbits(bits, axis=2, count=levels, bitorder="little").view(np.bool_)
    return np.ascontiguousarray(flags.transpose(2, 0, 1))


@lru_cache(maxsize=1024)
def reachable(rules: Rules, score: int) -> frozenset[tuple[int, int]]:
    """The (turn total, dice left) in which a player with `score` can be asked to decide.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> (10, 4) in reachable(SHARABESHKI, 0), (5, 3) in reachable(SHARABESHKI, 0)
    (True, False)
    """
    found = np.argwhere(cells(rules).decide[positions(rules).level(score)])
    return frozenset((total * rules.step, dice + 1) for total, dice in found.tolist())


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
    if not isinstance(state, State):
        raise StateError(f"{state!r}: must be a State")
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
    if not _can_come(rules, state.score, state.turn_total, dice):
        raise StateError(
            f"{state!s}: a turn total of {state.turn_total} with {dice} dice left cannot come up"
        )
    if (state.dice_left, state.entered, state.opponent_entered) == (dice, entered, other):
        return state
    return replace(state, dice_left=dice, entered=entered, opponent_entered=other)


def _can_come(rules: Rules, score: int, turn_total: int, dice: int) -> bool:
    """Whether a player with `score` can be asked to decide there."""
    total, off = divmod(turn_total, rules.step)
    decide = cells(rules).decide[positions(rules).level(score)]
    return not off and total < len(decide) and bool(decide[total, dice - 1])


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
            found.append(_keep(kept, end))
            continue
        found.append(_keep(kept, "roll"))
        if may_bank(rules, me, total, left or rules.dice):
            found.append(_keep(kept, "bank"))
    return found or [Action("bust")]


_keep = lru_cache(maxsize=4096)(partial(Action, "keep"))


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
