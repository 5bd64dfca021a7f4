"""Hypothesis strategies for rules, states and throws: everything random in the tests is here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from solver import Action, Rules, State
from solver.moves import reachable
from solver.positions import Status, positions

# Time limits for each example only measure how busy the machine is.
settings.register_profile(
    "sharabeshki",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    max_examples=40,
)
settings.load_profile("sharabeshki")

Multiset = tuple[int, ...]

BOLT_ON = ("any_throw", "first_throw", "any_throw_until_entered")


def multisets(most: int, sides: int) -> list[Multiset]:
    """Every multiset of 1 to `most` faces."""
    faces = range(1, sides + 1)
    sizes = range(1, most + 1)
    return [m for n in sizes for m in itertools.combinations_with_replacement(faces, n)]


def tables(
    dice: int, sides: int, most_points: int = 4, most_entries: int = 5
) -> st.SearchStrategy[dict[Multiset, int]]:
    """Combination tables."""
    return st.dictionaries(
        st.sampled_from(multisets(dice, sides)),
        st.integers(1, most_points),
        min_size=1,
        max_size=most_entries,
    )


@st.composite
def barrels(draw: st.DrawFn, target: int) -> tuple[tuple[int, int], ...]:
    """Up to two barrels that do not overlap, touching ones among them."""
    ends = sorted(draw(st.lists(st.integers(-1, target), max_size=4, unique=True)))
    return tuple(itertools.pairwise(ends))[:: draw(st.sampled_from((1, 2)))][:2]


@st.composite
def small_rules(
    draw: st.DrawFn, most_dice: int = 2, most_sides: int = 3, most_steps: int = 8
) -> Rules:
    """Rules with every switch drawn, of games with a few hundred positions."""
    dice, sides = draw(st.integers(1, most_dice)), draw(st.integers(2, most_sides))
    table = draw(tables(dice, sides))
    bolt_penalty, overtake_penalty = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    step = math.gcd(*table.values(), bolt_penalty, overtake_penalty)
    target = draw(st.integers(1, most_steps * step))
    trucks = range(step, target, step)
    return Rules(
        target=target,
        entry=draw(st.integers(0, target + 1)),
        barrels=draw(barrels(target)),
        dump_trucks=draw(st.sets(st.sampled_from(trucks), max_size=2)) if trucks else (),
        dump_on_penalty=draw(st.booleans()),
        bolts_to_penalty=draw(st.integers(0, 3)),
        bolt_penalty=bolt_penalty,
        bolt_on=draw(st.sampled_from(BOLT_ON)),
        overtake_penalty=overtake_penalty,
        hot_dice=draw(st.sampled_from(("must_roll", "may_roll"))),
        set_aside=draw(st.sampled_from(("any", "all"))),
        floor=-step * draw(st.integers(0, 2)),
        dice=dice,
        sides=sides,
        combinations=table,
    )


def _soon_over(rules: Rules) -> bool:
    """Whether single dice bring what a turn must make with a chance of at least 1/50."""
    singles = [points for faces, points in rules.combinations if len(faces) == 1]
    if not singles or rules.dump_trucks:
        return False
    in_one_turn = [1, rules.entry, *(hi - lo for lo, hi in rules.barrels)]
    if rules.hot_dice == "must_roll" and rules.dice == 1:
        in_one_turn.append(rules.target)
    throws = -(-min(max(in_one_turn), rules.target) // min(singles))
    return bool((len(singles) / rules.sides) ** throws >= 0.02)


def easy_rules(**sizes: int) -> st.SearchStrategy[Rules]:
    """Small rules whose games always end, and soon: no dump trucks, and single dice score."""
    return small_rules(**sizes).filter(_soon_over)


def whole_numbers() -> st.SearchStrategy[int]:
    """Integers about as large as scores get, and a few far larger."""
    return st.integers(-2000, 2000) | st.integers(-(10**9), 10**9)


def loose_states() -> st.SearchStrategy[State]:
    """States with a sound structure, whether or not any rules allow them."""
    count = st.integers(0, 2000)
    entered = st.sampled_from((None, True, False))
    return st.builds(
        State,
        score=whole_numbers(),
        opponent_score=whole_numbers(),
        turn_total=count,
        dice_left=st.none() | st.integers(1, 99),
        bolts=st.integers(0, 99),
        opponent_bolts=st.integers(0, 99),
        entered=entered,
        opponent_entered=entered,
    )


def statuses(rules: Rules) -> st.SearchStrategy[Status]:
    """Players between turns."""
    return st.sampled_from(positions(rules).statuses)


def state_of(
    me: Status, opponent: Status, turn_total: int = 0, dice_left: int | None = None
) -> State:
    """The state in which `me` is to move."""
    return State(
        score=me.score,
        opponent_score=opponent.score,
        turn_total=turn_total,
        dice_left=dice_left,
        bolts=me.bolts,
        opponent_bolts=opponent.bolts,
        entered=me.entered,
        opponent_entered=opponent.entered,
    )


@st.composite
def states(draw: st.DrawFn, rules: Rules) -> State:
    """States in which a player can be asked to decide, nothing left open."""
    me = draw(statuses(rules))
    cells = sorted(reachable(rules, me.score))
    return state_of(me, draw(statuses(rules)), *draw(st.sampled_from(cells)))


def throws_of(rules: Rules, dice: int) -> st.SearchStrategy[Multiset]:
    """Throws of a number of dice, in the order in which they fell."""
    return st.tuples(*[st.integers(1, rules.sides)] * dice)


@st.composite
def decisions(draw: st.DrawFn, rules: Rules) -> tuple[State, Multiset | None]:
    """A state and what was thrown in it, or None before the throw."""
    state = draw(states(rules))
    assert state.dice_left is not None
    return state, draw(st.none() | throws_of(rules, state.dice_left))


def actions() -> st.SearchStrategy[Action]:
    """Actions of every kind, legal or not."""
    plain = st.sampled_from((Action("roll"), Action("bank"), Action("bust")))
    dice = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(tuple)
    thens = st.sampled_from(("roll", "bank", "dump", "win"))
    return plain | st.builds(Action, st.just("keep"), dice, thens)


def anything() -> st.SearchStrategy[Any]:
    """Values that a TOML file or a careless caller may put where a field is expected."""
    simple = st.one_of(
        st.none(), st.booleans(), st.integers(-5, 2000), st.floats(), st.text(max_size=5)
    )
    return st.recursive(
        simple,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=6,
    )


def shuffled(items: Iterable[Any]) -> st.SearchStrategy[list[Any]]:
    """The items in another order."""
    return st.permutations(list(items))
