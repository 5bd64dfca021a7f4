"""Exact evaluation of policies against an independent exact one, and its limits."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
import reference as ref
from games import NEVER as ENDLESS
from games import SMALL, TINY, once

from solver import PIG, PIGLET, SHARABESHKI, Action, State, StateError
from solver.bellman import Bellman
from solver.ends import kinds, turn_ends
from solver.evaluate import best_response, evaluate
from solver.plans import LIMIT, Plan, decisions, prepare
from solver.positions import Status, positions
from solver.thresholds import NEVER, Case, PolicyError, Thresholds, situations

QUICK = ["coin", "coin_entry", "every_bolt_costs", "entry_beyond_target", "dump_truck"]
QUICK += ["dump_on_penalty", "three_bolts", "must_roll", "split_not_first", "three_dice_all"]


def rules_of_thumb(rules):
    """Rules with every kind of case and of keep, to the measure of a game."""
    step, dice = rules.step, rules.dice
    banks = tuple(step * (2 + left) for left in range(dice))
    twists = (
        Case(bank=NEVER, reaching=(3 * step, 3 * step)),
        Case(bank=0, opponent_score=(2 * step, None), lead=(None, 0)),
        Case(keep="everything", bolts=(1, 1)),
        Case(bank=banks[::-1], keep=tuple(range(0, 2 * step * dice, 2 * step)), entered=False),
        Case(keep="fewest dice", opponent_barrel=True),
        Case(bank=5 * step, barrel=False, opponent_entered=True, score=(0, None)),
    )
    return [
        Thresholds(0),
        Thresholds(2 * step, "fewest dice"),
        Thresholds(banks, tuple(step * left for left in range(dice)), twists),
    ]


def asked(rule, rules):
    """The same policy, as a function."""
    return lambda state, throw: rule(state, throw, rules)


def as_reference(rule, rules):
    """The same policy, as the reference wants it."""

    def policy(me, opponent, total, dice, throw):
        state = State(me[0], opponent[0], total, dice, me[2], opponent[2], me[1], opponent[1])
        action = rule(state, throw, rules)
        return action.dice, action.then

    return policy


def chances(text, rules, one, other):
    """Exact chances of `one` by the reference, by indices."""
    index = positions(rules).index
    exact = ref.evaluate_exact(text, as_reference(one, rules), as_reference(other, rules))
    return {(index[Status(*me)], index[Status(*o)]): float(x) for (me, o), x in exact.items()}


@pytest.mark.parametrize("name", QUICK)
def test_against_the_reference(name):
    rules, text = TINY[name], ref.make(**ref.TINY[name])
    timid, greedy, twisted = rules_of_thumb(rules)
    for one, other in ((twisted, timid), (greedy, twisted)):
        result = evaluate(one, other, rules)
        assert result.error_bound < 1.1e-12
        exact = chances(text, rules, one, other)
        assert len(exact) >= 4
        for position, chance in exact.items():
            assert abs(result.values[position] - chance) <= result.error_bound + 1e-13


@pytest.mark.parametrize("name", ["coin_entry", "barrel_at_nothing", "dump_truck", "all_may_roll"])
def test_functions_play_as_the_rules_that_they_encode(name):
    rules = TINY[name]
    for one in rules_of_thumb(rules):
        other = Thresholds(rules.step)
        by_rule = evaluate(one, other, rules)
        by_asking = evaluate(asked(one, rules), asked(other, rules), rules)
        np.testing.assert_allclose(by_rule.values, by_asking.values, atol=2e-12)
        np.testing.assert_allclose(by_rule.opponent_values, by_asking.opponent_values, atol=2e-12)


@pytest.mark.parametrize("name", TINY)
def test_the_optimum_against_itself(name):
    solution = once(TINY[name], 1e-11)
    result = evaluate(solution, solution, TINY[name])
    np.testing.assert_allclose(result.values, solution.values, atol=2e-11)
    np.testing.assert_allclose(result.opponent_values, solution.values, atol=2e-11)
    assert result.first == pytest.approx(1.0 - result.second, abs=2e-11)


@pytest.mark.parametrize("name", ["coin_entry", "all_may_roll", "dump_truck"])
def test_best_actions_are_a_policy(name):
    rules = TINY[name]
    solution = once(rules, 1e-11)
    result = evaluate(solution.best_action, solution, rules)
    np.testing.assert_allclose(result.values, solution.values, atol=1e-10)


@pytest.mark.parametrize("name", TINY)
def test_no_answer_gains_on_the_optimum(name):
    solution = once(TINY[name], 1e-11)
    answer = best_response(solution, TINY[name], tolerance=1e-10)
    assert answer.error_bound <= 1e-10
    np.testing.assert_allclose(answer.values, solution.values, atol=1.2e-10)


def answer_by_reference(text, rules, rule):
    """Values of the best answer to a rule, by value iteration over the reference's turns."""
    policy, statuses = as_reference(rule, rules), ref.statuses(text)
    pairs = [(me, opponent) for me in statuses for opponent in statuses]
    rows = {pair: ref.outcome_distribution(text, policy, *pair) for pair in pairs}
    x, y = dict.fromkeys(pairs, 0.5), dict.fromkeys(pairs, 0.5)
    change = 1.0
    while change > 1e-13:
        for pair, row in rows.items():
            y[pair] = float(row.get("win", F(0))) + sum(
                float(chance) * (1.0 - x[end[1], end[0]])
                for end, chance in row.items()
                if end != "win"
            )
        new = {pair: ref.Turn(text, lambda me, o: y[me, o], *pair).chance for pair in pairs}
        change = max(abs(new[pair] - x[pair]) for pair in pairs)
        x = new
    return x


@pytest.mark.parametrize("name", ["coin", "coin_entry", "dump_truck"])
def test_best_answer_against_the_reference(name):
    rules, text = TINY[name], ref.make(**ref.TINY[name])
    rule = rules_of_thumb(rules)[2]
    answer = best_response(rule, rules, tolerance=1e-10)
    index = positions(rules).index
    for (me, opponent), chance in answer_by_reference(text, rules, rule).items():
        found = answer.values[index[Status(*me)], index[Status(*opponent)]]
        assert abs(found - chance) <= answer.error_bound + 1e-11


def test_an_answer_is_at_least_as_good_as_the_optimum():
    rules = SMALL["t60"]
    solution = once(rules)
    for rule in (Thresholds(0), Thresholds(30, "fewest dice")):
        plain, answer = evaluate(solution, rule, rules), best_response(rule, rules)
        assert (answer.values >= plain.values - 2e-9).all()
        assert answer.first > plain.first + 1e-4


def test_piglet_by_hand():
    """Hold at 1 against itself, to 2 points. With x[own score, other's]:

    x11 = 1/2 + (1 - x11)/2, x10 = 1/2 + (1 - x01)/2, x01 = (1 - x11)/2 + (1 - x10)/2 and
    x00 = (1 - x01)/2 + (1 - x00)/2.
    """
    held = evaluate(Thresholds(1), Thresholds(1), PIGLET)
    exact = [[F(16, 27), F(2, 9)], [F(8, 9), F(2, 3)]]
    np.testing.assert_allclose(held.values, np.array(exact, dtype=float), atol=1e-12)


def test_pig_by_recurrence():
    """Hold at 20 and at 25, against each other, from how often a turn brings how much."""
    ends = {hold: [turn_of_pig(hold, score) for score in range(100)] for hold in (20, 25)}
    x = {pair: np.full((100, 100), 0.5) for pair in ((20, 25), (25, 20))}
    for _ in range(400):
        for (mine, theirs), values in x.items():
            left = 1.0 - x[theirs, mine].T
            for score, (won, banks) in enumerate(ends[mine]):
                values[score] = won + sum(c * left[to] for to, c in banks.items())
    result = evaluate(Thresholds(20), Thresholds(25), PIG)
    np.testing.assert_allclose(result.values, x[20, 25], atol=1e-11)
    np.testing.assert_allclose(result.opponent_values, x[25, 20], atol=1e-11)


def test_published_answer_to_hold_at_20():
    """58.74 % going first, and 47.76 % left to who holds at 20 and goes first: Neller and Presser
    2004, whose player there plays optimally against that very opponent."""
    answer = best_response(Thresholds(20), PIG)
    assert answer.first == pytest.approx(0.5874, abs=5e-5)
    assert 1 - answer.second == pytest.approx(0.4776, abs=5e-5)


def turn_of_pig(hold, score):
    """The chance to win in this turn, and {score after it: chance}."""
    chance, banks, won = {0: 1.0}, {score: 0.0}, 0.0
    for total in range(hold + 6):
        mass = chance.pop(total, 0.0)
        if score + total >= 100:
            won += mass
        elif total >= hold:
            banks[score + total] = mass
        else:
            banks[score] += mass / 6
            for face in range(2, 7):
                chance[total + face] = chance.get(total + face, 0.0) + mass / 6
    return won, banks


@pytest.mark.parametrize("name", ["must_roll", "three_bolts", "three_dice_all"])
def test_chances_of_a_turn_add_up(name):
    rules = TINY[name]
    for rule in rules_of_thumb(rules):
        plains, which = situations(rule, rules)
        assert which.max() < len(plains)
        for plain in plains:
            ends = turn_ends(rules, plain)
            total = ends.bank.sum(axis=1) + ends.others.sum(axis=1) + ends.win
            np.testing.assert_allclose(total, 1.0, atol=1e-14)
    assert len(kinds(rules)[1]) == len(positions(rules))


def test_chances_of_a_turn_add_up_in_the_default_game():
    for keep in ("everything", "fewest dice", (0, 5, 10, 20, 0)):
        ends = turn_ends(SHARABESHKI, Thresholds((20, 20, 40, 100, 360), keep).plain([]))
        total = ends.bank.sum(axis=1) + ends.others.sum(axis=1) + ends.win
        np.testing.assert_allclose(total, 1.0, atol=1e-13)


def test_start_and_tolerance():
    rules = SMALL["t60"]
    opponent = prepare(once(rules), rules)
    exact = evaluate(Thresholds(25), opponent, rules)
    near = evaluate(Thresholds(30), opponent, rules, tolerance=1e-4)
    assert 0.0 <= near.error_bound <= 1e-4
    again = evaluate(Thresholds(25), opponent, rules, start=near)
    np.testing.assert_allclose(again.values, exact.values, atol=2e-12)
    rough = evaluate(Thresholds(25), opponent, rules, tolerance=1e-3, start=near)
    assert np.abs(rough.values - exact.values).max() <= rough.error_bound
    assert exact.turns.min() > 0.9


def test_thin_copy_is_close(monkeypatch):
    monkeypatch.setattr("solver.plans.LARGE", 0)
    rules = SMALL["t60"]
    plan = prepare(Thresholds(25), rules)
    assert plan.rough is not plan
    x = np.random.default_rng(1).random((len(positions(rules)),) * 2)
    assert np.abs(plan.apply(x) - plan.rough.apply(x)).max() < 0.05


def test_plan_of_a_solution_is_its_bellman_operator():
    rules = SMALL["t80_first"]
    solution = once(rules)
    plan = prepare(solution, rules)
    bellman = Bellman(positions(rules), 1)
    left = 1.0 - plan.apply(solution.values)
    np.testing.assert_allclose(left, bellman.backward(solution.values), atol=1e-13)


def test_limit_is_counted_before_work_starts():
    def never_asked(state, throw):
        raise AssertionError("asked")

    with pytest.raises(PolicyError, match="decisions under these rules, more than 10,000,000"):
        evaluate(never_asked, Thresholds(20))
    assert decisions(SHARABESHKI) > LIMIT >= decisions(PIG)


def test_functions_are_asked_as_often_as_was_counted():
    rules, questions = TINY["must_roll"], []

    def player(state, throw):
        questions.append((state, throw))
        return rules.actions(state, throw)[0]

    prepare(player, rules)
    assert len(set(questions)) == len(questions) <= decisions(rules)


@pytest.mark.parametrize(
    "answer", [Action("bank"), Action("roll"), Action("bust"), Action("keep", (4,), "roll"), None]
)
def test_illegal_answers(answer):
    with pytest.raises(PolicyError, match="must be one of keep"):
        prepare(lambda state, throw: answer, PIG)


def test_other_refusals():
    solution = once(PIGLET)
    with pytest.raises(PolicyError, match="other rules"):
        evaluate(solution, solution, PIG)
    with pytest.raises(PolicyError, match="other rules"):
        prepare(prepare(solution, PIGLET), PIG)
    with pytest.raises(PolicyError, match="3 numbers, but there are 5 dice"):
        prepare(Thresholds((1, 2, 3)))
    with pytest.raises(PolicyError, match="no policy"):
        prepare(20, PIG)
    for bad in (0.0, -1.0, float("nan")):
        with pytest.raises(PolicyError, match="tolerance"):
            evaluate(Thresholds(1), Thresholds(1), PIGLET, tolerance=bad)
        with pytest.raises(PolicyError, match="tolerance"):
            best_response(Thresholds(1), PIGLET, tolerance=bad)
    with pytest.raises(PolicyError, match="not to be had"):
        best_response(Thresholds(1), PIGLET, tolerance=1e-16)


def test_a_game_without_end():
    with pytest.raises(PolicyError, match="may"):
        evaluate(Thresholds(0), Thresholds(0), ENDLESS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Thresholds(2.5), "bank = 2.5"),
        (lambda: Thresholds(True), "bank = True"),
        (lambda: Thresholds(()), "bank = ()"),
        (lambda: Thresholds(20, "most"), "keep = 'most'"),
        (lambda: Thresholds(20, 5), "keep = 5"),
        (lambda: Thresholds(20, (1, "x")), "keep = "),
        (lambda: Case(bank="x"), "bank = 'x'"),
        (lambda: Case(keep=7), "keep = 7"),
        (lambda: Case(keep="everything", reaching=(1, 2)), "not `keep`"),
    ],
)
def test_rules_of_thumb_that_make_no_sense(make, message):
    with pytest.raises(PolicyError) as caught:
        make()
    assert message in str(caught.value)


def test_rule_on_a_state():
    rule = Thresholds((20, 20, 40, 100, 360), "fewest dice", (Case(bank=0, reaching=(545, 550)),))
    assert rule(State(530, 0, 15, 3)) == Action("bank")
    assert rule(State(300, 0, 15, 3)) == Action("roll")
    assert rule(State(530, 0), (1, 5, 1, 2, 3)) == Action("keep", (1, 1), "bank")
    assert rule(State(530, 0), (2, 2, 3, 3, 4)) == Action("bust")
    assert rule(State(990, 0), (1, 2, 2, 3, 4)) == Action("keep", (1,), "win")
    with pytest.raises(StateError):
        rule(State(530, 0), (1, 2))


def test_plans_share_lines():
    plan = prepare(Thresholds(20), SMALL["t60"])
    assert isinstance(plan, Plan)
    assert plan.chances.size < plan.counts.sum() * 16
