"""``sharabeshki rules``: a rule set as TOML."""

from __future__ import annotations

import argparse
from typing import Any

from solver.cli.options import add_rules_options, rules_of

__all__ = ["add_rules"]


def add_rules(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "rules", help="print a rule set as TOML", description="Print a rule set as TOML.",
        usage="%(prog)s [options]",
        allow_abbrev=False,
    )  # fmt: skip
    add_rules_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules."""
    print(rules_of(arguments).to_toml(), end="")
    return 0
