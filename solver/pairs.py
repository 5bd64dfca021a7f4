r"""The equations of two plans that play each other, and how they are solved.

With *A* and *B* the chances of the ends of the first and of the second player's turns
(:mod:`solver.plans`), chances x where the first is to move and y where the second is obey

.. math:: x = c + s A y, \qquad y = d + s B x

with c = d = 1, s = -1; and so do expected numbers of turns, with s = 1. One *cycle* improves x:

1. the exact :math:`y = d + s B x`, and the *residual* r = c + s A y - x, by all of A and B;
2. a few Gauss-Seidel sweeps, high scores first, for the change that the residual asks for. They
   leave out the smallest chances of large plans: that costs cycles, not accuracy, because the
   residual leaves out nothing;
3. Anderson's extrapolation of the last cycles.
"""

from __future__ import annotations

import numpy as np

from solver.bellman import Array
from solver.plans import Plan
from solver.policy import GRAIN, extrapolated
from solver.thresholds import PolicyError

__all__ = ["Pair"]

SMOOTHING = 6  # sweeps in a cycle
MEMORY = 8  # cycles that are extrapolated from
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
        out = np.empty_like(x)
        plan.work(self.bellman.all, sign, rhs, self.transposed(x), out)
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
        """About the change of x that the residual asks for: a few Gauss-Seidel sweeps from 0."""
        bellman, fronts = self.bellman, self.other.fronts
        rhs = np.stack([rest, np.zeros_like(rest)])
        u, tables = np.zeros_like(rhs), np.zeros_like(rhs)
        maps = self.one.rough.map, self.other.rough.map
        for _ in range(SMOOTHING):
            bellman.together(
                lambda crew: bellman.kernel.sweep(crew, *fronts, tables, *maps, sign, rhs, u),
                2 * len(fronts.tasks),
                GRAIN,
            )
        change: Array = u[0]
        return change
