"""The search for rules, and the family of the pocket rule."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from charts_games import SMALL, TINY, solved

from solver import PIG, SHARABESHKI, State
from solver.charts import ChartError, pocket_rule
from solver.charts.pocket import PocketChart, of_record
from solver.evaluate import evaluate
from solver.plans import prepare
from solver.pocket import (
    ON_CARD,
    WHEN,
    Pocket,
    Twist,
    around,
    numbers_moved,
    openings,
    pocket_ladder,
    twist_moved,
)
from solver.search import LEAST, Search, asked, beside
from solver.thresholds import EVERYTHING, NEVER, Thresholds

NUMBERS, SPARE = (20, 20, 40, 100, 360), (0, 0, 0, 20, 0)
ROUGH = 3e-6  # how far rough evaluations may be off at the start of a game


@cache
def tiny():
    """What is found for a game of two dice, and how often the search said something."""
    said = []
    ladder = pocket_ladder(solved(TINY), lambda tried, best: said.append((tried, best)))
    return ladder, said


def mean(rule, rules):
    result = evaluate(rule.policy(rules), _best(rules), rules, tolerance=1e-10)
    return (result.first + result.second) / 2


@cache
def _best(rules):
    return prepare(solved(rules), rules)


def banks(twist, state, throw, rules=SHARABESHKI):
    """Whether a rule with one exception banks after a throw."""
    rule = Pocket(NUMBERS, EVERYTHING, (twist,)).policy(rules)
    return rule(State.parse(state), throw, rules).then == "bank"


# ------------------------------------------------------------------------------------ the search


def test_a_search_tries_each_rule_once():
    said = []
    search = Search(solved(TINY), lambda *at: said.append(at))
    rule, worse = Thresholds(10), Thresholds(0)
    first = search.mean(rule)
    assert search.mean(rule) == first
    assert search.mean(worse) < first
    assert said == [(1, first), (2, first)]
    exact = search.chances(rule)
    assert first == pytest.approx((exact.first + exact.second) / 2, abs=ROUGH)


def test_a_climb_ends_where_no_neighbour_is_better():
    rules = TINY
    search = Search(solved(rules))
    found = search.several(EVERYTHING, (0,) * rules.dice)
    best = search.mean(Thresholds(found))
    for numbers in beside(found[: asked(rules)], (rules.step,), 100):
        assert search.mean(Thresholds(numbers + found[asked(rules) :])) <= best + LEAST
    assert search.mean(Thresholds(search.single(EVERYTHING))) <= best + LEAST


def test_a_climb_goes_on_with_a_move_that_helped():
    search = Search(solved(TINY))
    tried = []

    def rule(numbers):
        tried.append(numbers)
        return Thresholds(numbers)

    search.mean = lambda rule: min(rule.bank) + rule.bank[1] / 100
    search.climb((0, 0), lambda numbers: [(min(n + 1, 3), n) for n in numbers][:0], rule)
    assert tried == [(0, 0)]
    tried.clear()
    assert search.climb((0, 1), lambda n: [(n[0], n[1] - 1), (min(n[0] + 1, 4), 9)], rule) == (4, 9)
    assert tried[1] == (0, 0)  # the first move is tried, and does not help
    assert (3, 9) in tried
    assert tried.count((1, 8)) == 0  # the second is tried again first


def test_numbers_beside_others_stay_in_bounds():
    found = list(beside((0, 5), (5, 10), 12))
    assert len(found) == 8
    assert {number for pair in found for number in pair} <= set(range(13))


# ------------------------------------------------------------------------------------ the family


@pytest.mark.parametrize(
    ("twist", "state", "throw", "with_it", "without"),
    [
        (Twist("dump", 10), "540e:0e", (1, 2, 2, 3, 6), True, False),  # would be at 550
        (Twist("dump", 10), "545e:0e", (1, 1, 2, 3, 6), True, False),  # at 565
        (Twist("dump", 5), "545e:0e", (1, 1, 2, 3, 6), False, False),
        (Twist("dump", 10, 15), "540e:0e", (1, 2, 2, 3, 6), False, False),  # 10 is not enough
        (Twist("dump", 15, 15), "530e:0e", (1, 5, 2, 3, 6), True, False),
        (Twist("dump", 15, 60), "530e+20d3:0e", (1, 2, 3), True, True),  # none is higher
        (Twist("short_of_barrel", 10), "180e:0e", (1, 2, 2, 3, 6), True, False),  # at 190
        (Twist("short_of_barrel", 10), "885e:0e", (1, 2, 2, 3, 6), True, False),  # at 895
        (Twist("short_of_barrel", 10), "190e:0e", (1, 2, 2, 3, 6), False, False),  # at 200
        (Twist("into_barrel", by=40), "190e+20d2:0e", (1, 3), False, True),  # 30 points
        (Twist("into_barrel", by=40), "170e+30d2:0e", (1, 3), True, True),  # 40 points
        (Twist("on_barrel", by=-20), "250e+40d5:0e", (1, 3, 3, 2, 4), False, False),  # not out
        (Twist("on_barrel", by=-20), "250e+70d5:0e", (1, 3, 3, 2, 4), True, False),
        (Twist("opponent_near", 900, NEVER), "0e+20d2:900e", (1, 3), False, True),
        (Twist("opponent_near", 900, NEVER), "0e+20d2:895e", (1, 3), True, True),
        (Twist("behind", 100, 20), "0e+20d2:100e", (1, 3), False, True),
        (Twist("behind", 100, 20), "0e+20d2:95e", (1, 3), True, True),
        (Twist("ahead", 100, -10), "100e+0d5:0e", (1, 1, 1, 2, 3), True, True),
        (Twist("ahead", 100, -10), "100e+10d3:0e", (5, 2, 3), True, False),
        (Twist("last_bolt", by=-10), "0eb2+10d3:0e", (5, 2, 3), True, False),
        (Twist("last_bolt", by=-10), "0eb1+10d3:0e", (5, 2, 3), False, False),
        (Twist("outside", by=60), "0n+60d2:0e", (1, 3), False, True),
        (Twist("opponent_outside", by=20), "0e+20d2:0n", (1, 3), False, True),
    ],
)
def test_what_exceptions_do(twist, state, throw, with_it, without):
    assert banks(twist, state, throw) is with_it
    plain = Pocket(NUMBERS).policy(SHARABESHKI)
    assert (plain(State.parse(state), throw).then == "bank") is without


def test_the_first_exception_that_applies_counts():
    both = (Twist("ahead", 100, 200), Twist("dump", 10))
    rule = Pocket(NUMBERS, EVERYTHING, both).policy(SHARABESHKI)
    assert str(rule(State.parse("540e:0e"), (1, 2, 2, 3, 6))) == "keep 1, bank"
    assert rule == Pocket(NUMBERS, EVERYTHING, both[::-1]).policy(SHARABESHKI)


def test_numbers_to_remember():
    assert Pocket(NUMBERS).numbers(SHARABESHKI) == 3  # 20, 40, 100; nobody is asked with 5 dice
    assert Pocket(NUMBERS, SPARE).numbers(SHARABESHKI) == 4
    twists = (Twist("dump", 10), Twist("behind", 100, 20), Twist("opponent_near", 900, NEVER))
    assert Pocket(NUMBERS, SPARE, twists).numbers(SHARABESHKI) == 8
    assert Pocket(NUMBERS, SPARE, twists).without(twists[1]).numbers(SHARABESHKI) == 6


def test_exceptions_are_those_that_the_rules_know():
    assert [twist.kind for twist in openings(SHARABESHKI)] == list(WHEN)
    assert [twist.kind for twist in openings(PIG)] == ["opponent_near", "behind", "ahead"]


def test_rules_beside_a_rule():
    rules = SHARABESHKI
    rule = Pocket(NUMBERS, SPARE, tuple(openings(rules))[:ON_CARD])
    found = list(around(rules, rule))
    assert all(len(other.twists) <= ON_CARD for other in found)
    assert {len(other.twists) for other in found} == {ON_CARD - 1, ON_CARD}
    kinds = {twist.kind for other in found for twist in other.twists}
    assert kinds == set(WHEN)
    for other in found:
        other.policy(rules).check(rules)
    fewer = rule.without(rule.twists[0])
    assert max(len(other.twists) for other in around(rules, fewer)) == ON_CARD
    assert len(list(numbers_moved(rules, replace(rule, keep=EVERYTHING)))) == 32
    never = replace(rule, twists=(Twist("behind", 100, NEVER),))
    moved = {twist.by for other in twist_moved(rules, never, never.twists[0])
             for twist in other.twists}  # fmt: skip
    assert NEVER in moved
    assert all(by == NEVER or abs(by) < 100 for by in moved)


# ---------------------------------------------------------------------------------- what is found


def test_the_rule_is_a_local_optimum():
    ladder, said = tiny()
    card = ladder.rungs[ladder.card].rule
    best = mean(card, TINY)
    assert 0 < len(card.twists) <= ON_CARD
    for other in around(TINY, card):
        assert mean(other, TINY) <= best + LEAST + ROUGH
    assert [tried for tried, _ in said] == list(range(1, ladder.evaluations + 1))
    assert said[-1][1] == pytest.approx(0.5 - min(rung.cost for rung in ladder.rungs), abs=2e-3)


def test_rungs_are_what_evaluations_say():
    ladder, _ = tiny()
    names = [rung.name for rung in ladder.rungs]
    assert names[:3] == ["asap", "single", "dice"]
    for rung in ladder.rungs:
        result = evaluate(rung.rule.policy(TINY), _best(TINY), TINY)
        assert (rung.first, rung.second) == pytest.approx((result.first, result.second), abs=1e-11)
        assert rung.cost == pytest.approx(0.5 - mean(rung.rule, TINY), abs=1e-9)
        assert rung.cost > 0
    costs = [rung.cost for rung in ladder.rungs]
    assert costs == sorted(costs, reverse=True)


def test_what_exceptions_are_worth():
    ladder, _ = tiny()
    card = ladder.rungs[ladder.card]
    assert len(ladder.worths) == len(card.rule.twists)
    for twist, worths in zip(card.rule.twists, ladder.worths, strict=True):
        less = mean(card.rule.without(twist), TINY)
        assert sum(worths) / 2 == pytest.approx(mean(card.rule, TINY) - less, abs=1e-9)
        assert sum(worths) > 0


# ---------------------------------------------------------------------------------- on record


def record_of(solution):
    chart = pocket_rule(solution)
    assert json.loads(chart.json())["rules"] == SHARABESHKI.digest
    return chart


def test_the_rule_on_record(default_solution):
    chart = record_of(default_solution)
    assert chart.ladder.evaluations >= 300
    assert len(chart.rule.twists) <= ON_CARD
    assert chart.optimal == pytest.approx(default_solution.start, abs=1e-9)
    costs = [rung.cost for rung in chart.ladder.rungs]
    assert costs == sorted(costs, reverse=True)
    assert of_record(default_solution, json.loads(chart.json())).json() == chart.json()


def test_other_games_have_none_on_record():
    with pytest.raises(ChartError, match="look for one with --search"):
        pocket_rule(solved(SMALL))


@pytest.mark.slow
def test_the_rule_on_record_is_what_evaluations_say(default_solution):
    """Every number that is stored, against an evaluation of today."""
    chart: PocketChart = record_of(default_solution)
    search = Search(default_solution)
    for rung in chart.ladder.rungs:
        result = search.chances(rung.rule.policy(SHARABESHKI), 1e-9)
        assert (rung.first, rung.second) == pytest.approx((result.first, result.second), abs=1e-9)
    for twist, first, second in chart.twists:
        result = search.chances(chart.rule.without(twist).policy(SHARABESHKI), 1e-9)
        assert chart.rung.first - result.first == pytest.approx(first, abs=1e-9)
        assert chart.rung.second - result.second == pytest.approx(second, abs=1e-9)


@pytest.mark.long
def test_the_rule_on_record_is_a_local_optimum(default_solution):
    """Every rule beside it, by a rough evaluation."""
    chart = record_of(default_solution)
    search = Search(default_solution)
    best = search.mean(chart.rule.policy(SHARABESHKI))
    for other in around(SHARABESHKI, chart.rule):
        assert search.mean(other.policy(SHARABESHKI)) <= best + LEAST + ROUGH
