"""Arrays of positions: each item is what `Solution.win_probability` says of it alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import strategies as some
from games import SMALL, TINY, made_up, some_pairs, thinned
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as shapes

from solver import PIG, SHARABESHKI, Rules, State, StateError
from solver.batch import status_indices
from solver.moves import reachable
from solver.positions import positions

GAMES = {"the default": SHARABESHKI, "Pig": PIG} | TINY | SMALL
FIELDS = (
    "score", "opponent_score", "turn_total", "dice_left", "bolts", "opponent_bolts", "entered",
    "opponent_entered",
)  # fmt: skip


def columns(states: list[State]) -> dict[str, Any]:
    """The fields of checked states as arrays."""
    return {name: np.array([getattr(state, name) for state in states]) for name in FIELDS}


# -------------------------------------------------------------------------------- one by one


@pytest.mark.parametrize("name", GAMES)
def test_arrays_hold_what_is_said_of_each_state(name: str) -> None:
    rules = GAMES[name]
    solution = made_up(rules)
    states = [
        some.state_of(me, opponent, *cell)
        for me, opponent in some_pairs(rules, 40)
        for cell in thinned(sorted(reachable(rules, me.score)), 7)
    ]
    found = solution.win_probabilities(**columns(states))
    assert found.dtype == np.float64 and found.shape == (len(states),)
    assert found.tolist() == [solution.win_probability(state) for state in states]


def test_more_opponents_than_fit_into_a_block() -> None:
    """One mover, one cell, every opponent: shuffled, and some of them twice."""
    solution = made_up(SHARABESHKI)
    me, *others = positions(SHARABESHKI).statuses
    drawn = np.random.default_rng(3).permutation([*range(len(others)), *range(20)])
    states = [some.state_of(me, others[place], 60, 2) for place in drawn.tolist()]
    found = solution.win_probabilities(**columns(states))
    assert found.tolist() == [solution.win_probability(state) for state in states]


@given(st.data())
def test_arguments_broadcast(data: st.DataObject) -> None:
    """Each argument has a shape of its own; together they make one."""
    solution = made_up(SHARABESHKI)
    scores, bolts = st.sampled_from(range(-300, 1000, 5)), st.integers(0, 2)
    ways = data.draw(shapes.mutually_broadcastable_shapes(num_shapes=5, max_dims=3, max_side=3))
    kinds = (scores, scores, bolts, bolts)
    arrays = [
        data.draw(shapes.arrays(np.int64, shape, elements=kind))
        for shape, kind in zip(ways.input_shapes[:4], kinds, strict=True)
    ]
    entered = np.ones(ways.input_shapes[4], dtype=bool)
    score, opponent, mine, theirs = arrays
    found = solution.win_probabilities(
        score, opponent, bolts=mine, opponent_bolts=theirs, entered=entered, opponent_entered=True
    )
    assert found.shape == ways.result_shape
    items = zip(*(np.broadcast_to(x, found.shape).ravel().tolist() for x in arrays), strict=True)
    for value, (a, b, c, d) in zip(found.ravel(), items, strict=True):
        assert value == solution.win_probability(State(a, b, 0, None, c, d, True, True))


@given(st.data())
def test_cells_are_those_that_can_come_up(data: st.DataObject) -> None:
    """A turn total and dice are refused in an array if they are in a state."""
    rules = data.draw(st.sampled_from([SHARABESHKI, *TINY.values()]))
    solution = made_up(rules)
    me, opponent = data.draw(some.statuses(rules)), data.draw(some.statuses(rules))
    steps = st.integers(0, rules.target // rules.step + 1).map(lambda k: k * rules.step)
    total = data.draw(steps | st.integers(0, rules.target + 10))
    dice = data.draw(st.integers(1, rules.dice + 1))
    state = some.state_of(me, opponent, total, dice)
    one = {name: getattr(state, name) for name in FIELDS}
    try:
        expected = solution.win_probability(state)
    except StateError:
        with pytest.raises(StateError, match=rf"turn_total {total} with dice_left {dice} \(item 0"):
            solution.win_probabilities(**one)
    else:
        assert solution.win_probabilities(**one) == expected


# ------------------------------------------------------------------------------------ the edges


def test_plain_numbers_and_empty_arrays() -> None:
    solution = made_up(SHARABESHKI)
    alone = solution.win_probabilities(195, 540)
    assert np.shape(alone) == () and alone == solution.win_probability(State(195, 540))
    assert solution.win_probabilities([], 0).shape == (0,)
    assert solution.win_probabilities(np.zeros((0, 3), int), [0, 5, 10], 10, 4).shape == (0, 3)


def test_what_is_asked_for_is_not_changed_nor_is_the_solution() -> None:
    solution, score = made_up(SHARABESHKI), np.array([0, 195, 300])
    before = solution.values.copy()
    found = solution.win_probabilities(score, 540, 60, 2)
    found[:] = 7.0
    solution.win_probabilities(score, 540)[:] = 7.0
    assert score.tolist() == [0, 195, 300]
    np.testing.assert_array_equal(solution.values, before)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.uint64, np.int64])
def test_any_kind_of_whole_number_will_do(kind: Any) -> None:
    solution = made_up(SHARABESHKI)
    score, total = np.array([0, 100], dtype=kind), np.array([60, 60], dtype=kind)
    found = solution.win_probabilities(score, 100, total, np.array(2, dtype=kind))
    expected = [solution.win_probability(State(int(s), 100, 60, 2)) for s in score]
    assert found.tolist() == expected


def test_entry_left_open_is_what_the_score_allows() -> None:
    places = positions(SHARABESHKI)
    index = status_indices(places, [0, 5, -50, -55], None, 2)
    assert [places.statuses[i].entered for i in index] == [False, True, False, True]


# ------------------------------------------------------------------------------------ bad input

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"score": [0, 1000]}, r"score 1000 \(item 1\)"),
    ({"score": [0, 7]}, r"score 7 \(item 1\)"),
    ({"score": -305}, r"score -305 \(item 0\)"),
    ({"opponent_score": [[0, 5], [3, 0]]}, r"score 3 \(item 2\)"),
    ({"bolts": [0, 3]}, r"score 0 \(item 1\)"),
    ({"bolts": -1}, r"score 0 \(item 0\)"),
    ({"score": 50, "entered": False}, r"score 50 \(item 0\)"),
    ({"score": 0.5}, r"score = 0.5: must be whole numbers"),
    ({"score": "x"}, r"score = 'x': must be whole numbers"),
    ({"score": None}, r"score = None: must be whole numbers"),
    ({"score": True}, r"score = True: must be whole numbers"),
    ({"bolts": [1.0]}, r"bolts = \[1.0\]: must be whole numbers"),
    ({"turn_total": "a"}, r"turn_total = 'a': must be whole numbers"),
    ({"turn_total": 60, "dice_left": 1.5}, r"dice_left = 1.5: must be whole numbers"),
    ({"entered": "x"}, r"entered = 'x': must be True or False"),
    ({"entered": 7}, r"entered = 7: must be True or False"),
    ({"turn_total": -5}, r"turn_total -5 with dice_left 5 \(item 0\)"),
    ({"turn_total": [10, 62], "dice_left": [4, 2]}, r"turn_total 62 with dice_left 2 \(item 1\)"),
    ({"turn_total": 5, "dice_left": 3}, r"turn_total 5 with dice_left 3"),
    ({"turn_total": 60, "dice_left": 0}, r"turn_total 60 with dice_left 0"),
    ({"turn_total": 60, "dice_left": 6}, r"turn_total 60 with dice_left 6"),
    ({"turn_total": 0, "dice_left": 2}, r"turn_total 0 with dice_left 2"),
    ({"score": 545, "turn_total": 10, "dice_left": 4}, r"turn_total 10 with dice_left 4"),
    ({"score": 990, "turn_total": 10, "dice_left": 4}, r"turn_total 10 with dice_left 4"),
    ({"turn_total": 10**12, "dice_left": 4}, r"turn_total 1000000000000 with dice_left 4"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_is_refused_and_the_first_shown(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(StateError, match=message):
        made_up(SHARABESHKI).win_probabilities(**{"score": 0, "opponent_score": 0} | arguments)


def test_shapes_that_do_not_broadcast_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        made_up(SHARABESHKI).win_probabilities([0, 5], [0, 5, 10])


def test_rules_without_bolts() -> None:
    rules = Rules(bolts_to_penalty=0)
    solution = made_up(rules)
    found = solution.win_probabilities([0, 195], 540)
    assert found.tolist() == [solution.win_probability(State(score, 540)) for score in (0, 195)]
    with pytest.raises(StateError, match="item 0"):
        solution.win_probabilities(0, 0, bolts=1)
