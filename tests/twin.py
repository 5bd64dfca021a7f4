"""A pure-Python twin of the compiled kernel: the same arrays in, the same numbers out.

Only what the kernel does is here, one position at a time and as plainly as possible: which throws
there are and what may be kept of them, and the backward pass over one turn. Where the kernel adds
floats in a certain order, so does this, and the two agree to the last bit; with Fractions in the
table the same pass is exact.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest import mock

import numpy as np

from solver import _kernel

# ---------------------------------------------------------------------------------------- dice


def decode(key: int) -> tuple[int, ...]:
    """The faces of a combination: five bits each, the first highest."""
    faces = []
    while key:
        faces.append(key & 31)
        key >>= 5
    return tuple(reversed(faces))


def splits(dice: tuple[int, ...], table: dict[tuple[int, ...], int]) -> int:
    """The most points that dice give when split wholly into combinations; 0: they do not."""
    best = table.get(dice, 0)
    for size in range(1, len(dice)):
        for part in set(itertools.combinations(dice, size)):
            rest = tuple(sorted((Counter(dice) - Counter(part)).elements()))
            worth = splits(rest, table) if part in table else 0
            if worth:
                best = max(best, table[part] + worth)
    return best


def throws(count: int, sides: int, keys: Sequence[int], points: Sequence[int]) -> list[Any]:
    """Every distinct throw as (dice, outcomes, masks, points), as the kernel lists them."""
    table = {decode(int(key)): int(worth) for key, worth in zip(keys, points, strict=True)}
    outcomes = Counter(
        tuple(sorted(faces)) for faces in itertools.product(range(1, sides + 1), repeat=count)
    )
    worth = {
        dice: splits(dice, table)
        for size in range(1, count + 1)
        for dice in itertools.combinations_with_replacement(range(1, sides + 1), size)
    }
    return [
        (dice, n, *_kept(dice, worth)) for dice, n in sorted(outcomes.items(), key=lambda x: x[0])
    ]


def _kept(dice: tuple[int, ...], worth: dict[tuple[int, ...], int]) -> tuple[list[int], list[int]]:
    """The keepable subsets as masks, of equal ones the lowest mask, and their points."""
    first: dict[tuple[int, ...], int] = {}
    for mask in range(1, 1 << len(dice)):
        kept = tuple(face for place, face in enumerate(dice) if mask >> place & 1)
        if worth[kept]:
            first.setdefault(kept, mask)
    return list(first.values()), [worth[kept] for kept in first]


# ------------------------------------------------------------------------------- inside a turn


class Game:
    """Stands in for the kernel's class of the same name; takes the same arrays."""

    levels: int
    dice: int
    hot_may_bank: bool
    dump_status: int
    nodes: Any
    node_start: Any
    bust_count: Any
    outcomes: Any
    dump: Any
    status: Any
    opponent: Any
    bank_status: Any

    def __init__(self, **arrays: Any) -> None:
        self.__dict__.update(arrays)
        self.statuses, self.lanes = len(self.status), len(self.opponent)
        self.nodes_of = [
            [tuple(node) for node in self.nodes[start:stop].tolist()]
            for start, stop in itertools.pairwise(self.node_start)
        ]
        self.number = float

    def scratch(self) -> None:
        """Nothing is needed."""

    def roll(self, cells: dict[int, Any], level: int, column: int, bust: Any) -> Any:
        """The value of rolling column + 1 dice: the kernel's sums, in the kernel's order."""
        sums = [self.number(self.bust_count[column]) * bust, self.number(0)]
        best = [None] * (len(self.nodes_of[column]) + 1)
        at = level * self.dice
        for turn, (offset, depth, _, _, count) in enumerate(self.nodes_of[column]):
            value = cells.get(at + offset, 1)  # beyond the last level the target is reached
            if depth and best[depth] > value:
                value = best[depth]
            best[depth + 1] = value
            sums[turn % 2] += self.number(count) * value
        return (sums[0] + sums[1]) / self.number(self.outcomes[column])

    def banked(self, table: Any, i: int, o: int, level: int) -> Any:
        """The chance after banking at a level: an opponent strictly between loses points."""
        between = self.status[i, 0] < self.opponent[o, 0] < level
        lane = o + self.opponent[o, 1] if between else o
        return 1 - table[self.bank_status[level]][lane]

    def turn(self, table: Any, i: int, o: int) -> tuple[Any, dict[int, Any]]:
        """The value of a turn, and of rolling in each of its cells."""
        own, bank_from, first, later = map(int, self.status[i])
        bust = 1 - table[later][o]
        cells, rolls = {}, {}
        for level in range(self.levels - 1, own, -1):
            for column in range(self.dice):
                cell = level * self.dice + column
                if self.dump[level]:
                    cells[cell] = 1 - table[self.dump_status][o]
                    continue
                cells[cell] = rolls[cell] = self.roll(cells, level, column, bust)
                hot = column == self.dice - 1
                if level >= bank_from and (not hot or self.hot_may_bank):
                    cells[cell] = max(cells[cell], self.banked(table, i, o, level))
        rolls[own * self.dice + self.dice - 1] = start = self.roll(
            cells, own, self.dice - 1, 1 - table[first][o]
        )
        return start, rolls

    def backward(self, _: None, table: Any, tasks: Any, out: Any) -> None:
        """As the kernel's, but exact where the table is of Fractions."""
        for i, block in tasks.tolist():
            for o in range(block * _kernel.BLOCK, (block + 1) * _kernel.BLOCK):
                out[i, o] = self.turn(table, i, o)[0]

    def turns(self, _: None, table: Any, i: int, opponents: Any, rolls: Any, banks: Any) -> None:
        """As the kernel's."""
        for lane, o in enumerate(opponents.tolist()):
            for cell, value in self.turn(table, i, o)[1].items():
                rolls[(lane, *divmod(cell, self.dice))] = value
            for level in range(self.status[i, 0] + 1, self.levels):
                banks[lane, level] = self.banked(table, i, o, level)


def game(positions: Any, number: Any = float) -> Any:
    """The arrays that `positions` hands to the kernel, in a twin that computes with `number`."""
    with mock.patch.object(_kernel, "Game", Game):
        result = positions.game(0)
    result.number = number
    return result


def random_table(lanes: int, statuses: int, seed: int) -> np.ndarray:
    """Values between turns, as the kernel wants them: [what the player stands at, opponent]."""
    table = np.zeros((statuses, lanes))
    table[:, :statuses] = np.random.default_rng(seed).random((statuses, statuses))
    return table
