"""The compiled kernel against its twin in plain Python: the same numbers, to the last bit."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import reference as ref
import strategies as some
import twin
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import PIG, SHARABESHKI, Rules, _kernel
from solver.bellman import Bellman, Fronts
from solver.policy import Policy
from solver.positions import positions

THREE_PAIRS = {tuple(sorted(2 * faces)): 1500 for faces in some.multisets(3, 6) if len(faces) == 3}
FARKLE = (
    {(1,): 100, (5,): 50, (1, 2, 3, 4, 5, 6): 1500}
    | {(face,) * 3: 1000 if face == 1 else 100 * face for face in range(1, 7)}
    | THREE_PAIRS  # four and a pair, and six of a kind, among them
    | {(face,) * 4: 2000 for face in range(1, 7)}
)
TABLES = {
    "the default": dict(SHARABESHKI.combinations),
    "Pig": dict(PIG.combinations),
    "Farkle with three pairs": FARKLE,
}
WIDTHS = range(_kernel.WIDEST + 1)


def arrays_of(table: dict[tuple[int, ...], int]) -> tuple[Any, Any]:
    """A combination table as the kernel wants it."""
    keys = {sum(face << 5 * k for k, face in enumerate(reversed(faces))): faces for faces in table}
    ordered = sorted(keys)
    points = [table[keys[key]] for key in ordered]
    return np.array(ordered, dtype=np.int64), np.array(points, dtype=np.int32)


@pytest.mark.parametrize("dice", range(1, 7))
@pytest.mark.parametrize("name", TABLES)
def test_every_distinct_throw_and_keep_is_the_twins(name: str, dice: int) -> None:
    arrays = arrays_of(TABLES[name])
    assert _kernel.throws(dice, 6, *arrays) == twin.throws(dice, 6, *arrays)


@settings(max_examples=60)
@given(st.data())
def test_throws_of_random_tables_are_the_twins(data: st.DataObject) -> None:
    dice, sides = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5))
    arrays = arrays_of(data.draw(some.tables(4, 5, most_points=9, most_entries=8)))
    assert _kernel.throws(dice, sides, *arrays) == twin.throws(dice, sides, *arrays)


@pytest.mark.parametrize("sides", [1, 2, 6, 7, 20])
@pytest.mark.parametrize("dice", range(1, 5))
def test_outcomes_are_all_sides_to_the_power_of_the_dice(dice: int, sides: int) -> None:
    found = _kernel.throws(dice, sides, *arrays_of({(1,): 1}))
    assert sum(outcomes for _, outcomes, _, _ in found) == sides**dice
    assert len({throw for throw, *_ in found}) == len(found)


def test_outcomes_of_the_most_dice_and_sides_do_not_overflow() -> None:
    found = _kernel.throws(6, 20, *arrays_of({(20,) * 6: 10**6}))
    assert sum(outcomes for _, outcomes, _, _ in found) == 20**6 == 64_000_000
    assert [entry for entry in found if entry[2]] == [((20,) * 6, 1, [63], [10**6])]


# ----------------------------------------------------------------------------- backward passes

GAMES: dict[str, Rules] = {
    **{name: Rules(**overrides) for name, overrides in ref.TINY.items()},
    "Pig": replace(PIG, target=30),
    "the default, to 60": Rules(target=60, floor=-50, barrels=((20, 40),), dump_trucks=(35, 50)),
    "Farkle, to 1000": Rules(
        target=1000, entry=500, barrels=((300, 450),), dump_trucks=(700,), dice=6, floor=-100,
        combinations=FARKLE, hot_dice="may_roll",
    ),
}  # fmt: skip


def some_tasks(bellman: Bellman, count: int) -> Any:
    """Blocks from all over the table, the first and the last among them."""
    places = np.linspace(0, len(bellman.tasks) - 1, min(count, len(bellman.tasks))).astype(int)
    return np.ascontiguousarray(bellman.tasks[places])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", GAMES)
def test_backward_pass_is_the_twins_to_the_last_bit(name: str, width: int) -> None:
    bellman = Bellman(positions(GAMES[name]), threads=1, width=width)
    small = bellman.positions.levels * bellman.positions.rules.dice < 80
    tasks = some_tasks(bellman, 12 if small else 2)
    table = twin.random_table(bellman.lanes, bellman.size, seed=width)
    ours, theirs = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    bellman.kernel.backward(
        _kernel.Crew(), bellman.kernel.scratch(), *Fronts.together(tasks), table.copy(), ours
    )
    twin.game(bellman.positions).backward(None, table.tolist(), tasks, theirs)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", GAMES)
def test_all_of_a_turn_is_the_twins_to_the_last_bit(name: str) -> None:
    places = positions(GAMES[name])
    kernel = places.game()
    shape = (5, places.levels, places.rules.dice)
    others = np.linspace(0, len(places) - 1, shape[0]).astype(np.int32)
    table = twin.random_table(kernel.lanes, len(places), seed=3)
    for i in {0, places.start, len(places) - 1}:
        ours, theirs = np.full(shape, np.nan), np.full(shape, np.nan)
        our_banks, their_banks = np.full(shape[:2], np.nan), np.full(shape[:2], np.nan)
        kernel.turns(kernel.scratch(), table, i, others, ours, our_banks)
        ours[:, places.dump_levels] = np.nan  # the turn has ended there
        twin.game(places).turns(None, table.tolist(), i, others, theirs, their_banks)
        theirs[:, places.dump_levels] = np.nan
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(our_banks, their_banks)


@pytest.mark.parametrize("name", GAMES)
def test_a_backward_pass_is_the_references(name: str) -> None:
    """Not bit for bit: the reference sums in another order, and knows no arrays."""
    rules = GAMES[name]
    bellman = Bellman(positions(rules), threads=1)
    values = np.random.default_rng(8).random((bellman.size, bellman.size))
    image = bellman.backward(values)
    index, statuses = bellman.positions.index, bellman.positions.statuses
    for me, opponent in itertools.islice(itertools.product(statuses, repeat=2), 0, None, 997):
        exact = ref.backward(rules, lambda m, o: values[index[m], index[o]], me, opponent)
        assert image[index[me], index[opponent]] == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("name", GAMES)
def test_widths_and_threads_do_not_change_a_bit(name: str) -> None:
    places = positions(GAMES[name])
    values = np.random.default_rng(5).random((len(places), len(places)))
    first, *others = [
        Bellman(places, threads, width).backward(values)
        for threads, width in itertools.product((1, 2, 3), WIDTHS)
    ]
    for other in others:
        np.testing.assert_array_equal(first, other)


@pytest.mark.parametrize("name", [name for name in GAMES if "Farkle" not in name])
def test_one_sweep_of_a_fixed_point_changes_nothing(name: str) -> None:
    """A sweep is a backward pass that sees its own results, so both have the same fixed points."""
    bellman = Bellman(positions(GAMES[name]), threads=1)
    values = np.full((bellman.size, bellman.size), 0.5)
    for _ in range(3000):
        before, values = values, bellman.sweep(values)
        if np.abs(before - values).max() < 1e-15:
            break
    assert np.abs(bellman.backward(values) - values).max() < 1e-14


# ------------------------------------------------------------------------------ policies as maps


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["three_bolts", "split_not_first", "the default, to 60"])
def test_a_greedy_map_has_the_value_of_the_backward_pass(
    name: str, dtype: type, width: int
) -> None:
    bellman = Bellman(positions(GAMES[name]), threads=1, width=width)
    values = np.random.default_rng(1).random((bellman.size, bellman.size))
    policy = Policy(bellman, dtype)
    policy.update(values, bellman.all)
    mapped = policy.constant[:, : bellman.size] - policy.apply(values)
    np.testing.assert_allclose(mapped, bellman.backward(values), rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", GAMES)
def test_the_ends_of_a_turn_are_chances_that_add_up(name: str) -> None:
    bellman = Bellman(positions(GAMES[name]), threads=1)
    values = np.random.default_rng(2).random((bellman.size, bellman.size))
    policy = Policy(bellman, np.float64)
    policy.update(values, bellman.all)
    ends = policy.apply(np.ones_like(values))  # all that is not a win at once
    assert ends.min() >= 0 and ends.max() <= 1 + 1e-12
    won = policy.constant[:, : bellman.size] - ends
    assert won.min() >= -1e-12 and won.max() <= 1 - ends.min() + 1e-12


def test_the_twin_is_exact_in_fractions() -> None:
    rules = GAMES["three_bolts"]
    places = positions(rules)
    index = places.index
    count = len(places)
    table = [[F((7 * j + 3 * o) % 11, 11) for o in range(count)] for j in range(count)]
    exact = twin.game(places, F)
    for me, opponent in itertools.product(places.statuses[:8], repeat=2):
        found = exact.turn(table, index[me], index[opponent])[0]
        assert found == ref.backward(rules, lambda m, o: table[index[o]][index[m]], me, opponent)
