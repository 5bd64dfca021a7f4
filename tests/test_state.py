"""States and actions as values: their structure, and the one-line notation."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import Any

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from solver import Action, State, StateError

NUMBERS = ("score", "opponent_score", "turn_total", "dice_left", "bolts", "opponent_bolts")
FLAGS = ("entered", "opponent_entered")


# ---------------------------------------------------------------------------------- structure


def test_a_state_starts_the_game_unless_told_otherwise() -> None:
    assert State() == State(0, 0, 0, None, 0, 0, None, None)
    assert [field.name for field in dataclasses.fields(State)] == [
        "score", "opponent_score", "turn_total", "dice_left", "bolts", "opponent_bolts",
        "entered", "opponent_entered",
    ]  # fmt: skip


def test_states_are_values() -> None:
    assert len({State(), State(0), State(5), State(5, entered=True)}) == 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        State().score = 5  # type: ignore[misc]


@given(some.loose_states())
def test_repr_is_an_expression_for_the_state(state: State) -> None:
    assert eval(repr(state)) == state


@pytest.mark.parametrize("value", [2.5, 1.0, True, False, "5", [5], (5,), float("nan")])
@pytest.mark.parametrize("name", NUMBERS)
def test_only_whole_numbers_are_scores_totals_dice_and_bolts(name: str, value: Any) -> None:
    with pytest.raises(StateError, match=f"{name} = .* whole number") as caught:
        State(**{name: value})
    assert repr(value) in str(caught.value) and "State(" in str(caught.value)


@pytest.mark.parametrize("name", ["turn_total", "bolts", "opponent_bolts", "dice_left"])
def test_what_cannot_be_negative(name: str) -> None:
    with pytest.raises(StateError, match=f"{name} = -1 .* from . up"):
        State(**{name: -1})  # type: ignore[arg-type]


def test_no_dice_left_is_never_a_state() -> None:
    """All dice set aside are hot dice: all of them are left again."""
    with pytest.raises(StateError, match="dice_left = 0"):
        State(turn_total=50, dice_left=0)


@pytest.mark.parametrize("name", ["score", "opponent_score", "turn_total", "bolts"])
def test_none_is_only_for_what_can_be_left_open(name: str) -> None:
    with pytest.raises(StateError, match=f"{name} = None"):
        State(**{name: None})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0, 1, "yes", 1.0])
@pytest.mark.parametrize("name", FLAGS)
def test_entered_is_true_false_or_open(name: str, value: Any) -> None:
    with pytest.raises(StateError, match=f"{name} = .* True, False or None"):
        State(**{name: value})


def test_errors_are_value_errors() -> None:
    assert issubclass(StateError, ValueError)


# ----------------------------------------------------------------------------------- notation

WRITTEN = [
    (State(), "0:0"),
    (State(195, 540, 60, 2), "195+60d2:540"),
    (State(-50, 0, bolts=2, entered=False, opponent_entered=True), "-50nb2:0e"),
    (State(555, -300, 25, None, 1, 2, True, True), "555eb1+25:-300eb2"),
    (State(0, 0, dice_left=5), "0d5:0"),
    (State(0, 0, 0, 3, 0, 1, None, False), "0d3:0nb1"),
]


@pytest.mark.parametrize(("state", "text"), WRITTEN)
def test_notation(state: State, text: str) -> None:
    assert str(state) == text and State.parse(text) == state
    assert State.parse(f"  {text}\n") == state


@given(some.loose_states())
def test_notation_round_trip(state: State) -> None:
    text = str(state)
    assert State.parse(text) == state
    assert "\n" not in text and " " not in text


@given(some.loose_states(), some.loose_states())
def test_different_states_are_written_differently(one: State, other: State) -> None:
    assert (one == other) == (str(one) == str(other))


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "0", "0:", ":0", "0:0:0", "0,0", "0;0", "0 : 0", "0.5:0", "1e5:0", "a:b", "0e0:0",
        "0x10:0", "0+:0", "0d:0", "0b:0", "0+5d2:0+5", "0:0d5", "0d2+5:0", "0b1e:0", "0E:0",
        "+5:0", "--5:0", "0+-5:0", "0d-1:0", "0:0 0:0", "1_000:0",
    ],
)  # fmt: skip
def test_other_text_is_refused_and_shown(text: str) -> None:
    with pytest.raises(StateError, match="expected a form such as") as caught:
        State.parse(text)
    assert repr(text) in str(caught.value)


def test_the_notation_allows_only_what_a_state_allows() -> None:
    with pytest.raises(StateError, match="dice_left = 0"):
        State.parse("0d0:0")


@pytest.mark.parametrize("odd", [None, 5, b"0:0", ["0:0"]])
def test_what_is_no_text_is_no_state(odd: Any) -> None:
    with pytest.raises(StateError, match=re.escape(f"state {odd!r}: expected")):
        State.parse(odd)


@given(st.text())
def test_any_text_is_a_state_or_a_state_error(text: str) -> None:
    with contextlib.suppress(StateError):
        assert isinstance(State.parse(text), State)


SIDE = r"-?\d{1,6}[en]?(b\d{1,3})?"


@given(st.from_regex(rf"{SIDE}(\+\d{{1,6}})?(d[1-9]\d?)?:{SIDE}", fullmatch=True))
def test_all_that_the_notation_describes_is_read(text: str) -> None:
    state = State.parse(text)
    assert State.parse(str(state)) == state


# ------------------------------------------------------------------------------------ actions


def test_actions_are_written_in_words() -> None:
    assert str(Action("roll")) == "roll" and str(Action("bank")) == "bank"
    assert str(Action("bust")) == "bust"
    assert str(Action("keep", (5, 1, 1), "bank")) == "keep 1 1 5, bank"


@given(some.actions())
def test_actions_are_values_with_sorted_dice(action: Action) -> None:
    assert action.dice == tuple(sorted(action.dice))
    assert eval(repr(action)) == action and hash(eval(repr(action))) == hash(action)
    assert action == Action(action.kind, tuple(reversed(action.dice)), action.then)


@pytest.mark.parametrize(
    "arguments",
    [
        ("hold",), ("",), (None,), ("ROLL",),
        ("keep",), ("keep", (1,)), ("keep", (), "roll"), ("keep", (1,), "hold"),
        ("keep", (1,), "bust"), ("keep", (1,), None),
        ("roll", (1,)), ("bank", (5,)), ("bust", (2,)),
        ("roll", (), "roll"), ("bank", (), "bank"), ("bust", (), "win"), ("win",), ("dump",),
        (5,), ([],), ("keep", 5, "roll"), ("keep", ("a",), "roll"), ("keep", ("a", 1), "roll"),
        ("keep", (1.0,), "roll"), ("keep", (1,), []),
    ],
)  # fmt: skip
def test_actions_that_there_are_not(arguments: Any) -> None:
    with pytest.raises(StateError, match="action"):
        Action(*arguments)
