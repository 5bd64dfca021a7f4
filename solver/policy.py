"""Ways to play a game, as linear maps from values to values, and their fixed points.

Arrays over positions and fronts are those of :mod:`solver.bellman`.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from solver import _kernel
from solver.bellman import BLOCK, Array, Bellman, Fronts

__all__ = ["NOISE", "Policy", "extrapolated"]

GRAIN = 1000  # blocks of a sweep that are worth a thread's while
FRONT = 8  # levels of total score in one front of a sweep
MAX_SWEEPS = 1000
PLAIN_SWEEPS = 12  # before sweeps are extrapolated ...
MEMORY = 10  # ... from the last few
NOISE = 4e-15  # changes below this are rounding


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
            change = self.work(self.fronts, sign, rhs, table, out, own=True)
            first = first or change
            if change <= max(accuracy * first, enough) < np.inf:
                return out[:, :size].copy(), True
            if sweep >= PLAIN_SWEEPS:
                past = [*past[1 - MEMORY :], (out.copy(), out - before)]
                out = extrapolated(past)
                table[:, :size] = out[:, :size].T
        return out[:, :size].copy(), False

    def work(
        self,
        fronts: Fronts,
        sign: float,
        rhs: Array,
        table: Array,
        out: Array,
        own: bool = False,
    ) -> float:
        """out = rhs + sign * P x, front by front; table, the transpose of x, gets what is new.

        With `own`, an equation that holds its own unknown is solved for it.

        Returns the largest change of an entry of table.
        """
        arguments = (*fronts, table[None], self.map, self.map, sign, rhs[None], out[None], own)
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
    found: Array = result - np.einsum("i,ik->k", weights, moves).reshape(result.shape)
    return found
