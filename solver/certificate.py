r"""A proof that computed values are right, rounding included.

**The claim.** Let :math:`L \le \hat V \le U` be arrays over positions (mover first) and *T* the
Bellman operator: :math:`T(x)` is the mover's best chance when the opponent wins with *x* from
wherever the turn leaves him. If at every position

.. math:: T(L) < U \quad\text{and}\quad T(U) > L

strictly, :math:`U \ge 0` and :math:`L \le 1`, then the game ends with probability 1 when both
play well, its value *V* exists, and :math:`L \le V \le U` everywhere.

**Why.** Fix two players A and B, and let *g* be a bound on A's chances: :math:`g = U` where A is
to move, :math:`g = 1 - L` where B is; a finished game has *g* = 1 if A has won, else 0. Both signs
are needed because each turn passes the move:

* A to move: whatever A does, the expected *g* after his turn is at most the best that he can do
  against :math:`1 - (1 - L)`, so at most :math:`T(L) < U = g`.
* B to move: B can play so that A keeps at most :math:`1 - T(U) < 1 - L = g`.

So under B's good strategy *g* falls in expectation with every turn, by at least some
:math:`\delta > 0` (there are finitely many positions) whatever A does. As :math:`g \ge 0`, the
expected number of turns is at most :math:`g/\delta`: the game ends. By the supermartingale
property A wins with at most *g*: at most *U* where he moves. The same with the names exchanged
bounds B's chances by :math:`1 - L` where A moves; since that strategy of A's ends the game too, A
then wins with at least *L*. Neither player is assumed to play well, so no uniqueness of a fixed
point is needed, and a game that may never end has no certificate.

This is optimistic value iteration (Hartmanns and Kaminski, CAV 2020; for stochastic games Azeem
et al., ATVA 2022) with one inductive check of two-sided bounds. The bounds are guessed as
:math:`\hat V \pm e w`, where *w* is the expected number of turns left under the greedy policy:
a turn takes 1 from *w*, so that the bounds close by *e* in each turn, which pays for the residual.

**Rounding.** A backward pass computes :math:`\hat T`. It is monotone arithmetic on numbers in
about [0, 1]: sums of *m* products with exact integer counts, a division, maxima (exact) and
:math:`1 - x`. With the unit roundoff :math:`u = 2^{-53}` and :math:`\gamma_k = ku/(1-ku)`
(Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section 3.1), one roll adds a
relative error of at most :math:`\gamma_{m+2}`, and passes on the errors of its options weighted
with their chances; the error of a maximum is at most the largest error. So an error bound over a
whole turn obeys the recursion of the turn itself,

.. math:: E_d = \gamma_{m_d+2} + \sum_k \frac{c_k}{N_d} \max_{(p, d') \in k} E_{d'},

with :math:`E = u` where the turn ends. It is iterated once for each roll that a turn can have.
About :math:`10^{-14}` comes out. :func:`rounding` returns it, and the certificate demands that
:math:`\hat T(L)` and :math:`\hat T(U)` keep that distance. The bounds *L* and *U* themselves are
the floating-point numbers that were checked, so their own rounding does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.bellman import Array, Bellman
from solver.dice import option_sets
from solver.rules import Rules

__all__ = ["Bounds", "Certificate", "certify", "excess", "image", "rounding"]

UNIT = 2.0**-53
FIRST = 0.6  # part of the tolerance that the first guess takes, the rest is for widening


WIDENINGS = 100


@dataclass(frozen=True)
class Bounds:
    """Arrays (n, n) around values: lower <= values <= upper."""

    lower: Array
    upper: Array


@dataclass(frozen=True)
class Certificate:
    """The outcome of looking for bounds that prove themselves.

    Attributes
    ----------
    error_bound : float
        Largest distance from the values to the bounds.
    residual : float
        Largest distance from the values to the middle of the images of the bounds: that from
        one backward pass to second order, or more than that where choices tie.
    excess : (n, n) array
        By how much the inequalities fail, for each position.
    """

    error_bound: float
    residual: float
    excess: Array

    @property
    def open_at(self) -> Array:
        """(n, n) bool: where the inequalities fail, or are not numbers."""
        return ~(self.excess < 0.0)

    @property
    def holds(self) -> bool:
        """Whether every value is proven to within `error_bound`."""
        return not self.open_at.any()


@lru_cache(maxsize=32)
def rounding(rules: Rules) -> float:
    """A bound on the rounding error of one backward pass, for values in [-0.1, 1.1].

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> 1e-15 < rounding(SHARABESHKI) < 1e-13
    True
    """
    numbers = range(1, rules.dice + 1)
    error = np.full(rules.dice + 1, UNIT)  # error[0]: the turn has ended
    rolls = (rules.target - rules.floor) // rules.step + 1
    tables = [_roll_table(rules, dice) for dice in numbers]
    for _ in range(rolls):
        new = error.copy()
        for dice, (gamma, options, weights) in zip(numbers, tables, strict=True):
            new[dice] = gamma + weights @ error[options].max(axis=1)
        if np.all(new <= error):
            break
        error = new
    return float(error[rules.dice]) * 1.2 + 4 * UNIT  # values beyond 1; the slack's own rounding


def _roll_table(rules: Rules, dice: int) -> tuple[float, Array, Array]:
    """gamma of one roll; its sets' dice left (padded by repeats); their chances, bust first."""
    sets = {tuple(s): n for s, n in option_sets(rules, dice).items() if s}
    outcomes = rules.sides**dice
    longest = max(map(len, sets), default=1)
    rows = [[0] * longest]
    for options in sets:
        left = [dice_left or rules.dice for _, dice_left in options]
        rows.append((left * longest)[:longest])
    chances = [outcomes - sum(sets.values()), *sets.values()]
    terms = (len(sets) + 3) * UNIT
    return terms / (1 - terms), np.array(rows), np.array(chances) / outcomes


def image(bellman: Bellman, bounds: Bounds) -> Bounds:
    """What the inequalities demand of bounds: T(upper) and T(lower), rounding allowed for."""
    slack = rounding(bellman.positions.rules)
    return Bounds(bellman.backward(bounds.upper) - slack, bellman.backward(bounds.lower) + slack)


def excess(bounds: Bounds, demand: Bounds) -> Array:
    """(n, n): by how much the inequalities fail; negative everywhere is the proof."""
    sane = (bounds.lower <= 1.0) & (bounds.upper >= 0.0)
    over = np.maximum(demand.upper - bounds.upper, bounds.lower - demand.lower)
    return np.where(sane, over, np.inf)


def certify(bellman: Bellman, values: Array, turns: Array, tolerance: float) -> Certificate:
    """Look for bounds within `tolerance` of the values that prove themselves.

    Where choices tie exactly, the greedy policy's turns need not be the most that a best policy
    takes, and the first guess may fail though the values are right; it is then widened to its own
    image, as in optimistic value iteration.

    Parameters
    ----------
    bellman : Bellman
    values, turns : (n, n) arrays
        The expected number of turns left gives the bounds their shape.
    tolerance : float
    """
    step, residual = FIRST * tolerance / float(turns.max()), None
    bounds = Bounds(values - step * turns, values + step * turns)
    for _ in range(WIDENINGS):
        demand = image(bellman, bounds)
        middle = float(np.abs((demand.lower + demand.upper) / 2 - values).max())
        found = Certificate(bound_on_error(values, bounds), middle, excess(bounds, demand))
        if found.holds or found.error_bound > tolerance:
            break
        if residual is None:
            residual = float(np.abs(bellman.backward(values) - values).max())
        if residual > step / 2:
            break
        bounds = Bounds(
            np.minimum(bounds.lower, demand.lower - step / 10),
            np.maximum(bounds.upper, demand.upper + step / 10),
        )
    return found


def bound_on_error(values: Array, bounds: Bounds) -> float:
    """The largest distance from the values to the bounds, rounded up."""
    distance = max(float((bounds.upper - values).max()), float((values - bounds.lower).max()))
    return float(np.nextafter(distance * (1 + 4 * UNIT), np.inf))
