"""What a solve finds: the values of all positions, and the answers that come out of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING

from solver.advice import Adviser, HoldRollTable
from solver.batch import status_indices, win_probabilities
from solver.bellman import Array
from solver.positions import Positions, positions
from solver.rules import Rules
from solver.state import Action, State

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

__all__ = ["Solution"]


@dataclass(frozen=True, eq=False)
class Solution:
    """The win probability of every position between turns, and how sure it is.

    Attributes
    ----------
    rules : Rules
    values : (n, n) float64 array, read-only
        values[i, o]: the chance that the player about to start a turn with status i wins against
        an opponent with status o; order of `positions.statuses`.
    error_bound : float or None
        No value is further than this from the true one (proven); None: not certified.
    residual : float
        The largest distance of the values from one backward pass over them: of a certified
        solution as in :class:`solver.certificate.Certificate`.
    passes : float
        Backward passes over all positions that it took.
    seconds : float
    """

    rules: Rules
    values: Array
    error_bound: float | None
    residual: float
    passes: float
    seconds: float
    positions: Positions = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", positions(self.rules))
        self.values.flags.writeable = False

    def __reduce__(self) -> tuple[object, ...]:
        return Solution, tuple(getattr(self, f.name) for f in fields(self) if f.init)

    def save(self, path: str | Path) -> None:
        """Write the solution to a file, whole or not at all: see :func:`solver.tables.save`."""
        from solver.tables import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path, rules: Rules | None = None) -> Solution:
        """Read a solution from a file: see :func:`solver.tables.load`."""
        from solver.tables import load

        return load(path, rules)

    @cached_property
    def adviser(self) -> Adviser:
        """What answers questions about this solution."""
        return Adviser(self.rules, self.values, self.error_bound)

    def best_action(self, state: State, throw: Iterable[int] | None = None) -> Action:
        """The action that wins most often: see :mod:`solver.advice` for ties.

        Parameters
        ----------
        state : State
        throw : iterable of int, optional
            The dice thrown, if they have been.

        Raises
        ------
        StateError
            For a state, or a throw, that the rules do not allow.
        """
        return self.adviser.best_action(state, throw)

    def action_values(
        self, state: State, throw: Iterable[int] | None = None
    ) -> list[tuple[Action, float]]:
        """Every legal action with its win probability, best first; errors as `best_action`."""
        return self.adviser.action_values(state, throw)

    def win_probability(self, state: State, throw: Iterable[int] | None = None) -> float:
        """The mover's chance when both play on optimally; errors as `best_action`."""
        return self.adviser.win_probability(state, throw)

    def win_probabilities(
        self,
        score: ArrayLike,
        opponent_score: ArrayLike,
        turn_total: ArrayLike = 0,
        dice_left: ArrayLike | None = None,
        bolts: ArrayLike = 0,
        opponent_bolts: ArrayLike = 0,
        entered: ArrayLike | None = None,
        opponent_entered: ArrayLike | None = None,
    ) -> Array:
        """The mover's chances in many positions before a throw: arrays that broadcast.

        The parameters are those of `State`. Between turns this is a look-up; inside turns each
        turn is worked through.

        Raises
        ------
        StateError
            For a status that the rules do not have, and a turn total and number of dice left
            that cannot come up.
        """
        me = status_indices(self.positions, score, entered, bolts)
        opponent = status_indices(self.positions, opponent_score, opponent_entered, opponent_bolts)
        return win_probabilities(self.adviser, me, opponent, turn_total, dice_left)

    def hold_roll_table(self, state: State) -> HoldRollTable:
        """Bank or roll for every turn total and number of dice; errors as `best_action`."""
        return self.adviser.hold_roll_table(state)

    @property
    def start(self) -> float:
        """The first player's chance to win."""
        first = self.positions.start
        return float(self.values[first, first])
