"""Every example in the docstrings and the README does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import solver
from solver.cli import main

README = Path(__file__).parent.parent / "README.md"
RULES_PAGE = README.parent / "docs" / "rules.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["solver"] + [
    module.name
    for module in pkgutil.walk_packages(solver.__path__, "solver.")
    if not module.name.endswith(("__main__", "_kernel"))
]
COMMANDS = re.findall(
    r"^\$ sharabeshki (.+)\n((?:(?!\$ |```).*\n)+)", README.read_text("utf-8"), re.MULTILINE
)
MEASURED = re.findall(
    r"^\| `(--.+?)`.*\| (0\.\d+) \|$", RULES_PAGE.read_text("utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(f"needs {error.name}")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def test_readme_examples(default_solution):
    result = doctest.testfile(str(README), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize(("words", "expected"), COMMANDS)
def test_readme_commands(words, expected, capsys, default_solution):
    assert main(words.split()) == 0
    found = capsys.readouterr().out
    checker = doctest.OutputChecker()
    assert checker.check_output(expected, found, doctest.ELLIPSIS), found


def test_readme_begins_with_two_commands():
    block = README.read_text("utf-8").split("```")[1].splitlines()[1:]
    assert [line.partition("#")[0].strip() for line in block] == [
        "pip install . && sharabeshki solve",
        'pip install ".[test]" && pytest',
    ]


@pytest.mark.long
@pytest.mark.parametrize(("options", "expected"), MEASURED)
def test_rules_page_is_current(options, expected, capsys):
    assert main(["solve", "--tolerance", "1e-8", *options.split()]) == 0
    chance = capsys.readouterr().out.splitlines()[0].split()[-1]
    assert abs(float(chance) - float(expected)) <= 1e-6
