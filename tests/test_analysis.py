"""What habits cost, points of a turn, floors; and the two commands."""

from __future__ import annotations

import argparse
import csv
import io
import json
from dataclasses import replace
from fractions import Fraction as F

import pytest
import reference as ref
from charts_games import TINY, solved
from games import SMALL, once

from solver import PIG, SHARABESHKI, RulesError
from solver.analysis import best_thresholds, expected_points, floors, habits, points_thresholds
from solver.cli.analysis import add_floors, add_policies
from solver.evaluate import evaluate
from solver.plans import prepare
from solver.thresholds import Case, PolicyError, Thresholds

PIG_10 = replace(PIG, target=10)


@pytest.mark.parametrize(
    ("set_aside", "hot_dice", "points"),
    [
        ("any", "must_roll", 36.906465355),
        ("all", "must_roll", 35.306971482),
        ("any", "may_roll", 36.923874697),
        ("all", "may_roll", 35.324589787),
    ],
)
def test_most_points_of_a_turn(set_aside, hot_dice, points):
    rules = replace(SHARABESHKI, set_aside=set_aside, hot_dice=hot_dice)
    assert expected_points(None, rules) == pytest.approx(points, abs=1.1e-9)


def test_thresholds_for_points():
    assert points_thresholds() == (20, 20, 40, 100, 360)
    assert points_thresholds(PIG) == (20,)


def test_points_of_rules():
    assert expected_points(Thresholds(20), PIG) == pytest.approx(8.1417948937, abs=1e-10)
    everything = Thresholds((20, 20, 40, 100, 360))
    assert expected_points(everything) == pytest.approx(35.306971482, abs=1e-9)
    assert expected_points(Thresholds(20)) < expected_points(everything) < expected_points()
    with pytest.raises(PolicyError, match="cases"):
        expected_points(Thresholds(20, cases=(Case(bank=0),)))


def test_points_by_the_reference():
    """Bank what the first throw scores: the mean best score of five dice, less hot dice."""
    rules = replace(SHARABESHKI, hot_dice="may_roll")
    total = sum(
        F(count * max(ref.keeps(throw, rules).values(), default=0), 6**5)
        for throw, count in ref.throws(5, rules).items()
    )
    assert total == F(73325, 2592)
    assert expected_points(Thresholds(0), rules) == pytest.approx(float(total), abs=1e-12)


def test_best_single_threshold_is_the_best():
    solution = once(PIG_10)
    found = best_thresholds(solution, single=True)
    plan = prepare(solution, PIG_10)
    means = {}
    for bank in range(12):
        result = evaluate(Thresholds(bank), plan, PIG_10)
        means[bank] = result.first + result.second
    (bank,) = found.bank
    assert means[bank] == pytest.approx(max(means.values()), abs=1e-12)


def test_best_thresholds_are_a_local_optimum():
    rules = SMALL["t60"]
    solution = once(rules)
    said = []
    found = best_thresholds(solution, "fewest dice", on_stage=said.append)
    assert said
    plan = prepare(solution, rules)

    def mean(bank):
        result = evaluate(Thresholds(bank, "fewest dice"), plan, rules, tolerance=1e-9)
        return (result.first + result.second) / 2

    best = mean(found.bank)
    for place in range(rules.dice - 1):  # the last is for hot dice, which must be rolled
        for change in (-rules.step, rules.step):
            other = list(found.bank)
            other[place] = max(other[place] + change, 0)
            assert mean(tuple(other)) <= best + 1e-4


def test_several_thresholds_are_no_worse_than_a_single_one():
    """Two dice, where the climb from the thresholds for points ends lower than that."""
    solution = solved(TINY)
    plan = prepare(solution, TINY)
    means = []
    for single in (True, False):
        result = evaluate(best_thresholds(solution, single=single), plan, TINY)
        means.append(result.first + result.second)
    assert means[1] >= means[0] - 1e-9


def test_habits():
    rules = SMALL["t60"]
    solution = once(rules)
    rows = habits(solution)
    assert len(rows) == 10
    by_name = {(row.name, row.rule.keep): row for row in rows}
    assert len(by_name) == 10
    for row in rows:
        assert row.gives_first == pytest.approx(solution.start - row.first)
        assert row.gives_second == pytest.approx(1 - solution.start - row.second)
        assert min(row.gives_first, row.gives_second) > 0
    for keep in ("everything", "fewest dice"):
        best = by_name["the best thresholds", keep]
        for name in ("the best single threshold", "bank as soon as allowed"):
            worse = by_name[name, keep]
            assert best.first + best.second >= worse.first + worse.second - 1e-6


def test_floors():
    game = replace(PIG_10, bolts_to_penalty=1, bolt_penalty=1)
    rows = list(floors(game, (0, -2, -4), get=once))
    assert [row.floor for row in rows] == [0, -2, -4]
    starts = [row.start for row in rows]
    assert abs(starts[2] - starts[1]) < abs(starts[1] - starts[0])
    assert all(row.error_bound <= 1e-9 for row in rows)


@pytest.mark.slow
def test_floors_of_the_default_game():
    known = {-100: 0.50968125, -300: 0.509639015, -400: 0.509638937, -500: 0.509638935}
    for row in floors():
        if row.floor in known:
            assert row.start == pytest.approx(known[row.floor], abs=1e-6)


SMALL_GAME = ["--preset", "pig", "--target", "10"]


def run(*words):
    """One of the two commands, without the program around them."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for add in (add_policies, add_floors):
        add(commands)
    arguments = parser.parse_args(words)
    return arguments.run(arguments)


def test_a_rule_that_gives_nothing_away_does_not_give_less_than_nothing_away(capsys):
    """Rounding makes it -1e-16."""
    assert run("policies", "--preset", "pig", "--target", "20") == 0
    out = capsys.readouterr().out
    assert " 0.00 %" in out and "-0" not in out


def test_policies_command(capsys):
    assert run("policies", *SMALL_GAME) == 0
    assert "the best single threshold" in capsys.readouterr().out
    assert run("policies", *SMALL_GAME, "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["rule"] == "bank as soon as allowed"
    assert run("policies", *SMALL_GAME, "--csv") == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["first"]) for row in table] == [row["first"] for row in rows]
    assert run("policies", *SMALL_GAME, "--markdown") == 0
    assert capsys.readouterr().out.startswith("| rule | banks from | keeps |")


def test_floors_command(capsys):
    words = ["floors", *SMALL_GAME, "--bolts-to-penalty", "1", "--bolt-penalty", "1"]
    assert run(*words, "--at=-1,-2", "--csv") == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["floor"] for row in table] == ["-1", "-2"]
    with pytest.raises(RulesError, match="floor"):
        run("floors", "--at=-7")
