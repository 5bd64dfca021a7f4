"""What holds in every game: properties of solutions of random rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import strategies as some
from games import furthest, solved
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver import Rules, Solution, SolveError
from solver.bellman import Bellman
from solver.certificate import rounding
from solver.dice import keeps, throws
from solver.policy import Policy
from solver.positions import positions
from solver.solve import verify

GAMES = some.easy_rules()


def bound(solution: Solution) -> float:
    assert solution.error_bound is not None
    return solution.error_bound


def same(one: Solution, other: Solution) -> None:
    """Equal to the last bit, position by position in order."""
    np.testing.assert_array_equal(one.values, other.values)
    assert one.error_bound == other.error_bound


@given(GAMES)
def test_values_are_chances(rules: Rules) -> None:
    solution = solved(rules)
    assert 0 < bound(solution) <= 1e-9
    assert np.isfinite(solution.values).all()
    assert solution.values.min() >= 0 and solution.values.max() <= 1


@given(GAMES)
def test_values_are_a_fixed_point(rules: Rules) -> None:
    solution = solved(rules)
    image = Bellman(solution.positions, threads=1).backward(solution.values)
    assert np.abs(image - solution.values).max() <= 2 * bound(solution) + rounding(rules)


@given(GAMES)
def test_solutions_are_verified(rules: Rules) -> None:
    solution = solved(rules)
    assert verify(rules, solution.values, bound(solution), threads=1).holds


@settings(max_examples=25)
@given(some.easy_rules(most_steps=4), st.sampled_from((1e-3, 1e-9, 1e-12)))
def test_values_are_within_the_bound_of_the_exact_ones(rules: Rules, tolerance: float) -> None:
    assume(len(positions(rules)) <= 15)
    solution = solved(rules, tolerance)
    assert furthest(rules, solution) <= F(bound(solution))


@given(GAMES, st.data())
def test_the_order_of_the_combinations_does_not_matter(rules: Rules, data: st.DataObject) -> None:
    again = replace(rules, combinations=data.draw(some.shuffled(rules.combinations)))
    assert again == rules and hash(again) == hash(rules)
    same(solved(rules), solved(again))


@given(GAMES, st.integers(2, 7))
def test_scaling_all_scores_changes_nothing(rules: Rules, factor: int) -> None:
    scaled = replace(
        rules,
        target=rules.target * factor,
        entry=rules.entry * factor,
        barrels=tuple((lo * factor, hi * factor) for lo, hi in rules.barrels),
        dump_trucks=tuple(score * factor for score in rules.dump_trucks),
        bolt_penalty=rules.bolt_penalty * factor,
        overtake_penalty=rules.overtake_penalty * factor,
        floor=rules.floor * factor,
        combinations={faces: points * factor for faces, points in rules.combinations},
    )
    same(solved(rules), solved(scaled))


@given(GAMES.map(lambda rules: replace(rules, set_aside="any")), st.data())
def test_renaming_the_faces_changes_nothing(rules: Rules, data: st.DataObject) -> None:
    """If not all must be set aside, where the order of the faces settles ties."""
    names = data.draw(some.shuffled(range(1, rules.sides + 1)))
    renamed = {
        tuple(names[face - 1] for face in faces): points for faces, points in rules.combinations
    }
    same(solved(rules), solved(replace(rules, combinations=renamed)))


@given(GAMES, st.data())
def test_a_combination_worth_no_more_than_its_split_changes_nothing(
    rules: Rules, data: st.DataObject
) -> None:
    table = dict(rules.combinations)
    splits = {
        faces: throws(rules, len(faces))[faces].keeps.get(faces, 0)
        for faces in some.multisets(rules.dice, rules.sides)
    }
    if rules.set_aside == "all":
        free = replace(rules, set_aside="any")
        splits = {faces: keeps(faces, free).get(faces, 0) for faces in splits}
    known = [faces for faces, worth in splits.items() if worth and faces not in table]
    assume(known)
    added = data.draw(st.sampled_from(known))
    table[added] = rules.step * data.draw(st.integers(1, splits[added] // rules.step))
    same(solved(rules), solved(replace(rules, combinations=table)))


@given(GAMES.map(lambda rules: replace(rules, bolts_to_penalty=0)))
def test_a_finer_step_changes_nothing(rules: Rules) -> None:
    """Scores that nobody can have do not matter: all doubled, and a penalty that is never paid."""
    doubled = replace(
        rules,
        target=rules.target * 2,
        entry=rules.entry * 2,
        barrels=tuple((lo * 2, hi * 2) for lo, hi in rules.barrels),
        bolt_penalty=1,
        overtake_penalty=rules.overtake_penalty * 2,
        floor=rules.floor * 2,
        combinations={faces: points * 2 for faces, points in rules.combinations},
    )
    assert doubled.step == 1
    one, other = solved(rules), solved(doubled)
    twice = [status._replace(score=status.score * 2) for status in one.positions.statuses]
    among = [other.positions.index[status] for status in twice]
    found = other.values[np.ix_(among, among)]
    np.testing.assert_allclose(found, one.values, rtol=0, atol=bound(one) + bound(other))


@given(GAMES, st.sampled_from((0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-8)))
def test_a_larger_tolerance_never_breaks_the_bound(rules: Rules, tolerance: float) -> None:
    fine, coarse = solved(rules, 1e-11), solved(rules, tolerance)
    assert bound(coarse) <= tolerance
    assert np.abs(coarse.values - fine.values).max() <= bound(coarse) + bound(fine)


@given(some.small_rules(most_dice=2))
def test_the_ends_of_a_policys_turn_have_chances_that_sum_to_one(rules: Rules) -> None:
    """Won at once is what is left of 1, and it is never less than nothing."""
    bellman = Bellman(positions(rules), threads=1)
    values = np.random.default_rng(4).random((bellman.size,) * 2)
    policy = Policy(bellman, np.float64)
    policy.update(values, bellman.all)
    going_on = policy.apply(np.ones_like(values))
    won = policy.constant[:, : bellman.size] - going_on
    assert going_on.min() >= 0 and won.min() >= -1e-12
    np.testing.assert_allclose(won + going_on, policy.constant[:, : bellman.size], atol=1e-12)
    assert (won + going_on <= 1 + 1e-12).all()


@given(some.small_rules(), st.integers(0, 2**32))
def test_the_operator_is_between_0_and_1_and_falls_as_values_rise(rules: Rules, seed: int) -> None:
    bellman = Bellman(positions(rules), threads=1)
    low, high = np.sort(np.random.default_rng(seed).random((2, bellman.size, bellman.size)), axis=0)
    less, more = bellman.backward(high), bellman.backward(low)
    assert (less <= more + 1e-14).all()
    assert less.min() >= -1e-14 and more.max() <= 1 + 1e-14


@settings(max_examples=80)
@given(some.small_rules(most_steps=4))
def test_every_game_is_solved_or_refused_for_a_reason(rules: Rules) -> None:
    """Dump trucks may make a game endless; what is solved is verified."""
    try:
        found = solved(rules)
    except SolveError as error:
        assert "never end" in str(error)  # noqa: PT017
    else:
        assert verify(rules, found.values, bound(found), threads=1).holds
