r"""The equations of two plans that play each other, and how they are solved.

With *A* and *B* the chances of the ends of the first and of the second player's turns
(:mod:`solver.plans`), chances x where the first is to move and y where the second is obey

.. math:: x = c + s A y, \qquad y = d + s B x

with c = d = 1, s = -1; and so do expected numbers of turns, with s = 1. One *cycle* improves x:

1. the exact :math:`y = d + s B x`, and the *residual* r = c + s A y - x, by all of A and B;
2. a correction from the equations on a coarse grid of scores (:mod:`solver.coarse`), which settles
   what depends on players falling back and climbing again;
3. a few Gauss-Seidel sweeps, high scores first, which settle what depends on the next turns. They
   leave out the smallest chances of large plans: that costs cycles, not accuracy, because the
   residual leaves out nothing;
4. Anderson's extrapolation of the last cycles.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.bellman import GRAIN, Array, extrapolated
from solver.coarse import grid
from solver.plans import Plan
from solver.thresholds import PolicyError

__all__ = ["Pair"]

SMOOTHING = 3  # sweeps in a cycle
MEMORY = 4  # cycles that are extrapolated from
COARSE = 0.02  # how far the coarse equations are solved
CYCLES = 10_000
PATIENCE = 4  # cycles without progress that show rounding, or ten times as many: no convergence
ROUNDING = 1e-13  # relative; a residual above that is not rounding


class Pair:
    """The equations of two plans; arrays over positions are (n, lanes), padded with zeros.

    Parameters
    ----------
    one, other : Plan
        For the same rules.
    """

    def __init__(self, one: Plan, other: Plan) -> None:
        self.one, self.other, self.bellman = one, other, one.bellman
        self.size = self.bellman.size
        self.grid = grid(one.rules)
        self.coarse = None
        if one.coarse is not None and other.coarse is not None:
            self.coarse = Pair(one.coarse, other.coarse)

    @property
    def ones(self) -> Array:
        """(2, n, lanes): the right sides of chances and of numbers of turns."""
        one = self.bellman.padded(np.ones((self.size, self.size)))
        return np.stack([one, one])

    def transposed(self, x: Array) -> Array:
        """(n, lanes): what the kernel reads x from."""
        return self.bellman.padded(x[:, : self.size].T)

    def image(self, plan: Plan, sign: float, rhs: Array, x: Array) -> Array:
        """rhs + sign * P x, with all of P."""
        table, out = self.transposed(x), np.empty_like(x)
        self.bellman.share(
            lambda part: plan.at(sign, rhs, table, part, out), self.bellman.tasks, GRAIN
        )
        return out

    def solve(self, sign: float, rhs: Array, u: Array, goal: float, known: bool = False) -> float:
        """Solve both equations in place, to a residual of at most `goal` or as rounding allows.

        Parameters
        ----------
        sign : float
            -1 for chances, +1 for what adds up over turns.
        rhs, u : (2, n, lanes) arrays
            The right sides, and x and y, from which to start.
        goal : float
        known : bool
            Whether y follows from x already.

        Returns
        -------
        float
            The residual of the first equation; the second holds.

        Raises
        ------
        PolicyError
            If there is no convergence: the game may never end.
        """
        best, idle = np.inf, 0
        past: list[tuple[Array, Array]] = []
        for _ in range(CYCLES):
            if not known:
                u[1] = self.image(self.other, sign, rhs[1], u[0])
            known = False
            rest = self.image(self.one, sign, rhs[0], u[1]) - u[0]
            residual = float(np.abs(rest).max())
            idle = 0 if residual < 0.7 * best else idle + 1
            best = min(best, residual)
            settled = idle > PATIENCE and best < ROUNDING * float(np.abs(u).max())
            if residual <= goal or settled:
                return residual
            if not idle <= 10 * PATIENCE:
                break
            step = self._correction(sign, rest)
            past = [*past[1 - MEMORY :], (u[0] + step, step)]
            u[0] = extrapolated(past)
        raise PolicyError("no convergence: when these two play, the game may never end")

    def _correction(self, sign: float, rest: Array) -> Array:
        """About the change of x that the residual asks for."""
        rhs = np.stack([rest, np.zeros_like(rest)])
        u = np.zeros_like(rhs) if self.coarse is None else self._from_grid(sign, rest)
        tables = [self.transposed(x) for x in u]
        for _ in range(SMOOTHING):
            self._sweep(sign, rhs, u, tables)
        change: Array = u[0]
        return change

    def _from_grid(self, sign: float, rest: Array) -> Array:
        """The same from the coarse equations, for x and y."""
        pair, coarse = self.coarse, self.grid
        assert pair is not None and coarse is not None
        part = coarse.restrict(rest[:, : self.size])
        rhs = np.zeros((2, pair.size, pair.bellman.lanes))
        rhs[0, :, : pair.size] = part
        u = np.zeros_like(rhs)
        pair.solve(sign, rhs, u, COARSE * float(np.abs(part).max()))
        return np.stack([self.bellman.padded(coarse.prolong(x[:, : pair.size])) for x in u])

    def _sweep(self, sign: float, rhs: Array, u: Array, tables: list[Array]) -> None:
        """One Gauss-Seidel sweep over both, in place; `tables` are the transposes of x and y."""
        bellman, plans = self.bellman, (self.one.rough, self.other.rough)
        for tasks in self.other.fronts:
            for me, plan in enumerate(plans):
                work = _work(plan, sign, rhs[me], tables[1 - me], u[me])
                bellman.share(work, tasks, GRAIN)
                bellman.kernel.transpose(tasks, u[me], tables[me])


def _work(plan: Plan, sign: float, rhs: Array, table: Array, out: Array) -> Callable[[Array], None]:
    return lambda part: plan.at(sign, rhs, table, part, out)
