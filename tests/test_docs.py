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
from solver.evaluate import evaluate
from solver.plans import prepare
from solver.thresholds import NEVER, Thresholds

README = Path(__file__).parent.parent / "README.md"
RULES_PAGE = README.parent / "docs" / "rules.md"
POLICIES_PAGE = README.parent / "docs" / "policies.md"
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


@pytest.mark.slow
def test_floors_page_is_current(capsys):
    assert main(["floors", "--markdown"]) == 0
    assert capsys.readouterr().out in RULES_PAGE.read_text("utf-8")


def policies():
    """The rows of the table of human rules: name, rule, and the chances in percent."""
    for line in POLICIES_PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.endswith("% |"):
            numbers = cells[1].replace("never", str(NEVER)).split(", ")
            bank = tuple(map(int, numbers)) if len(numbers) > 1 else int(numbers[0])
            yield Thresholds(bank, cells[2]), [float(cell.rstrip(" %")) for cell in cells[3:]]


@pytest.mark.slow
def test_policies_page_is_right(default_solution):
    """Each rule of the table, evaluated."""
    plan, best, start = prepare(default_solution), default_solution.start, None
    rows = list(policies())
    assert len(rows) == 10
    for rule, percents in rows:
        start = evaluate(rule, plan, tolerance=1e-8, start=start)
        first, second = start.first, start.second
        found = [100 * chance for chance in (first, second, best - first, 1 - best - second)]
        assert percents == pytest.approx(found, abs=0.00501)


@pytest.mark.long
def test_policies_page_is_current(capsys):
    assert main(["policies", "--markdown"]) == 0
    assert capsys.readouterr().out in POLICIES_PAGE.read_text("utf-8")
