"""The rules of a game as data: one frozen value that everything else is derived from.

Every switch is a field of :class:`Rules`; the defaults are the game of the text. A rule set that
makes no sense is refused when it is built, so the rest of the package never checks one again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from solver.state import Action, State

__all__ = ["PIG", "PIGLET", "PRESETS", "SHARABESHKI", "Combinations", "Rules", "RulesError"]

Combinations = tuple[tuple[tuple[int, ...], int], ...]

Given_contra = TypeVar("Given_contra", contravariant=True)
Kept_co = TypeVar("Kept_co", covariant=True)

MAX_DICE = 6
MAX_SIDES = 20
CHOICES = {
    "bolt_on": ("any_throw", "first_throw", "any_throw_until_entered"),
    "hot_dice": ("must_roll", "may_roll"),
    "set_aside": ("any", "all"),
}
_SINGLES: dict[tuple[int, ...], int] = {(1,): 10, (5,): 5}
_STRAIGHTS: dict[tuple[int, ...], int] = {(1, 2, 3, 4, 5): 125, (2, 3, 4, 5, 6): 250}


def _of_a_kind(face: int) -> dict[tuple[int, ...], int]:
    """Three, four and five of one face: the triple, twice and ten times its worth."""
    triple = 100 if face == 1 else 10 * face
    return {(face,) * 3: triple, (face,) * 4: 2 * triple, (face,) * 5: 10 * triple}


def _table() -> dict[tuple[int, ...], int]:
    table = _SINGLES | _STRAIGHTS
    for face in range(1, 7):
        table |= _of_a_kind(face)
    return table


class RulesError(ValueError):
    """A rule set that is refused: the field, the value and what is allowed."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"rules: {field} = {value!r} is not allowed: {allowed}")
        self.field, self.value, self.allowed = field, value, allowed


class Normal(Protocol[Given_contra, Kept_co]):
    """For type checkers: a field that may be given in several forms and is kept in one."""

    def __get__(self, rules: object, owner: type | None = None) -> Kept_co: ...

    def __set__(self, rules: object, value: Given_contra) -> None: ...


_BARRELS: Any = ((200, 300), (600, 700), (900, 1000))
_DUMP_TRUCKS: Any = (555,)
_COMBINATIONS: Any = tuple(sorted(_table().items()))


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one game, checked, hashable and comparable.

    Parameters
    ----------
    target : int
        Score at which a player wins at once (points).
    entry : int
        Points needed in one turn to enter the game; 0: in the game from the start.
    barrels : iterable of (int, int)
        Half-open score ranges ``lo <= score < hi``; a player who starts a turn in one may bank
        only when the turn takes him to ``hi`` or beyond.
    dump_trucks : iterable of int
        Scores that throw a player who makes them exactly back to 0.
    dump_on_penalty : bool
        Whether a penalty that lands on a dump truck is one too.
    bolts_to_penalty : int
        Busts in a row that cost `bolt_penalty`; 0: no bolts are written.
    bolt_penalty, overtake_penalty : int
        Points lost at the last bolt in a row, and by a player who is overtaken.
    bolt_on : {"any_throw", "first_throw", "any_throw_until_entered"}
        Which busts write a bolt.
    hot_dice : {"must_roll", "may_roll"}
        Whether all dice must be thrown again once all of them have scored.
    set_aside : {"any", "all"}
        Whether a player chooses what to keep, or must keep what scores most.
    floor : int
        The lowest score on the sheet, at most 0.
    dice, sides : int
        Number of dice (1 to 6) and of faces of each (1 to 20).
    combinations : mapping or iterable of (faces, points)
        What scores, as multisets of faces; kept as pairs with sorted faces, in order.

    Raises
    ------
    RulesError
        With the field, the value and what is allowed.

    Examples
    --------
    >>> from dataclasses import replace
    >>> SHARABESHKI.step, replace(PIG, target=50).step
    (5, 1)
    >>> Rules(floor=-7)
    Traceback (most recent call last):
        ...
    solver.rules.RulesError: rules: floor = -7 is not allowed: a multiple of the step 5
    """

    target: int = 1000
    entry: int = 50
    barrels: Normal[Iterable[tuple[int, int]], tuple[tuple[int, int], ...]] = _BARRELS
    dump_trucks: Normal[Iterable[int], tuple[int, ...]] = _DUMP_TRUCKS
    dump_on_penalty: bool = False
    bolts_to_penalty: int = 3
    bolt_penalty: int = 50
    bolt_on: str = "any_throw"
    overtake_penalty: int = 50
    hot_dice: str = "must_roll"
    set_aside: str = "any"
    floor: int = -300
    dice: int = 5
    sides: int = 6
    combinations: Normal[Mapping[Any, int] | Iterable[tuple[Iterable[int], int]], Combinations] = (
        _COMBINATIONS
    )

    def __post_init__(self) -> None:
        for name, lowest, highest in _RANGES:
            _check_int(name, getattr(self, name), lowest, highest)
        if not isinstance(self.dump_on_penalty, bool):
            raise RulesError("dump_on_penalty", self.dump_on_penalty, "true or false")
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise RulesError(name, getattr(self, name), "one of " + ", ".join(allowed))
        for name, normal in (
            ("combinations", _combinations(self.combinations, self.dice, self.sides)),
            ("barrels", _barrels(self.barrels, self.target)),
            ("dump_trucks", _integers("dump_trucks", self.dump_trucks)),
        ):
            object.__setattr__(self, name, normal)
        self._check_step()

    def _check_step(self) -> None:
        step = self.step
        if self.floor % step:
            raise RulesError("floor", self.floor, f"a multiple of the step {step}")
        for score in self.dump_trucks:
            if not 0 < score < self.target or score % step:
                raise RulesError(
                    "dump_trucks", score, f"multiples of {step} above 0 and below {self.target}"
                )

    @cached_property
    def step(self) -> int:
        """The greatest common divisor of all points and penalties: every score is a multiple."""
        points = (points for _, points in self.combinations)
        return math.gcd(*points, self.bolt_penalty, self.overtake_penalty)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that name these rules: the key of the cache."""
        import hashlib

        return hashlib.sha256(self._text.encode()).hexdigest()[:16]

    @cached_property
    def _text(self) -> str:
        return repr(self)

    def __hash__(self) -> int:
        return hash(self._text)  # a str keeps its hash: rules are looked up all the time

    def check(self, state: State) -> State:
        """Return `state` completed, or refuse it: see :func:`solver.moves.check`."""
        from solver.moves import check

        return check(self, state)

    def actions(self, state: State, throw: Iterable[int] | None = None) -> list[Action]:
        """Every legal action: see :func:`solver.moves.actions`."""
        from solver.moves import actions

        return actions(self, state, throw)

    def apply(self, state: State, action: Action, throw: Iterable[int] | None = None) -> State:
        """What follows an action: see :func:`solver.moves.apply`."""
        from solver.moves import apply

        return apply(self, state, action, throw)

    def to_toml(self) -> str:
        """The rules as TOML text, every field written out; the inverse of :meth:`from_toml`.

        Examples
        --------
        >>> Rules.from_toml(PIG.to_toml()) == PIG
        True
        """
        import tomli_w

        table: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        table["combinations"] = {
            " ".join(map(str, faces)): points for faces, points in self.combinations
        }
        return tomli_w.dumps(table)

    @classmethod
    def from_toml(cls, text: str) -> Rules:
        """Rules from TOML text; what it leaves out has its default.

        Parameters
        ----------
        text : str
            Keys are the fields; combinations are a table from faces to points: ``"1 1 1" = 100``.

        Raises
        ------
        RulesError
            For text that is not TOML, an unknown key, or rules that are refused.
        """
        import tomllib

        if not isinstance(text, str):
            raise RulesError("TOML", text, "text")
        try:
            table = tomllib.loads(text)
        except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
            raise RulesError("TOML", str(error), "valid TOML") from None
        known = [f.name for f in fields(cls)]
        for key in table:
            if key not in known:
                raise RulesError(key, table[key], "known keys are " + ", ".join(known))
        if "combinations" in table:
            table["combinations"] = _parse_combinations(table["combinations"])
        return cls(**table)

    @classmethod
    def load(cls, path: str | Path) -> Rules:
        """Rules from a TOML file; OSError if it cannot be read, else as :meth:`from_toml`."""
        try:
            return cls.from_toml(Path(path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise RulesError("TOML", str(path), "a text file in UTF-8") from None


_RANGES = (
    ("target", 1, 10**6),
    ("entry", 0, 10**6),
    ("bolts_to_penalty", 0, 100),
    ("bolt_penalty", 0, 10**6),
    ("overtake_penalty", 0, 10**6),
    ("floor", -(10**6), 0),
    ("dice", 1, MAX_DICE),
    ("sides", 1, MAX_SIDES),
)


def as_rules(rules: object) -> Rules:
    """Rules, or a refusal of what is something else."""
    if not isinstance(rules, Rules):
        raise RulesError("rules", rules, "a Rules, such as SHARABESHKI")
    return rules


def _check_int(name: str, value: object, lowest: int, highest: int) -> None:
    if type(value) is not int or not lowest <= value <= highest:
        raise RulesError(name, value, f"a whole number from {lowest} to {highest}")


def _integers(name: str, values: Any) -> tuple[int, ...]:
    """A sorted tuple of distinct whole numbers, or a refusal."""
    allowed = "a list of distinct whole numbers"
    try:
        items = tuple(values)
    except TypeError:
        raise RulesError(name, values, allowed) from None
    if any(type(item) is not int for item in items) or len(set(items)) < len(items):
        raise RulesError(name, values, allowed)
    return tuple(sorted(items))


def _barrels(barrels: Any, target: int) -> tuple[tuple[int, int], ...]:
    """Sorted (lo, hi) pairs, each not empty, none overlapping, none beyond the target."""
    allowed = f"pairs lo < hi that do not overlap, none beyond the target {target}"
    try:
        pairs = sorted((lo, hi) for lo, hi in barrels)
    except (TypeError, ValueError):
        raise RulesError("barrels", barrels, allowed) from None
    last: int | None = None
    for lo, hi in pairs:
        if type(lo) is not int or type(hi) is not int:
            raise RulesError("barrels", (lo, hi), "whole numbers")
        if lo >= hi or hi > target or (last is not None and lo < last):
            raise RulesError("barrels", (lo, hi), allowed)
        last = hi
    return tuple(pairs)


def _combinations(table: Any, dice: int, sides: int) -> Combinations:
    """Pairs (sorted faces, points) in order, or a refusal that names the offending one."""
    items = table.items() if isinstance(table, Mapping) else table
    result: dict[tuple[int, ...], int] = {}
    try:
        pairs = [(tuple(faces), points) for faces, points in items]
    except (TypeError, ValueError):
        raise RulesError("combinations", table, "a mapping of faces to points") from None
    for faces, points in pairs:
        if not 0 < len(faces) <= dice:
            raise RulesError("combinations", faces, f"1 to {dice} dice in each")
        if any(type(face) is not int or not 1 <= face <= sides for face in faces):
            raise RulesError("combinations", faces, f"faces from 1 to {sides}")
        if type(points) is not int or not 0 < points <= 10**6:
            raise RulesError("combinations", (faces, points), "whole points above 0")
        faces = tuple(sorted(faces))
        if faces in result:
            raise RulesError("combinations", faces, "each multiset once")
        result[faces] = points
    if not result:
        raise RulesError("combinations", table, "at least one, else nothing ever scores")
    return tuple(sorted(result.items()))


def _parse_combinations(table: object) -> list[tuple[tuple[int, ...], Any]]:
    allowed = 'a table such as "1 1 1" = 100'
    if not isinstance(table, dict):
        raise RulesError("combinations", table, allowed)
    try:
        return [(tuple(int(face) for face in key.split()), table[key]) for key in table]
    except ValueError:
        raise RulesError("combinations", table, allowed) from None


SHARABESHKI = Rules()
"""The game of the text."""

PIG = Rules(
    target=100,
    entry=0,
    barrels=(),
    dump_trucks=(),
    bolts_to_penalty=0,
    bolt_penalty=0,
    overtake_penalty=0,
    hot_dice="may_roll",
    floor=0,
    dice=1,
    combinations=tuple(((face,), face) for face in range(2, 7)),
)
"""Pig: one die, a 1 loses the turn total, 2 to 6 add, first to 100."""

PIGLET = Rules(
    **{f.name: getattr(PIG, f.name) for f in fields(PIG)}
    | {"target": 2, "sides": 2, "combinations": (((2,), 1),)}
)
"""Piglet: Pig with a coin, first to 2."""

PRESETS = {"sharabeshki": SHARABESHKI, "pig": PIG, "piglet": PIGLET}
"""Rule sets by the name that the command line knows them by."""
