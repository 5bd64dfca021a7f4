"""The options that several commands share: rules, states, and where solutions come from."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from solver.cli.text import UsageError
from solver.rules import CHOICES, PRESETS, SHARABESHKI, Rules
from solver.state import State

if TYPE_CHECKING:
    from solver.solution import Solution

__all__ = [
    "add_rules_options",
    "add_solution_options",
    "add_state_options",
    "read_solution",
    "rules_of",
    "source_of",
    "state_and_throw_of",
    "whole",
]

NOTATION = "SCORE[e|n][bBOLTS][+TURN_TOTAL][dDICE]:SCORE[e|n][bBOLTS]"


def whole(text: str) -> int:
    """A whole number, or an error that argparse shows."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is not a whole number") from None


def _items(text: str) -> list[str]:
    """Comma-separated words; none for "none"."""
    return [] if text.strip() == "none" else [item.strip() for item in text.split(",")]


def _barrels(text: str) -> tuple[tuple[int, int], ...]:
    pairs = [item.rpartition("-") for item in _items(text)]
    return tuple((whole(lo), whole(hi)) for lo, _, hi in pairs)


def _dump_trucks(text: str) -> tuple[int, ...]:
    return tuple(whole(item) for item in _items(text))


def _combinations(text: str) -> tuple[tuple[tuple[int, ...], int], ...]:
    pairs = [item.partition("=") for item in _items(text)]
    return tuple((tuple(map(whole, faces.split())), whole(points)) for faces, _, points in pairs)


_LISTS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "barrels": (_barrels, "LO-HI,...", "score ranges in which one is stuck, or none"),
    "dump_trucks": (_dump_trucks, "SCORE,...", "scores that throw back to 0, or none"),
    "combinations": (_combinations, "FACES=POINTS,...", 'what scores, as in "1=10,5=5,1 1 1=100"'),
}


def add_rules_options(parser: argparse.ArgumentParser) -> None:
    """A preset or a file, and an option for each field of Rules that changes one thing of it."""
    group = parser.add_argument_group("rules", "start from a preset or a file; options change it")
    base = group.add_mutually_exclusive_group()
    base.add_argument("--preset", choices=sorted(PRESETS), help="default: sharabeshki")
    base.add_argument("--rules", metavar="FILE", help="a TOML file, as `sharabeshki rules` prints")
    for field in fields(Rules):
        name, default = field.name, getattr(SHARABESHKI, field.name)
        option = "--" + name.replace("_", "-")
        if name in _LISTS:
            parse, metavar, text = _LISTS[name]
            group.add_argument(option, type=parse, metavar=metavar, help=text)
        elif name in CHOICES:
            group.add_argument(option, choices=CHOICES[name])
        elif isinstance(default, bool):
            group.add_argument(option, action=argparse.BooleanOptionalAction)
        else:
            group.add_argument(option, type=whole, metavar="N")


def rules_of(arguments: argparse.Namespace) -> Rules:
    """The rules that the options say."""
    base = PRESETS[arguments.preset or "sharabeshki"]
    if arguments.rules is not None:
        base = _rules_file(arguments.rules)
    return replace(base, **_changes(arguments))


def _rules_file(path: str) -> Rules:
    try:
        return Rules.load(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def _changes(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields of Rules that options name."""
    given = {field.name: getattr(arguments, field.name) for field in fields(Rules)}
    return {name: value for name, value in given.items() if value is not None}


def add_solution_options(parser: argparse.ArgumentParser) -> None:
    """Where a solution is read from, and how good it must be."""
    group = parser.add_argument_group("solution")
    group.add_argument("--solution", metavar="FILE", help="a saved one, which also sets the rules")
    add_cache_options(group)


def add_cache_options(group: argparse._ActionsContainer) -> None:
    """The tolerance of a solve and where it is kept."""
    group.add_argument(
        "--tolerance", type=_tolerance, default=1e-9, metavar="X", help="error bound (1e-9)"
    )
    group.add_argument("--cache", metavar="FOLDER", help="where solutions are kept")


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value <= 0.1:
        raise argparse.ArgumentTypeError(f"{text.strip()!r}: must be above 0 and at most 0.1")
    return value


def source_of(arguments: argparse.Namespace) -> tuple[Rules, Callable[[], Solution]]:
    """The rules that the options say, and how to get their solution once it is needed."""
    from solver.tables import cached

    if arguments.solution is not None:
        if arguments.preset or arguments.rules or _changes(arguments):
            raise UsageError("--solution sets the rules: leave out the options that do so too")
        solution = read_solution(arguments.solution)
        return solution.rules, lambda: solution
    rules = rules_of(arguments)
    return rules, lambda: cached(rules, arguments.tolerance, folder=arguments.cache)


def read_solution(path: str) -> Solution:
    """A saved solution; one that cannot be read is bad input."""
    from solver.tables import load

    try:
        return load(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def add_state_options(parser: argparse.ArgumentParser, throw: bool) -> None:
    """A state in the notation, or spelled out."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD" if throw else "STATE",
        help=f"STATE and THROW; STATE is {NOTATION}" if throw else NOTATION,
    )
    group = parser.add_argument_group("state", "instead of STATE")
    group.add_argument("--score", type=whole, metavar="N", help="of the player to move")
    group.add_argument("--opponent-score", type=whole, metavar="N")
    group.add_argument("--turn-total", type=whole, metavar="N", help="set aside, not yet banked")
    group.add_argument("--dice-left", type=whole, metavar="N", help="default: all")
    group.add_argument("--bolts", type=whole, metavar="N")
    group.add_argument("--opponent-bolts", type=whole, metavar="N")
    group.add_argument("--entered", action=argparse.BooleanOptionalAction)
    group.add_argument("--opponent-entered", action=argparse.BooleanOptionalAction)


def state_and_throw_of(
    arguments: argparse.Namespace, rules: Rules
) -> tuple[State, tuple[int, ...] | None]:
    """The state that the words or the options say, and the throw if there is one; both checked."""
    given = {field.name: getattr(arguments, field.name) for field in fields(State)}
    given = {name: value for name, value in given.items() if value is not None}
    words: list[str] = arguments.words
    if words and ":" in words[0]:
        if given:
            raise UsageError("give the state in the notation or by options, not both")
        state, words = State.parse(words[0]), words[1:]
    elif given:
        state = State(**given)
    else:
        raise UsageError("which state? for example 195+60d2:540, or --score 195 ...")
    throw = _throw(words, rules.sides)
    rules.actions(state, throw)
    return rules.check(state), throw


def _throw(words: list[str], sides: int) -> tuple[int, ...] | None:
    """Faces from words such as "1 5 2", "1,5,2" or, where a face is one digit, "152"."""
    faces: list[int] = []
    for word in " ".join(words).replace(",", " ").split():
        if not word.lstrip("-").isdecimal():
            raise UsageError(f"throw: {word!r} is not a face")
        run_together = sides < 10 and not word.startswith("-")
        faces += map(int, word) if run_together else [int(word)]
    return tuple(faces) if words else None
