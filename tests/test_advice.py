"""Advice: the value of every action, the best of them, ties, and hold/roll tables.

Solutions with made-up values between turns serve where only the way from them to the advice is
tested: on the default game this needs no solve.
"""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import oracles
import pytest
import reference as ref
import strategies as some
from games import SMALL, TINY, made_up, once, pig, solved, some_pairs, thinned
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver import (
    PIG,
    PIGLET,
    SHARABESHKI,
    Action,
    Rules,
    RulesError,
    Solution,
    State,
    StateError,
)
from solver.moves import reachable
from solver.positions import Status, positions


@cache
def linear(rules: Rules) -> Solution:
    """Values under which points are all that counts: a turn is worth what it adds, over target."""
    scores = np.array([status.score for status in positions(rules).statuses])
    values = np.tile(1 - scores / rules.target, (len(scores), 1))
    return Solution(rules, values, 0.0, 0, 0, 0)


def value_of(solution: Solution) -> Any:
    """The values between turns as the reference asks for them."""
    index, values = solution.positions.index, solution.values
    return lambda me, opponent: float(values[index[me], index[opponent]])


def named(options: dict[Any, float]) -> dict[str, float]:
    """What the reference says of a throw, with actions as text."""
    return {
        "bust" if key == "bust" else f"keep {' '.join(map(str, key[0]))}, {key[1]}": value
        for key, value in options.items()
    }


def texts(ranked: list[tuple[Action, float]]) -> dict[str, float]:
    return {str(action): value for action, value in ranked}


# ------------------------------------------------------------------------- against the reference


@pytest.mark.parametrize("name", [*TINY, "t80_first"])
def test_values_of_every_throw_are_the_references(name: str) -> None:
    rules = (TINY | SMALL)[name]
    solution = made_up(rules)
    few = 3 if rules.dice > 3 else 12
    for me, opponent in some_pairs(rules, few):
        for total, dice in thinned(sorted(reachable(rules, me.score)), 6):
            state = some.state_of(me, opponent, total, dice)
            for throw in thinned(ref.throws(dice, rules), 30):
                known = ref.throw_values(
                    rules, value_of(solution), me, opponent, total, dice, throw
                )
                found = texts(solution.action_values(state, throw))
                assert found == pytest.approx(named(known), abs=1e-13)


@pytest.mark.parametrize("name", [*TINY, "t80_first"])
def test_values_before_a_throw_are_the_references(name: str) -> None:
    rules = (TINY | SMALL)[name]
    solution = made_up(rules)
    for me, opponent in some_pairs(rules, 12):
        for (total, dice), known in ref.turn(rules, value_of(solution), me, opponent).items():
            if total:
                state = some.state_of(me, opponent, total, dice)
                found = texts(solution.action_values(state))
                assert found == pytest.approx(known, abs=1e-13)
                assert solution.win_probability(state) == max(found.values())


DEFAULT = [
    ("195+15d2:905", None), ("530+60d2:0n", (3, 4)), ("690eb2:0nb2", (2, 6, 1, 2, 1)),
    ("0n+45d3:0", (5, 1, 2)), ("550e:990eb2", (5, 2, 2, 3, 5)), ("990:0", (1, 2, 2, 3, 6)),
    ("255+40d2:300", (5, 2)), ("-300nb2:995", (2, 2, 3, 3, 6)), ("900+95d1:560", (1,)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "throw"), DEFAULT)
def test_values_in_the_default_game_are_the_references(text: str, throw: Any) -> None:
    solution = made_up(SHARABESHKI)
    state = SHARABESHKI.check(State.parse(text))
    me = Status(state.score, state.entered is True, state.bolts)
    opponent = Status(state.opponent_score, state.opponent_entered is True, state.opponent_bolts)
    cell: Any = (state.turn_total, state.dice_left)
    found = texts(solution.action_values(state, throw))
    turn = ref.Turn(SHARABESHKI, value_of(solution), me, opponent, cell)
    known = turn.thens[cell] if throw is None else named(turn.options(*cell, throw))
    assert found == pytest.approx(known, abs=1e-13)


# ------------------------------------------------------------------------------ an answer always

SCORES = [195, 295, 530, 550, 895, 995, -45, *(555 - 5 * k for k in range(1, 12))]
PLAYERS = [Status(score, True, bolts) for score in sorted(set(SCORES)) for bolts in range(3)] + [
    Status(-50 * k, False, bolts) for k in range(7) for bolts in range(3)
]


@pytest.mark.parametrize("dice", range(1, 6))
def test_every_throw_gets_an_answer(dice: int) -> None:
    """All distinct throws in all situations in which other programs broke down."""
    solution, index = made_up(SHARABESHKI), positions(SHARABESHKI).index
    opponents = thinned(positions(SHARABESHKI).statuses, len(PLAYERS))
    for place, (me, opponent) in enumerate(zip(PLAYERS, opponents, strict=False)):
        assert me in index
        totals = sorted(t for t, left in reachable(SHARABESHKI, me.score) if left == dice)
        if not totals:
            assert me.score == 995  # all that scores wins
            continue
        state = some.state_of(me, opponent, totals[place % len(totals)], dice)
        for throw in ref.throws(dice, SHARABESHKI):
            best = solution.best_action(state, throw)
            assert best.kind == ("keep" if solver.keeps(throw) else "bust")
            assert 0 <= solution.win_probability(state, throw) <= 1
        assert solution.best_action(state) in SHARABESHKI.actions(state)


@given(st.data())
def test_the_answer_is_legal_and_best(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([SHARABESHKI, SMALL["t100_scaled"], *TINY.values()]))
    state, throw = data.draw(some.decisions(rules))
    solution = made_up(rules)
    ranked = solution.action_values(state, throw)
    assert {action for action, _ in ranked} == set(rules.actions(state, throw))
    assert len({action for action, _ in ranked}) == len(ranked)
    assert all(math.isfinite(value) and 0 <= value <= 1 for _, value in ranked)
    values = [value for _, value in ranked]
    assert values == pytest.approx(sorted(values, reverse=True), abs=solution.adviser.tie)
    assert solution.best_action(state, throw) == ranked[0][0]
    assert solution.win_probability(state, throw) == max(values)
    assert values[0] >= max(values) - solution.adviser.tie


@given(st.data())
def test_the_order_of_the_dice_thrown_does_not_matter(data: st.DataObject) -> None:
    solution = made_up(SHARABESHKI)
    state = data.draw(some.states(SHARABESHKI))
    assert state.dice_left is not None
    throw = data.draw(some.throws_of(SHARABESHKI, state.dice_left))
    again = data.draw(some.shuffled(throw))
    assert solution.action_values(state, throw) == solution.action_values(state, again)
    assert solution.best_action(state, np.array(again)) == solution.best_action(state, iter(throw))


@pytest.mark.parametrize("name", [*TINY, *SMALL])
@settings(max_examples=15)
@given(data=st.data())
def test_rolling_is_worth_the_mean_of_its_throws(name: str, data: st.DataObject) -> None:
    rules = (TINY | SMALL)[name]
    solution = once(rules)
    state = data.draw(some.states(rules))
    assert state.dice_left is not None
    mean = sum(
        outcomes * solution.win_probability(state, throw)
        for throw, outcomes in ref.throws(state.dice_left, rules).items()
    )
    rolled = texts(solution.action_values(state))["roll"]
    assert rolled == pytest.approx(mean / rules.sides**state.dice_left, abs=2e-9)


@pytest.mark.parametrize("name", ["dump_on_penalty", "three_bolts", "t100_scaled"])
@settings(max_examples=30)
@given(data=st.data())
def test_an_action_is_worth_what_it_leads_to(name: str, data: st.DataObject) -> None:
    """The transitions of `apply` and the values of `action_values` tell one story."""
    rules = (TINY | SMALL)[name]
    solution = once(rules)
    state, throw = data.draw(some.decisions(rules))
    for action, value in solution.action_values(state, throw):
        after = rules.apply(state, action, throw)
        if action.then == "win":
            assert value == 1.0
        elif "roll" in (action.kind, action.then):
            assert value == texts(solution.action_values(after))["roll"]
        else:
            assert value == pytest.approx(1 - solution.win_probability(after), abs=1e-15)


# ------------------------------------------------------------------------------- known policies


def test_when_to_bank_in_pig_at_41_to_49() -> None:
    solution = once(pig(100))
    known: Any = oracles.PIG_100_AT_41_49
    state = State(41, 49)
    for total in range(2, 51):  # from 57 on one throw wins with a chance of 5/6
        best = str(solution.best_action(replace(state, turn_total=total)))
        if total in known["bank"] or total >= known["bank_from"]:
            assert best == "bank", total
        elif total in known["roll"]:
            assert best == "roll", total


def test_hold_at_20_is_a_tie_at_20_and_ties_are_banked() -> None:
    """For points alone: a roll adds 20/6 on average and loses 20 with a chance of 1/6."""
    solution = linear(pig(500))
    for score in range(0, 300, 7):
        table = solution.hold_roll_table(State(score, 250))
        row = {total: k for k, total in enumerate(table.turn_totals)}
        assert table.roll[row[20], 0] == pytest.approx(table.bank[row[20], 0], abs=1e-14)
        for total in range(2, 40):
            action = "roll" if total < 20 else "bank"
            assert str(solution.best_action(State(score, 250, total))) == action
            assert table.action[row[total], 0] == action


def test_a_turn_of_pig_is_worth_eight_points() -> None:
    """Busts count: not the 21.68 that is the mean over turns that bring anything."""
    rules = pig(500)
    solution = linear(rules)
    places = solution.positions
    rolls, _ = solution.adviser.turns(places.start, [places.start])
    assert rolls[0, 0, 0] * 500 == pytest.approx(oracles.HOLD_AT_20, abs=1e-9)


@pytest.mark.parametrize(("set_aside", "hot_dice"), oracles.BEST_TURN)
def test_the_most_points_of_one_turn(set_aside: str, hot_dice: str) -> None:
    rules = Rules(
        target=3000, entry=0, barrels=(), dump_trucks=(), floor=0, bolts_to_penalty=0,
        set_aside=set_aside, hot_dice=hot_dice,
    )  # fmt: skip
    solution = linear(rules)
    rolls, _ = solution.adviser.turns(solution.positions.start, [solution.positions.start])
    known = oracles.BEST_TURN[set_aside, hot_dice]
    assert rolls[0, 0, 4] * 3000 == pytest.approx(known, abs=1e-8)


@pytest.mark.slow
def test_the_default_game_gives_an_answer_everywhere(default_solution: Solution) -> None:
    draw = random.Random(5)
    statuses = default_solution.positions.statuses
    for _ in range(3000):
        me, opponent = draw.choice(statuses), draw.choice(statuses)
        total, dice = draw.choice(sorted(reachable(SHARABESHKI, me.score)))
        state = some.state_of(me, opponent, total, dice)
        throw = [draw.randint(1, 6) for _ in range(dice)]
        assert 0 < default_solution.win_probability(state, throw) <= 1
        assert 0 < default_solution.win_probability(state) < 1


# ----------------------------------------------------------------------------------------- ties


def documented(throw: tuple[int, ...] | None, action: Action, rules: Rules) -> Any:
    """The order among equals: bank first; more points; more dice left; the smaller multiset."""
    points = solver.keeps(throw, rules).get(action.dice, 0) if throw else 0
    return "roll" in (action.kind, action.then), -points, len(action.dice), action.dice


TIED = {
    "the default": SHARABESHKI,
    "may roll": Rules(hot_dice="may_roll"),
    "equal points": Rules(
        barrels=(), dump_trucks=(), combinations={(1, 2): 5, (2, 3): 5, (3,): 5, (1, 1, 4): 5}
    ),
}


@pytest.mark.parametrize("name", TIED)
@pytest.mark.parametrize("text", ["0+60d4:0", "300+60d3:0", "0e:0", "300+100d5:0", "0n+60d4:0"])
def test_equals_are_ranked_in_the_documented_order(name: str, text: str) -> None:
    """With a tolerance so large that all that a player may do is equal."""
    rules = TIED[name]
    solution = made_up(rules, error_bound=0.3)
    state = State.parse(text)
    if (state.turn_total, state.dice_left or 5) not in reachable(rules, state.score):
        pytest.skip("this table does not make this total")
    for throw in [None, *ref.throws(state.dice_left or 5, rules)]:
        actions = rules.actions(state, throw)
        expected = sorted(actions, key=lambda action: documented(throw, action, rules))
        assert [action for action, _ in solution.action_values(state, throw)] == expected
        assert solution.best_action(state, throw) == expected[0]


def test_what_is_not_equal_is_ranked_by_value() -> None:
    solution = made_up(SHARABESHKI, error_bound=0.0)
    for throw in ref.throws(4, SHARABESHKI):
        values = [v for _, v in solution.action_values(State(300, 0, 60, 4), throw)]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("bound", [None, 0.0, 1e-12, 1e-9, 1e-3])
def test_ties_reach_beyond_twice_the_error_bound(bound: float | None) -> None:
    """Two values that are each off by the bound may be equal in truth."""
    solution = replace_bound(PIGLET, bound)
    assert solution.adviser.tie > 2 * (bound or 0.0)
    assert solution.adviser.tie >= 1e-12


def replace_bound(rules: Rules, bound: float | None) -> Solution:
    return Solution(rules, once(rules).values.copy(), bound, 0, 0, 0)


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_rounding_never_decides_between_equals(name: str) -> None:
    """Values of two solves differ in their last digits; the advice does not."""
    rules = (TINY | SMALL)[name]
    ways = [once(rules), solved(rules, 1e-10), solved(rules, 1e-11)]
    draw = random.Random(2)
    for _ in range(60):
        me, opponent = draw.choices(positions(rules).statuses, k=2)
        total, dice = draw.choice(sorted(reachable(rules, me.score)))
        state = some.state_of(me, opponent, total, dice)
        for throw in (None, [draw.randint(1, rules.sides) for _ in range(dice)]):
            ranked = ways[0].action_values(state, throw)
            gaps = [ranked[0][1] - value for _, value in ranked[1:]]
            if all(gap < 1e-10 or gap > 1e-8 for gap in gaps):
                assert len({way.best_action(state, throw) for way in ways}) == 1


# ------------------------------------------------------------------------------ hold/roll tables


def forced_by(rules: Rules, me: Status, total: int, dice: int) -> str:
    """Why a player cannot choose, from the reference's rules; empty if he can."""
    if total == 0:
        return "first roll"
    if ref.what_happens(rules, me, total) == "dump":
        return "dump truck"
    if ref.may_bank(rules, me, total, dice):
        return ""
    if ref.may_bank(replace(rules, hot_dice="may_roll"), me, total, dice):
        return "hot dice"
    return "barrel" if me.entered else "entry"


def check_table(solution: Solution, me: Status, opponent: Status) -> None:
    """Every cell of a table against the reference: which occur, what they hold, what is best."""
    rules = solution.rules
    table = solution.hold_roll_table(some.state_of(me, opponent))
    turn = ref.Turn(rules, value_of(solution), me, opponent)
    occur = {cell for cell, thens in turn.thens.items() if "win" not in thens}
    assert list(table.turn_totals) == sorted({total for total, _ in occur})
    assert table.dice == tuple(range(1, rules.dice + 1))
    assert table.state == some.state_of(me, opponent, 0, rules.dice)
    assert table.value.shape == (len(table.turn_totals), rules.dice)
    for (row, total), dice in itertools.product(enumerate(table.turn_totals), table.dice):
        place = row, dice - 1
        action, forced = str(table.action[place]), str(table.forced[place])
        roll, bank, value = table.roll[place], table.bank[place], table.value[place]
        if (total, dice) not in occur:
            assert (action, forced) == ("", "") and np.isnan([roll, bank, value]).all()
            continue
        assert forced == forced_by(rules, me, total, dice)
        known = turn.thens[total, dice]
        if total:
            assert roll == pytest.approx(known.get("roll", known.get("dump")), abs=1e-13)
            assert value == pytest.approx(turn.best[total, dice], abs=1e-13)
        else:  # what the solution says of the position itself
            assert roll == value == value_of(solution)(me, opponent)
        if "bank" in known:
            assert bank == pytest.approx(known["bank"], abs=1e-13)
            assert action == ("bank" if bank >= roll - solution.adviser.tie else "roll")
        else:
            assert np.isnan(bank) and action == ("dump" if "dump" in known else "roll")
        if "dump" not in known:
            state = some.state_of(me, opponent, total, dice)
            assert action == str(solution.best_action(state))


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_hold_roll_tables_cell_by_cell(name: str) -> None:
    rules = (TINY | SMALL)[name]
    for me, opponent in some_pairs(rules, 4 if rules.dice > 3 else 25):
        check_table(made_up(rules), me, opponent)


@pytest.mark.parametrize("score", [530, 550, 555, 895])
def test_hold_roll_tables_of_the_default_game(score: int) -> None:
    """At 555 itself, where a penalty may have put a player; and below it, where cells dump."""
    check_table(made_up(SHARABESHKI), Status(score, True, 1), Status(700, True, 0))


def test_a_table_shows_how_a_dump_truck_can_be_hit_and_no_other_way() -> None:
    """25 more points are never made with one die, 5 never with two."""
    for score, ways in ((550, [4]), (545, [3, 4]), (530, [1, 2, 5])):
        table = made_up(SHARABESHKI).hold_roll_table(State(score, 0))
        row = table.turn_totals.index(555 - score)
        assert [d for d in table.dice if table.action[row, d - 1] == "dump"] == ways


def test_a_table_is_for_the_position_whatever_has_been_thrown() -> None:
    solution = made_up(SHARABESHKI)
    one, other = (solution.hold_roll_table(State.parse(t)) for t in ("195:540", "195+60d2:540"))
    assert one.state == other.state and one.turn_totals == other.turn_totals
    np.testing.assert_array_equal(one.value, other.value)


# ------------------------------------------------------------------------------------ bad input

ODD: list[Any] = [None, 123, "0:0", 1.5, [0], {}]
WAYS = ("best_action", "action_values", "win_probability")


@pytest.mark.parametrize("way", [*WAYS, "hold_roll_table"])
@pytest.mark.parametrize("text", ["1000:0", "0:1000", "1250:0", "7:0", "0:-305", "0b3:0", "50n:0"])
def test_nothing_is_advised_where_there_is_nothing_to_decide(way: str, text: str) -> None:
    """Finished games, and states that the rules do not have."""
    with pytest.raises(StateError) as caught:
        getattr(made_up(SHARABESHKI), way)(State.parse(text))
    assert text.split(":", maxsplit=1)[0] in str(caught.value)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["990+10d4:0", "530e+25d2:0", "0+5d3:0", "0d3:0"])
def test_nothing_is_advised_in_turns_that_cannot_be(way: str, text: str) -> None:
    with pytest.raises(StateError, match=r"the turn has ended|cannot come up"):
        getattr(made_up(SHARABESHKI), way)(State.parse(text))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "throw", [(), (1,), (1, 2, 3), (1, 7), (0, 1), (True, 2), (1, 2.5), "12", ([1], 2), (None, 1)]
)
def test_throws_that_cannot_be_are_refused_even_after_ones_that_can(way: str, throw: Any) -> None:
    """True is 1 to a cache; it is no face."""
    solution, state = made_up(SHARABESHKI), State(0, 0, 60, 2)
    assert solution.best_action(state, (1, 2))
    with pytest.raises(StateError, match="throw"):
        getattr(solution, way)(state, throw)


@pytest.mark.parametrize("way", [*WAYS, "hold_roll_table"])
@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_state_is_named(way: str, odd: Any) -> None:
    with pytest.raises(StateError, match=re.escape(repr(odd))):
        getattr(made_up(SHARABESHKI), way)(odd)
    with pytest.raises(StateError, match=re.escape(repr(odd))):
        getattr(solver, way)(odd, rules=PIGLET)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_throw_is_named(way: str) -> None:
    with pytest.raises(StateError, match="throw 5: must be a series of faces"):
        getattr(made_up(SHARABESHKI), way)(State(), 5)


@pytest.mark.parametrize("way", [*WAYS, "hold_roll_table"])
@pytest.mark.parametrize("odd", [None, 123, "pig", 1.5, [0], {}])
def test_what_is_no_rules_is_named(way: str, odd: Any) -> None:
    with pytest.raises(RulesError, match=re.escape(repr(odd))):
        getattr(solver, way)(State(), rules=odd)


# ------------------------------------------------------------------------------------- odds, ends


def calls(ask: Any, *arguments: Any) -> int:
    """Calls of functions, Python's and others', that an answer takes."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        ask(*arguments)
    finally:
        sys.setprofile(None)
    return count


def test_answers_cost_no_more_work_than_they_did() -> None:
    """Counts, which unlike times are the same on every machine; a call takes about 0.3 us."""
    solution = made_up(SHARABESHKI, error_bound=2e-9)
    solution.hold_roll_table(State(190, 540))  # fills the tables that answers share
    for state, throw, most in (
        (State(195, 540, 60, 2), None, 150),
        (State(200, 540), (1, 1, 5, 2, 3), 320),
        (State(200, 540), (1, 1, 5, 2, 3), 25),
    ):
        assert calls(solution.best_action, state, throw) <= most
    assert calls(solution.hold_roll_table, State(205, 540)) <= 300


def test_the_package_is_imported_without_what_few_need() -> None:
    heavy = "scipy matplotlib rich fractions decimal json tomllib hashlib zipfile argparse csv"
    code = (
        "import sys, numpy; old = set(sys.modules); import solver; print(*set(sys.modules) - old)"
    )
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & set(heavy.split())


@pytest.mark.parametrize("copied", [lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy])
def test_a_solution_can_be_pickled_before_and_after_it_was_asked(copied: Any) -> None:
    fresh = Solution(PIG, made_up(PIG).values, 1e-9, 0, 0, 0)
    for _ in range(2):
        other, state = copied(fresh), State(20, 30, 15)
        assert other.rules == PIG and other.positions is fresh.positions
        assert other.action_values(state) == fresh.action_values(state)
        np.testing.assert_array_equal(other.values, fresh.values)
    assert len(pickle.dumps(fresh)) < 1.2 * fresh.values.nbytes


def test_answers_belong_to_the_caller() -> None:
    solution, state = made_up(SHARABESHKI), State(300, 0, 60, 2)
    first = solution.action_values(state)
    first.clear()
    assert len(solution.action_values(state)) == 2


def test_threads_may_ask_at_once() -> None:
    """Each works in room of its own."""
    rules = SMALL["t60"]
    states = [some.state_of(me, opp) for me in positions(rules).statuses for opp in PLAYERS[-3:]]
    states = [state for state in states if state.opponent_score >= rules.floor][:150]
    alone = [made_up(rules).hold_roll_table(state).value for state in states]
    fresh = Solution(rules, made_up(rules).values, 1e-9, 0, 0, 0)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda state: fresh.hold_roll_table(state).value, states)
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one, other)


def test_the_module_answers_as_the_solution_does() -> None:
    solution = once(replace(PIGLET, target=3))
    rules, state = solution.rules, State(1, 0, 1)
    assert solver.best_action(state, rules=rules) == solution.best_action(state)
    assert solver.best_action(state, (1,), rules) == Action("bust")
    assert texts(solver.action_values(state, (2,), rules)) == {"keep 2, win": 1.0}
    assert solver.win_probability(state, rules=rules) == pytest.approx(
        solution.win_probability(state), abs=2e-9
    )
    table = solver.hold_roll_table(State(0, 0), rules)
    assert table.turn_totals == (0, 1, 2) and table.dice == (1,)


def test_pig_is_won_when_the_target_is_on_the_table() -> None:
    best = once(pig(100)).best_action(State(95, 0, turn_total=4), (3,))
    assert best == Action("keep", (3,), "win")
    assert str(once(PIG).best_action(State(0, 0, 3), (1,))) == "bust"
