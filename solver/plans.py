"""Plans: how every turn ends under a policy, as a linear map over positions.

Whatever a policy is given as, all that matters for winning chances is how each of its turns ends.
:func:`prepare` finds that once; the plan can then be evaluated against many others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np

from solver.bellman import BLOCK, Array, Bellman
from solver.dice import throws
from solver.ends import TurnEnds, kinds, turn_ends
from solver.moves import actions_in, reachable
from solver.policy import Policy
from solver.positions import Positions, Status, positions
from solver.rules import SHARABESHKI, Rules
from solver.solution import Solution
from solver.state import Action, State
from solver.thresholds import PolicyError, Thresholds, situations

__all__ = ["LIMIT", "Plan", "Player", "PolicyLike", "bellman_of", "decisions", "prepare"]

LIMIT = 10**7
"""Decisions that a function may be asked for."""

ROUGH = 5e-4  # chances that the rough copy of a plan leaves out
LARGE = 2**16  # bytes of chances from which on it is worth having

Player = Callable[[State, tuple[int, ...]], Action]
"""``player(state, throw) -> Action``: see :func:`prepare`."""


class Plan(Policy):
    """A policy as the map ``x -> P x`` from chances after a turn to chances before it.

    Parameters
    ----------
    bellman : Bellman
    chances, levels, starts, counts, others : arrays
        As in :class:`solver.policy.Policy`; blocks may share lines.
    guess : (n, n) array, optional
        About the mover's chances when good players meet, if they are known.
    """

    def __init__(
        self,
        bellman: Bellman,
        chances: Array,
        levels: Array,
        starts: Array,
        counts: Array,
        others: Array,
        guess: Array | None = None,
    ) -> None:
        self.bellman, self.guess = bellman, guess
        self.chances, self.levels = chances, levels
        self.starts, self.counts, self.others = starts, counts, others

    @classmethod
    def of(cls, policy: Policy, guess: Array | None = None) -> Plan:
        """The present choices of a policy; the arrays are shared."""
        p = policy
        return cls(p.bellman, p.chances, p.levels, p.starts, p.counts, p.others, guess)

    @property
    def rules(self) -> Rules:
        """The rules that the plan is for."""
        return self.bellman.positions.rules

    @cached_property
    def rough(self) -> Plan:
        """A large map without its smallest chances and in single precision; else this one."""
        return _thinned(self) if self.chances.nbytes > LARGE else self


PolicyLike = Solution | Thresholds | Player | Plan
"""What can be evaluated."""


@lru_cache(maxsize=4)
def bellman_of(rules: Rules) -> Bellman:
    """One operator, with its threads, for all plans of a rule set."""
    return Bellman(positions(rules))


def prepare(policy: PolicyLike, rules: Rules = SHARABESHKI) -> Plan:
    """Find how every turn ends under a policy.

    Parameters
    ----------
    policy : Solution, Thresholds, function or Plan
        A Solution plays its best actions; of equals, what the solver comes to first. A function
        ``policy(state, throw) -> Action`` is asked once for each position, state within its turn
        and throw that leaves a choice; it must return one of ``rules.actions(state, throw)``:
        what to set aside, and whether to roll or bank then. It must always answer the same.
        ``Solution.best_action`` is such a function.
    rules : Rules

    Returns
    -------
    Plan
        That of a Solution of the default game takes about 0.9 GB.

    Raises
    ------
    PolicyError
        For a function that might be asked more than `LIMIT` times, or plays against the rules; a
        Solution or Plan for other rules; thresholds that do not fit the number of dice.
    """
    if isinstance(policy, Plan | Solution) and policy.rules != rules:
        raise PolicyError("the policy is for other rules than those it is to play by")
    if isinstance(policy, Plan):
        return policy
    bellman = bellman_of(rules)
    if isinstance(policy, Solution):
        return _greedy(bellman, policy.values)
    if isinstance(policy, Thresholds):
        return _plan(bellman, *_by_rule(policy, rules))
    if callable(policy):
        return _plan(bellman, *_by_asking(policy, rules))
    raise PolicyError(f"{policy!r} is no policy")


def _greedy(bellman: Bellman, values: Array) -> Plan:
    """The plan that is best for the next turn when `values` hold afterwards."""
    policy = Policy(bellman, np.float64)
    policy.update(values, bellman.all)
    return Plan.of(policy, values)


def _plan(bellman: Bellman, ends: TurnEnds, row: Array) -> Plan:
    """The plan whose turn of i against o ends like row[i, o] of `ends`.

    Blocks in which the same rows meet share their lines, so that the plan of a rule that asks
    little about the opponent stays small enough for the processor's cache.
    """
    row = np.pad(row, ((0, 0), (0, bellman.lanes - bellman.size)), mode="edge")
    blocks, which = np.unique(row.reshape(-1, BLOCK), axis=0, return_inverse=True)
    chances = ends.bank[blocks].transpose(0, 2, 1)  # block, level, lane
    used = (chances != 0.0).any(axis=2)
    counts = used.sum(axis=1)
    shape = bellman.size, bellman.blocks
    return Plan(
        bellman,
        np.append(chances[used].ravel(), np.zeros(BLOCK)),
        np.append(np.nonzero(used)[1], 0).astype(np.int32),
        (np.cumsum(counts) - counts)[which].reshape(shape),
        counts[which].astype(np.int32).reshape(shape),
        np.ascontiguousarray(np.moveaxis(ends.others[row], 2, 0)),
    )


def _thinned(plan: Plan) -> Plan:
    """A copy without the lines of small chances, in single precision, in the order of sweeps."""
    lines, order = plan.chances.reshape(-1, BLOCK), plan.fronts.tasks.T
    counts = plan.counts[*order]
    first = np.cumsum(counts) - counts
    source = np.repeat(plan.starts[*order] - first, counts) + np.arange(counts.sum())
    large: Array = np.asarray((lines > ROUGH).any(axis=1))
    kept = np.append(0, np.cumsum(large[source]))
    source = source[np.diff(kept) > 0]
    chances = np.empty((len(source), BLOCK), np.float32)
    for part in np.array_split(np.arange(len(source)), 1 + len(source) // 2**16):
        chances[part] = lines[source[part]]
    starts, left = np.empty_like(plan.starts), np.empty_like(plan.counts)
    starts[*order], left[*order] = kept[first], kept[first + counts] - kept[first]
    bellman, levels = plan.bellman, plan.levels[source]
    return Plan(bellman, chances.ravel(), levels, starts, left, plan.others)


def _by_rule(rule: Thresholds, rules: Rules) -> tuple[TurnEnds, Array]:
    """How turns end under a rule: rows, and the row of each position."""
    plains, which = situations(rule, rules)
    parts = [turn_ends(rules, plain) for plain in plains]
    table, kind = kinds(rules)
    ends = TurnEnds(
        np.concatenate([part.bank for part in parts]),
        np.concatenate([part.others for part in parts]),
        np.concatenate([part.win for part in parts]),
    )
    return ends, which * len(table) + kind[:, None]


def decisions(rules: Rules) -> int:
    """How often a function can be asked, at most, over all positions.

    Examples
    --------
    >>> from solver.rules import PIG
    >>> decisions(PIG), decisions(SHARABESHKI) > 10**10
    (2475500, True)
    """
    where = positions(rules)
    scoring = [0] + [
        sum(bool(throw.keeps) for throw in throws(rules, dice).values())
        for dice in range(1, rules.dice + 1)
    ]
    turns = [
        sum(scoring[dice] for _, dice in reachable(rules, status.score))
        for status in where.statuses
    ]
    return sum(turns) * len(where)


def _by_asking(player: Player, rules: Rules) -> tuple[TurnEnds, Array]:
    """How turns end under a function: a row for each position."""
    asked = decisions(rules)
    if asked > LIMIT:
        raise PolicyError(
            f"a function might have to make {asked:,} decisions under these rules, more than"
            f" {LIMIT:,}: give the policy as Thresholds, or take a smaller game"
        )
    where = positions(rules)
    pairs = [(me, opponent) for me in where.statuses for opponent in where.statuses]
    size = len(pairs)
    ends = TurnEnds(np.zeros((size, where.levels)), np.zeros((size, 3)), np.zeros(size))
    for row, (me, opponent) in enumerate(pairs):
        _Asked(player, where, me, opponent).follow(ends, row)
    return ends, np.arange(size).reshape(len(where), -1)


class _Asked:
    """One turn of a function, followed throw by throw."""

    def __init__(self, player: Player, where: Positions, me: Status, opponent: Status) -> None:
        self.player, self.where, self.me, self.opponent = player, where, me, opponent

    def follow(self, ends: TurnEnds, row: int) -> None:
        """Put how the turn ends into a row."""
        rules, mass = self.where.rules, defaultdict[tuple[int, int], float](float)
        mass[0, rules.dice] = 1.0
        while mass:
            total, dice = cell = min(mass)  # totals only grow: no more can come to the lowest
            state, part = self.state(total, dice), mass.pop(cell) / rules.sides**dice
            for faces, throw in throws(rules, dice).items():
                share, action = part * throw.outcomes, self.ask(state, faces)
                after = total + throw.keeps.get(action.dice, 0)
                if action.kind == "bust":
                    ends.others[row, 0 if total == 0 else 1] += share
                elif action.then == "roll":
                    mass[after, dice - len(action.dice) or rules.dice] += share
                elif action.then == "bank":
                    ends.bank[row, self.where.level(self.me.score + after)] += share
                elif action.then == "dump":
                    ends.others[row, 2] += share
                else:
                    ends.win[row] += share

    def state(self, total: int, dice: int) -> State:
        """The state in which a throw is made."""
        (score, entered, bolts), other = self.me, self.opponent
        return State(score, other.score, total, dice, bolts, other.bolts, entered, other.entered)

    def ask(self, state: State, throw: tuple[int, ...]) -> Action:
        """A legal action: the only one, or what the function says."""
        legal = actions_in(self.where.rules, state, throw)
        if len(legal) == 1:
            return legal[0]
        action = self.player(state, throw)
        if action not in legal:
            shown, allowed = " ".join(map(str, throw)), "; ".join(map(str, legal))
            raise PolicyError(
                f"the policy answers {action!s} in {state!s} after {shown}: must be one of"
                f" {allowed}"
            )
        return action
