"""``sharabeshki play``: a game against optimal play; ``sharabeshki simulate``: many games."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from solver.cli.options import add_rules_options, add_solution_options, source_of, whole
from solver.cli.text import Failure, UsageError, decimals, print_rows
from solver.state import Action, StateError

if TYPE_CHECKING:
    from solver.play import Game
    from solver.simulate import Mean, Policy, Result
    from solver.solution import Solution

__all__ = ["add_play", "add_simulate"]

YOU, OPTIMAL = "you", "optimal"
FEWEST = "fewest:"
HELP = """\
Answer with the number of a line, or with dice to keep and what then, as in "1 5 roll" or "5 b".
?  the chances of all that you can do      s  the score sheet
h  this help                               q  leave the game"""


class _Quit(Exception):
    """The player leaves the game."""


def add_play(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "play",
        help="play against optimal play",
        description="Play a game against optimal play, in text. Answers are read from standard"
        " input, one a line.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="default: another each time")
    parser.add_argument(
        "--first", choices=(YOU, OPTIMAL, "throw-off"), default="throw-off", help="who begins"
    )
    parser.add_argument("--record", metavar="FILE", help="write the record of the game there")
    add_rules_options(parser)
    add_solution_options(parser)
    parser.set_defaults(run=run_play)


def run_play(arguments: argparse.Namespace) -> int:
    """Play to the end, or until the player leaves."""
    from solver.play import Game

    rules, get = source_of(arguments)
    first = 1 if arguments.first == OPTIMAL else 0
    game = Game(rules, (YOU, OPTIMAL), first, _seed(arguments.seed))
    solution = get()
    print(f"{HELP}\n")
    try:
        if arguments.first == "throw-off":
            _throw_off(game)
        while game.winner is None:
            _turn(game, solution)
        print(f"\n{game.sheet()}\n\n{game.names[game.winner]} won")
    except _Quit:
        print("the game is not over")
    finally:
        if arguments.record is not None:
            _write(arguments.record, str(game))
    return 0


def _seed(seed: int | None) -> int | None:
    if seed is not None and seed < 0:
        raise UsageError(f"seed {seed}: must be from 0 up")
    return seed


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def _throw_off(game: Game) -> None:
    game.throw_off()
    line = next(line for line in str(game).splitlines() if line.startswith("throw-off"))
    print(f"{line}\n{game.names[game.mover]} first")


def _turn(game: Game, solution: Solution) -> None:
    """One turn, of whoever's it is."""
    mover, name = game.mover, game.names[game.mover]
    print(f"\n{_standing(game)}")
    while game.winner is None and game.mover == mover:
        total = f" with {game.turn_total}" if game.turn_total else ""
        print(f"{name}{total}: {' '.join(map(str, game.throw()))}")
        legal = game.actions()
        if legal[0].kind == "bust":
            action = legal[0]
        elif name == OPTIMAL:
            action = solution.best_action(game.state, game.thrown)
        else:
            action = _ask(game, solution, legal)
        print(f"  {action}")
        game.play(action)


def _standing(game: Game) -> str:
    """Who stands where, in the notation of states."""
    me, other = str(game.state).split(":")
    words = (me, other) if game.mover == 0 else (other, me)
    return f"{YOU} {words[0].partition('d')[0]}, {OPTIMAL} {words[1].partition('d')[0]}"


def _ask(game: Game, solution: Solution, legal: Sequence[Action]) -> Action:
    """What the player wants to do; asks until it makes sense."""
    for number, action in enumerate(legal, 1):
        print(f"  {number:>2}  {action}")
    while True:
        word = _read()
        if word == "?":
            _advise(game, solution)
        elif word == "s":
            print(game.sheet())
        elif word == "h":
            print(HELP)
        elif word == "q":
            raise _Quit
        else:
            try:
                return _answer(word, legal)
            except StateError as error:
                print(error)


def _read() -> str:
    """A line of input, shown again where nobody has typed it."""
    try:
        word = input("> ").strip().lower()
    except UnicodeDecodeError:
        raise UsageError("the input is not text") from None
    except EOFError:
        print()
        raise _Quit from None
    except KeyboardInterrupt:
        print()
        raise
    if not sys.stdin.isatty():
        print(word)
    return word


def _answer(text: str, legal: Sequence[Action]) -> Action:
    """The action that a line of input means.

    Examples
    --------
    >>> legal = [Action("keep", (1,), "roll"), Action("keep", (1,), "bank")]
    >>> str(_answer("2", legal)), str(_answer("keep 1, roll", legal)), str(_answer("1 b", legal))
    ('keep 1, bank', 'keep 1, roll', 'keep 1, bank')
    """
    words = text.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        if 1 <= int(words[0]) <= len(legal):
            return legal[int(words[0]) - 1]
        raise StateError(f"{text!r}: there are lines 1 to {len(legal)}")
    words = words[1:] if words and words[0] in ("keep", "k") else words
    dice = tuple(sorted(int(word) for word in words if word.isdecimal()))
    then = [word for word in words if not word.isdecimal()]
    found = [
        action
        for action in legal
        if action.dice == dice and all(str(action.then).startswith(word) for word in then)
    ]
    if len(found) != 1 or len(then) > 1:
        raise StateError(f"{text!r}: give a line's number, or dice and what then; h for help")
    return found[0]


def _advise(game: Game, solution: Solution) -> None:
    ranked = solution.action_values(game.state, game.thrown)
    digits = decimals(solution.error_bound)
    rows = [
        (str(action), f"{value:.{digits}f}", f"{value - ranked[0][1]:.{digits}f}")
        for action, value in ranked
    ]
    print_rows(("action", "chance", "behind"), rows)


def add_simulate(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "simulate",
        help="play many games and count",
        description="Play many games of two policies and print what they come to on average, with"
        " standard errors.",
        epilog=f"POLICY is {OPTIMAL}, or the points of a turn to bank from: one number, or one for"
        f" each number of dice left, as in 20,20,40,100,360. With {FEWEST} before them the player"
        " keeps as few dice as he can, else everything that scores.",
        allow_abbrev=False,
    )
    for option, text in (("--first", "who begins every game"), ("--second", "the other")):
        parser.add_argument(option, metavar="POLICY", default=OPTIMAL, help=f"{text} ({OPTIMAL})")
    parser.add_argument("--games", type=whole, metavar="N", default=100_000, help="(100000)")
    parser.add_argument("--seed", type=whole, metavar="N", help="default: another each time")
    add_rules_options(parser)
    add_solution_options(parser)
    parser.set_defaults(run=run_simulate)


def run_simulate(arguments: argparse.Namespace) -> int:
    """Simulate and print a table."""
    import secrets

    from solver.simulate import SimulationError, simulate
    from solver.thresholds import PolicyError

    rules, get = source_of(arguments)
    seed = _seed(arguments.seed)
    seed = secrets.randbits(32) if seed is None else seed
    names = (arguments.first, arguments.second)
    policies = [_policy(name, rules.dice, get) for name in names]
    try:
        result = simulate(policies, arguments.games, seed, rules)
    except (PolicyError, SimulationError) as error:
        raise UsageError(str(error)) from None
    rows: list[tuple[str, ...]] = [("policy", *names), *_summary(result)]
    print_rows(("", "first", "second"), rows)
    print(f"{result.games:,} games, seed {seed}, {result.seconds:.1f} s")
    return 0


def _policy(text: str, dice: int, get: Callable[[], Solution]) -> Policy:
    """The policy that a word stands for."""
    from solver.thresholds import Thresholds

    if text == OPTIMAL:
        return get()
    fewest = text.startswith(FEWEST)
    try:
        bank = tuple(int(number) for number in text.removeprefix(FEWEST).split(","))
    except ValueError:
        raise UsageError(f"policy {text!r}: {OPTIMAL}, or numbers of points") from None
    if len(bank) not in (1, dice):
        raise UsageError(
            f"policy {text!r}: one number, or {dice}: one for each number of dice left"
        )
    return Thresholds(
        bank if len(bank) > 1 else bank[0], keep="fewest dice" if fewest else "everything"
    )


def _summary(result: Result) -> list[tuple[str, ...]]:
    """The rows of the table; what counts for both together stands in the first column."""
    lost = result.win_rate._replace(mean=1.0 - result.win_rate.mean)
    return [
        ("games won", _text(result.win_rate), _text(lost)),
        ("bolts a game", *map(_text, result.bolts)),
        ("dump trucks a game", *map(_text, result.dump_trucks)),
        ("overtakes a game", *map(_text, result.overtakes)),
        ("turns a game, both", _text(result.turns), ""),
        ("throws a game, both", _text(result.throws), ""),
    ]


def _text(mean: Mean) -> str:
    """A mean with its standard error, to the error's second digit.

    Examples
    --------
    >>> from solver.simulate import Mean
    >>> _text(Mean(0.5096389, 0.0004998)), _text(Mean(57.14, 0.12)), _text(Mean(0.0, 0.0))
    ('0.50964 +/- 0.00050', '57.14 +/- 0.12', '0')
    """
    if not mean.error:
        return f"{mean.mean:g}"
    digits = max(0, 1 - math.floor(math.log10(mean.error)))
    return f"{mean.mean:.{digits}f} +/- {mean.error:.{digits}f}"
