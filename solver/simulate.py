"""Many games of two, played by the referee's rules in the kernel.

The first of the two policies begins every game, so that the share of games that it wins estimates
one number: its chance to win from the first position. To see it go second, swap the two.

What game number *k* comes to depends on the seed and *k* alone: each game has a generator of its
own (splitmix64). Threads, and how the work is cut up, change nothing.

How a game is played depends on the policies. Threshold rules, which look at one's own status and
turn total only, become tables, and each game is played through on its own. With a
:class:`~solver.solution.Solution` the games proceed in step, turn by turn: they are sorted by
position, each position that occurs is worked through once for all games that stand there, and
each of these plays its turn. Any other callable is asked by :class:`solver.play.Game`, a thousand
times slower.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from solver import _kernel
from solver.bellman import Array, Bellman
from solver.deck import deck, habit
from solver.moves import check, sides
from solver.play import Game
from solver.positions import positions
from solver.rules import SHARABESHKI, Rules, as_rules
from solver.solution import Solution
from solver.state import Action, State, StateError
from solver.thresholds import PolicyError, Thresholds

__all__ = ["Mean", "Policy", "Result", "SimulationError", "simulate"]

Player = Callable[[State, tuple[int, ...]], Action]
Policy = Solution | Thresholds | Player
BATCH = 1 << 20  # games under way at once: about 100 bytes each
GRAIN = 64  # games that are worth a thread's while
LONGEST, MOST = 10_000, 10**9


class SimulationError(ValueError):
    """A simulation that cannot be run as asked; the message says why."""


class Mean(NamedTuple):
    """The mean of a number of games, and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Result:
    """What some games came to.

    Attributes
    ----------
    games : int
    wins : (int, int)
        Games won by the player who began, and by the other.
    win_rate : Mean
        The share of games that the player who began has won.
    turns, throws : Mean
        Length of a game, both players together.
    bolts, dump_trucks, overtakes : (Mean, Mean)
        Of a game, for each player: bolts that he wrote, dump trucks that he hit, turns in which
        he overtook the other.
    seconds : float
    """

    games: int
    wins: tuple[int, int]
    win_rate: Mean
    turns: Mean
    throws: Mean
    bolts: tuple[Mean, Mean]
    dump_trucks: tuple[Mean, Mean]
    overtakes: tuple[Mean, Mean]
    seconds: float


def simulate(
    policies: Policy | Sequence[Policy],
    games: int,
    rng: np.random.Generator | int | None = None,
    rules: Rules = SHARABESHKI,
    threads: int | None = None,
    *,
    state: State | None = None,
    longest: int = LONGEST,
) -> Result:
    """Play many games and count.

    Parameters
    ----------
    policies : policy or pair of policies
        Of the player who begins every game, and of the other: a Solution (ties as
        :mod:`solver.advice` has them), Thresholds, or a callable that answers a state and a throw
        in which something scores with an Action.
    games : int
    rng : numpy Generator or int, optional
        One number is drawn from it as the seed of all games; an int is a seed.
    rules : Rules
    threads : int, optional
        Default: the processors that this process may use. The result does not depend on it.
    state : State, optional
        Where games begin, between turns. Default: the first position.
    longest : int
        Turns in which a game must end.

    Raises
    ------
    SimulationError
        For numbers that make no sense, and a game that does not end.
    PolicyError
        For policies that make no sense, or are not for these rules.
    StateError
        For a state, or an action of a callable, that the rules do not allow.

    Examples
    --------
    >>> from solver import PIGLET, solve
    >>> result = simulate(solve(PIGLET), 10_000, 1, PIGLET)
    >>> abs(result.win_rate.mean - 4 / 7) < 4 * result.win_rate.error
    True
    """
    pair = _pair(policies, as_rules(rules))
    for name, number in (("games", games), ("longest", longest)):
        if type(number) is not int or not 1 <= number <= MOST:
            raise SimulationError(f"{name} = {number!r}: must be a whole number from 1 to {MOST}")
    begin = check(rules, State() if state is None else state)
    if begin.turn_total:
        raise StateError(f"{begin!s}: games begin between turns")
    clock = time.perf_counter()
    hall = Table(rules, pair, begin, longest, threads)
    seed = int(np.random.default_rng(rng).integers(1 << 63))
    sums, squares = np.zeros((2, _kernel.RECORD), np.int64)
    for number in range(0, games, BATCH):
        records = hall.play(seed, number, min(BATCH, games - number)).astype(np.int64)
        sums += records.sum(axis=0)
        squares += (records**2).sum(axis=0)
    return _result(games, sums, squares, time.perf_counter() - clock)


def _pair(policies: Policy | Sequence[Policy], rules: Rules) -> tuple[Policy, ...]:
    """Both policies, if they are policies for these rules."""
    pair = tuple(policies) if isinstance(policies, Sequence) else (policies, policies)
    if len(pair) != 2:
        raise PolicyError(f"{len(pair)} policies: one or two are wanted")
    for policy in pair:
        if isinstance(policy, Solution) and policy.rules != rules:
            raise PolicyError("a solution for other rules than those of the games")
        if not isinstance(policy, Solution) and not callable(policy):
            raise PolicyError(f"{policy!r} is no policy")
    return pair


def _result(games: int, sums: Array, squares: Array, seconds: float) -> Result:
    """Means out of whole numbers, so that the order of summing does not matter."""

    def mean(total: int, square: int) -> Mean:
        spread = (square - total * total / games) / max(games - 1, 1)
        return Mean(total / games, math.sqrt(max(spread, 0.0) / games))

    lost, turns, throws, *rest = map(mean, sums.tolist(), squares.tolist())
    bolts, dumps, overtakes = ((rest[k], rest[k + 1]) for k in range(0, 6, 2))
    wins = (games - int(sums[0]), int(sums[0]))
    rate = Mean(wins[0] / games, lost.error)
    return Result(games, wins, rate, turns, throws, bolts, dumps, overtakes, seconds)


class Values(NamedTuple):
    """A Solution as the kernel plays it: values as (opponent, mover), padded; and what is a tie."""

    table: Array
    tie: float


class Table:
    """Where two policies play, from a checked state between turns."""

    def __init__(
        self, rules: Rules, policies: Sequence[Policy], begin: State, longest: int,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.policies, self.begin, self.longest = rules, policies, begin, longest
        self.bellman = Bellman(positions(rules), threads)
        self.games = deck(rules).games(self.bellman.kernel)
        self.ways = [self._way(policy) for policy in policies]

    def _way(self, policy: Policy) -> _kernel.Habit | Values | None:
        """How the kernel is to play a policy; None where it cannot."""
        if isinstance(policy, Solution):
            return Values(self.bellman.padded(policy.values.T), policy.adviser.tie)
        if isinstance(policy, Thresholds):
            return habit(policy, self.rules)
        return None

    def play(self, seed: int, number: int, count: int) -> Array:
        """The records of the games with `count` numbers from `number` on: (count, RECORD)."""
        if any(way is None for way in self.ways):
            numbers = range(number, number + count)
            records = np.array([self._refereed((seed, number)) for number in numbers])
        else:
            records = self._dealt(seed, number, count)
        if (records[:, 0] < 0).any():
            raise SimulationError(f"a game did not end within {self.longest} turns")
        return records

    def _dealt(self, seed: int, number: int, count: int) -> Array:
        """Games in the kernel."""
        me, other = (positions(self.rules).index[status] for status in sides(self.begin))
        seats, keys = np.empty((count, 2), np.int32), np.empty(count, np.uint64)
        records = np.empty((count, _kernel.RECORD), np.int32)
        _kernel.deal(seed, number, me, other, seats, keys, records)
        first, second = self.ways
        if isinstance(first, _kernel.Habit) and isinstance(second, _kernel.Habit):
            play = partial(self.games.games_by_habit, first, second, self.longest)
            self._share(play, np.arange(count), (seats, keys, records))
        else:
            self._in_step(seats, keys, records)
        return records

    def _share(
        self, play: Callable[..., None], order: Array, games: tuple[Array, Array, Array]
    ) -> None:
        """Play the games in `order` on all threads."""
        self.bellman.share(lambda part: play(part, *games), order, GRAIN)

    def _in_step(self, seats: Array, keys: Array, records: Array) -> None:
        """Play games turn by turn, those that stand at one position together."""
        live = np.arange(len(seats))
        for turn in range(self.longest):
            if not len(live):
                break
            place = seats[live, 0].astype(np.int64) * self.bellman.lanes + seats[live, 1]
            order = live[np.argsort(place)]
            self._share(partial(self._turns, self.ways[turn % 2]), order, (seats, keys, records))
            live = live[records[live, 0] < 0]

    def _turns(self, way: _kernel.Habit | Values | None, *games: Array) -> None:
        """One turn of each of some games."""
        if isinstance(way, _kernel.Habit):
            self.games.turns_by_habit(way, *games)
        elif way is not None:
            with self.bellman.scratch() as room:
                self.games.turns_by_values(room, way.table, way.tie, *games)

    def _refereed(self, seed: tuple[int, int]) -> list[int]:
        """The record of one game that the referee plays."""
        game = Game.from_state(self.begin, self.rules, rng=np.random.default_rng(seed))
        asked = [_player(policy, self.rules) for policy in self.policies]
        while game.winner is None and len(game.turns) <= self.longest:
            dice = game.throw()
            legal = game.actions()
            bust = legal[0].kind == "bust"
            game.play(legal[0] if bust else asked[game.mover](game.state, dice))
        record = _record(game)
        return record if len(game.turns) <= self.longest else [-1, *record[1:]]


def _player(policy: Policy, rules: Rules) -> Player:
    """A policy as a function."""
    if isinstance(policy, Solution):
        return policy.best_action
    return partial(policy, rules=rules) if isinstance(policy, Thresholds) else policy


def _record(game: Game) -> list[int]:
    """What the kernel notes of a game, from the referee's."""
    count = {name: [0, 0] for name in ("bolts", "dumps", "overtakes")}
    for turn in game.turns:
        last = turn.steps[-1][1]
        count["bolts"][turn.player] += turn.bolt
        count["dumps"][turn.player] += last is not None and last.then == "dump"
        count["overtakes"][turn.player] += len(turn.changes) > 1
    throws = sum(dice is not None for turn in game.turns for dice, _ in turn.steps)
    winner = -1 if game.winner is None else game.winner
    return [winner, len(game.turns), throws, *count["bolts"], *count["dumps"], *count["overtakes"]]
