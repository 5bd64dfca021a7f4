"""The booklet: a whole strategy in print, with situations that are counted, not picked by taste."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solver.charts.bar import OnStage
from solver.charts.keeps import GAMES, KeepGuide, keep_guide
from solver.charts.model import Block, Chart, Source, Table
from solver.charts.pocket import PocketChart, pocket_rule
from solver.charts.position import PositionSheet, position_sheet
from solver.charts.survey import SEED, Survey, survey
from solver.charts.thresholds import ThresholdMap, threshold_map
from solver.charts.words import ChartError, Message, Words
from solver.positions import Status
from solver.rules import Rules
from solver.solution import Solution
from solver.state import State

__all__ = ["Book", "Sheet", "booklet", "rules_in_brief", "situations"]

FREQUENT = 6  # sheets of frequent situations
MAPS = 9  # pairs of bolts at most
SIDE = 10  # squares of scores, along the target, that are told apart


@dataclass(frozen=True, eq=False)
class Sheet:
    """A position sheet of the booklet.

    Attributes
    ----------
    why : Message
        Why it is in.
    chart : PositionSheet
    """

    why: Message
    chart: PositionSheet


@dataclass(frozen=True, eq=False)
class Book(Chart):
    """A booklet.

    Attributes
    ----------
    source : Source
    start : float
        The first player's chance.
    positions : int
        Positions between turns.
    turns, throws : float
        In an optimal game, both players together.
    maps : tuple of ThresholdMap
        One for each pair of bolts; the first without any.
    sheets : tuple of Sheet
    keeps : KeepGuide
    pocket : PocketChart or None
        If one is on record for the rules.
    """

    kind: ClassVar[str] = "book"
    source: Source
    start: float
    positions: int
    turns: float
    throws: float
    maps: tuple[ThresholdMap, ...]
    sheets: tuple[Sheet, ...]
    keeps: KeepGuide
    pocket: PocketChart | None

    def facts(self) -> dict[str, Any]:
        """The headline numbers."""
        return {
            "first_player": self.start,
            "positions": self.positions,
            "turns": self.turns,
            "throws": self.throws,
            "sheets": [str(sheet.chart.table.state) for sheet in self.sheets],
        }

    def tables(self) -> tuple[Table, ...]:
        """The position sheets as one table, then the keep guide's tables."""
        cells = tuple(
            (str(sheet.chart.table.state), *row)
            for sheet in self.sheets
            for row in sheet.chart.tables()[0].rows
        )
        columns = ("state", *self.sheets[0].chart.tables()[0].columns)
        pocket = self.pocket.tables() if self.pocket is not None else ()
        return (Table("sheets", columns, cells), *self.keeps.tables(), *pocket)

    def headline(self, words: Words) -> list[tuple[str, str]]:
        """Numbers, each with what it is."""
        digits = self.source.digits(4)
        return [
            (words.percent(self.start, digits), words("book.first")),
            (words.decimal(self.turns / 2, 1), words("book.turns")),
            (words.number(self.positions), words("book.positions")),
        ]

    def blocks(self, words: Words) -> Iterator[Block]:
        """The rules, the headline numbers, the sheets and the keep guide; maps are for the eye."""
        yield words("book.title")
        yield from rules_in_brief(self.source.rules, words)
        yield from (f"{number}: {text}" for number, text in self.headline(words))
        for sheet in self.sheets:
            yield ""
            yield words(sheet.why[0], **sheet.why[1])
            yield from sheet.chart.blocks(words)
        yield from self.keeps.blocks(words)
        if self.pocket is not None:
            yield from self.pocket.blocks(words)


def rules_in_brief(rules: Rules, words: Words) -> list[str]:
    """The rules in a few sentences, as many as the rule set needs."""
    said: list[tuple[bool, str, dict[str, Any]]] = [
        (True, "aim", {"dice": rules.dice, "target": rules.target}),
        (True, f"set_aside.{rules.set_aside}", {}),
        (True, f"hot.{rules.hot_dice}", {}),
        (True, "bust", {}),
        (rules.entry > 0, "entry", {"entry": rules.entry}),
        (rules.bolts_to_penalty > 0, f"bolt.{rules.bolt_on}",
         {"bolts": rules.bolts_to_penalty, "penalty": rules.bolt_penalty}),
        (bool(rules.barrels), "barrel", {"barrels": _spans(words, rules)}),
        (bool(rules.dump_trucks), "dump",
         {"scores": words.listing(map(words.number, rules.dump_trucks)) if rules.dump_trucks
          else ""}),
        (rules.overtake_penalty > 0, "overtake", {"penalty": rules.overtake_penalty}),
        (rules.floor < 0, "floor", {"floor": rules.floor}),
    ]  # fmt: skip
    return [words(f"rules.{key}", **values) for holds, key, values in said if holds]


def _spans(words: Words, rules: Rules) -> str:
    return words.listing(words.span(low, high) for low, high in rules.barrels or ((0, 0),))


def booklet(
    solution: Solution, games: int = GAMES, seed: int = SEED, on_stage: OnStage | None = None
) -> Book:
    """Make the booklet of a solution.

    Parameters
    ----------
    solution : Solution
    games, seed : int
        Of the survey of optimal games.
    on_stage : callable, optional
        Called with "games", "maps" or "sheets" and the share of them that is done.
    """
    found = survey(solution, games, seed, on_stage=on_stage)
    keeps = keep_guide(solution, games, seed, on_stage, counted=found)
    return Book(
        Source.of(solution),
        solution.start,
        solution.values.size,
        found.turns / games,
        found.throws / games,
        tuple(_maps(solution, on_stage)),
        tuple(_sheets(solution, found, on_stage)),
        keeps,
        _pocket(solution),
    )


def _pocket(solution: Solution) -> PocketChart | None:
    try:
        return pocket_rule(solution)
    except ChartError:
        return None


def _maps(solution: Solution, on_stage: OnStage | None) -> Iterator[ThresholdMap]:
    """The maps of the pairs of bolts, fewest bolts first."""
    most = range(max(solution.rules.bolts_to_penalty, 1))
    pairs = sorted(((a, b) for a in most for b in most), key=lambda pair: (sum(pair), pair))[:MAPS]
    for done, pair in enumerate(pairs, start=1):
        yield threshold_map(solution, *pair)
        if on_stage is not None:
            on_stage("maps", done / len(pairs))


def _sheets(solution: Solution, found: Survey, on_stage: OnStage | None) -> Iterator[Sheet]:
    chosen = situations(solution, found)
    for done, (why, state) in enumerate(chosen, start=1):
        yield Sheet(why, position_sheet(solution, state))
        if on_stage is not None:
            on_stage("sheets", done / len(chosen))


def situations(solution: Solution, found: Survey) -> list[tuple[Message, State]]:
    """The positions to show: the most frequent squares of scores, then the edges.

    A square is a pair of scores to a tenth of the target, with who has entered. It is shown by
    its most frequent position; so is each edge.
    """
    statuses, rules = solution.positions.statuses, solution.rules
    met = [
        (int(found.visits[i, o]), statuses[i], statuses[o])
        for i, o in np.argwhere(found.visits > 0).tolist()
    ]
    total = sum(count for count, _, _ in met)
    edges: list[tuple[Message, State]] = []
    for why, holds in _edges(rules):
        inside = [entry for entry in met if holds(entry[1], entry[2])]
        if inside:
            share = sum(count for count, _, _ in inside) / total
            edges.append(((why[0], {**why[1], "share": share}), _most_met(inside)))
    taken = {state for _, state in edges}
    squares: dict[tuple[Any, ...], list[tuple[int, Status, Status]]] = {}
    for entry in met:
        squares.setdefault(_square(rules, entry[1], entry[2]), []).append(entry)
    ranked = sorted(squares.items(), key=lambda item: (-sum(c for c, _, _ in item[1]), item[0]))
    frequent = [
        (("book.frequent", {"share": sum(c for c, _, _ in inside) / total}), _most_met(inside))
        for _, inside in ranked
    ]
    return [pair for pair in frequent if pair[1] not in taken][:FREQUENT] + edges


def _square(rules: Rules, me: Status, opponent: Status) -> tuple[Any, ...]:
    width = max(rules.target // SIDE, 1)
    return me.entered, opponent.entered, me.score // width, opponent.score // width


def _most_met(entries: list[tuple[int, Status, Status]]) -> State:
    """The most frequent of some positions as a state; of several, the lowest."""
    _, me, opponent = min(entries, key=lambda entry: (-entry[0], entry[1:]))
    return State(
        score=me.score, opponent_score=opponent.score, bolts=me.bolts,
        opponent_bolts=opponent.bolts, entered=me.entered, opponent_entered=opponent.entered,
    )  # fmt: skip


Holds = Callable[[Status, Status], bool]


def _edges(rules: Rules) -> Iterator[tuple[Message, Holds]]:
    """The edges of the rules, each with the positions that lie on it."""
    near = max(rules.target // SIDE, rules.step)
    if rules.entry:
        yield ("book.edge.entry", {}), lambda me, _: not me.entered
    for low, high in rules.barrels:
        yield ("book.edge.barrel", {"low": low, "high": high}), _within(low, high)
    for score in rules.dump_trucks:
        yield ("book.edge.dump", {"score": score}), _within(score - near // 2, score)
    last = next((low for low, high in rules.barrels if high >= rules.target), rules.target)
    yield ("book.edge.target", {"target": rules.target}), _within(last - near, last)
    yield (
        ("book.edge.opponent", {"target": rules.target}),
        lambda me, opponent: opponent.score >= rules.target - near and me.score < last,
    )


def _within(low: int, high: int) -> Holds:
    """The positions in which an entered mover's score is in a range."""
    return lambda me, _: me.entered and low <= me.score < high
