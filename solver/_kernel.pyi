"""Types of the compiled kernel; what things mean is said in ext/kernel.pyx."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Reals = NDArray[np.float32] | NDArray[np.float64]
_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]

BLOCK: int
RECORD: int
WIDEST: int
NODE: np.dtype[np.void]

def throws(
    count: int, sides: int, keys: _Longs, points: _Ints
) -> list[tuple[tuple[int, ...], int, list[int], list[int]]]: ...

@final
class Scratch:
    def __init__(self, levels: int, pad: int, dice: int, nodes: int, statuses: int) -> None: ...

@final
class Crew:
    def __init__(self) -> None: ...
    def stop(self) -> None: ...

@final
class Map:
    def __init__(
        self, chances: _Reals, levels: _Ints, starts: _Longs, counts: _Ints, others: _Floats
    ) -> None: ...

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
    def backward(
        self, crew: Crew, scratch: Scratch, tasks: _Ints, ends: _Longs, table: _Floats, out: _Floats
    ) -> None: ...
    def outcomes(
        self,
        crew: Crew,
        scratch: Scratch,
        tasks: _Ints,
        ends: _Longs,
        table: _Floats,
        drop: float,
        slack: float,
        map: Map,
        constant: _Floats,
        out: _Floats,
    ) -> int: ...
    def sweep(
        self,
        crew: Crew,
        tasks: _Ints,
        ends: _Longs,
        tables: _Floats,
        one: Map,
        other: Map,
        sign: float,
        rhs: _Floats,
        out: _Floats,
        own: bool = False,
    ) -> float: ...
    def turns(
        self,
        scratch: Scratch,
        table: _Floats,
        i: int,
        opponents: _Ints,
        rolls: _Floats,
        banks: _Floats,
    ) -> None: ...

@final
class Habit:
    def __init__(self, which: _Ints, threshold: _Ints, rank: _Longs) -> None: ...

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
        order: _Longs,
        seats: _Ints,
        keys: NDArray[np.uint64],
        records: _Ints,
    ) -> None: ...
    def turns_by_habit(
        self,
        habit: Habit,
        order: _Longs,
        seats: _Ints,
        keys: NDArray[np.uint64],
        records: _Ints,
    ) -> None: ...
    def games_by_habit(
        self,
        first: Habit,
        second: Habit,
        longest: int,
        order: _Longs,
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
