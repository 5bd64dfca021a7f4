"""The keep guide: which dice to set aside, where that is not simply all that scores.

It is counted in optimal games. For each kind of throw (throws with the same options are one kind)
it says what is best when the turn goes on, how often that comes up, and what it is worth: the sum,
over a game, of what taking all that scores would lose at each such throw. What one gives up who
always takes all that scores is summed in games in which the first player does so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solver.bellman import Array
from solver.charts.bar import OnStage
from solver.charts.model import Block, Chart, Source, Table, Value
from solver.charts.survey import REASONS, SEED, Survey, choices, survey
from solver.charts.words import Words
from solver.dice import Option, bust_chance, throws
from solver.rules import Rules
from solver.solution import Solution

__all__ = ["GAMES", "DiceRow", "KeepGuide", "KeepRow", "keep_guide"]

GAMES = 2000
WORTH, LESS = 0.0001, 0.05  # what is drawn: worth a game, and share of choices below all
COLUMNS = (
    "dice", "throw", "all_that_scores", "per_game", "bank_share", "set_aside", "share", "second",
    "second_share", "less_than_all", "worth",
)  # fmt: skip


@dataclass(frozen=True)
class KeepRow:
    """One kind of throw.

    Attributes
    ----------
    throw : tuple of int
        The most common throw of the kind.
    scoring : tuple of int
        All that scores in it.
    per_game : float
        How often one player meets the kind in a game.
    bank_share : float
        How often the turn ends with it.
    best, second : tuple of int
        What is set aside most often, and next, when the turn goes on.
    share, second_share : float
        How often, of the times that the turn goes on; nan if it never does.
    less : float
        How often something other than all that scores is best when the turn goes on.
    worth : float
        What choosing well then is worth to one player in a game, against taking all that scores.
    """

    throw: tuple[int, ...]
    scoring: tuple[int, ...]
    per_game: float
    bank_share: float
    best: tuple[int, ...]
    share: float
    second: tuple[int, ...]
    second_share: float
    less: float
    worth: float


@dataclass(frozen=True)
class DiceRow:
    """All throws of one number of dice.

    Attributes
    ----------
    dice : int
    bust : float
        The chance that nothing scores.
    per_game : float
        How often one player sets aside something of so many dice in a game.
    less : float
        How often less than all that scores is best.
    worth : float
        As in `KeepRow`.
    """

    dice: int
    bust: float
    per_game: float
    less: float
    worth: float


@dataclass(frozen=True, eq=False)
class KeepGuide(Chart):
    """What to set aside.

    Attributes
    ----------
    source : Source
    games : int
        That were counted.
    rows : tuple of KeepRow
        Most dice first, then what is worth most.
    dice : tuple of DiceRow
    reasons : tuple of (str, float, float)
        Why less than all is set aside (see `solver.charts.survey`): how often one player does so
        in a game, and what it is worth to him.
    greedy, greedy_error : float
        What always taking all that scores costs in a game, and its standard error.
    """

    kind: ClassVar[str] = "keeps"
    source: Source
    games: int
    rows: tuple[KeepRow, ...]
    dice: tuple[DiceRow, ...]
    reasons: tuple[tuple[str, float, float], ...]
    greedy: float
    greedy_error: float

    def facts(self) -> dict[str, Any]:
        """The number of games, and what keeping well is worth."""
        return {
            "games": self.games,
            "always_all_costs": self.greedy,
            "always_all_costs_error": self.greedy_error,
        }

    def tables(self) -> tuple[Table, ...]:
        """The kinds of throws, and the numbers of dice."""
        kinds = tuple(
            (
                len(row.throw), _faces(row.throw), _faces(row.scoring), row.per_game,
                row.bank_share, _faces(row.best), row.share, _faces(row.second),
                row.second_share, row.less, row.worth,
            )
            for row in self.rows
        )  # fmt: skip
        dice = tuple((row.dice, row.bust, row.per_game, row.less, row.worth) for row in self.dice)
        return (
            Table("throws", COLUMNS, kinds),
            Table("dice", ("dice", "bust", "per_game", "less_than_all", "worth"), dice),
            Table("reasons", ("reason", "per_game", "worth"), self.reasons),
        )

    @property
    def notable(self) -> tuple[KeepRow, ...]:
        """The kinds of throws that matter, in the order of the rows."""
        return tuple(row for row in self.rows if row.worth >= WORTH and row.less >= LESS)

    def advice(self, words: Words) -> list[str]:
        """The guide in sentences."""
        rules = self.source.rules
        said = [words("keeps.bank"), words("keeps.roll")]
        if rules.barrels or rules.dump_trucks:
            said.append(words("keeps.short"))
        return [*said, words("keeps.cost", cost=self.greedy, error=self.greedy_error)]

    def blocks(self, words: Words) -> Iterator[Block]:
        """Sentences, the throws that matter, and the numbers of dice."""
        yield words("keeps.title")
        yield words("keeps.counted", games=words.count(self.games, "game"))
        yield from self.advice(words)
        yield self._throws(words)
        yield self.by_dice(words)
        yield self.by_reason(words)
        yield words("keeps.source")

    def _throws(self, words: Words) -> Table:
        head = ("throw", "set_aside", "share", "bank_share", "per_game", "worth")
        lines: list[tuple[Value, ...]] = [
            (
                _faces(row.scoring, len(row.throw)),
                _faces(row.best),
                words.percent(row.share, 0),
                words.percent(row.bank_share, 0),
                words.decimal(row.per_game, 2),
                words.decimal(100.0 * row.worth, 2),
            )
            for row in self.notable
        ]
        return Table("", tuple(words(f"keeps.{name}") for name in head), tuple(lines))

    def by_dice(self, words: Words) -> Table:
        """The numbers of dice: the risk, and how often less than all is right."""
        head = ("dice", "bust", "per_game", "less", "worth")
        lines: list[tuple[Value, ...]] = [
            (
                words.number(row.dice),
                words.percent(row.bust, 1),
                words.decimal(row.per_game, 1),
                words.percent(row.less, 1),
                words.decimal(100.0 * row.worth, 2),
            )
            for row in self.dice
        ]
        return Table("", tuple(words(f"keeps.{name}") for name in head), tuple(lines))

    def by_reason(self, words: Words) -> Table:
        """Why less than all is set aside."""
        head = ("reason", "per_game", "worth")
        lines: list[tuple[Value, ...]] = [
            (
                words(f"keeps.reason.{reason}"),
                words.decimal(often, 2),
                words.decimal(100.0 * worth, 2),
            )
            for reason, often, worth in self.reasons
            if often
        ]
        return Table("", tuple(words(f"keeps.{name}") for name in head), tuple(lines))


def keep_guide(
    solution: Solution,
    games: int = GAMES,
    seed: int = SEED,
    on_stage: OnStage | None = None,
    counted: Survey | None = None,
) -> KeepGuide:
    """Count what is set aside in optimal games.

    Parameters
    ----------
    solution : Solution
    games, seed : int
        Of the survey; the same give the same guide.
    on_stage : callable, optional
        Called with "games" and the share of them that is over.
    counted : Survey, optional
        One of optimal games that has been made already.
    """
    found = counted or survey(solution, games, seed, on_stage=on_stage)
    greedy = survey(solution, games, seed + 1, greedy_first=True, on_stage=on_stage).first_lost
    rules, players = solution.rules, 2 * found.games
    numbers = range(rules.dice, 0, -1)
    return KeepGuide(
        Source.of(solution),
        found.games,
        tuple(row for dice in numbers for row in _rows(rules, dice, found)),
        tuple(_dice_row(rules, dice, found) for dice in numbers),
        tuple(
            (reason, float(often / players), float(worth / players))
            for reason, often, worth in zip(REASONS, found.reasons, found.reasons_lost, strict=True)
        ),
        float(greedy.mean()),
        float(greedy.std() / math.sqrt(len(greedy))),
    )


def _rows(rules: Rules, dice: int, found: Survey) -> list[KeepRow]:
    """The kinds of throws of a number of dice that leave a choice, dearest first."""
    sets = choices(rules, dice).options
    lost = found.lost[dice][:, 1]
    order = [k for k in np.argsort(-lost, kind="stable").tolist() if len(sets[k]) > 1]
    return [
        _row(rules, dice, sets[k], found.taken[dice][k].sum(axis=-1), lost[k] / (2 * found.games),
             2 * found.games)
        for k in order
        if found.taken[dice][k].any()
    ]  # fmt: skip


def _row(
    rules: Rules, dice: int, options: tuple[Option, ...], taken: Array, worth: float, players: int
) -> KeepRow:
    """One kind of throw."""
    throw, kept = shown(rules, dice, options)
    on, total = taken[: len(options), 1], int(taken.sum())
    first, second = np.argsort(-on, kind="stable")[:2].tolist()
    went_on = int(on.sum())
    share = on / went_on if went_on else np.full(len(options), math.nan)
    return KeepRow(
        throw,
        kept[0],
        total / players,
        1.0 - went_on / total,
        kept[first],
        float(share[first]),
        kept[second],
        float(share[second]),
        1.0 - float(share[0]),
        float(worth),
    )


def shown(
    rules: Rules, dice: int, options: tuple[Option, ...]
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """The most common throw with these options, and what of it makes each of them."""
    same = [t for t in throws(rules, dice).values() if t.options == frozenset(options)]
    throw = max(same, key=lambda t: (t.outcomes, t.dice))
    makes = {(points, dice - len(kept)): kept for kept, points in reversed(throw.keeps.items())}
    return throw.dice, [makes[option] for option in options]


def _dice_row(rules: Rules, dice: int, found: Survey) -> DiceRow:
    taken, players = found.taken[dice], 2 * found.games
    total = int(taken.sum())
    less = int(taken[:, 1:].sum())
    return DiceRow(
        dice,
        float(bust_chance(rules, dice)),
        total / players,
        less / total if total else 0.0,
        float(found.lost[dice].sum()) / players,
    )


def _faces(dice: tuple[int, ...], of: int = 0) -> str:
    """Dice as text; a dot for each die that does not score."""
    return " ".join([*map(str, dice), *["·"] * (of - len(dice))])
