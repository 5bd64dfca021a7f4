"""Types of the compiled kernel; what things mean is said in ext/kernel.pyx."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Reals = NDArray[np.float32] | NDArray[np.float64]
Ints = NDArray[np.int32]

BLOCK: int
RECORD: int
WIDEST: int
NODE: np.dtype[np.void]

def throws(
    count: int, sides: int, keys: NDArray[np.int64], points: Ints
) -> list[tuple[tuple[int, ...], int, list[int], list[int]]]: ...

@final
class Scratch:
    def __init__(self, levels: int, pad: int, dice: int, nodes: int, statuses: int) -> None: ...

@final
class Game:
    @property
    def statuses(self) -> int: ...
    @property
    def lanes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    def __init__(
        self,
        levels: int,
        dice: int,
        hot_may_bank: bool,
        nodes: NDArray[Any],
        node_start: Ints,
        bust_count: Floats,
        outcomes: Floats,
        dump: NDArray[np.uint8],
        status: Ints,
        opponent: Ints,
        bank_status: Ints,
        dump_status: int,
        width: int,
    ) -> None: ...
    def scratch(self) -> Scratch: ...
    def backward(self, scratch: Scratch, table: Floats, tasks: Ints, out: Floats) -> None: ...
    def outcomes(
        self,
        scratch: Scratch,
        table: Floats,
        tasks: Ints,
        drop: float,
        slack: float,
        chances: Reals,
        levels: Ints,
        starts: NDArray[np.int64],
        counts: Ints,
        others: Floats,
        constant: Floats,
        out: Floats,
    ) -> int: ...
    def sweep(
        self,
        chances: Reals,
        levels: Ints,
        starts: NDArray[np.int64],
        counts: Ints,
        others: Floats,
        sign: float,
        rhs: Floats,
        table: Floats,
        tasks: Ints,
        out: Floats,
    ) -> None: ...
    def turns(
        self,
        scratch: Scratch,
        table: Floats,
        i: int,
        opponents: Ints,
        rolls: Floats,
        banks: Floats,
    ) -> None: ...
    def transpose(self, tasks: Ints, x: Floats, table: Floats) -> None: ...

@final
class Habit:
    def __init__(self, which: Ints, threshold: Ints, rank: NDArray[np.int64]) -> None: ...

@final
class Games:
    def __init__(
        self,
        game: Game,
        bolts: NDArray[np.uint8],
        set_start: Ints,
        threshold: NDArray[np.uint64],
        alias: Ints,
        option_start: Ints,
        options: Ints,
    ) -> None: ...
    def turns_by_values(
        self,
        scratch: Scratch,
        table: Floats,
        tie: float,
        order: NDArray[np.int64],
        seats: Ints,
        keys: NDArray[np.uint64],
        records: Ints,
    ) -> None: ...
    def turns_by_habit(
        self,
        habit: Habit,
        order: NDArray[np.int64],
        seats: Ints,
        keys: NDArray[np.uint64],
        records: Ints,
    ) -> None: ...
    def games_by_habit(
        self,
        first: Habit,
        second: Habit,
        longest: int,
        order: NDArray[np.int64],
        seats: Ints,
        keys: NDArray[np.uint64],
        records: Ints,
    ) -> None: ...

def deal(
    seed: int,
    number: int,
    me: int,
    other: int,
    seats: Ints,
    keys: NDArray[np.uint64],
    records: Ints,
) -> None: ...
