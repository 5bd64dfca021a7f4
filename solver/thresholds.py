"""Rules that a person can keep in mind: bank from so many points on, keep dice in one way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.bellman import Array
from solver.dice import normal_throw, throws
from solver.moves import sides
from solver.positions import Status, bank_from, ends_at, may_bank, positions
from solver.rules import SHARABESHKI, Rules
from solver.state import Action, State

__all__ = ["NEVER", "Case", "Plain", "PolicyError", "Side", "Thresholds", "side", "situations"]

NEVER = 10**7
"""A threshold that no turn total reaches: roll on."""

EVERYTHING, FEWEST = KEEPS = ("everything", "fewest dice")
THENS = ("dump", "roll", "bank", "win")  # what a set-aside leads to
DUMP, ROLL, BANK, HOT, WIN = range(5)  # what is wanted, the least first
CLASS, FIRST = 2**52, 2**24  # units of the numbers that set-asides are ranked by

Bank = int | tuple[int, ...]
Keep = str | tuple[int, ...]
Range = tuple[int | None, int | None]


class PolicyError(ValueError):
    """A policy that makes no sense or cannot be evaluated; the message says why."""


class Side(NamedTuple):
    """What a case can ask about one player; numbers, or arrays of them."""

    score: Any
    entered: Any
    bolts: Any
    barrel: Any


def side(rules: Rules, status: Status) -> Side:
    """A status, with whether it is on a barrel."""
    return Side(*status, status.entered and bank_from(rules, status) > status.score + 1)


def _within(value: Any, limits: Range | None) -> Any:
    """Whether values lie between limits, which are included and may be open."""
    low, high = limits or (None, None)
    return (True if low is None else value >= low) & (True if high is None else value <= high)


def _is(value: Any, wanted: bool | None) -> Any:
    return True if wanted is None else value == wanted


def _check(bank: object, keep: object) -> None:
    """Refuse thresholds and keeps that are none."""
    for name, value in (("bank", bank), ("keep", keep)):
        numbers = value if isinstance(value, tuple) else (value,)
        fine = all(type(number) is int and abs(number) <= NEVER for number in numbers)
        if name == "keep":
            fine = value in KEEPS or (fine and isinstance(value, tuple))
        if not (fine and numbers):
            one = "a whole number" if name == "bank" else " or ".join(map(repr, KEEPS))
            raise PolicyError(
                f"{name} = {value!r}: must be {one}, or one number for each number of dice left"
            )


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a rule does otherwise in some situations.

    A range is (lowest, highest), both included; None: no limit. All conditions that are given
    must hold.

    Parameters
    ----------
    bank : int or tuple of int, optional
        Thresholds as in :class:`Thresholds`; None: as the rule has them otherwise.
    keep : str or tuple of int, optional
        The same for what is set aside.
    score, opponent_score, lead : range, optional
        The mover's score at the start of his turn, the opponent's, and the difference.
    bolts, opponent_bolts : range, optional
    entered, opponent_entered : bool, optional
    barrel, opponent_barrel : bool, optional
        Whether the player stands on a barrel at the start of the turn.
    reaching : range, optional
        The score that banking would write down. Such a case changes only `bank`.

    Examples
    --------
    Bank at once where 5 or 10 more points would meet the dump truck at 555; do not bank at all
    against an opponent who is about to win.

    >>> timid = Case(bank=0, reaching=(545, 550))
    >>> desperate = Case(bank=NEVER, opponent_score=(950, None))
    """

    bank: Bank | None = None
    keep: Keep | None = None
    score: Range | None = None
    opponent_score: Range | None = None
    lead: Range | None = None
    bolts: Range | None = None
    opponent_bolts: Range | None = None
    entered: bool | None = None
    opponent_entered: bool | None = None
    barrel: bool | None = None
    opponent_barrel: bool | None = None
    reaching: Range | None = None

    def __post_init__(self) -> None:
        _check(self.bank or 0, self.keep or EVERYTHING)
        if self.reaching is not None and self.keep is not None:
            raise PolicyError("a case about what is reached changes `bank`, not `keep`")

    def holds(self, me: Side, opponent: Side) -> Any:
        """Whether the case applies to these players, leaving `reaching` aside."""
        return (
            _within(me.score, self.score)
            & _within(opponent.score, self.opponent_score)
            & _within(me.score - opponent.score, self.lead)
            & _within(me.bolts, self.bolts)
            & _within(opponent.bolts, self.opponent_bolts)
            & _is(me.entered, self.entered)
            & _is(opponent.entered, self.opponent_entered)
            & _is(me.barrel, self.barrel)
            & _is(opponent.barrel, self.opponent_barrel)
        )


@dataclass(frozen=True)
class Thresholds:
    """Bank at or above so many points of the turn, by how many dice are left; keep in one way.

    After a throw he sets aside, of what the rules allow, the first that there is:

    1. what wins the game;
    2. all dice, if all score;
    3. what brings the turn total to the threshold for the dice that are then left, and banks; of
       several such keeps the one with the most points;
    4. what `keep` says, and rolls on;
    5. what meets a dump truck.

    With ``keep="everything"`` it is always all that scores, unless that meets a dump truck, and
    the thresholds only say whether to bank then.

    Parameters
    ----------
    bank : int or tuple of int
        Thresholds for 1, 2, ... dice left, or one for all. The last is for hot dice.
    keep : {"everything", "fewest dice"} or tuple of int
        "everything": all that scores, so the most points. "fewest dice": as few dice as possible,
        of those the most points. Numbers: the most points, where 1, 2, ... dice left count for so
        many points more; the last is for hot dice.
    cases : tuple of Case
        Exceptions; the first that holds and says something is followed.

    Raises
    ------
    PolicyError
        If one of them makes no sense.

    Examples
    --------
    >>> rule = Thresholds((20, 20, 40, 100, 360), keep="fewest dice")
    >>> str(rule(State(300, 400), (1, 2, 3, 5, 6)))
    'keep 1, roll'
    >>> [str(rule(State(300, 400, 20, 3), throw)) for throw in ((1, 5, 6), (1, 1, 5))]
    ['keep 1 5, bank', 'keep 1 1 5, roll']
    """

    bank: Bank
    keep: Keep = EVERYTHING
    cases: tuple[Case, ...] = ()

    def __post_init__(self) -> None:
        _check(self.bank, self.keep)
        object.__setattr__(self, "cases", tuple(self.cases))

    def __call__(
        self, state: State, throw: Iterable[int] | None = None, rules: Rules = SHARABESHKI
    ) -> Action:
        """What the rule does in a state, before a throw or after it.

        Raises
        ------
        StateError
            For a state, or a throw, that the rules do not allow.
        """
        state = rules.check(state)
        self.check(rules)
        me, opponent = sides(state)
        plain = self.plain(
            case for case in self.cases if case.holds(side(rules, me), side(rules, opponent))
        )
        dice = state.dice_left or rules.dice
        if throw is None:
            return Action(plain.then(rules, me, state.turn_total, dice))
        faces = normal_throw(rules, throw, dice)
        options = [
            (plain.rank(then, points, left, rules.dice), Action("keep", kept, then))
            for kept, points in throws(rules, dice)[faces].keeps.items()
            for left in [dice - len(kept)]
            for then in [plain.then(rules, me, state.turn_total + points, left)]
        ]
        return max(options, key=_rank)[1] if options else Action("bust")

    def check(self, rules: Rules) -> None:
        """Refuse, by a PolicyError, lists that do not fit the number of dice."""
        for part in (self, *self.cases):
            for name in ("bank", "keep"):
                value = getattr(part, name)
                if isinstance(value, tuple) and len(value) != rules.dice:
                    raise PolicyError(
                        f"{name} = {value!r}: has {len(value)} numbers, but there are"
                        f" {rules.dice} dice"
                    )

    def plain(self, cases: Iterable[Case]) -> Plain:
        """What the rule comes to where these cases, in their order, are those that hold."""
        cases = list(cases)
        keeps = [case.keep for case in cases if case.keep is not None]
        banks = [
            (case.reaching or (None, None), case.bank) for case in cases if case.bank is not None
        ]
        return Plain((*keeps, self.keep)[0], (*banks, ((None, None), self.bank)))


def _rank(item: tuple[int, Action]) -> int:
    return item[0]


@dataclass(frozen=True)
class Plain:
    """A rule without cases: what it comes to in one situation.

    Attributes
    ----------
    keep : str or tuple of int
    banks : tuple of (range, thresholds)
        The first whose range has the score that banking would write down counts.
    """

    keep: Keep
    banks: tuple[tuple[Range, Bank], ...]

    def threshold(self, rules: Rules, score: int, dice_left: int) -> int:
        """The least turn total to bank with, if the score then is `score`."""
        bank = next(bank for limits, bank in self.banks if _within(score, limits))
        return bank if isinstance(bank, int) else bank[(dice_left or rules.dice) - 1]

    def then(self, rules: Rules, me: Status, turn_total: int, dice_left: int) -> str:
        """What follows once a turn total has been made; no dice left are hot dice."""
        score = me.score + turn_total
        end = ends_at(rules, score) if turn_total else None
        if end is not None:
            return end
        enough = turn_total >= self.threshold(rules, score, dice_left)
        allowed = may_bank(rules, me, turn_total, dice_left or rules.dice)
        return "bank" if enough and allowed else "roll"

    def rank(self, then: str, points: int, left: int, dice: int) -> int:
        """A number that is highest for what is set aside: see :class:`Thresholds`."""
        order = self._order(points, left, dice)
        if then in ("win", "dump"):
            return (WIN if then == "win" else DUMP) * CLASS + order
        if self.keep == EVERYTHING:
            return ROLL * CLASS + order
        if left in (0, dice):
            return HOT * CLASS + order
        return BANK * CLASS + points if then == "bank" else ROLL * CLASS + order

    def _order(self, points: int, left: int, dice: int) -> int:
        """What `keep` ranks set-asides by."""
        if self.keep == EVERYTHING:
            return points * FIRST + dice - left
        if isinstance(self.keep, str):
            return left * FIRST + points
        return (points + self.keep[(left or dice) - 1]) * FIRST + points


def situations(rule: Thresholds, rules: Rules) -> tuple[list[Plain], Array]:
    """The situations that the cases of a rule tell apart.

    Returns
    -------
    plains : list of Plain
        What the rule comes to in each.
    which : (n, n) int array
        The situation of each position, the mover's status first.
    """
    rule.check(rules)
    statuses = [side(rules, status) for status in positions(rules).statuses]
    me = Side(*(np.array(values)[:, None] for values in zip(*statuses, strict=True)))
    opponent = Side(*(values.T for values in me))
    hold = np.zeros((len(statuses),) * 2, dtype=np.int64)  # bit k: case k holds
    for bit, case in enumerate(rule.cases):
        hold |= np.asarray(case.holds(me, opponent)).astype(np.int64) << bit
    patterns, which = np.unique(hold, return_inverse=True)
    plains = [
        rule.plain(case for bit, case in enumerate(rule.cases) if pattern >> bit & 1)
        for pattern in patterns.tolist()
    ]
    return plains, which.reshape(hold.shape)
