"""The text record of a game: one line for each turn; docs/record.md describes the form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import zip_longest

from solver.play import Dice, Game, Source, Turn, digits
from solver.positions import Status
from solver.rules import PRESETS, SHARABESHKI, Rules, RulesError
from solver.state import Action, State, StateError

__all__ = ["parse_action", "replayed", "written"]

FORMAT = "sharabeshki game 1"


def written(game: Game) -> str:
    """The record of a game."""
    lines = [FORMAT, f"rules: {_rules_text(game.rules)}", f"players: {', '.join(game.names)}"]
    if game.begun_at:
        lines.append(f"state: {game.begun_at}")
    if game.rounds:
        rounds = (", ".join(map(digits, round_)) for round_ in game.rounds)
        lines.append("throw-off: " + " | ".join(rounds))
    lines.append(f"first: {game.names[game.first]}")
    lines += [_line(game, number, turn) for number, turn in enumerate(game.turns, 1)]
    return "\n".join(lines) + "\n"


def _line(game: Game, number: int, turn: Turn) -> str:
    """One turn of the record."""
    steps = [
        ": ".join(filter(None, (digits(dice or ()), str(action or ""))))
        for dice, action in turn.steps
    ]
    changes = ", ".join(f"{game.names[p]} {_written(s)}" for p, s in turn.changes.items())
    end = [changes] if changes else []
    return " | ".join([f"{number}. {game.names[turn.player]}", *steps, *end])


def replayed(text: str, rng: Source = None) -> Game:
    """The game of a record, played again; StateError if it does not follow from its rules.

    Examples
    --------
    >>> game = Game(rng=1)
    >>> game.throw(), str(replayed(str(game))) == str(game)
    ((1, 3, 4, 5, 6), True)
    """
    if not isinstance(text, str):
        raise StateError(f"{text!r}: not the record of a game")
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines or lines[0] != FORMAT:
        raise StateError(f"not the record of a game: it must begin with {FORMAT!r}")
    turns = [line for line in lines if line[:1].isdecimal()]
    game = _from_head(lines[1 : len(lines) - len(turns)], rng)
    for line in turns:
        try:
            for step in line.split(" | ")[1:]:
                _replay(game, step)
        except StateError as error:
            raise StateError(f"record, turn {line!r}: {error}") from None
    for found, wanted in zip_longest(lines, str(game).splitlines(), fillvalue=""):
        if found != wanted:
            raise StateError(f"record: {found!r} should be {wanted!r}")
    return game


def _replay(game: Game, step: str) -> None:
    """One step of a recorded turn; the changes at its end are compared later."""
    dice, _, action = step.rpartition(": ")
    if step.replace(" ", "").isdecimal():
        game.throw(_faces(step))
    elif dice:
        game.throw(_faces(dice))
        game.play(parse_action(action))
    elif step == "bank":
        game.play(Action("bank"))


def _from_head(lines: Sequence[str], rng: Source) -> Game:
    """The game at its first turn."""
    head = dict(line.partition(": ")[::2] for line in lines)
    try:
        rules, names = _parse_rules(head["rules"]), head["players"].split(", ")
        if "state" in head:
            return Game.from_state(State.parse(head["state"]), rules, names, rng)
        game = Game(rules, names, names.index(head["first"]), rng)
    except (KeyError, ValueError) as error:
        if isinstance(error, (StateError, RulesError)):
            raise
        raise StateError("record: its head must name rules, players and who is first") from None
    if "throw-off" in head:
        rounds = [round_.split(", ") for round_ in head["throw-off"].split(" | ")]
        game.throw_off([[_faces(dice) for dice in round_] for round_ in rounds])
    return game


def _rules_text(rules: Rules) -> str:
    for name, preset in PRESETS.items():
        if rules == preset:
            return name
    names = (f.name for f in fields(Rules))
    changed = {n: v for n in names if (v := getattr(rules, n)) != getattr(SHARABESHKI, n)}
    return json.dumps(changed)


def _parse_rules(text: str) -> Rules:
    if text in PRESETS:
        return PRESETS[text]
    try:
        return Rules(**json.loads(text))
    except (TypeError, json.JSONDecodeError) as error:
        raise StateError(f"record, rules {text!r}: {error}") from None


def _written(status: Status) -> str:
    """A status in the notation of a state."""
    score, entered, bolts = status
    return str(State(score, entered=entered, bolts=bolts)).partition(":")[0]


def _faces(text: str) -> Dice:
    try:
        return tuple(map(int, text.split()))
    except ValueError:
        raise StateError(f"throw {text!r}: must be faces, such as 1 2 2 5 6") from None


def parse_action(text: str) -> Action:
    """The action that `str` of an action writes; StateError if it is none.

    Examples
    --------
    >>> parse_action("keep 1 5, bank")
    Action(kind='keep', dice=(1, 5), then='bank')
    """
    if not isinstance(text, str):
        raise StateError(f"{text!r}: not an action in words")
    kept, comma, then = text.partition(", ")
    kind, _, faces = kept.partition(" ")
    return Action(kind, _faces(faces), then if comma else None)
