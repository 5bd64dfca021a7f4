"""The proof of the error bound: what it accepts is true, and what is not true it refuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import reference as ref
import strategies as some
import twin
from games import NEVER, SMALL, TINY, as_fractions, exact_array, once, pig, solved, thinned
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import PIG, PIGLET, SHARABESHKI, Rules, SolveError
from solver.bellman import Bellman
from solver.certificate import Bounds, Certificate, excess, image, rounding
from solver.positions import positions
from solver.solve import verify

GAMES = TINY | SMALL


# -------------------------------------------------------------------------------- verification


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_is_verified_from_its_rules_and_values(name: str) -> None:
    solution = once(GAMES[name])
    assert solution.error_bound is not None
    found = verify(solution.rules, solution.values, solution.error_bound, threads=1)
    assert found.holds and not found.open_at.any()
    assert 0 < found.error_bound <= solution.error_bound
    assert found.residual <= found.error_bound


@pytest.mark.parametrize("name", TINY)
def test_exact_values_are_verified(name: str) -> None:
    solution = once(TINY[name])
    values = exact_array(TINY[name], solution).astype(float)
    found = verify(TINY[name], values, 1e-11, threads=1)
    assert found.holds and found.residual < 1e-14


@pytest.mark.parametrize("by", [1e-6, -1e-6])
@pytest.mark.parametrize("name", TINY)
def test_any_single_value_off_by_a_millionth_is_caught(name: str, by: float) -> None:
    solution = once(TINY[name])
    for place in thinned(np.ndindex(solution.values.shape), 30):
        values = solution.values.copy()
        values[place] += by
        with pytest.raises(SolveError, match="is not confirmed"):
            verify(solution.rules, values, solution.error_bound, threads=1)


@pytest.mark.parametrize("name", SMALL)
def test_any_value_of_a_larger_game_off_by_a_millionth_is_caught(name: str) -> None:
    solution = once(SMALL[name])
    random = np.random.default_rng(7)
    for place in random.integers(0, len(solution.positions), (6, 2)):
        values = solution.values.copy()
        values[tuple(place)] += 1e-6 * random.choice((-1, 1))
        with pytest.raises(SolveError, match="is not confirmed"):
            verify(solution.rules, values, solution.error_bound, threads=1)


@pytest.mark.parametrize("name", TINY)
def test_the_position_that_is_off_is_named(name: str) -> None:
    solution = once(TINY[name])
    values = solution.values.copy()
    place = (0, len(values) - 1)
    values[place] += 1e-3
    with pytest.raises(SolveError) as caught:
        verify(solution.rules, values, 1e-9, threads=1)
    me, opponent = (tuple(solution.positions.statuses[k]) for k in place)
    assert f"where {me} is to move against {opponent}" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values + 1e-6,
        lambda values: values - 1e-6,
        lambda values: 1 - values,
        lambda values: values.T,
        lambda values: values[::-1],
        lambda values: np.round(values, 5),
        lambda values: np.full_like(values, 0.5),
        np.zeros_like,
        np.ones_like,
        lambda values: values * (1 + 1e-7),
    ],
)
@pytest.mark.parametrize("name", ["every_bolt_costs", "three_dice_all", "t60"])
def test_values_changed_as_a_whole_are_caught(name: str, change: Any) -> None:
    solution = once(GAMES[name])
    with pytest.raises(SolveError):
        verify(solution.rules, np.ascontiguousarray(change(solution.values)), 1e-9, threads=1)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300, -1e300, 1.7e308, -1.7e308])
def test_values_that_are_no_chances_are_caught(bad: float) -> None:
    solution = once(TINY["three_bolts"])
    values = solution.values.copy()
    values[3, 2] = bad
    with pytest.raises(SolveError):
        verify(solution.rules, values, 1e-9, threads=1)


def test_values_of_another_size_are_refused() -> None:
    solution = once(TINY["three_bolts"])
    for values in (solution.values[:-1], solution.values[:, :-1], solution.values.reshape(-1)):
        with pytest.raises(SolveError, match="shape"):
            verify(solution.rules, values, 1e-9, threads=1)


def test_values_of_other_rules_are_caught() -> None:
    solution = once(SMALL["t80_first"])
    assert len(positions(SMALL["t80_all"])) == len(solution.positions)
    with pytest.raises(SolveError, match="not confirmed"):
        verify(SMALL["t80_all"], solution.values, 1e-9, threads=1)


@pytest.mark.parametrize("name", ["coin", "three_bolts", "t60"])
def test_a_claim_below_rounding_is_not_confirmed(name: str) -> None:
    solution = once(GAMES[name])
    with pytest.raises(SolveError):
        verify(solution.rules, solution.values, 1e-16, threads=1)


@pytest.mark.parametrize("claim", [1e-8, 1e-5, 1e-3, 0.05])
def test_a_weaker_claim_is_confirmed_too(claim: float) -> None:
    solution = once(TINY["dump_truck"])
    assert verify(solution.rules, solution.values, claim, threads=1).error_bound <= claim


def test_the_false_fixed_point_of_a_game_without_end_is_not_confirmed() -> None:
    """From 0 to 0 nobody ever wins, yet even chances there do not change in a pass.

    (Nobody ever has 1 either; who did would win with the next head.)
    """
    bellman = Bellman(positions(NEVER), threads=1)
    values = np.array([[0.5, 0.0], [1.0, 2 / 3]])
    np.testing.assert_allclose(bellman.backward(values), values, rtol=0, atol=1e-15)
    with pytest.raises(SolveError):
        verify(NEVER, values, 0.05, threads=1)


# ------------------------------------------------------------------------ the two inequalities


@pytest.mark.parametrize("name", ["coin_entry", "every_bolt_costs", "three_bolts", "dump_truck"])
@settings(max_examples=40)
@given(st.data())
def test_bounds_that_hold_enclose_the_exact_values(name: str, data: st.DataObject) -> None:
    """Whatever the bounds: where the inequalities hold at all positions, they are true."""
    rules = TINY[name]
    solution = once(rules)
    exact = exact_array(rules, solution)
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    size = data.draw(st.sampled_from((1e-12, 1e-9, 1e-6, 1e-3, 0.03)))
    shift = data.draw(st.floats(-2, 2)) * size
    noise = random.uniform(-1, 1, (2, *exact.shape)) * size * data.draw(st.floats(0, 0.1))
    width = size * data.draw(st.floats(0, 10)) * _turns(rules)
    middle = exact.astype(float) + shift
    bounds = Bounds(middle - width + noise[0], middle + width + noise[1])
    bellman = Bellman(solution.positions, threads=1)
    if (excess(bounds, image(bellman, bounds)) < 0).all():
        assert (as_fractions(bounds.lower) <= exact).all()
        assert (as_fractions(bounds.upper) >= exact).all()


def _turns(rules: Rules) -> Any:
    """About how many turns are left: bounds of this shape can hold."""
    values = once(rules).values
    turns = np.ones_like(values)
    bellman = Bellman(positions(rules), threads=1)
    for _ in range(200):
        turns = 1 + np.maximum(bellman.backward(values - 1e-7 * turns) - values, 0) / 1e-7
    return turns


@pytest.mark.parametrize("name", TINY)
def test_bounds_of_the_right_shape_do_hold(name: str) -> None:
    solution = once(TINY[name])
    bellman = Bellman(solution.positions, threads=1)
    reach = 1e-6 * 1.2 * _turns(TINY[name])
    bounds = Bounds(solution.values - reach, solution.values + reach)
    assert (excess(bounds, image(bellman, bounds)) < 0).all()


@pytest.mark.parametrize("name", TINY)
def test_bounds_to_one_side_of_the_values_do_not_hold(name: str) -> None:
    solution = once(TINY[name])
    bellman = Bellman(solution.positions, threads=1)
    reach = 1e-6 * _turns(TINY[name])
    for low, high in ((1.0, 3.0), (-3.0, -1.0), (0.0, 0.0), (1.0, -1.0)):
        bounds = Bounds(solution.values + low * reach, solution.values + high * reach)
        assert not (excess(bounds, image(bellman, bounds)) < 0).all()


def test_bounds_beyond_all_chances_prove_nothing() -> None:
    """In a game without end everything is between these, but no inequality holds strictly."""
    bellman = Bellman(positions(NEVER), threads=1)
    for low, high in ((-1.0, 2.0), (0.0, 1.0), (-1e6, 1e6), (2.0, 3.0), (-3.0, -2.0)):
        bounds = Bounds(*(np.full((bellman.size,) * 2, end) for end in (low, high)))
        assert not (excess(bounds, image(bellman, bounds)) < 0).all()


# ------------------------------------------------------------------------------------ rounding

ROUNDED = {
    **{name: TINY[name] for name in ("pig_off_step", "must_roll", "three_dice_all")},
    "all_may_roll": TINY["all_may_roll"],
    "Pig to 25": pig(25),
    "the default to 40": Rules(target=40, floor=0, barrels=(), dump_trucks=(25,)),
    "seven sides": replace(PIG, sides=7, dice=3, target=12, hot_dice="must_roll"),
}


def worst_rounding(rules: Rules, low: float, high: float, seed: int) -> F:
    """The largest error of backward passes in doubles, on values between two numbers."""
    places = positions(rules)
    bellman = Bellman(places, threads=1)
    values = np.random.default_rng(seed).uniform(low, high, (bellman.size,) * 2)
    values.flat[::7] = high
    values.flat[3::7] = low
    rounded = bellman.backward(values)
    table, pure = as_fractions(values.T).tolist(), twin.game(places, F)
    pairs = thinned(np.ndindex(values.shape), 40)
    return max(abs(F(float(rounded[i, o])) - pure.turn(table, i, o)[0]) for i, o in pairs)


@pytest.mark.parametrize("name", ROUNDED)
def test_a_backward_pass_rounds_by_less_than_its_bound(name: str) -> None:
    """Against the same pass in fractions, on chances and a little beyond."""
    rules = ROUNDED[name]
    for seed in range(3):
        assert worst_rounding(rules, -1e-3, 1 + 1e-3, seed) <= F(rounding(rules))


@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_stays_within_its_bound_for_the_widest_bounds(name: str) -> None:
    """A tolerance of 0.1 lets bounds reach that far beyond the chances."""
    rules = ROUNDED[name]
    assert worst_rounding(rules, -0.1, 1.1, seed=4) <= F(rounding(rules))


@settings(max_examples=40)
@given(some.small_rules(most_dice=2, most_steps=5), st.integers(0, 2**32))
def test_rounding_of_any_rules(rules: Rules, seed: int) -> None:
    assert worst_rounding(rules, 0.0, 1.0, seed) <= F(rounding(rules))


def derived(rules: Rules, player: tuple[int, bool, int]) -> F:
    """The bound on one turn's rounding, cell by cell of this turn, in fractions.

    A roll of n kinds of outcomes is n products, n - 1 sums and a division; it passes on the errors
    of what may follow, the largest of those among which the player chooses.
    """
    unit = F(1, 2**53)
    error: dict[Any, F] = {}
    for cell, kinds in ref._plan(ref.freeze(rules), player[0], (0, rules.dice)).items():
        error[cell] = unit
        if kinds:
            operations = (len(kinds) + 1) * unit
            passed_on = sum(
                outcomes * max((error[end] for end in ends), default=unit)
                for ends, outcomes in kinds.items()
            )
            error[cell] = operations / (1 - operations) + passed_on / rules.sides ** cell[1]
    return error[0, rules.dice]


@pytest.mark.parametrize("name", [*TINY, "Pig to 25", "the default to 40"])
def test_the_rounding_bound_covers_what_each_turn_adds_up_to(name: str) -> None:
    """Rounding rarely adds up, so that trying it out alone would not show a bound too small."""
    rules = (TINY | ROUNDED)[name]
    for status in positions(rules).statuses:
        assert derived(rules, tuple(status)) <= F(rounding(rules))


@pytest.mark.parametrize("name", [*TINY, "t60"])
def test_the_inequalities_leave_room_for_rounding(name: str) -> None:
    solution = once(GAMES[name])
    bellman = Bellman(solution.positions, threads=1)
    bounds = Bounds(solution.values - 1e-6, solution.values + 1e-6)
    demand, room = image(bellman, bounds), 0.999 * rounding(GAMES[name])
    assert (demand.lower <= bellman.backward(bounds.upper) - room).all()
    assert (demand.upper >= bellman.backward(bounds.lower) + room).all()


def test_inequalities_are_strict() -> None:
    values = once(TINY["coin"]).values
    assert not (excess(Bounds(values, values), Bounds(values, values)) < 0).any()
    assert not Certificate(0.0, 0.0, np.zeros_like(values)).holds
    assert not Certificate(0.0, 0.0, np.full_like(values, np.nan)).holds


def test_the_rounding_bound_is_small() -> None:
    for rules in (SHARABESHKI, PIG, PIGLET, *TINY.values()):
        assert 2.0**-53 < rounding(rules) < 1e-13


# ---------------------------------------------------------------------------- tolerances


@pytest.mark.parametrize("name", ["coin_entry", "dump_on_penalty", "t60"])
def test_a_larger_tolerance_never_breaks_the_bound(name: str) -> None:
    reference = solved(GAMES[name], 1e-12).values
    for tolerance in (0.1, 0.03, 1e-3, 1e-5, 1e-7):
        solution = solved(GAMES[name], tolerance)
        assert solution.error_bound is not None and solution.error_bound <= tolerance
        assert np.abs(solution.values - reference).max() <= solution.error_bound + 1e-12
