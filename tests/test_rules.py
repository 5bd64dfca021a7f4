"""Rules: what is refused and how, what is derived, and the way through TOML."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import reference as ref
import strategies as some
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver import PIG, PIGLET, PRESETS, SHARABESHKI, Rules, RulesError, State

FIELDS = [field.name for field in dataclasses.fields(Rules)]


# ------------------------------------------------------------------------------------- defaults


def test_the_defaults_are_the_game_of_the_text() -> None:
    assert Rules() == SHARABESHKI
    assert {name: getattr(SHARABESHKI, name) for name in FIELDS} == ref.DEFAULTS


def test_what_the_default_combinations_are_worth() -> None:
    table = dict(SHARABESHKI.combinations)
    assert table.pop((1,)) == 10 and table.pop((5,)) == 5
    assert table.pop((1, 2, 3, 4, 5)) == 125 and table.pop((2, 3, 4, 5, 6)) == 250
    for face in range(1, 7):
        triple = 100 if face == 1 else 10 * face
        worth = [table.pop((face,) * count) for count in (3, 4, 5)]
        assert worth == [triple, 2 * triple, 10 * triple]
    assert not table


def test_the_presets_are_named() -> None:
    assert PRESETS == {"sharabeshki": SHARABESHKI, "pig": PIG, "piglet": PIGLET}


def test_pig_and_piglet_have_nothing_but_a_bust() -> None:
    for rules in (PIG, PIGLET):
        assert (rules.dice, rules.entry, rules.floor, rules.hot_dice) == (1, 0, 0, "may_roll")
        assert rules.barrels == rules.dump_trucks == ()
        assert rules.bolts_to_penalty == rules.overtake_penalty == 0
        assert rules.step == 1
    assert (PIG.target, PIG.sides) == (100, 6) and (PIGLET.target, PIGLET.sides) == (2, 2)
    assert dict(PIG.combinations) == {(face,): face for face in range(2, 7)}
    assert dict(PIGLET.combinations) == {(2,): 1}


def test_rules_are_changed_by_replace_and_checked_again() -> None:
    assert dataclasses.replace(PIG, target=50).target == 50
    with pytest.raises(RulesError, match="floor"):
        dataclasses.replace(PIG, floor=1)


def test_rules_are_a_frozen_keyword_only_value() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SHARABESHKI.target = 500  # type: ignore[misc]
    with pytest.raises(TypeError):
        Rules(1000)  # type: ignore[misc]
    assert len({SHARABESHKI, Rules(), PIG, PIGLET}) == 3
    assert eval(repr(SHARABESHKI)) == SHARABESHKI


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({}, 5),
        ({"bolt_penalty": 2}, 1),
        ({"overtake_penalty": 25, "bolt_penalty": 0, "combinations": {(1,): 50}}, 25),
        ({"overtake_penalty": 0, "bolt_penalty": 0, "combinations": {(1,): 7}, "floor": -7}, 7),
        ({"target": 1001, "entry": 3, "barrels": [(1, 2)]}, 5),
    ],
)
def test_the_step_is_what_all_points_and_penalties_share(changes: Any, step: int) -> None:
    if step in (7, 25):
        changes = {"dump_trucks": (), "floor": 0, **changes}
    assert Rules(**changes).step == step == ref.step(Rules(**changes))


@given(some.small_rules())
def test_every_score_lies_on_the_step(rules: Rules) -> None:
    points = [points for _, points in rules.combinations]
    assert rules.step == math.gcd(*points, rules.bolt_penalty, rules.overtake_penalty)
    assert not any(score % rules.step for score in (rules.floor, *rules.dump_trucks))


# ------------------------------------------------------------------------------------ one form


@given(st.data())
def test_the_order_of_what_is_given_does_not_matter(data: st.DataObject) -> None:
    shuffled = {
        name: data.draw(some.shuffled(getattr(SHARABESHKI, name)))
        for name in ("combinations", "barrels", "dump_trucks")
    }
    again = Rules(**shuffled)
    assert again == SHARABESHKI and hash(again) == hash(SHARABESHKI)
    assert again.digest == SHARABESHKI.digest


def test_a_mapping_lists_and_unsorted_faces_are_the_same_rules() -> None:
    table = {tuple(reversed(faces)): points for faces, points in SHARABESHKI.combinations}
    assert Rules(combinations=table) == SHARABESHKI
    lists = [[list(faces), points] for faces, points in SHARABESHKI.combinations]
    barrels: Any = [[900, 1000], [200, 300], [600, 700]]
    assert Rules(combinations=lists, barrels=barrels, dump_trucks=[555]) == SHARABESHKI  # type: ignore[arg-type]


def test_digests_tell_rules_apart() -> None:
    others = [
        SHARABESHKI, PIG, PIGLET, Rules(target=1005), Rules(dump_on_penalty=True),
        Rules(barrels=()), Rules(set_aside="all"), Rules(combinations={(1,): 5}),
    ]  # fmt: skip
    assert len({rules.digest for rules in others}) == len(others)


# ------------------------------------------------------------------------------------- refusals

REFUSED: list[tuple[str, Any]] = [
    *((name, value) for name in ("target", "dice", "sides") for value in (0, -1)),
    *((name, -1) for name in ("entry", "bolts_to_penalty", "bolt_penalty", "overtake_penalty")),
    *(
        (name, value)
        for name in (
            "target", "entry", "bolts_to_penalty", "bolt_penalty", "overtake_penalty", "floor",
            "dice", "sides",
        )
        for value in (2.5, 1.0, True, "5", None, [5], math.nan, 10**9)
    ),
    ("dice", 7),
    ("sides", 21),
    ("floor", 5),
    ("floor", -7),
    ("floor", -302),
    ("dump_on_penalty", 1),
    ("dump_on_penalty", "no"),
    ("bolt_on", "never"),
    ("bolt_on", None),
    ("hot_dice", "may_bank"),
    ("hot_dice", True),
    ("set_aside", "some"),
    ("set_aside", ["any"]),
    *(("dump_trucks", [score]) for score in (0, -5, 557, 1000, 1005, 555.0, "555", True)),
    ("dump_trucks", [555, 555]),
    ("dump_trucks", 555),
    ("dump_trucks", None),
    *(
        ("barrels", [barrel])
        for barrel in ((300, 300), (300, 200), (900, 1005), (200,), (1, 2, 3), 200, (1.0, 2.0),
                       ("a", "b"), (False, True), None)
    ),
    ("barrels", [(200, 300), (250, 350)]),
    ("barrels", [(200, 300), (200, 300)]),
    ("barrels", [(200, 700), (300, 400)]),
    ("barrels", [(200, 300), ("600", 700)]),
    ("barrels", 200),
    ("barrels", None),
    ("combinations", {}),
    ("combinations", []),
    ("combinations", None),
    ("combinations", 10),
    ("combinations", {(1,): 0}),
    ("combinations", {(1,): -10}),
    ("combinations", {(1,): 2.5}),
    ("combinations", {(1,): True}),
    ("combinations", {(1,): "10"}),
    ("combinations", {(1,): 10**9}),
    ("combinations", {(): 10}),
    ("combinations", {(1,) * 6: 10}),
    ("combinations", {(0,): 10}),
    ("combinations", {(-1,): 10}),
    ("combinations", {(7,): 10}),
    ("combinations", {(1.0,): 10}),
    ("combinations", {(True,): 10}),
    ("combinations", {"1": 10}),
    ("combinations", {1: 10}),
    ("combinations", [((1,), 10), ((1,), 20)]),
    ("combinations", {(1, 5): 10, (5, 1): 20}),
    ("combinations", [(1,), (2,)]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_refused_with_the_field_the_value_and_what_is_allowed(name: str, value: Any) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**{name: value})
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.field == name and error.allowed
    assert str(error).startswith(f"rules: {name} = ")
    assert repr(error.value) in str(error) and str(error).endswith(error.allowed)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "changes",
    [
        {"floor": 0},
        {"floor": -5},
        {"barrels": ((0, 5), (5, 10), (990, 1000))},  # touching is not overlapping
        {"barrels": ((-300, -200),)},
        {"barrels": ((201, 299),)},  # ends of barrels need not lie on the step
        {"target": 999, "barrels": ()},
        {"entry": 0},
        {"entry": 51},
        {"entry": 2000},
        {"dump_trucks": (5, 995)},
        {"bolts_to_penalty": 0, "bolt_penalty": 0},
        {"bolts_to_penalty": 1},
        {"bolt_penalty": 500, "overtake_penalty": 5},
        {"dice": 6, "sides": 20, "combinations": {(20,) * 6: 5}, "barrels": ()},
        {"dice": 1, "sides": 1, "combinations": {(1,): 5}},
    ],
)
def test_allowed(changes: Any) -> None:
    assert dataclasses.replace(SHARABESHKI, **changes) == Rules(**changes)


@settings(max_examples=60)
@given(st.sampled_from(FIELDS), some.anything())
def test_any_value_makes_rules_or_a_rules_error(name: str, value: Any) -> None:
    with contextlib.suppress(RulesError):
        assert isinstance(Rules(**{name: value}), Rules)


# ----------------------------------------------------------------------------------------- TOML


@pytest.mark.parametrize("name", PRESETS)
def test_presets_go_through_toml(name: str) -> None:
    text = PRESETS[name].to_toml()
    assert Rules.from_toml(text) == PRESETS[name]
    assert sorted(tomllib.loads(text)) == sorted(FIELDS)


@given(some.small_rules(most_dice=3, most_sides=6))
def test_rules_go_through_toml(rules: Rules) -> None:
    assert Rules.from_toml(rules.to_toml()) == rules


@pytest.mark.parametrize("name", ref.TINY)
def test_every_switch_goes_through_toml(name: str) -> None:
    rules = Rules(**ref.TINY[name])
    assert Rules.from_toml(rules.to_toml()) == rules


def test_what_toml_leaves_out_has_its_default() -> None:
    assert Rules.from_toml("") == SHARABESHKI
    assert Rules.from_toml("target = 500\nbarrels = [[200, 300]]\ndump_trucks = []") == Rules(
        target=500, barrels=((200, 300),), dump_trucks=()
    )
    table = '[combinations]\n"1" = 10\n"5 1" = 25'
    assert dict(Rules.from_toml(table).combinations) == {(1,): 10, (1, 5): 25}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("taget = 100", "taget"),
        ("target = 100\nTarget = 100", "Target"),
        ("[rules]\ntarget = 100", "rules"),
        ("target = ", "TOML"),
        ("target = 100\ntarget = 200", "TOML"),
        ('combinations = [["1", 10]]', "combinations"),
        ('[combinations]\n"one" = 10', "combinations"),
        ('[combinations]\n"" = 10', "combinations"),
        ('[combinations]\n"1 5" = 10\n"5 1" = 15', "combinations"),
        ('[combinations]\n"1" = 1.5', "combinations"),
        ('[combinations]\n"1" = [1]', "combinations"),
        ("target = 2.5", "target"),
        ("target = true", "target"),
        ("target = [1]", "target"),
        ("floor = 1979-05-27", "floor"),
        ("barrels = [[1, 2, 3]]", "barrels"),
        ("barrels = 5", "barrels"),
        ("[barrels]\na = 1", "barrels"),
        ("dump_trucks = 555", "dump_trucks"),
        ('dump_trucks = "555"', "dump_trucks"),
        ("set_aside = 1", "set_aside"),
        ("[set_aside]\nany = true", "set_aside"),
    ],
)
def test_toml_that_is_refused(text: str, field: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_toml(text)
    assert caught.value.field == field and "\n" not in str(caught.value)


def test_an_unknown_key_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(RulesError, match="taget = 100") as caught:
        Rules.from_toml("taget = 100")
    assert all(name in str(caught.value) for name in FIELDS)


@given(st.text())
@example("\x00")
@example("target = 1" + "0" * 5000)
@example("x = " + "[" * 50)
def test_any_text_makes_rules_or_a_rules_error(text: str) -> None:
    with contextlib.suppress(RulesError):
        assert isinstance(Rules.from_toml(text), Rules)


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "правила.toml"
    path.write_text("# кости\n" + PIG.to_toml(), encoding="utf-8")
    assert Rules.load(path) == Rules.load(str(path)) == PIG
    with pytest.raises(OSError, match="missing"):
        Rules.load(tmp_path / "missing.toml")
    path.write_bytes(b"target = 100 # \xff\xfe")
    with pytest.raises(RulesError, match="UTF-8"):
        Rules.load(path)


def test_rules_answer_for_states() -> None:
    """The three methods are those of `solver.moves`, where they are tested."""
    state = State(195, 540, turn_total=60, dice_left=2)
    whole = SHARABESHKI.check(state)
    assert (whole.entered, whole.opponent_entered) == (True, True)
    for action, throw in itertools.product(SHARABESHKI.actions(state), [None]):
        assert isinstance(SHARABESHKI.apply(state, action, throw), State)


@pytest.mark.parametrize("odd", [None, 5, b"target = 500"])
def test_what_is_no_text_is_no_toml(odd: Any) -> None:
    with pytest.raises(RulesError, match=f"TOML = {odd!r}"):
        Rules.from_toml(odd)


def test_equal_rules_are_one_key_even_from_another_process() -> None:
    """What another process had worked out about them must not come along."""
    code = (
        "import pickle, sys, solver; hash(solver.PIG); pickle.dump(solver.PIG, sys.stdout.buffer)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True)
    other = pickle.loads(done.stdout)
    assert other == PIG and hash(other) == hash(PIG) and {PIG: 1}[other] == 1


TYPED = """
from dataclasses import replace
from solver import PIG, Rules
rules = Rules(combinations={(1,): 10, (5,): 5}, barrels=[(200, 300)], dump_trucks={555})
rules = replace(rules, combinations=[([1], 10)], barrels=[])
kept: tuple[tuple[tuple[int, ...], int], ...] = rules.combinations
pairs: tuple[tuple[int, int], ...] = PIG.barrels
"""
MISTYPED = "from solver import Rules\nRules(combinations=5)\nRules(barrels='x')\n"


@pytest.mark.slow
def test_type_checkers_take_every_form_that_is_allowed(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    for name, code, errors in (("right.py", TYPED, 0), ("wrong.py", MISTYPED, 2)):
        (tmp_path / name).write_text(code)
        options = ["--strict", "--no-incremental", "--config-file=", str(tmp_path / name)]
        found = api.run(options)[0]
        assert found.count(" error: ") == errors, found
