"""Types of the compiled kernel; what things mean is said in ext/kernel.pyx."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Reals = NDArray[np.float32] | NDArray[np.float64]
_Ints = NDArray[np.int32]

BLOCK: int
RECORD: int
WIDEST: int
NODE: np.dtype[np.void]

def throws(
    count: int, sides: int, keys: NDArray[np.int64], points: _Ints
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
        node_start: _Ints,
        bust_count: _Floats,
        outcomes: _Floats,
        dump: NDArray[np.uint8],
        status: _Ints,
        opponent: _Ints,
        bank_status: _Ints,
        dump_status: int,
        width: int,
    ) -> None: ...
    def scratch(self) -> Scratch: ...
    def backward(self, scratch: Scratch, table: _Floats, tasks: _Ints, out: _Floats) -> None: ...
    def outcomes(
        self,
        scratch: Scratch,
        table: _Floats,
        tasks: _Ints,
        drop: float,
        slack: float,
        chances: _Reals,
        levels: _Ints,
        starts: NDArray[np.int64],
        counts: _Ints,
        others: _Floats,
        constant: _Floats,
        out: _Floats,
    ) -> int: ...
    def sweep(
        self,
        chances: _Reals,
        levels: _Ints,
        starts: NDArray[np.int64],
        counts: _Ints,
        others: _Floats,
        sign: float,
        rhs: _Floats,
        table: _Floats,
        tasks: _Ints,
        out: _Floats,
    ) -> None: ...
    def turns(
        self,
        scratch: Scratch,
        table: _Floats,
        i: int,
        opponents: _Ints,
        rolls: _Floats,
        banks: _Floats,
    ) -> None: ...
    def transpose(self, tasks: _Ints, x: _Floats, table: _Floats) -> None: ...

@final
class Habit:
    def __init__(self, which: _Ints, threshold: _Ints, rank: NDArray[np.int64]) -> None: ...

@final
class Games:
    def __init__(
        self,
        game: Game,
        bolts: NDArray[np.uint8],
        set_start: _Ints,
        threshold: NDArray[np.uint64],
        alias: _Ints,
        option_start: _Ints,
        options: _Ints,
    ) -> None: ...
    def turns_by_values(
        self,
        scratch: Scratch,
        table: _Floats,
        tie: float,
        order: NDArray[np.int64],
        seats: _Ints,
        keys: NDArray[np.uint64],
        records: _Ints,
    ) -> None: ...
    def turns_by_habit(
        self,
        habit: Habit,
        order: NDArray[np.int64],
        seats: _Ints,
        keys: NDArray[np.uint64],
        records: _Ints,
    ) -> None: ...
    def games_by_habit(
        self,
        first: Habit,
        second: Habit,
        longest: int,
        order: NDArray[np.int64],
        seats: _Ints,
        keys: NDArray[np.uint64],
        records: _Ints,
    ) -> None: ...

def deal(
    seed: int,
    number: int,
    me: int,
    other: int,
    seats: _Ints,
    keys: NDArray[np.uint64],
    records: _Ints,
) -> None: ...
