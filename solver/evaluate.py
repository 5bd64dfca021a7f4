r"""The exact chances of one policy against another, and of the best answer to a policy.

:func:`evaluate` solves the equations of :mod:`solver.pairs`; nothing is simulated or sampled.

**Error bound of an evaluation.** Let *w* > 0 with :math:`w_x \ge m + A w_y` and :math:`w_y \ge m +
B w_x`: numbers of turns left, which are such a *w* with *m* = 1, are computed roughly, and *m* is
what they turn out to fulfil. If the equations of the chances hold to within *r*, no chance is
further off than :math:`r w / m`, because the inverse of the equations is monotone. Rounding in the
maps, about 1e-15 a turn, comes on top: about 1e-13 for the default game.

**Best response.** :func:`best_response` is policy iteration for one player, the other being
fixed: a backward pass makes the choices best for the present chances, the pair is evaluated, and
so on. Its error bound is proven as in :mod:`solver.certificate`, for one player only. Let *T(y)*
be the mover's best chance in a turn after which the opponent wins with *y*. If

.. math:: T(y^-) < x^+, \qquad 1 - B x^+ > y^-,

then whatever the player does, :math:`x^+` where he moves and :math:`1 - y^-` where the other does
fall in expectation with every turn; so they bound his chance from above. With :math:`x^-` and
:math:`y^+` and the signs turned, a strategy that is greedy for them makes them rise, and they
bound it from below. Both are checked by a backward pass and a sweep, rounding allowed for.

References
----------
A. Condon, The complexity of stochastic games, Information and Computation 96, 1992.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from solver.bellman import Array
from solver.certificate import rounding
from solver.pairs import Pair
from solver.plans import Plan, PolicyLike, prepare
from solver.policy import Policy
from solver.positions import positions
from solver.race import race
from solver.rules import SHARABESHKI, Rules
from solver.thresholds import PolicyError

__all__ = ["Evaluation", "Response", "best_response", "evaluate"]

LONGEST = 1e7  # turns that a game may last
MARGIN = 0.3  # how roughly numbers of turns are computed
DROP, REUSE = 1e-4, 0.03  # of policy iteration: see solver.solve
ACCURACY = 0.1  # of an evaluation within policy iteration
ROUNDS, WIDENINGS = 100, 30


@dataclass(frozen=True, eq=False)
class Chances:
    """A player's chances against another, from every position.

    Attributes
    ----------
    rules : Rules
    values : (n, n) array
        values[i, o]: the player's chance, about to start a turn with status i against o.
    opponent_values : (n, n) array
        opponent_values[o, i]: the opponent's, about to start a turn with status o against i.
    error_bound : float
        No value is further off than this.
    """

    rules: Rules
    values: Array = field(repr=False)
    opponent_values: Array = field(repr=False)
    error_bound: float

    @property
    def first(self) -> float:
        """The player's chance to win the game if he begins."""
        start = positions(self.rules).start
        return float(self.values[start, start])

    @property
    def second(self) -> float:
        """The player's chance to win the game if the opponent begins."""
        start = positions(self.rules).start
        return 1.0 - float(self.opponent_values[start, start])


@dataclass(frozen=True, eq=False)
class Evaluation(Chances):
    """The chances of one policy against another; rounding is not in the error bound.

    Attributes
    ----------
    turns, opponent_turns : (n, n) arrays
        About the expected number of turns left, of both players together, in the positions of
        `values` and of `opponent_values`.
    opponent : Plan
    """

    turns: Array = field(repr=False)
    opponent_turns: Array = field(repr=False)
    opponent: Plan = field(repr=False)


@dataclass(frozen=True, eq=False)
class Response(Chances):
    """The chances of the best answer to a policy; the error bound is proven.

    Attributes
    ----------
    rounds : int
        Of policy iteration.
    """

    rounds: int


def evaluate(
    policy: PolicyLike,
    opponent_policy: PolicyLike,
    rules: Rules = SHARABESHKI,
    *,
    tolerance: float = 1e-12,
    start: Evaluation | None = None,
) -> Evaluation:
    """The exact winning chance of a policy against another, from every position.

    Parameters
    ----------
    policy, opponent_policy : Solution, Thresholds, function or Plan
        See :func:`solver.plans.prepare`. To evaluate many policies against one opponent, prepare
        him once and pass the plan.
    rules : Rules
    tolerance : float
        The error bound that is asked for, at the worst position. A search can do with 1e-4:
        the chance at the start of the game is then right to about 1e-6.
    start : Evaluation, optional
        Of a similar pair, to start from; best with the opponent as the same plan.

    Returns
    -------
    Evaluation
        Its error bound is above the tolerance only where rounding does not allow more.

    Raises
    ------
    PolicyError
        As :func:`solver.plans.prepare`; and if the game may never end when these two play.

    Examples
    --------
    >>> from solver.rules import PIGLET
    >>> from solver.solve import solve
    >>> from solver.thresholds import Thresholds
    >>> best = solve(PIGLET, 1e-12)
    >>> against = evaluate(Thresholds(1), best, PIGLET)
    >>> round(against.first, 9), round(against.second, 9)
    (0.48, 0.36)
    """
    if not tolerance > 0.0:
        raise PolicyError(f"tolerance {tolerance!r}: must be above 0")
    one = prepare(policy, rules)
    other = one if opponent_policy is policy else prepare(opponent_policy, rules)
    pair = Pair(one, other)
    known = start is not None and start.opponent is other
    turns, values = _start(pair, start)
    longest = _longest(pair, turns, known)
    residual = pair.solve(-1.0, pair.ones, values, tolerance / longest, known)
    x, y = values[:, :, : pair.size]
    left, opponent_left = turns[:, :, : pair.size]
    return Evaluation(rules, x, y, residual * longest, left, opponent_left, other)


def _start(pair: Pair, start: Evaluation | None) -> tuple[Array, Array]:
    """(2, n, lanes): from which numbers of turns, and from which chances, to start."""
    turns, values = np.zeros((2, *pair.ones.shape))
    if start is None:
        guess = pair.one.guess if pair.other.guess is None else pair.other.guess
        values[:, :, : pair.size] = 0.5 if guess is None else guess
    else:
        values[:, :, : pair.size] = start.values, start.opponent_values
        turns[:, :, : pair.size] = start.turns, start.opponent_turns
    return turns, values


def _longest(pair: Pair, turns: Array, known: bool = False) -> float:
    """Solve for the numbers of turns in place; the largest of w / m."""
    margin = 1.0 - pair.solve(1.0, pair.ones, turns, MARGIN, known)
    longest = float(turns.max()) / margin if margin > 0.0 else np.inf
    if not 0.0 <= float(turns.min()) <= longest < LONGEST:
        raise PolicyError(f"when these two play, a game may last more than {LONGEST:.0e} turns")
    return longest


def best_response(
    policy: PolicyLike, rules: Rules = SHARABESHKI, *, tolerance: float = 1e-9
) -> Response:
    """How often the best counter-strategy beats a policy, from every position.

    Parameters
    ----------
    policy : Solution, Thresholds, function or Plan
        See :func:`solver.plans.prepare`.
    rules : Rules
    tolerance : float
        The error bound that is asked for, above 0.

    Raises
    ------
    PolicyError
        As :func:`evaluate`; and if the tolerance is not to be had in double precision.

    Examples
    --------
    >>> from solver.rules import PIGLET
    >>> from solver.thresholds import Thresholds
    >>> answer = best_response(Thresholds(1), PIGLET, tolerance=1e-12)
    >>> round(answer.first, 9), round(answer.second, 9)
    (0.651851852, 0.525925926)
    """
    if not tolerance > 0.0:
        raise PolicyError(f"tolerance {tolerance!r}: must be above 0")
    other = prepare(policy, rules)
    return _Answer(other).run(tolerance)


class _Answer:
    """Policy iteration against a plan: x and y are chances as in :mod:`solver.pairs`."""

    def __init__(self, other: Plan) -> None:
        self.other, self.bellman = other, other.bellman
        self.policy = Policy(self.bellman)
        self.size = self.bellman.size
        self.turns = np.zeros((2, self.size, self.bellman.lanes))
        self.u = np.zeros_like(self.turns)
        self.u[0, :, : self.size] = race(self.policy)[0]
        self.policy.forget()

    def run(self, tolerance: float) -> Response:
        """Iterate until the error bound is proven."""
        goal, gap, slack = tolerance / 500, 0.0, rounding(self.other.rules)
        pair = Pair(self.other, self.other)
        for rounds in range(1, ROUNDS):
            self.u[1] = pair.image(self.other, -1.0, pair.ones[1], self.u[0])
            x, y = self.u[:, :, : self.size]
            best, _ = self.policy.update(y, self.bellman.all, DROP, REUSE * gap)
            gap = float(np.abs(best - x).max())
            pair = Pair(Plan.of(self.policy), self.other)
            if gap <= goal:
                bound = self._proven(pair, tolerance, slack)
                if bound <= tolerance:
                    return Response(self.other.rules, x.copy(), y.copy(), bound, rounds)
                goal /= 10
            if goal < slack / 100:
                break
            rhs = pair.ones
            rhs[0, :, : self.size] = self.policy.constant[:, : self.size]
            pair.solve(-1.0, rhs, self.u, ACCURACY * goal if gap < 10 * goal else ACCURACY * gap)
        raise PolicyError(f"tolerance {tolerance:g}: not to be had in double precision")

    def _proven(self, pair: Pair, tolerance: float, slack: float) -> float:
        """The largest distance to bounds that prove themselves; infinite if there are none."""
        step = tolerance / 2 / _longest(pair, self.turns)
        return max(self._side(pair, sign, step, slack, tolerance) for sign in (1.0, -1.0))

    def _side(self, pair: Pair, sign: float, step: float, slack: float, tolerance: float) -> float:
        """The bounds from above (sign 1) or from below, widened while the inequalities fail."""
        bounds = self.u + np.array([sign, -sign])[:, None, None] * step * self.turns
        for _ in range(WIDENINGS):
            off = float(np.abs(bounds - self.u).max())
            if off > tolerance:
                break
            image = np.zeros_like(bounds)
            image[0, :, : self.size] = self.bellman.backward(bounds[1, :, : self.size])
            image[1] = pair.image(self.other, -1.0, pair.ones[1], bounds[0])
            over = np.stack([image[0] - bounds[0], bounds[1] - image[1]]) * sign + slack
            over = over[:, :, : self.size]
            if over.max() < 0.0:
                return float(np.nextafter(off * (1 + 2**-50), np.inf))
            wider = np.where(over >= 0.0, over + step / 10, 0.0)
            bounds[0, :, : self.size] += sign * wider[0]
            bounds[1, :, : self.size] -= sign * wider[1]
        return np.inf
