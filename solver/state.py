"""What a player is asked about: a State, the Actions open to him, and a one-line notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import index

__all__ = ["Action", "State", "StateError"]

KINDS = {"roll": (None,), "bank": (None,), "bust": (None,), "keep": ("roll", "bank", "dump", "win")}
_SIDE = r"(-?\d+)([en]?)(?:b(\d+))?"
_NOTATION = rf"{_SIDE}(?:\+(\d+))?(?:d(\d+))?:{_SIDE}"


class StateError(ValueError):
    """A state, an action or a throw that cannot be; the message shows it."""


@dataclass(frozen=True, slots=True)
class State:
    """The player to move, the opponent, and how far the turn has come.

    Parameters
    ----------
    score, opponent_score : int
        Points on the sheet, without the turn total.
    turn_total : int
        Points set aside in this turn and not yet banked.
    dice_left : int or None
        Dice to be thrown next; None: all of them. All of them with a turn total: hot dice.
    bolts, opponent_bolts : int
        Busts in a row that each has written down.
    entered, opponent_entered : bool or None
        Whether each has entered the game. None: the status that the score allows; not entered
        where both are possible.

    Raises
    ------
    StateError
        If a field has the wrong type or sign. Whether the rules allow the state is for
        `Rules.check` to say.

    Examples
    --------
    >>> str(State(195, 540, turn_total=60, dice_left=2))
    '195+60d2:540'
    >>> State.parse("-50nb2:0e")
    State(score=-50, opponent_score=0, turn_total=0, dice_left=None, bolts=2, opponent_bolts=0, \
entered=False, opponent_entered=True)
    """

    score: int = 0
    opponent_score: int = 0
    turn_total: int = 0
    dice_left: int | None = None
    bolts: int = 0
    opponent_bolts: int = 0
    entered: bool | None = None
    opponent_entered: bool | None = None

    def __post_init__(self) -> None:
        for name in ("score", "opponent_score"):
            self._whole(name, None)
        for name in ("turn_total", "bolts", "opponent_bolts"):
            self._whole(name, 0)
        if self.dice_left is not None:
            self._whole("dice_left", 1)
        for name in ("entered", "opponent_entered"):
            value = getattr(self, name)
            if value is not None and type(value) is not bool:
                self._refuse(name, "True, False or None")

    def _whole(self, name: str, lowest: int | None) -> None:
        value = getattr(self, name)
        if type(value) is not int or (lowest is not None and value < lowest):
            above = "" if lowest is None else f" from {lowest} up"
            self._refuse(name, f"a whole number{above}")

    def _refuse(self, name: str, allowed: str) -> None:
        raise StateError(f"{name} = {getattr(self, name)!r} in {self!r}: must be {allowed}")

    def __str__(self) -> str:
        """The notation: ``SCORE[e|n][bBOLTS][+TOTAL][dDICE]:SCORE[e|n][bBOLTS]``."""
        total = f"+{self.turn_total}" if self.turn_total else ""
        dice = f"d{self.dice_left}" if self.dice_left is not None else ""
        me = _side(self.score, self.entered, self.bolts)
        return f"{me}{total}{dice}:" + _side(
            self.opponent_score, self.opponent_entered, self.opponent_bolts
        )

    @classmethod
    def parse(cls, text: str) -> State:
        """The state that `text` writes; StateError if it is not in the notation.

        ``e`` is entered, ``n`` is not; ``195+60d2:540`` reads: I have 195, 60 on the table and two
        dice left, the opponent has 540.
        """
        match = re.fullmatch(_NOTATION, text.strip()) if isinstance(text, str) else None
        if match is None:
            raise StateError(f"state {text!r}: expected a form such as 195+60d2:540 or 0nb2:-50e")
        score, entry, bolts, total, dice, score2, entry2, bolts2 = match.groups()
        return cls(
            score=int(score),
            opponent_score=int(score2),
            turn_total=int(total or 0),
            dice_left=int(dice) if dice else None,
            bolts=int(bolts or 0),
            opponent_bolts=int(bolts2 or 0),
            entered=_ENTERED[entry],
            opponent_entered=_ENTERED[entry2],
        )


_ENTERED = {"": None, "e": True, "n": False}


def _side(score: int, entered: bool | None, bolts: int) -> str:
    letter = "" if entered is None else "e" if entered else "n"
    return f"{score}{letter}" + (f"b{bolts}" if bolts else "")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a player can do.

    Parameters
    ----------
    kind : {"roll", "bank", "keep", "bust"}
        Before a throw "roll" or "bank"; after one "keep", or "bust" where nothing scores.
    dice : tuple of int
        The dice set aside, sorted; only for "keep".
    then : {"roll", "bank", "dump", "win"} or None
        What follows a keep; "dump" and "win" are forced.

    Examples
    --------
    >>> str(Action("keep", (5, 1), "roll"))
    'keep 1 5, roll'
    """

    kind: str
    dice: tuple[int, ...] = ()
    then: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.then not in KINDS.get(self.kind, ()):
            raise StateError(f"action {self.kind!r} then {self.then!r}: there is no such action")
        if bool(self.dice) != (self.kind == "keep"):
            raise StateError(f"action {self.kind!r} with dice {self.dice!r}: only keep has dice")
        try:
            dice = tuple(sorted(map(index, self.dice)))
        except TypeError:
            allowed = "must be faces, such as (1, 5)"
            raise StateError(f"action {self.kind!r} with dice {self.dice!r}: {allowed}") from None
        object.__setattr__(self, "dice", dice)

    def __str__(self) -> str:
        if self.kind != "keep":
            return self.kind
        return f"keep {' '.join(map(str, self.dice))}, {self.then}"
