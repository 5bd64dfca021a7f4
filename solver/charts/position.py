"""The position sheet: bank or roll, for every turn total and number of dice of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from solver.advice import Cell, HoldRollTable
from solver.charts.model import Block, Chart, Source, Table, Value, joined
from solver.charts.words import Message, Words
from solver.moves import check, reachable, sides
from solver.positions import Status, bank_from, may_bank, overtaken
from solver.rules import Rules
from solver.solution import Solution
from solver.state import State

__all__ = ["PositionSheet", "Spans", "bank_spans", "notes", "position_sheet"]

Spans = tuple[tuple[int, int | None], ...]
CLEAR = 0.005  # a cost that leaves no doubt
LEAST_ROWS, MOST_ROWS = 81, 121  # of a drawing
NEAR_BARREL, NEAR = 100, 300  # points within which something is worth a note
COLUMNS = (*Cell._fields, "cost")


@dataclass(frozen=True, eq=False)
class PositionSheet(Chart):
    """What to do in one position.

    Attributes
    ----------
    source : Source
    table : HoldRollTable
    chance : float
        To win, before the first throw.
    notes : tuple of Message
        What is special here.
    """

    kind: ClassVar[str] = "position"
    source: Source
    table: HoldRollTable
    chance: float
    notes: tuple[Message, ...]

    @property
    def cost(self) -> np.ndarray:
        """(rows, columns): what the wrong choice costs; nan where there is no choice."""
        cost: np.ndarray = np.abs(self.table.roll - self.table.bank)
        return cost

    @property
    def shown(self) -> int:
        """How many rows are drawn: the rest say bank, and clearly so, or lie far out."""
        table = self.table
        free = (table.action != "") & (table.forced == "")
        clear = (table.action == "bank") & (self.cost >= CLEAR)
        barred = (table.forced == "entry") | (table.forced == "barrel")
        doubtful = ((free & ~clear) | barred).any(axis=1)
        last = int(np.flatnonzero(doubtful).max(initial=0))
        return min(max(last + 2, LEAST_ROWS), MOST_ROWS, len(table.turn_totals))

    def spans(self, dice: int) -> Spans:
        """The turn totals to bank at with a number of dice left."""
        return bank_spans(self.table, self.table.dice.index(dice))

    def facts(self) -> dict[str, Any]:
        """The position, the chance to win, and when to bank."""
        return {
            "state": str(self.table.state),
            "win_probability": self.chance,
            "bank_at": {str(dice): self.spans(dice) for dice in self.table.dice},
            "notes": [Words("en")(key, **values) for key, values in self.notes],
        }

    def tables(self) -> tuple[Table, ...]:
        """A row for each cell that can occur."""
        rows = tuple((*cell, abs(cell.roll - cell.bank)) for cell in self.table.cells())
        return (Table("cells", COLUMNS, rows),)

    def title(self, words: Words) -> str:
        """The two scores."""
        state = self.table.state
        return words("position.title", me=state.score, opponent=state.opponent_score)

    def players(self, words: Words) -> str:
        """Both players in a line."""
        me, opponent = sides(self.table.state)
        return joined(
            (words("position.me", about=_about(words, me)),
             words("position.opponent", about=_about(words, opponent)))
        )  # fmt: skip

    def headline(self, words: Words) -> str:
        """The chance to win."""
        return words("position.chance", chance=words.percent(self.chance, self.source.digits(2)))

    def blocks(self, words: Words) -> Iterator[Block]:
        """Title, chance, notes; when to bank; the grid, with like rows taken together."""
        yield self.title(words)
        yield self.players(words)
        yield self.headline(words)
        yield from (words(key, **values) for key, values in self.notes)
        summary = self.summary(words)
        yield summary if summary.rows else words("position.nothing")
        yield self._grid(words)
        yield words("position.text_legend")

    def summary(self, words: Words) -> Table:
        """When to bank, by dice left."""
        dice = [dice for dice in self.table.dice if self.spans(dice)]
        return Table(
            "",
            (words("dice_left"), words("position.bank_at")),
            tuple((words.number(n), words.ranges(self.spans(n))) for n in dice),
        )

    def _grid(self, words: Words) -> Table:
        """The actions as letters; rows with the same actions are one."""
        table = self.table
        rows = [
            (total, tuple(self._letter(words, row, column) for column in range(len(table.dice))))
            for row, total in enumerate(table.turn_totals)
        ]
        lines: list[tuple[Value, ...]] = []
        for letters, group in groupby(rows, key=lambda pair: pair[1]):
            totals = [total for total, _ in group]
            lines.append((words.span(totals[0], totals[-1]), *letters))
        head = (words("turn_total"), *(words.count(n, "die") for n in table.dice))
        return Table("", head, tuple(lines))

    def _letter(self, words: Words, row: int, column: int) -> str:
        action, forced = str(self.table.action[row, column]), self.table.forced[row, column]
        if not action:
            return ""
        return words(f"letter.{action}") + ("*" if forced else "")


def position_sheet(solution: Solution, state: State) -> PositionSheet:
    """The sheet of the position of `state`; its turn total and dice left play no part.

    Raises
    ------
    StateError
        For a state that the rules do not allow.

    Examples
    --------
    >>> from solver.rules import PIGLET
    >>> from solver.solve import solve
    >>> sheet = position_sheet(solve(PIGLET), State())
    >>> sheet.tables()[0].columns[:3], round(sheet.chance, 6)
    (('turn_total', 'dice_left', 'action'), 0.571429)
    """
    table = solution.hold_roll_table(state)
    return PositionSheet(
        Source.of(solution),
        table,
        solution.win_probability(table.state),
        tuple(notes(solution.rules, table.state)),
    )


def bank_spans(table: HoldRollTable, column: int) -> Spans:
    """The runs of turn totals in which a column says bank; the last is open at the top."""
    said = [
        (total, str(action))
        for total, action in zip(table.turn_totals, table.action[:, column], strict=True)
        if action and action != "dump"
    ]
    spans: list[tuple[int, int | None]] = []
    for action, group in groupby(said, key=lambda pair: pair[1]):
        totals = [total for total, _ in group]
        if action == "bank":
            spans.append((totals[0], totals[-1]))
    if spans and spans[-1][1] == said[-1][0]:
        spans[-1] = (spans[-1][0], None)
    return tuple(spans)


def _about(words: Words, status: Status) -> str:
    """A player in a few words."""
    entry = words("entered" if status.entered else "not_entered")
    bolts = words.count(status.bolts, "bolt") if status.bolts else words("no_bolts")
    return f"{words.number(status.score)}, {entry}, {bolts}"


def notes(rules: Rules, state: State) -> Iterator[Message]:
    r"""What is special in a position, the most pressing first.

    Examples
    --------
    >>> from solver.rules import SHARABESHKI
    >>> for key, values in notes(SHARABESHKI, State(255, 250)):
    ...     print(Words("en")(key, **values).replace("\xa0", " "))
    You are in the barrel 200–300: you need 45 points in one turn to bank.
    The dump truck 555 lies 300 points ahead: exactly that many throw you back to 0.
    The opponent is 5 points behind: he overtakes you (−50) with any bank of more.
    The opponent is in the barrel 200–300 and needs 50 points in one turn.
    """
    state = check(rules, state)
    me, opponent = sides(state)
    yield from _barrier_notes(rules, me)
    yield from _ahead_notes(rules, me)
    yield from _race_notes(rules, me, opponent)
    if rules.bolts_to_penalty > 1 and rules.bolts_to_penalty - 1 == me.bolts:
        yield "note.bolts", {"penalty": rules.bolt_penalty}
    yield from _opponent_notes(rules, opponent)


def _barrier_notes(rules: Rules, me: Status) -> Iterator[Message]:
    """What must be reached before banking."""
    if not me.entered:
        yield "note.entry", {"needs": rules.entry}
        return
    for low, high in rules.barrels:
        if low <= me.score < high:
            last = high >= rules.target
            yield (
                "note.last_barrel" if last else "note.barrel",
                {"low": low, "high": high, "needs": high - me.score},
            )


def _ahead_notes(rules: Rules, me: Status) -> Iterator[Message]:
    """A barrel, a dump truck or the target close by."""
    for low, high in rules.barrels:
        if 0 < low - me.score <= NEAR_BARREL:
            first, last = low - me.score, min(high, rules.target) - rules.step - me.score
            yield "note.barrel_ahead", {"low": low, "high": high, "first": first, "last": last}
    totals = {total for total, _ in reachable(rules, me.score)}
    for score in rules.dump_trucks:
        ahead = score - me.score
        if 0 < ahead <= NEAR and totals:
            yield "note.dump", {"score": score, "ahead": ahead}
    if rules.target - me.score <= NEAR and not _in_last_barrel(rules, me):
        yield "note.win", {"needs": rules.target - me.score}


def _in_last_barrel(rules: Rules, me: Status) -> bool:
    return me.entered and bank_from(rules, me) >= rules.target


def _race_notes(rules: Rules, me: Status, opponent: Status) -> Iterator[Message]:
    """Who can overtake whom."""
    if not rules.overtake_penalty:
        return
    ahead = opponent.score - me.score
    if overtaken(rules, opponent, me.score, opponent.score + rules.step) != opponent:
        yield "note.overtakes", {"needs": ahead + rules.step, "penalty": rules.overtake_penalty}
    if overtaken(rules, me, opponent.score, me.score + rules.step) != me:
        yield "note.chased", {"behind": -ahead, "penalty": rules.overtake_penalty}


def _opponent_notes(rules: Rules, opponent: Status) -> Iterator[Message]:
    """What binds or drives the opponent."""
    if not opponent.entered:
        yield "note.opponent_entry", {"needs": rules.entry}
    elif may_bank(rules, opponent, rules.step, 0):
        if rules.target - opponent.score <= NEAR:
            yield "note.opponent_win", {"needs": rules.target - opponent.score}
    else:
        low, high = next(b for b in rules.barrels if b[0] <= opponent.score < b[1])
        yield "note.opponent_barrel", {"low": low, "high": high, "needs": high - opponent.score}
    if rules.bolts_to_penalty > 1 and rules.bolts_to_penalty - 1 == opponent.bolts:
        yield "note.opponent_bolts", {"penalty": rules.bolt_penalty}
