"""``sharabeshki verify``: prove the error bound of a saved solution again."""

from __future__ import annotations

import argparse
from typing import Any

from solver.cli.options import read_solution
from solver.cli.solve import report
from solver.cli.text import Failure, upward

__all__ = ["add_verify"]


def add_verify(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="prove the error bound of a saved solution again",
        description="Prove the error bound of a saved solution again, from its rules and values"
        " alone. Exit code 1 if it does not hold.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the file, then its values."""
    from solver.solve import SolveError, verify

    solution = read_solution(arguments.file)
    if solution.error_bound is None:
        raise Failure(f"{arguments.file}: claims no error bound, so there is nothing to prove")
    try:
        proof = verify(solution.rules, solution.values, solution.error_bound)
    except SolveError as error:
        raise Failure(f"{arguments.file}: NOT proven: {error}") from None
    report(solution)
    print(f"{'proven again':<23}{upward(proof.error_bound)}")
    return 0
