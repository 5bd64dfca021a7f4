"""Every transition of the score, against an independent implementation and by hand.

The reference knows no states: what it says of (score, entered, bolts) and of turn totals is
compared with what the package makes of the same players, on every status and every way to end a
turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import reference as ref
import strategies as some
from games import TINY, some_pairs, thinned
from hypothesis import given
from hypothesis import strategies as st

from solver import PIG, PIGLET, SHARABESHKI, Action, Rules, State, StateError
from solver import positions as module
from solver.dice import option_sets
from solver.moves import cells, reachable
from solver.positions import Positions, Status, may_bank, positions

READINGS = {
    "the default": SHARABESHKI,
    "first throw": Rules(bolt_on="first_throw"),
    "until entered": Rules(bolt_on="any_throw_until_entered"),
    "penalties dump": Rules(dump_on_penalty=True, dump_trucks=(55, 555, 950)),
    "may roll, all": Rules(hot_dice="may_roll", set_aside="all"),
    "no bolts": Rules(bolts_to_penalty=0, floor=-50),
    "off the step": Rules(target=1003, entry=47, barrels=((198, 301), (301, 333), (901, 1003))),
    "from the start": Rules(entry=0, overtake_penalty=200, floor=-120),
    "Pig": PIG,
    "Piglet": PIGLET,
}
GAMES = READINGS | TINY
EVERY = pytest.mark.parametrize("name", GAMES)


# ------------------------------------------------------------------------------------ statuses


@EVERY
def test_statuses_are_the_references_in_the_documented_order(name: str) -> None:
    places = positions(GAMES[name])
    assert sorted(places.statuses) == sorted(ref.statuses(GAMES[name]))
    assert list(places.statuses) == sorted(places.statuses, key=lambda s: (s[2], s[1], s[0]))
    assert [places.index[status] for status in places.statuses] == list(range(len(places)))
    assert places.statuses[places.start] == ref.start(GAMES[name])


def test_the_default_game_has_801_statuses() -> None:
    places = positions(SHARABESHKI)
    assert len(places) == 801 and len(places) ** 2 == 641_601
    outside = sorted({s.score for s in places.statuses if not s.entered})
    assert outside == [-300, -250, -200, -150, -100, -50, 0]


def test_positions_are_kept() -> None:
    assert positions(Rules()) is positions(SHARABESHKI)


@EVERY
def test_where_busts_lead(name: str) -> None:
    rules = GAMES[name]
    for status, first in itertools.product(positions(rules).statuses, (True, False)):
        assert module.bust(rules, status, first) == ref.after_bust(rules, tuple(status), first)


@EVERY
def test_where_banks_and_overtakes_lead(name: str) -> None:
    rules = GAMES[name]
    for me, opponent in some_pairs(rules, 600):
        totals = range(me.score + 1, rules.target)
        near = {opponent.score + d for d in (-rules.step, 0, rules.step)} & set(totals)
        for now in {*thinned(totals, 4), *near} if totals else ():
            mine, theirs = ref.after_bank(rules, tuple(me), [tuple(opponent)], now - me.score)
            assert module.bank(now) == mine
            assert module.overtaken(rules, opponent, me.score, now) == theirs[0]


@EVERY
def test_dump_trucks_and_the_target(name: str) -> None:
    rules = GAMES[name]
    for me in {status.score: status for status in positions(rules).statuses}.values():
        assert module.dump() == ref.after_dump(rules, tuple(me))
        for total in range(1, rules.target + 30 - me.score):
            end = module.ends_at(rules, me.score + total)
            assert end == ref.what_happens(rules, tuple(me), total)


@EVERY
def test_when_banking_is_allowed(name: str) -> None:
    rules = GAMES[name]
    for me in thinned(positions(rules).statuses, 80):
        for total, dice in thinned(reachable(rules, me.score), 200):
            assert may_bank(rules, me, total, dice) == ref.may_bank(rules, tuple(me), total, dice)


@EVERY
def test_the_table_of_when_banking_is_allowed(name: str) -> None:
    rules = GAMES[name]
    places, dice = positions(rules), range(1, rules.dice + 1)
    for index, me in enumerate(places.statuses[::7]):
        totals = range(0, rules.target - me.score, rules.step)[1:]
        totals = totals[:: 1 + len(totals) // 60]
        levels = np.array([places.level(me.score + total) for total in totals], dtype=int)
        known = [[may_bank(rules, me, total, left) for left in dice] for total in totals]
        assert places.bankable(7 * index, levels).tolist() == known


def search(rules: Rules, score: int) -> tuple[set[Any], set[Any]]:
    """Where a turn from a score comes to: cells in which to decide, and dump trucks."""
    gains = {
        dice: {option for options in option_sets(rules, dice) for option in options}
        for dice in range(1, rules.dice + 1)
    }
    waiting = [(0, rules.dice)]
    decide, dump = set(waiting), set()
    for total, dice in waiting:
        for points, left in gains[dice]:
            cell = (total + points, left or rules.dice)
            end = module.ends_at(rules, score + cell[0])
            if end == "dump":
                dump.add(cell)
            elif end is None and cell not in decide:
                decide.add(cell)
                waiting.append(cell)
    return decide, dump


@EVERY
def test_cells_are_those_of_a_search(name: str) -> None:
    rules = GAMES[name]
    table = cells(rules)
    scores = list(enumerate(range(rules.floor, rules.target, rules.step)))
    for level, score in thinned(scores, 50 if rules == SHARABESHKI else 20):
        found = [
            {(total * rules.step, dice + 1) for total, dice in np.argwhere(cell[level]).tolist()}
            for cell in table
        ]
        assert tuple(found) == search(rules, score)
        assert reachable(rules, score) == found[0]


@EVERY
def test_cells_that_can_come_up(name: str) -> None:
    rules = GAMES[name]
    scores = sorted({status.score for status in positions(rules).statuses})
    for score in scores[2 * len(scores) // 3 :: 1 + len(scores) // 10]:  # lower ones take longer
        plan = ref._plan(ref.freeze(rules), score, (0, rules.dice))
        assert reachable(rules, score) == {cell for cell, rolls in plan.items() if rolls}


@EVERY
def test_the_kernels_tables_say_the_same(name: str) -> None:
    """What is handed to the kernel as indices is what the transitions say."""
    import twin

    rules = GAMES[name]
    places = positions(rules)
    arrays = twin.game(places)
    for i, me in enumerate(places.statuses):
        level, bank_from, first, later = map(int, arrays.status[i])
        assert rules.floor + level * rules.step == me.score
        assert places.statuses[first] == module.bust(rules, me, True)
        assert places.statuses[later] == module.bust(rules, me, False)
        lowest = rules.floor + bank_from * rules.step
        assert lowest >= module.bank_from(rules, me) > lowest - rules.step
        opponent_level, shift = map(int, arrays.opponent[i])
        passed = module.overtaken(rules, me, me.score - 1, me.score + 1)
        assert places.statuses[i + shift] == passed
        assert opponent_level == (level if passed != me else -1)
    for level in range(places.levels):
        score = rules.floor + level * rules.step
        assert arrays.dump[level] == (score in rules.dump_trucks)
        if not (rules.dump_on_penalty and score in rules.dump_trucks):
            assert places.statuses[arrays.bank_status[level]] == Status(score, True, 0)
    assert places.statuses[arrays.dump_status] == (0, True, 0)
    assert len(arrays.opponent) % 16 == 0 and (arrays.opponent[len(places) :] == (-1, 0)).all()


# --------------------------------------------------------------------------- apply and actions


def follow_ups(rules: Rules, state: State, throw: Any) -> dict[Action, tuple[Any, ...]]:
    """What the reference says may be done, and what it leads to: the turn's rest, or its end."""
    me = (state.score, bool(state.entered), state.bolts)
    found: dict[Action, tuple[Any, ...]] = {}
    total, dice = state.turn_total, state.dice_left
    if throw is None:
        for then in ref.allowed(rules, me, total, dice) if total else ["roll"]:
            found[Action(then)] = ("on", total, dice) if then == "roll" else ("bank", total)
        return found
    for kept, points in ref.keeps(throw, rules).items():
        left = len(throw) - len(kept)
        for then in ref.allowed(rules, me, total + points, left):
            on = ("on", total + points, left or rules.dice)
            found[Action("keep", kept, then)] = on if then == "roll" else (then, total + points)
    return found or {Action("bust"): ("bust", total)}


def expected(rules: Rules, state: State, what: tuple[Any, ...]) -> State:
    """The state that the reference's outcome describes."""
    if what[0] == "on":
        return replace(state, turn_total=what[1], dice_left=what[2])
    me = Status(state.score, bool(state.entered), state.bolts)
    other = Status(state.opponent_score, bool(state.opponent_entered), state.opponent_bolts)
    end = ref.after(rules, tuple(me), tuple(other), what[1], what[0])
    if end == "win":
        end = (me.score + what[1], True, 0), tuple(other)
    return some.state_of(Status(*end[1]), Status(*end[0]), 0, rules.dice)


def decisions(rules: Rules, most: int) -> Iterator[tuple[State, Any]]:
    """States and throws from all over a game."""
    for place, (me, opponent) in enumerate(some_pairs(rules, most)):
        cells = sorted(reachable(rules, me.score))
        for total, dice in {cells[0], cells[place % len(cells)], cells[-1 - place % len(cells)]}:
            state = some.state_of(me, opponent, total, dice)
            throws = list(ref.throws(dice, rules))
            for throw in [None, *throws[place % 7 :: 7], throws[-1]]:
                yield state, throw


def compare(rules: Rules, state: State, throw: Any) -> None:
    """Actions, and what follows each of them, are what the reference says."""
    follows = follow_ups(rules, state, throw)
    assert set(rules.actions(state, throw)) == set(follows)
    for action, what in follows.items():
        after = rules.apply(state, action, throw)
        assert after == expected(rules, state, what)
        if what[0] == "win":
            with pytest.raises(StateError, match="the game is over"):
                rules.check(after)
        else:
            assert rules.check(after) == after


@EVERY
def test_actions_and_what_follows_are_the_references(name: str) -> None:
    rules = GAMES[name]
    for state, throw in decisions(rules, 4 if rules.dice > 3 else 60):
        compare(rules, state, throw)


@given(st.data())
def test_actions_and_what_follows_in_random_games(data: st.DataObject) -> None:
    rules = data.draw(some.small_rules(most_dice=3, most_sides=4))
    compare(rules, *data.draw(some.decisions(rules)))


@given(st.data(), some.actions())
def test_an_action_that_is_not_legal_is_refused(data: st.DataObject, action: Action) -> None:
    state, throw = data.draw(some.decisions(SHARABESHKI))
    legal = SHARABESHKI.actions(state, throw)
    if action in legal:
        assert isinstance(SHARABESHKI.apply(state, action, throw), State)
    else:
        with pytest.raises(StateError) as caught:
            SHARABESHKI.apply(state, action, throw)
        assert str(action) in str(caught.value) and str(state) in str(caught.value)
        assert all(str(allowed) in str(caught.value) for allowed in legal)


@given(some.small_rules(most_dice=3), st.data())
def test_every_reachable_state_has_an_action_or_a_named_end(
    rules: Rules, data: st.DataObject
) -> None:
    """Play at random: there is always something to do, until somebody has won."""
    state = State()
    for _ in range(30):
        state = rules.check(state)
        action = data.draw(st.sampled_from(rules.actions(state)))
        throw = None
        if action.kind == "roll":
            assert state.dice_left is not None
            throw = data.draw(some.throws_of(rules, state.dice_left))
            action = data.draw(st.sampled_from(rules.actions(state, throw)))
            assert action.kind in ("keep", "bust")
        state = rules.apply(state, action, throw)
        if action.then == "win":
            assert state.opponent_score >= rules.target
            return


# ------------------------------------------------------------------------------ worked examples


def after(text: str, action: str, throw: str = "", rules: Rules = SHARABESHKI) -> str:
    """What follows, in the notation without the dice at the start of a turn."""
    state, faces = State.parse(text), tuple(map(int, throw)) if throw else None
    chosen = {str(legal): legal for legal in rules.actions(state, faces)}[action]
    return str(rules.apply(state, chosen, faces)).replace("d5:", ":")


def legal(text: str, throw: str = "", rules: Rules = SHARABESHKI) -> set[str]:
    faces = tuple(map(int, throw)) if throw else None
    return set(map(str, rules.actions(State.parse(text), faces)))


EXAMPLES = [
    ("0:0", "keep 1 5, roll", "15226", "0n+15d3:0n"),  # a throw of the text
    ("195+60d2:100", "bank", "", "100e:255e"),  # landing on a barrel from below
    ("195+10d3:100", "bank", "", "100e:205e"),
    ("180+20d2:190", "keep 1, bank", "12", "140e:210e"),  # overtaking while climbing into one
    ("530+20d3:0e", "keep 5, dump", "522", "0e:0e"),
    ("530:0e", "keep 5 5, roll", "55223", "530e+10d3:0e"),
    ("550eb2:10e", "keep 5, dump", "52236", "10e:0e"),  # bolts are gone
    ("540+5d4:600", "keep 1, dump", "1223", "600e:0e"),  # nobody is overtaken by a dump truck
    ("0n+500d2:0", "keep 5 5, roll", "55", "0n+510:0n"),
    ("500+70d3:550", "bank", "", "500e:570e"),  # strictly between
    ("500+70d3:570", "bank", "", "570e:570e"),  # a tie is not an overtake
    ("500+70d3:500", "bank", "", "500e:570e"),
    ("500+70d3:565eb2", "bank", "", "515eb2:570e"),  # bolts of the overtaken stay
    ("0n+50d3:45e", "bank", "", "-5e:50e"),  # entering past an entered player
    ("-50n+60d3:0n", "bank", "", "0n:10e"),  # who has not entered is never overtaken
    ("-50nb2+50d3:0", "bank", "", "0n:0e"),
    ("255+45d3:0", "bank", "", "0n:300e"),
    ("295+5d4:0", "bank", "", "0n:300e"),
    ("195+405d2:0", "bank", "", "0n:600e"),  # over one barrel onto the next
    ("-270eb2:0", "bust", "22336", "0n:-300e"),  # the floor
    ("20eb2:-5e", "bust", "22336", "-5e:-30e"),
    ("20eb2:-5eb1", "bust", "22336", "-5eb1:-30e"),  # the other's bolts are untouched
    ("0nb2:0", "bust", "22336", "0n:-50n"),
    ("0n:0", "bust", "22336", "0n:0nb1"),
    ("0+60d2:0", "bust", "46", "0n:0nb1"),  # a later bust writes a bolt too
    ("605eb2:0", "bust", "22336", "0n:555e"),  # a penalty onto 555 is no dump truck
    ("590e+20d3:605eb1", "bank", "", "555eb1:610e"),
]


@pytest.mark.parametrize(("text", "action", "throw", "then"), EXAMPLES)
def test_worked_examples(text: str, action: str, throw: str, then: str) -> None:
    assert after(text, action, throw) == then


@pytest.mark.parametrize(
    ("text", "throw"),
    [("995:0", "52236"), ("990:0", "55555"), ("995eb2:990", "52236"), ("0n:0", "11111"),
     ("905:0", "66661"), ("985+10d3:0", "522"), ("900+95d1:0", "5")],
)  # fmt: skip
def test_the_target_is_won_at_once_whatever_else_holds(text: str, throw: str) -> None:
    """Too much is not burned, no last roll is asked for, entry and barrels do not matter."""
    wins = [action for action in legal(text, throw) if action.endswith("win")]
    assert wins
    for action in wins:
        state = SHARABESHKI.apply(
            State.parse(text),
            {str(a): a for a in SHARABESHKI.actions(State.parse(text), map(int, throw))}[action],
            map(int, throw),
        )
        assert state.opponent_score >= 1000
        with pytest.raises(StateError, match="the game is over"):
            SHARABESHKI.actions(state)


def test_a_player_may_avoid_the_dump_truck() -> None:
    options = legal("530:0e", "11522")
    assert "keep 1 1 5, dump" in options  # 555 as well as 25 more
    assert {"keep 1 5, roll", "keep 1 5, bank", "keep 1 1, roll", "keep 1 1, bank"} <= options
    assert {action for action in options if "dump" in action} == {"keep 1 1 5, dump"}


def test_a_dump_truck_enters_the_game() -> None:
    assert after("0n+545d2:0", "keep 1, dump", "12") == "0n:0e"


def test_entry_needs_its_points_in_one_turn() -> None:
    assert legal("0n+45d3:0") == {"roll"} and legal("0n+50d3:0") == {"roll", "bank"}
    assert legal("-50n+45d3:0") == {"roll"} and legal("-50n+50d3:0") == {"roll", "bank"}
    assert legal("-300nb2+50d3:0") == {"roll", "bank"}
    assert legal("0n+40d3:0", "522") == {"keep 5, roll"}
    assert legal("0e+5d4:0") == {"roll", "bank"}  # entered is for good


@pytest.mark.parametrize(("low", "high"), [(200, 300), (600, 700), (900, 1000)])
def test_a_barrel_is_left_in_one_turn_or_not(low: int, high: int) -> None:
    for score in range(low, high, 5):
        for total in range(5, 200, 5):
            if (total, 2) in reachable(SHARABESHKI, score) and score + total < 1000:
                options = SHARABESHKI.actions(State(score, 0, total, 2))
                assert (Action("bank") in options) == (score + total >= high)
    below = State(low - 5, 0, 25, 2)
    assert Action("bank") in SHARABESHKI.actions(below)


def test_hot_dice_must_be_rolled_unless_the_rules_say_otherwise() -> None:
    kind = replace(SHARABESHKI, hot_dice="may_roll")
    assert legal("0n:0", "11155") == {
        "keep 5, roll", "keep 1, roll", "keep 5 5, roll", "keep 1 5, roll", "keep 1 1, roll",
        "keep 1 5 5, roll", "keep 1 1 5, roll", "keep 1 1 1, roll", "keep 1 1 1, bank",
        "keep 1 1 5 5, roll", "keep 1 1 1 5, roll", "keep 1 1 1 5, bank", "keep 1 1 1 5 5, roll",
    }  # fmt: skip
    assert "keep 1 1 1 5 5, bank" in legal("0n:0", "11155", kind)
    assert legal("0e+110d5:0") == {"roll"} and legal("0e+110d5:0", "", kind) == {"roll", "bank"}
    assert after("0n:0", "keep 1 1 1 5 5, roll", "11155") == "0n+110:0n"
    assert "keep 1 1 1 5 5, dump" in legal("445e:0", "11155")
    assert "keep 1 1 1 5 5, win" in legal("890:0", "11155")


def test_dice_that_do_not_score_cannot_be_kept() -> None:
    state, throw = State(0, 0), (1, 2, 3, 4, 6)
    for kept in [(2,), (1, 2), (6,), (1, 1), (5,), (1, 2, 3, 4, 6)]:
        with pytest.raises(StateError, match="must be one of: keep 1, roll"):
            SHARABESHKI.apply(state, Action("keep", kept, "roll"), throw)
    assert after("0n:0", "keep 1, roll", "12346") == "0n+10d4:0n"


@pytest.mark.parametrize(
    ("bolt_on", "busts"),
    [
        ("any_throw", ("0nb1", "0nb1", "5eb1", "5eb1")),
        ("first_throw", ("0nb1", "0n", "5eb1", "5e")),
        ("any_throw_until_entered", ("0nb1", "0nb1", "5eb1", "5e")),
    ],
)
def test_which_busts_write_a_bolt(bolt_on: str, busts: tuple[str, ...]) -> None:
    rules = Rules(bolt_on=bolt_on)
    starts = ("0n:0", "0n+60d2:0", "5e:0", "5e+60d2:0")
    for text, bust in zip(starts, busts, strict=True):
        throw = "46" if "d2" in text else "22336"
        assert after(text, "bust", throw, rules).split(":")[1] == bust


def test_a_later_bust_that_writes_nothing_leaves_the_bolts() -> None:
    rules = Rules(bolt_on="first_throw")
    assert after("5eb2+60d2:0", "bust", "46", rules) == "0n:5eb2"


def test_penalties_that_dump_do_it_once() -> None:
    rules = Rules(dump_on_penalty=True, dump_trucks=(50, 555))
    assert after("605eb2:0", "bust", "22336", rules) == "0n:0e"
    assert after("590e+20d3:605eb1", "bank", "", rules) == "0eb1:610e"
    assert after("100eb2:0", "bust", "22336", rules) == "0n:0e"


# --------------------------------------------------------------------------------------- check


@given(st.data())
def test_a_checked_state_has_nothing_open_and_stays(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(list(GAMES.values())))
    state = data.draw(some.states(rules))
    assert rules.check(state) == state
    open_again = replace(state, dice_left=None) if state.dice_left == rules.dice else state
    assert rules.check(open_again) == state
    vague = replace(state, entered=None, opponent_entered=None)
    filled = rules.check(vague)
    assert filled.entered in (state.entered, False)
    assert filled.opponent_entered in (state.opponent_entered, False)


@pytest.mark.parametrize(
    ("text", "entered"),
    [("0:5", False), ("-50:5", False), ("-300b2:5", False), ("-45:5", True), ("5:5", True),
     ("-295:5", True), ("50:5", True)],
)  # fmt: skip
def test_entry_left_open_is_what_the_score_allows(text: str, entered: bool) -> None:
    state = SHARABESHKI.check(State.parse(text))
    assert state.entered is entered and state.opponent_entered is True
    assert state.dice_left == 5


def test_without_an_entry_everybody_is_in_the_game() -> None:
    assert PIG.check(State()) == State(0, 0, 0, 1, 0, 0, True, True)


REFUSED = [
    (SHARABESHKI, "3:0", "score 3 must be a multiple of 5"),
    (SHARABESHKI, "0:7", "score 7 must be a multiple of 5"),
    (SHARABESHKI, "-305:0", "from -300 to below 1000"),
    (SHARABESHKI, "0:-305", "from -300 to below 1000"),
    (SHARABESHKI, "3e:0", "score 3 must be a multiple of 5"),
    (SHARABESHKI, "1000:0", "the game is over"),
    (SHARABESHKI, "0:1000", "the game is over"),
    (SHARABESHKI, "0:1250e", "the game is over"),
    (SHARABESHKI, "1003:0", "the game is over"),
    (SHARABESHKI, "0b3:0", "3 bolts, must be at most 2"),
    (SHARABESHKI, "0:0b3", "3 bolts, must be at most 2"),
    (PIG, "0b1:0", "1 bolts, must be at most 0"),
    (SHARABESHKI, "5n:0", "nobody can stand at 5 not entered"),
    (SHARABESHKI, "-45n:0", "nobody can stand at -45 not entered"),
    (SHARABESHKI, "0:50n", "nobody can stand at 50 not entered"),
    (PIG, "0n:0", "nobody can stand at 0 not entered"),
    (SHARABESHKI, "0d6:0", "there are 5 dice"),
    (PIG, "0d2:0", "there are 1 dice"),
    (SHARABESHKI, "0d4:0", "a turn total of 0 with 4 dice left cannot come up"),
    (SHARABESHKI, "0+5d3:0", "a turn total of 5 with 3 dice left cannot come up"),
    (SHARABESHKI, "0+5:0", "a turn total of 5 with 5 dice left cannot come up"),
    (SHARABESHKI, "0+7d3:0", "a turn total of 7"),
    (SHARABESHKI, "0+15d4:0", "a turn total of 15 with 4 dice left"),
    (SHARABESHKI, "530e+25d2:0", "the turn has ended with a dump truck"),
    (SHARABESHKI, "0e+555d2:0", "the turn has ended with a dump truck"),
    (SHARABESHKI, "990e+10d4:0", "the turn has ended with a win"),
    (SHARABESHKI, "0+1000:0", "the turn has ended with a win"),
    (SHARABESHKI, "0+5000d2:0", "the turn has ended with a win"),
    (PIG, "0+1d1:0", "a turn total of 1 with 1 dice left cannot come up"),
    (PIGLET, "1+1:0", "the turn has ended with a win"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text", "message"), REFUSED)
def test_states_that_the_rules_do_not_allow(rules: Rules, text: str, message: str) -> None:
    state = State.parse(text)
    calls = [
        lambda: rules.check(state),
        lambda: rules.actions(state),
        lambda: rules.actions(state, (1,)),
        lambda: rules.apply(state, Action("roll")),
    ]
    for call in calls:
        with pytest.raises(StateError) as caught:
            call()
        assert message in str(caught.value) and text in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_turn_total_beyond_a_dump_truck_must_get_round_it() -> None:
    """From 550 a single die that scores 5 ends the turn; all higher totals come another way."""
    assert (5, 4) not in reachable(SHARABESHKI, 550)
    assert (10, 4) in reachable(SHARABESHKI, 550)
    assert (15, 3) in reachable(SHARABESHKI, 550)


def test_a_score_where_penalties_dump_is_nobodys() -> None:
    rules = Rules(dump_on_penalty=True)
    with pytest.raises(StateError, match="nobody can stand at 555 entered"):
        rules.check(State(555, 0, entered=True))
    with pytest.raises(StateError, match="nobody can stand at 555"):
        rules.check(State(555, 0))
    assert SHARABESHKI.check(State(555, 0)).entered is True


@pytest.mark.parametrize(
    ("dice_left", "throw"),
    [(5, (1,)), (5, ()), (5, (1, 1, 1, 1, 1, 1)), (2, (1, 2, 3)), (2, (1, 7)), (2, (0, 1)),
     (2, (1.5, 1)), (2, "15"), (1, (True,))],
)  # fmt: skip
def test_throws_that_the_dice_left_cannot_show(dice_left: int, throw: Any) -> None:
    state = State(0, 0, {5: 0, 2: 60, 1: 65}[dice_left], dice_left)
    for call in (SHARABESHKI.actions, lambda s, t: SHARABESHKI.apply(s, Action("bust"), t)):
        with pytest.raises(StateError, match="throw"):
            call(state, throw)


def test_a_refusal_changes_nothing() -> None:
    state = State(0, 0, 60, 2)
    with pytest.raises(StateError):
        SHARABESHKI.apply(state, Action("keep", (4,), "roll"), (4, 2))
    assert state == State(0, 0, 60, 2)


def test_positions_can_be_built_without_the_cache() -> None:
    assert Positions(PIGLET).statuses == positions(PIGLET).statuses
