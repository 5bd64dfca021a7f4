"""The referee: a game for any number of players, its score sheet and its record.

The referee knows whose turn it is and what lies on the table. What may be done, and what becomes
of the scores, it asks of :mod:`solver.moves` and :mod:`solver.positions`, as the solver does.

``str(game)`` is the record of a game, `Game.parse` plays it again: see :mod:`solver.record`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from solver import moves, positions
from solver.dice import normal_throw, throws
from solver.positions import Status
from solver.rules import SHARABESHKI, Rules, as_rules
from solver.state import Action, State, StateError

__all__ = ["Dice", "Game", "Source", "Turn", "digits"]

Dice = tuple[int, ...]
Source: TypeAlias = "np.random.Generator | int | None"
BOLT, NOTHING = "\N{EM DASH}", "."


@dataclass
class Turn:
    """One turn, as far as it has been played."""

    player: int
    before: tuple[Status, ...]
    """All players when it began."""
    steps: list[tuple[Dice | None, Action | None]] = field(default_factory=list)
    """Throws and answers. No dice: a bank before the next throw. No action: the throw waits."""
    changes: dict[int, Status] = field(default_factory=dict)
    """Statuses after it, the mover's first; none while it goes on."""
    bolt: bool = False
    """Whether it writes a bolt."""


class Game:
    """A game under way: who stands where, whose turn it is, and what lies on the table.

    Parameters
    ----------
    rules : Rules
    players : int or sequence of str
        How many, or their names; one is enough.
    first : int
        Who begins; see also :meth:`throw_off`.
    rng : numpy Generator or int, optional
        Where throws come from that are not given; an int is a seed.

    Attributes
    ----------
    names, statuses, turns
        Of the players; the last turn may be under way.
    first : int
        Who begins.
    begun_at : str
        The state in which the game began, if it was given; else empty.
    rounds : list of list of tuple
        The throw-off.
    mover, winner : int, int or None
    turn_total, dice_left : int
    thrown : tuple of int or None
        The throw that waits for an answer, sorted.

    Raises
    ------
    StateError
        For players that make no sense; from methods for what the rules do not allow. Nothing is
        changed then.

    Examples
    --------
    >>> game = Game(players=["Anna", "Boris"])
    >>> game.throw([1, 5, 2, 2, 6])
    (1, 2, 2, 5, 6)
    >>> [str(action) for action in game.actions()]
    ['keep 1, roll', 'keep 5, roll', 'keep 1 5, roll']
    >>> game.play(Action("keep", (1, 5), "roll"))
    >>> str(game.state)
    '0n+15d3:0n'
    """

    def __init__(
        self,
        rules: Rules = SHARABESHKI,
        players: int | Sequence[str] = 2,
        first: int = 0,
        rng: Source = None,
    ) -> None:
        self.rules, self.names = as_rules(rules), _names(players)
        if first not in range(len(self.names)):
            raise StateError(f"first = {first!r}: there are {len(self.names)} players, from 0")
        self.statuses = [positions.start(rules)] * len(self.names)
        self.mover, self._rng = int(first), rng
        self.winner: int | None = None
        self.turn_total, self.dice_left = 0, rules.dice
        self.thrown: Dice | None = None
        self.turns: list[Turn] = []
        self.first, self.begun_at = self.mover, ""
        self.rounds: list[list[Dice]] = []

    @classmethod
    def from_state(
        cls,
        state: State,
        rules: Rules = SHARABESHKI,
        players: int | Sequence[str] = 2,
        rng: Source = None,
    ) -> Game:
        """A game of two that goes on from a state; the first player is the one to move."""
        state = moves.check(rules, state)
        game = cls(rules, players, 0, rng)
        if len(game.names) != 2:
            raise StateError(f"a state is about 2 players, not {len(game.names)}")
        game.statuses = list(moves.sides(state))
        game.turn_total, game.dice_left = state.turn_total, state.dice_left or rules.dice
        game.begun_at = str(state)
        return game

    @property
    def state(self) -> State:
        """The position of a game of two, the mover first; a throw on the table is not in it."""
        if len(self.names) != 2:
            raise StateError(f"a state is about 2 players, not {len(self.names)}")
        self._check_on()
        return self._facing(self.statuses[1 - self.mover])

    def _facing(self, other: Status | None = None) -> State:
        """The mover's state. What he may do depends on himself only: any opponent serves."""
        me, other = self.statuses[self.mover], other or positions.start(self.rules)
        return State(
            me.score, other.score, self.turn_total, self.dice_left, me.bolts, other.bolts,
            me.entered, other.entered,
        )  # fmt: skip

    def _check_on(self) -> None:
        if self.winner is not None:
            raise StateError(f"the game is over: {self.names[self.winner]} has won")

    def throw_off(self, rounds: Iterable[Sequence[Iterable[int]]] | None = None) -> int:
        """Settle who goes first, and return him; the others follow in the order of the players.

        All throw all dice. Who can set aside the most points goes first; those who tie for it
        throw again. `rounds` gives the throws of those still in it, for each round; else they are
        drawn.

        Examples
        --------
        >>> Game(players=2).throw_off([[(1, 2, 3, 4, 6), (2, 2, 3, 4, 6)]])
        0
        """
        if self.turns or self.begun_at or self.rounds:
            raise StateError("a throw-off comes before the first turn, and once")
        rules, dice = self.rules, self.rules.dice
        worth = {d: max(t.keeps.values(), default=0) for d, t in throws(rules, dice).items()}
        if len(set(worth.values())) == 1:
            raise StateError("throw-off: all throws score the same under these rules")
        given = None if rounds is None else iter(rounds)
        left, played = list(range(len(self.names))), []
        while len(left) > 1:
            thrown = [self._draw(dice) for _ in left] if given is None else next(given, ())
            if len(thrown) != len(left):
                raise StateError(f"throw-off: {thrown!r} must be {len(left)} throws")
            played.append([normal_throw(rules, faces, dice) for faces in thrown])
            best = max(worth[faces] for faces in played[-1])
            left = [p for p, faces in zip(left, played[-1], strict=True) if worth[faces] == best]
        if given is not None and next(given, None) is not None:
            raise StateError("throw-off: there are rounds after it was settled")
        self.rounds, self.mover, self.first = played, left[0], left[0]
        return self.mover

    def _draw(self, count: int) -> Dice:
        self._rng = np.random.default_rng(self._rng)
        return tuple(self._rng.integers(1, self.rules.sides + 1, count).tolist())

    def throw(self, faces: Iterable[int] | None = None) -> Dice:
        """Throw the dice that are left, as `faces` or at random, and return them sorted.

        The throw then waits for :meth:`play`.
        """
        self._check_on()
        if self.thrown is not None:
            raise StateError(f"the throw {digits(self.thrown)} waits for an answer")
        dice = self._draw(self.dice_left) if faces is None else faces
        self.thrown = normal_throw(self.rules, dice, self.dice_left)
        self._turn().steps.append((self.thrown, None))
        return self.thrown

    def _turn(self) -> Turn:
        """The turn under way."""
        if not self.turns or self.turns[-1].changes:
            self.turns.append(Turn(self.mover, tuple(self.statuses)))
        return self.turns[-1]

    def actions(self) -> list[Action]:
        """Everything that the mover may do now; nothing once the game is over."""
        if self.winner is not None:
            return []
        return moves.actions_in(self.rules, self._facing(), self.thrown)

    def play(self, action: Action) -> None:
        """Do what the mover decides; "roll" throws dice that are drawn.

        A throw in which nothing scores is answered with "bust".
        """
        self._check_on()
        legal = self.actions()
        if action not in legal:
            who = f"{self.names[self.mover]}, {str(self._facing()).partition(':')[0]}"
            after = f", thrown {digits(self.thrown)}" if self.thrown else ""
            allowed = "; ".join(map(str, legal))
            raise StateError(f"{action!s}: not for {who}{after}; must be one of: {allowed}")
        if action.kind == "roll":
            self.throw()
            return
        steps = self._turn().steps
        if self.thrown is not None:
            steps.pop()
        steps.append((self.thrown, action))
        self._settle(action)

    def _settle(self, action: Action) -> None:
        """Put a legal action into effect."""
        first, thrown, self.thrown = self.turn_total == 0, self.thrown, None
        if action.kind == "keep" and thrown is not None:
            self.turn_total += throws(self.rules, len(thrown))[thrown].keeps[action.dice]
            self.dice_left = len(thrown) - len(action.dice) or self.rules.dice
            if action.then == "roll":
                return
        self._end_turn(action, first)

    def _end_turn(self, action: Action, first: bool) -> None:
        """Write down what the turn comes to, and pass the dice on."""
        rules, turn, me = self.rules, self.turns[-1], self.statuses[self.mover]
        total = me.score + self.turn_total
        if action.kind == "bust":
            turn.bolt = positions.writes_bolt(rules, me, first)
            turn.changes[self.mover] = positions.bust(rules, me, first)
        elif action.then == "dump":
            turn.changes[self.mover] = positions.dump()
        else:
            turn.changes[self.mover] = positions.bank(total)
        if "bank" in (action.kind, action.then):
            for player, status in enumerate(self.statuses):
                after = positions.overtaken(rules, status, me.score, total)
                if player != self.mover and after != status:
                    turn.changes[player] = after
        self.statuses = [turn.changes.get(p, status) for p, status in enumerate(self.statuses)]
        self.turn_total, self.dice_left = 0, rules.dice
        if action.then == "win":
            self.winner = self.mover
        else:
            self.mover = (self.mover + 1) % len(self.names)

    def sheet(self) -> str:
        """The score sheet: a column for each player, a row for each round.

        A dash is a bolt, "." a bust that writes nothing; what is lost stands with its sign before
        the score that it leaves.
        """
        begun = self.turns[0].before if self.turns else self.statuses
        rows = [list(self.names), [str(status.score) for status in begun]]
        for turn in self.turns:
            if turn.player == self.first:
                rows.append([""] * len(self.names))
            for player, after in turn.changes.items():
                words = [rows[-1][player], _cell(turn, player, after)]
                rows[-1][player] = " ".join(filter(None, words))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def __str__(self) -> str:
        """The record of the game: see :mod:`solver.record`."""
        from solver.record import written

        return written(self)

    @classmethod
    def parse(cls, text: str, rng: Source = None) -> Game:
        """The game of a record, played again: see :func:`solver.record.replayed`."""
        from solver.record import replayed

        return replayed(text, rng)


def digits(dice: Dice) -> str:
    """Faces as a record and messages show them."""
    return " ".join(map(str, dice))


def _names(players: int | Sequence[str]) -> tuple[str, ...]:
    if isinstance(players, int):
        players = [f"player {number}" for number in range(1, players + 1)]
    try:
        names = tuple(players)
    except TypeError:
        raise StateError(f"players = {players!r}: must be a number or names") from None
    if not names or len(set(names)) < len(names):
        raise StateError(f"players {names!r}: one at least, and each name once")
    for name in names:
        if not _is_name(name):
            raise StateError(f"player {name!r}: a name is one line of text without any of | , :")
    return names


def _is_name(name: object) -> bool:
    if not isinstance(name, str) or not name:
        return False
    return name.isprintable() and name == name.strip() and not set(name) & set("|,:")


def _cell(turn: Turn, player: int, after: Status) -> str:
    """What one turn writes in a player's column."""
    loss = after.score - turn.before[player].score
    if player != turn.player:
        return f"{loss} {after.score}"
    answer = turn.steps[-1][1]
    if answer is None or answer.kind != "bust":
        dumped = answer is not None and answer.then == "dump"
        return f"dump truck {after.score}" if dumped else str(after.score)
    dash = BOLT if turn.bolt else NOTHING
    return f"{dash} {loss:+d} {after.score}" if loss else dash
