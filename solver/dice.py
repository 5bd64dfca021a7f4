"""Throws, what may be kept of them, and the tries of option sets that the kernel works on.

All scoring is here: what a multiset is worth (the best of its splits into combinations), which
subsets of a throw may be set aside, and how often each throw comes up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from solver import _kernel
from solver.rules import SHARABESHKI, Rules, as_rules
from solver.state import StateError

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "Option",
    "Throw",
    "Trie",
    "keeps",
    "normal_throw",
    "offset",
    "option_sets",
    "throws",
    "trie",
]

Option = tuple[int, int]
"""What a set-aside comes to: (points, dice left)."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One distinct throw.

    Attributes
    ----------
    dice : tuple of int
        Sorted faces.
    outcomes : int
        How many of the sides ** len(dice) ordered outcomes it is.
    keeps : dict
        Kept multiset (sorted tuple) -> points; empty: a bust.
    """

    dice: tuple[int, ...]
    outcomes: int
    keeps: dict[tuple[int, ...], int]

    @property
    def options(self) -> frozenset[Option]:
        """The distinct (points, dice left) that the keeps come to."""
        return frozenset(
            (points, len(self.dice) - len(kept)) for kept, points in self.keeps.items()
        )


@lru_cache(maxsize=64)
def throws(rules: Rules, dice: int) -> dict[tuple[int, ...], Throw]:
    """Every distinct throw of a number of dice, by its sorted faces.

    Examples
    --------
    >>> table = throws(SHARABESHKI, 5)
    >>> len(table), table[2, 3, 4, 5, 6].outcomes, table[2, 2, 3, 3, 6].keeps
    (252, 120, {})
    """
    pairs = sorted((_key(faces), points) for faces, points in rules.combinations)
    keys = np.array([key for key, _ in pairs], dtype=np.int64)
    points = np.array([points for _, points in pairs], dtype=np.int32)
    return {
        faces: Throw(faces, outcomes, _allowed(rules, faces, masks, worth))
        for faces, outcomes, masks, worth in _kernel.throws(dice, rules.sides, keys, points)
    }


def _key(faces: tuple[int, ...]) -> int:
    """A combination as the kernel looks it up: five bits a face."""
    key = 0
    for face in faces:
        key = key << 5 | face
    return key


def _allowed(
    rules: Rules, faces: tuple[int, ...], masks: list[int], worth: list[int]
) -> dict[tuple[int, ...], int]:
    """Keeps by multiset; with set_aside "all" only the one that must be taken."""
    keep = {
        tuple(face for place, face in enumerate(faces) if mask >> place & 1): points
        for mask, points in zip(masks, worth, strict=True)
    }
    if rules.set_aside == "all" and keep:
        taken = min(keep, key=lambda kept: (-keep[kept], -len(kept), kept))
        return {taken: keep[taken]}
    return dict(sorted(keep.items(), key=lambda item: (len(item[0]), item[0])))


def as_faces(throw: Iterable[int]) -> tuple[int, ...]:
    """The throw as a tuple, whatever is in it; StateError if it is no series of anything."""
    try:
        return tuple(throw)
    except TypeError:
        raise StateError(f"throw {throw!r}: must be a series of faces, such as (1, 5, 2)") from None


def normal_throw(rules: Rules, throw: Iterable[int], dice: int | None = None) -> tuple[int, ...]:
    """The throw as a sorted tuple; StateError if these dice cannot show it."""
    faces = as_faces(throw)
    allowed = f"1 to {rules.dice}" if dice is None else str(dice)
    if (len(faces) != dice) if dice is not None else not 1 <= len(faces) <= rules.dice:
        raise StateError(f"throw {faces!r}: has {len(faces)} dice, must have {allowed}")
    for face in faces:
        if isinstance(face, bool) or face not in range(1, rules.sides + 1):
            raise StateError(f"throw {faces!r}: face {face!r} is not from 1 to {rules.sides}")
    return tuple(sorted(int(face) for face in faces))


def keeps(throw: Iterable[int], rules: Rules = SHARABESHKI) -> dict[tuple[int, ...], int]:
    """What may be set aside of a throw, with its points.

    Parameters
    ----------
    throw : iterable of int
        Faces thrown, in any order.
    rules : Rules

    Returns
    -------
    dict
        Kept multiset as a sorted tuple -> points; empty where nothing scores.

    Raises
    ------
    StateError
        For a face or a number of dice that the rules do not have.

    Examples
    --------
    >>> keeps((5, 1, 2, 2, 6))
    {(1,): 10, (5,): 5, (1, 5): 15}
    """
    faces = normal_throw(as_rules(rules), throw)
    return dict(throws(rules, len(faces))[faces].keeps)


@lru_cache(maxsize=64)
def option_sets(rules: Rules, dice: int) -> dict[frozenset[Option], int]:
    """Distinct option sets of the throws of a number of dice -> ordered outcomes.

    The empty set is a bust. Throws with the same options are the same to every player, so the
    solver works on these: 398 options instead of all keeps of all throws.

    Examples
    --------
    >>> [len(option_sets(SHARABESHKI, dice)) - 1 for dice in range(1, 6)]
    [2, 5, 13, 30, 62]
    """
    count: Counter[frozenset[Option]] = Counter()
    for throw in throws(rules, dice).values():
        count[throw.options] += throw.outcomes
    return dict(count)


def bust_chance(rules: Rules, dice: int) -> Fraction:
    """The exact chance that nothing scores in a throw of `dice` dice."""
    from fractions import Fraction

    return Fraction(option_sets(rules, dice).get(frozenset(), 0), rules.sides**dice)


@dataclass(frozen=True)
class Trie:
    """The option sets of every number of dice, with common options first and shared.

    The value of a throw is the best of its options. Sets that begin alike share the running
    maximum, so that 194 comparisons do the work of 398.

    Attributes
    ----------
    nodes : (m,) structured array
        offset: cell of the option relative to (level, column 0), in a table [level][dice];
        depth, parent: place in the trie of its number of dice; count: outcomes that end here.
    start : (dice + 1,) int32
        Where the nodes of each number of dice begin.
    bust, outcomes : (dice,) float64
        Outcomes that bust, and all.
    """

    nodes: np.ndarray
    start: np.ndarray
    bust: np.ndarray
    outcomes: np.ndarray


@lru_cache(maxsize=32)
def trie(rules: Rules) -> Trie:
    """The tries of a rule set. Their order depends only on the scores, counted in steps."""
    nodes: list[tuple[int, int, int, int, float]] = []
    start = [0]
    for dice in range(1, rules.dice + 1):
        nodes += _branch(rules, option_sets(rules, dice))
        start.append(len(nodes))
    numbers = range(1, rules.dice + 1)
    return Trie(
        nodes=np.array(nodes, dtype=_kernel.NODE),
        start=np.array(start, dtype=np.int32),
        bust=np.array([option_sets(rules, d).get(frozenset(), 0) for d in numbers], dtype=float),
        outcomes=np.array([rules.sides**d for d in numbers], dtype=float),
    )


def _branch(
    rules: Rules, sets: dict[frozenset[Option], int]
) -> list[tuple[int, int, int, int, float]]:
    """The nodes of one trie, parents before children, siblings together."""
    common = Counter(option for options in sets for option in options)
    ordered = {
        tuple(sorted(options, key=lambda option: (-common[option], option))): count
        for options, count in sets.items()
    }
    paths = sorted({path[:depth] for path in ordered for depth in range(1, len(path) + 1)})
    place = {path: index for index, path in enumerate(paths)}
    return [
        (
            offset(rules, path[-1]),
            len(path) - 1,
            place.get(path[:-1], -1),
            0,
            float(ordered.get(path, 0)),
        )
        for path in paths
    ]


def offset(rules: Rules, option: Option) -> int:
    """How far the cell of an option lies from (level, column 0); no dice left is hot dice."""
    points, dice_left = option
    return points // rules.step * rules.dice + (dice_left or rules.dice) - 1
