"""The Bellman operator of a game: backward passes over its turns, on all processors.

Arrays over positions have shape (n, n): the mover's status first, then the opponent's, in the
order of :class:`solver.positions.Positions`. Work is done in blocks: one mover against
`BLOCK` neighbouring opponents. It goes front by front (:class:`Fronts`): the threads of a crew
share out the blocks of one front, which do not see each other's results, and all wait until these
are in place before the next. So results are bit-identical for any number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver import _kernel
from solver.positions import Positions

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["BLOCK", "Array", "Bellman", "Fronts"]

BLOCK: int = _kernel.BLOCK
PIECES = 32  # of work that is independent: a few for each thread
Array = np.ndarray


class Fronts(NamedTuple):
    """Blocks in the order in which they are worked on.

    Attributes
    ----------
    tasks : (m, 2) int32 array
        Status and block of each.
    ends : (f,) int64 array
        Where each front ends in `tasks`.
    """

    tasks: Array
    ends: Array

    @classmethod
    def together(cls, tasks: Array) -> Fronts:
        """One front of all."""
        return cls(tasks, np.array([len(tasks)]))

    @classmethod
    def ranked(cls, tasks: Array, rank: Array) -> Fronts:
        """The highest ranks first; of one rank, in the order of `tasks`."""
        order = np.argsort(-rank, kind="stable")
        cuts = np.flatnonzero(np.diff(rank[order])) + 1
        return cls(np.ascontiguousarray(tasks[order]), np.append(cuts, len(tasks)))

    def among(self, chosen: Array) -> Fronts:
        """Only the blocks where `chosen` (n, blocks) holds."""
        kept = chosen[self.tasks[:, 0], self.tasks[:, 1]]
        ends = np.cumsum(kept)[self.ends - 1]
        begins = np.append(0, ends[:-1])
        return Fronts(np.ascontiguousarray(self.tasks[kept]), ends[ends > begins])


class Bellman:
    """The operator T of a game: T(values) are the chances when only the next turn is optimal.

    A player who leaves himself at status j and the opponent at o wins with 1 - values[o, j], so
    T turns larger values into smaller ones. It is the maximum of affine maps, one for each way to
    play a turn.

    Parameters
    ----------
    positions : Positions
    threads : int, optional
        Default: the processors that this process may use.
    width : int, optional
        Instruction set: 0 baseline, 1 AVX2, 2 AVX-512. Default: the widest there is.

    Attributes
    ----------
    blocks_done : int
        Blocks that backward passes have worked through; `passes` is this in whole passes.
    """

    def __init__(
        self, positions: Positions, threads: int | None = None, width: int | None = None
    ) -> None:
        self.positions = positions
        self.kernel = positions.game(_kernel.WIDEST if width is None else width)
        self.size, self.lanes = len(positions), self.kernel.lanes
        self.blocks = self.lanes // BLOCK
        self.threads = len(os.sched_getaffinity(0)) if threads is None else threads
        if not (isinstance(self.threads, int) and self.threads >= 1):
            raise ValueError(f"threads = {threads!r}: must be a whole number from 1 up")
        self.players = positions.players
        self.level = self.players[:, 0]
        self.blocks_done = 0
        self._scratch: SimpleQueue[_kernel.Scratch] = SimpleQueue()
        for _ in range(self.threads):
            self._scratch.put(self.kernel.scratch())

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(self.threads)

    @cached_property
    def tasks(self) -> Array:
        """(m, 2): all blocks, dearest first: from low scores there is most to look ahead to."""
        order = np.argsort(self.level, kind="stable")
        tasks = np.empty((self.size, self.blocks, 2), dtype=np.int32)
        tasks[:, :, 0], tasks[:, :, 1] = order[:, None], np.arange(self.blocks)
        return tasks.reshape(-1, 2)

    @property
    def passes(self) -> float:
        """Backward passes over all positions that the work done so far amounts to."""
        return self.blocks_done / (self.size * self.blocks)

    def padded(self, values: Array) -> Array:
        """`values` (n, n) with columns up to a whole number of blocks; what is added is 0."""
        result = np.zeros((self.size, self.lanes))
        result[:, : self.size] = values
        return result

    @contextmanager
    def scratch(self) -> Iterator[_kernel.Scratch]:
        """Room for one thread, given back afterwards."""
        room = self._scratch.get()
        try:
            yield room
        finally:
            self._scratch.put(room)

    def share(self, work: Callable[[Array], None], tasks: Array, grain: int) -> None:
        """Do `work` on all of `tasks` on all threads, in pieces of at least `grain` tasks.

        Ctrl-C ends it as soon as the pieces under way are done.
        """
        pieces = min(PIECES, len(tasks) // grain)
        if self.threads == 1 or pieces < 2:
            work(tasks)
            return
        running = [self._pool.submit(work, part) for part in np.array_split(tasks, pieces)]
        try:
            for future in running:
                future.result()
        finally:
            for future in running:
                future.cancel()

    def together(self, work: Callable[[_kernel.Crew], object], count: int, grain: int) -> None:
        """Let a crew do `work` on `count` tasks, of which `grain` are worth a thread's while.

        Ctrl-C ends it as soon as the tasks under way are done.
        """
        if count < 4 * grain:
            work(_kernel.Crew())
            return
        from concurrent.futures import FIRST_EXCEPTION, wait

        crew, running = _kernel.Crew(), []
        try:
            for _ in range(self.threads):
                running.append(self._pool.submit(work, crew))
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            crew.stop()
            wait(running)
        for future in running:
            future.result()

    @cached_property
    def grain(self) -> int:
        """Turns that are worth a thread's while: some tenths of a millisecond of work."""
        return 1 + 200_000 // (self.positions.levels * self.kernel.nodes)

    def turns(self, work: Callable[[_kernel.Crew, _kernel.Scratch], None], fronts: Fronts) -> None:
        """Let a crew do `work` on turns, each thread with a scratch of its own; count them."""

        def with_room(crew: _kernel.Crew) -> None:
            with self.scratch() as room:
                work(crew, room)

        self.together(with_room, len(fronts.tasks), self.grain)
        self.blocks_done += len(fronts.tasks)

    def backward(self, values: Array) -> Array:
        """T(values) by one backward pass over all turns."""
        return self._passed(self.all, values)

    @cached_property
    def all(self) -> Fronts:
        """All blocks in one front."""
        return Fronts.together(self.tasks)

    @cached_property
    def by_score(self) -> Fronts:
        """All blocks, the players with the highest score first."""
        return Fronts.ranked(self.tasks, self.level[self.tasks[:, 0]])

    def sweep(self, values: Array) -> Array:
        """One Gauss-Seidel sweep: T score by score, each seeing what is new above it."""
        return self._passed(self.by_score, values)

    def _passed(self, fronts: Fronts, values: Array) -> Array:
        out, table = self.padded(values), self.padded(values.T)
        self.turns(lambda crew, room: self.kernel.backward(crew, room, *fronts, table, out), fronts)
        return out[:, : self.size].copy()
