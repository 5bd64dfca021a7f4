"""The Bellman operator of a game, and policies as linear maps that come out of it.

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

__all__ = ["BLOCK", "Array", "Bellman", "Fronts", "Policy"]

BLOCK: int = _kernel.BLOCK
PIECES = 32  # of work that is independent: a few for each thread
GRAIN = 1000  # blocks of a sweep that are worth a thread's while
FRONT = 8  # levels of total score in one front of a sweep
MAX_SWEEPS = 1000
PLAIN_SWEEPS = 12  # before sweeps are extrapolated ...
MEMORY = 10  # ... from the last few
NOISE = 4e-15  # changes below this are rounding
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

    def together(self, work: Callable[[_kernel.Crew], None], count: int, grain: int) -> None:
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


class Policy:
    """How turns end under greedy choices, as the affine map ``values -> constant - P values``.

    P[i, o] is a distribution over what the turn of i against o can lead to: a bank at each level,
    busts, a dump truck. It touches the values from the other side of the table, hence the sign.
    Chances below a threshold are left out of P; the constant makes up for them, so that the map
    has exactly the value of the backward pass at the values that it was made from.

    Examples
    --------
    >>> from solver.positions import positions
    >>> from solver.rules import PIGLET
    >>> policy = Policy(Bellman(positions(PIGLET)))
    >>> values = np.full((2, 2), 0.5)
    >>> for _ in range(3):
    ...     values, _ = policy.update(values)
    ...     values, _ = policy.evaluate(values, 1e-15)
    >>> round(float(values[0, 0]) * 7, 12)
    4.0
    """

    def __init__(self, bellman: Bellman, dtype: type = np.float32) -> None:
        self.bellman = bellman
        size, blocks = bellman.size, bellman.blocks
        above = np.repeat(bellman.positions.levels - 1 - bellman.level, blocks)
        self.starts = (np.cumsum(above) - above).reshape(size, blocks)
        self.chances = np.empty((above.sum() + 1) * BLOCK, dtype)
        self.levels = np.empty(above.sum() + 1, np.int32)
        self.counts = np.full((size, blocks), -1, np.int32)
        self.others = np.zeros((3, size, bellman.lanes))
        self.constant = np.zeros((size, bellman.lanes))

    @cached_property
    def map(self) -> _kernel.Map:
        """The chances, as the kernel wants them."""
        return _kernel.Map(self.chances, self.levels, self.starts, self.counts, self.others)

    def update(
        self,
        values: Array,
        fronts: Fronts | None = None,
        drop: float = 0.0,
        slack: float = -1.0,
    ) -> tuple[Array, int]:
        """Make the choices of some blocks greedy, in one Gauss-Seidel sweep of backward passes.

        Parameters
        ----------
        values : (n, n) array
        fronts : Fronts
            Each sees what the ones before it made new. Default: all blocks, in :attr:`fronts`.
        drop : float
            What is reached with at most this chance is not followed to its end, but spread over
            the ends that are.
        slack : float
            Where the present map is off by no more, its choices stay and only the constant moves.

        Returns
        -------
        values : (n, n) array
            With the turns of the chosen blocks worked through.
        renewed : int
            Blocks with new choices.
        """
        bellman = self.bellman
        fronts = self.fronts if fronts is None else fronts
        out, table = bellman.padded(values), bellman.padded(values.T)
        renewed: list[int] = []

        def work(crew: _kernel.Crew, room: _kernel.Scratch) -> None:
            renewed.append(
                bellman.kernel.outcomes(
                    crew, room, *fronts, table, drop, slack, self.map, self.constant, out
                )
            )

        bellman.turns(work, fronts)
        return out[:, : bellman.size].copy(), sum(renewed)

    def forget(self) -> None:
        """Drop all choices."""
        self.counts.fill(-1)

    def apply(self, x: Array) -> Array:
        """P x, for x of shape (n, n)."""
        bellman = self.bellman
        out = bellman.padded(np.zeros_like(x))
        rhs, table = np.zeros_like(out), bellman.padded(x.T)
        self.work(bellman.all, 1.0, rhs, table, out)
        return out[:, : bellman.size]

    @cached_property
    def fronts(self) -> Fronts:
        """Blocks in the order of a sweep: high total scores first, then many bolts.

        Most turns lead to a higher total, or to more bolts at the same. Without bolts a bust leaves
        things as they were, and two positions wait for each other: those where the mover's status
        is the higher come first.
        """
        bellman = self.bellman
        middle = np.minimum(np.arange(bellman.blocks) * BLOCK + BLOCK // 2, bellman.size - 1)
        bolts = np.array([status.bolts for status in bellman.positions.statuses])
        status, block = bellman.tasks[:, 0], bellman.tasks[:, 1]
        total = (bellman.level[status] + bellman.level[middle][block]) // FRONT
        rank = total * 2 * (bolts.max() + 1) + bolts[status] + bolts[middle][block]
        if not bolts.any():
            rank = rank * (BLOCK + 2) + np.clip(status - block * BLOCK, -1, BLOCK)
        return Fronts.ranked(bellman.tasks, rank)

    def solve(
        self, sign: float, rhs: Array, x: Array, accuracy: float, enough: float = NOISE
    ) -> tuple[Array, bool]:
        """Solve ``x = rhs + sign * P x`` by Gauss-Seidel sweeps.

        Parameters
        ----------
        sign : float
            -1 for chances, +1 for what adds up over the turns of both.
        rhs : (n, lanes) array
        x : (n, n) array
            Where to start.
        accuracy, enough : float
            Ends when a sweep changes no value by more than this part of what the first changed, or
            by more than `enough`.

        Returns
        -------
        x : (n, n) array
        settled : bool
            False: `MAX_SWEEPS` were not enough.
        """
        size, first = self.bellman.size, 0.0
        out, table = self.bellman.padded(x), self.bellman.padded(x.T)
        past: list[tuple[Array, Array]] = []
        for sweep in range(MAX_SWEEPS):
            before = out.copy() if sweep >= PLAIN_SWEEPS else out
            change = self.work(self.fronts, sign, rhs, table, out)
            first = first or change
            if change <= max(accuracy * first, enough) < np.inf:
                return out[:, :size].copy(), True
            if sweep >= PLAIN_SWEEPS:
                past = [*past[1 - MEMORY :], (out.copy(), out - before)]
                out = extrapolated(past)
                table[:, :size] = out[:, :size].T
        return out[:, :size].copy(), False

    def work(self, fronts: Fronts, sign: float, rhs: Array, table: Array, out: Array) -> float:
        """out = rhs + sign * P x, front by front; table, the transpose of x, gets what is new.

        Returns the largest change of an entry of table.
        """
        arguments = (*fronts, table[None], self.map, self.map, sign, rhs[None], out[None])
        changes: list[float] = []
        self.bellman.together(
            lambda crew: changes.append(self.bellman.kernel.sweep(crew, *arguments)),
            len(fronts.tasks),
            GRAIN,
        )
        return max(changes)

    def evaluate(self, values: Array, accuracy: float) -> tuple[Array, bool]:
        """The fixed point of the map, started at `values`: what both win by these choices.

        Returns
        -------
        values : (n, n) array
        settled : bool
            As in :meth:`solve`.
        """
        return self.solve(-1.0, self.constant, values, accuracy)


def extrapolated(past: list[tuple[Array, Array]]) -> Array:
    """Where a linear fixed-point iteration is going: Anderson's extrapolation.

    Parameters
    ----------
    past : list of (result, step)
        The last steps, the newest at the end: step = result - argument.

    Returns
    -------
    array
        The combination of the results whose step would be smallest. A game that lasts very long
        converges slowly in a few directions, which this takes out. Sums are numpy's own, so that
        they do not depend on the threads of a BLAS.

    References
    ----------
    D. G. Anderson, Iterative procedures for nonlinear integral equations, J. ACM 12, 1965.
    """
    result, step = past[-1]
    if len(past) == 1:
        return result.copy()
    moves = np.stack([(result - earlier).ravel() for earlier, _ in past[:-1]])
    bends = np.stack([(step - old).ravel() for _, old in past[:-1]])
    gram, right = np.einsum("ik,jk->ij", bends, bends), np.einsum("ik,k->i", bends, step.ravel())
    if not (np.isfinite(gram).all() and np.isfinite(right).all()):
        return result.copy()
    scale = 1.0 / np.sqrt(np.maximum(np.diag(gram), np.finfo(float).tiny))
    weights = scale * np.linalg.lstsq(gram * np.outer(scale, scale), right * scale, rcond=1e-12)[0]
    return result - np.einsum("i,ik->k", weights, moves).reshape(result.shape)
