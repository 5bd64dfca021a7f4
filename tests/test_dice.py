"""Dice: what a throw scores, what may be kept of it, and how often it comes up."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import oracles
import pytest
import reference as ref
import strategies as some
from hypothesis import given
from hypothesis import strategies as st
from test_kernel import FARKLE

from solver import PIG, PIGLET, SHARABESHKI, Rules, RulesError, StateError, keeps
from solver.dice import bust_chance, normal_throw, option_sets, throws, trie

ALL = Rules(set_aside="all")


def dice(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def kept(worth: dict[str, int]) -> dict[tuple[int, ...], int]:
    return {dice(faces): points for faces, points in worth.items()}


# ------------------------------------------------------------------- faults of other programs


@pytest.mark.parametrize(("throw", "expected"), oracles.KEEPS)
def test_keeps_of_reported_throws(throw: str, expected: dict[str, int]) -> None:
    for order in set(itertools.permutations(dice(throw))):
        assert keeps(order) == kept(expected)


def test_the_large_straight_takes_all_dice() -> None:
    assert keeps((2, 3, 4, 5, 6))[2, 3, 4, 5, 6] == 250
    assert keeps((1, 2, 3, 4, 5))[1, 2, 3, 4, 5] == 125
    assert throws(SHARABESHKI, 5)[2, 3, 4, 5, 6].outcomes == 120


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("count", range(1, 6))
def test_every_number_of_a_kind(face: int, count: int) -> None:
    single = {1: 10, 5: 5}.get(face, 0)
    triple = 100 if face == 1 else 10 * face
    worth = {1: single, 2: 2 * single, 3: triple, 4: 2 * triple, 5: 10 * triple}
    expected = {(face,) * n: worth[n] for n in range(1, count + 1) if worth[n]}
    assert keeps((face,) * count) == expected


def test_only_true_straights_score() -> None:
    """No throw with a repeated or a missing face is taken for one, whatever its order."""
    for throw in itertools.product(range(1, 7), repeat=5):
        whole = keeps(throw).get(tuple(sorted(throw)))
        if sorted(throw) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
            assert whole == (125 if 1 in throw else 250)
        elif len(set(throw)) >= 4:
            assert whole is None and max(keeps(throw).values(), default=0) <= 25


@pytest.mark.parametrize(
    ("table", "throw", "points"),
    [
        ({(face,) * 3: 100 * face for face in range(1, 7)}, "222333", 500),
        (FARKLE, "333344", 1500),
        (FARKLE, "111155", 2100),
        (FARKLE, "222333", 500),
        (FARKLE, "222222", 1500),
        (FARKLE, "222255", 2100),
        (FARKLE, "123456", 1500),
        (FARKLE, "111111", 2200),
        ({(1, 1): 4, (1, 2): 3, (2, 2): 1}, "1122", 6),
        ({(1,): 1, (1, 1): 1, (1, 1, 1): 1}, "111111", 6),
    ],
)
def test_the_best_split_counts(table: Any, throw: str, points: int) -> None:
    for order in (table, dict(reversed(table.items()))):
        rules = Rules(
            dice=6, combinations=order, dump_trucks=(), barrels=(), floor=0,
            bolt_penalty=0, overtake_penalty=0,
        )  # fmt: skip
        assert keeps(dice(throw), rules)[dice(throw)] == points


# --------------------------------------------------------------------------------- every throw

TABLES = {
    "the default": SHARABESHKI,
    "all of it": ALL,
    "Pig": PIG,
    "Piglet": PIGLET,
    "Farkle": Rules(dice=6, combinations=FARKLE, dump_trucks=()),
    "all of Farkle": Rules(dice=6, combinations=FARKLE, dump_trucks=(), set_aside="all"),
    **{name: Rules(**overrides) for name, overrides in ref.TINY.items()},
}


@pytest.mark.parametrize("name", TABLES)
def test_every_distinct_throw_is_the_references(name: str) -> None:
    rules = TABLES[name]
    for count in range(1, rules.dice + 1):
        ours = throws(rules, count)
        assert {throw: ours[throw].outcomes for throw in ours} == ref.throws(count, rules)
        for throw, entry in ours.items():
            assert entry.dice == throw and entry.keeps == ref.keeps(throw, rules)
            ends = {(points, count - len(k)) for k, points in entry.keeps.items()}
            assert entry.options == ends


@given(st.data())
def test_random_tables_score_as_the_reference_says(data: st.DataObject) -> None:
    rules = data.draw(some.small_rules(most_dice=4, most_sides=4))
    throw = data.draw(some.throws_of(rules, data.draw(st.integers(1, rules.dice))))
    assert keeps(throw, rules) == ref.keeps(throw, rules)


@given(st.data())
def test_what_is_kept_is_part_of_the_throw_and_sorted(data: st.DataObject) -> None:
    throw = data.draw(some.throws_of(SHARABESHKI, data.draw(st.integers(1, 5))))
    for multiset, points in keeps(throw).items():
        assert points > 0 and multiset == tuple(sorted(multiset))
        assert not Counter(multiset) - Counter(throw)


def test_the_answer_belongs_to_the_caller() -> None:
    first = keeps((1, 5, 2, 2, 6))
    first.clear()
    assert keeps((1, 5, 2, 2, 6)) == {(1,): 10, (5,): 5, (1, 5): 15}


# ---------------------------------------------------------------------- all that scores is taken


@pytest.mark.parametrize(
    ("throw", "taken"),
    [("12225", "12225"), ("15226", "15"), ("22226", "2222"), ("23456", "23456"), ("22336", "")],
)
def test_all_takes_everything_that_scores(throw: str, taken: str) -> None:
    assert list(keeps(dice(throw), ALL)) == ([dice(taken)] if taken else [])


@pytest.mark.parametrize(
    ("table", "throw", "taken"),
    [
        ({(1, 2): 5, (2, 3): 10}, "123", "23"),  # the most points
        ({(1, 2): 5, (2, 3, 3): 5}, "1233", "233"),  # then the most dice
        ({(1, 2): 5, (2, 3): 5}, "123", "12"),  # then the smallest multiset
        ({(2, 3): 5, (1, 2): 5}, "321", "12"),
    ],
)
def test_all_has_an_order_among_equals(table: Any, throw: str, taken: str) -> None:
    rules = Rules(set_aside="all", combinations=table)
    assert keeps(dice(throw), rules) == {dice(taken): max(table.values())}


# ------------------------------------------------------------------------------------- chances


def chance(throws_of_it: Iterable[Any], count: int) -> F:
    return F(sum(throw.outcomes for throw in throws_of_it), 6**count)


@pytest.mark.parametrize("count", range(1, 6))
def test_chances_of_the_game(count: int) -> None:
    table = throws(SHARABESHKI, count)
    assert chance(table.values(), count) == 1
    busts = [throw for throw in table.values() if not throw.keeps]
    assert chance(busts, count) == bust_chance(SHARABESHKI, count) == oracles.BUST[count]
    whole = [throw for throw in table.values() if throw.dice in throw.keeps]
    assert chance(whole, count) == oracles.ALL_DICE_SCORE[count]
    mean = sum(t.outcomes * max(t.keeps.values(), default=0) for t in table.values())
    assert F(mean, 6**count) == oracles.MEAN_BEST_SCORE[count]


def test_best_score_of_five_dice() -> None:
    found: Counter[int] = Counter()
    for throw in throws(SHARABESHKI, 5).values():
        found[max(throw.keeps.values(), default=0)] += throw.outcomes
    assert found == oracles.BEST_SCORE_OF_FIVE_DICE


def test_no_face_is_forgotten() -> None:
    assert {throw: t.outcomes for throw, t in throws(SHARABESHKI, 1).items()} == {
        (face,): 1 for face in range(1, 7)
    }
    for count in range(1, 6):
        for face in range(1, 7):
            shown = (t for throw, t in throws(SHARABESHKI, count).items() if face in throw)
            assert chance(shown, count) == 1 - F(5, 6) ** count


@given(some.small_rules(most_dice=4, most_sides=6))
def test_outcomes_add_up_in_any_game(rules: Rules) -> None:
    for count in range(1, rules.dice + 1):
        everything = rules.sides**count
        assert sum(t.outcomes for t in throws(rules, count).values()) == everything
        assert sum(option_sets(rules, count).values()) == everything
        assert 0 <= bust_chance(rules, count) <= 1


# ------------------------------------------------------------------------ option sets and tries


@pytest.mark.parametrize("count", range(1, 6))
def test_option_sets_of_the_game(count: int) -> None:
    sets = option_sets(SHARABESHKI, count)
    assert len([options for options in sets if options]) == oracles.OPTION_SETS[count]


@pytest.mark.parametrize("name", TABLES)
def test_tries_hold_the_option_sets(name: str) -> None:
    """The best of each set by way of the trie, weighted, is the best of each set."""
    rules = TABLES[name]
    nodes = trie(rules)
    for count in range(1, rules.dice + 1):
        worth = {
            o: hash((o, count)) % 1009 for options in option_sets(rules, count) for o in options
        }
        offsets = {
            points // rules.step * rules.dice + (left or rules.dice) - 1: (points, left)
            for points, left in worth
        }
        mine = nodes.nodes[nodes.start[count - 1] : nodes.start[count]]
        best: list[int] = []
        total = 0.0
        for place, (offset, depth, parent, _, outcomes) in enumerate(mine.tolist()):
            above = best[parent] if parent >= 0 else -1
            assert parent < place and (parent >= 0) == (depth > 0)
            best.append(max(above, worth[offsets[offset]]))
            total += outcomes * best[-1]
        sets = option_sets(rules, count).items()
        assert total == sum(n * max(worth[o] for o in options) for options, n in sets if options)
        assert nodes.bust[count - 1] == sum(n for options, n in sets if not options)
        assert nodes.outcomes[count - 1] == rules.sides**count


# ------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "throw",
    [
        (), (1, 2, 3, 4, 5, 6), (0,), (7,), (-1, 2), (1, 7, 2), (2.5,), ("1",), "15", (None,),
        (True,), (1, True), (float("nan"),), ((1,),),
    ],
)  # fmt: skip
def test_throws_that_the_dice_cannot_show(throw: Any) -> None:
    with pytest.raises(StateError, match="throw") as caught:
        keeps(throw)
    assert repr(tuple(throw)) in str(caught.value) and "\n" not in str(caught.value)


def test_a_refused_throw_says_what_is_allowed() -> None:
    with pytest.raises(StateError, match="face 7 is not from 1 to 6"):
        keeps((1, 7))
    with pytest.raises(StateError, match="has 6 dice, must have 1 to 5"):
        keeps((1, 1, 1, 1, 1, 1))
    with pytest.raises(StateError, match="has 2 dice, must have 3"):
        normal_throw(SHARABESHKI, (1, 2), 3)
    with pytest.raises(StateError, match="face 3 is not from 1 to 2"):
        keeps((3,), PIGLET)


def test_any_iterable_of_faces_is_a_throw() -> None:
    import numpy as np

    expected = {(1,): 10, (5,): 5, (1, 5): 15}
    for throw in ([5, 1], iter((1, 5)), np.array([1, 5]), np.array([5, 1], dtype=np.uint8)):
        found = keeps(throw)
        assert found == expected and all(type(face) is int for k in found for face in k)


@pytest.mark.parametrize("odd", [None, 5, True])
def test_what_is_no_throw_is_named(odd: Any) -> None:
    with pytest.raises(StateError, match=f"throw {odd!r}: must be a series of faces"):
        keeps(odd)


@pytest.mark.parametrize("odd", [None, "pig", {}])
def test_what_is_no_rules_is_named(odd: Any) -> None:
    with pytest.raises(RulesError, match=f"rules = {odd!r}"):
        keeps((1,), odd)
