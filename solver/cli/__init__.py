"""The command ``sharabeshki``: text in, text out.

Data goes to stdout, everything else to stderr. Exit codes: 0; 1 for a failure; 2 for input that
makes no sense; 130 after Ctrl-C. Whatever goes wrong is said in one line.

Each command is a module with one function ``add_NAME(commands)`` that adds its parser, and a
``run`` that imports what it needs: a command must not pay for the others. New ones are listed in
`COMMANDS`.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from solver.cli.analysis import add_floors, add_policies
from solver.cli.best import add_best
from solver.cli.charts import add_chart
from solver.cli.play import add_play, add_simulate
from solver.cli.rules import add_rules
from solver.cli.solve import add_solve
from solver.cli.table import add_table
from solver.cli.text import Failure, UsageError, one_line
from solver.cli.verify import add_verify
from solver.rules import RulesError
from solver.solve import SolveError
from solver.state import StateError
from solver.tables import SolutionError
from solver.thresholds import PolicyError

__all__ = ["main"]

COMMANDS = {
    "solve": add_solve,
    "best": add_best,
    "table": add_table,
    "chart": add_chart,
    "play": add_play,
    "simulate": add_simulate,
    "policies": add_policies,
    "floors": add_floors,
    "verify": add_verify,
    "rules": add_rules,
}
BAD_INPUT = (UsageError, RulesError, StateError, SolutionError, PolicyError)
FAILED = (Failure, SolveError, OSError, MemoryError)


class _Parser(argparse.ArgumentParser):
    """A parser that leaves it to `main` to say what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """``--version``, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from solver import __version__

        print(f"sharabeshki {__version__}")
        parser.exit()


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """A parser for these words: of one command where they begin with it, else of all."""
    parser = _Parser(
        prog="sharabeshki",
        description='Certified optimal play for the two-player dice game "1000".',
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in words[:1] if COMMANDS.keys() & set(words[:1]) else COMMANDS:
        COMMANDS[name](commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Default: the arguments of the process.

    Returns
    -------
    int
        The exit code.
    """
    words = sys.argv[1:] if argv is None else argv
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # rather a question mark than a traceback
    try:
        arguments = _parser(words).parse_args([_shielded(word) for word in words])
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit:  # --help and --version
        return 0
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:  # nobody reads on
        _give_up_stdout()
        return 1
    except BAD_INPUT as error:
        return _complain(one_line(error), 2)
    except FAILED as error:
        return _complain(one_line(error), 1)


def _shielded(word: str) -> str:
    """A word that argparse does not take for an option where it is a negative score."""
    return " " + word if re.match(r"-\d", word) else word


def _complain(message: str, code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:
        _give_up_stdout()
    print(f"sharabeshki: {message}", file=sys.stderr)
    return code


def _give_up_stdout() -> None:
    """Send what is left in the buffer nowhere, so that Python does not trip over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
