"""The referee: its transitions against the naive reference, the flow of a game, its record."""

from __future__ import annotations

import io
import itertools
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference as ref

from solver import PIG, PIGLET, SHARABESHKI, Action, Rules, RulesError, State, StateError, solve
from solver import positions as rule
from solver.cli import main
from solver.dice import throws
from solver.moves import reachable
from solver.play import Game
from solver.positions import Status
from solver.record import parse_action

TINY = {name: Rules(**{**ref.DEFAULTS, **changes}) for name, changes in ref.TINY.items()}
SMALL = replace(SHARABESHKI, target=120, barrels=((30, 60),), dump_trucks=(75,), floor=-50)
VARIANTS = {
    "small": SMALL,
    "first throw": replace(SMALL, bolt_on="first_throw", hot_dice="may_roll", overtake_penalty=25),
    "until entered": replace(SMALL, bolt_on="any_throw_until_entered", set_aside="all"),
    "penalty dumps": replace(SMALL, dump_on_penalty=True, dump_trucks=(10, 75), bolts_to_penalty=1),
    "no bolts": replace(SMALL, bolts_to_penalty=0, entry=0, floor=0),
}
KEEP = {name: parse_action(f"keep 1, {name}") for name in ("roll", "bank")}


def state_of(me, opponent, total=0, dice=None):
    return State(me[0], opponent[0], total, dice, me[2], opponent[2], me[1], opponent[1])


def position(game):
    """Everything that the rules know of a game."""
    return game.statuses, game.mover, game.winner, game.turn_total, game.dice_left, game.thrown


def refused(game, act, *arguments):
    """Whether a method refuses, and leaves the game as it was."""
    before, text = position(game), str(game)
    with pytest.raises(StateError, match=r"^[^\n]+$"):
        act(*arguments)
    return (position(game), str(game)) == (before, text)


def least(dice):
    """The lowest turn total with which so many dice can be left: one 5 was kept of each throw."""
    return 5 * (5 - dice)


def subsets(throw):
    """Every sub-multiset of a throw, the empty one left out."""
    sizes = range(1, len(throw) + 1)
    return {dice for size in sizes for dice in itertools.combinations(throw, size)}


# ------------------------------------------------------------- transitions against the reference


@pytest.mark.parametrize("rules", [*TINY.values(), *VARIANTS.values(), SHARABESHKI])
def test_every_transition_of_every_status_is_the_references(rules):
    everyone = ref.statuses(rules)
    assert set(everyone) == set(rule.positions(rules).statuses)
    assert rule.start(rules) == ref.start(rules)
    assert rule.dump() == ref.after_dump(rules, ref.start(rules))
    for me in map(Status._make, everyone):
        for first in (True, False):
            assert rule.bust(rules, me, first) == ref.after_bust(rules, me, first)
        for total in range(0, rules.target - me.score + 3 * rules.step, rules.step):
            end = rule.ends_at(rules, me.score + total) if total else None
            assert end == ref.what_happens(rules, me, total)
            if end is None:
                for dice in range(1, rules.dice + 1):
                    may = rule.may_bank(rules, me, total, dice)
                    assert may == ref.may_bank(rules, me, total, dice)


@pytest.mark.parametrize("rules", [*TINY.values(), *VARIANTS.values()])
def test_every_overtake_is_the_references(rules):
    everyone = list(map(Status._make, ref.statuses(rules)))
    for before in {status.score for status in everyone}:
        for total in range(rules.step, rules.target - before, rules.step):
            after, others = ref.after_bank(rules, (before, True, 0), everyone, total)
            assert rule.bank(before + total) == after
            found = [rule.overtaken(rules, other, before, before + total) for other in everyone]
            assert found == others


@pytest.mark.parametrize("name", TINY)
def test_the_referee_does_what_the_reference_says_in_every_cell_with_every_throw(name):
    rules = TINY[name]
    everyone = ref.statuses(rules)
    opponents = everyone if len(everyone) < 25 else everyone[::5]
    if name == "five_dice":
        everyone, opponents = everyone[::3], everyone[1::4]
    for me, opponent in itertools.product(everyone, opponents):
        for total, dice in reachable(rules, me[0]):
            for throw in (
                throws(rules, dice) if dice < 4 else random.sample([*throws(rules, dice)], 4)
            ):
                check_cell(rules, me, opponent, total, dice, throw)


def check_cell(rules, me, opponent, total, dice, throw):
    """All that can be done with one throw, against the reference."""
    expected = {}
    for kept, points in ref.keeps(throw, rules).items():
        left = dice - len(kept) or rules.dice
        for then in ref.allowed(rules, me, total + points, left):
            expected[kept, then] = (total + points, left)
    game = Game.from_state(state_of(me, opponent, total, dice), rules)
    game.throw(throw)
    legal = game.actions()
    assert {(action.dice, action.then) for action in legal} == set(expected or {((), None)})
    for action in legal:
        game = Game.from_state(state_of(me, opponent, total, dice), rules)
        game.throw(throw)
        game.play(action)
        if action.then == "roll":
            assert game.statuses == [me, opponent]
            assert (game.turn_total, game.dice_left) == expected[action.dice, "roll"]
            continue
        won = expected.get((action.dice, action.then), (total, 0))[0]
        end = ref.after(rules, me, opponent, won, action.then or "bust")
        assert (game.winner == 0) == (end == "win")
        if end != "win":
            assert (tuple(game.statuses), game.mover) == (end, 1)
            assert (game.turn_total, game.dice_left, game.thrown) == (0, rules.dice, None)


@pytest.mark.parametrize("rules", [SHARABESHKI, *VARIANTS.values(), TINY["three_dice_all"]])
def test_a_whole_game_of_many_is_the_references(rules):
    dice, count = random.Random(5), 4
    game, players, mover = Game(rules, count, rng=3), [ref.start(rules)] * count, 0
    for _ in range(3000):
        if game.winner is not None:
            break
        first = game.turn_total == 0
        game.throw()
        action = dice.choice(game.actions())
        total = game.turn_total + ref.keeps(game.thrown, rules).get(action.dice, 0)
        game.play(action)
        if action.kind == "bust":
            players[mover] = ref.after_bust(rules, players[mover], first)
        elif action.then == "dump":
            players[mover] = ref.after_dump(rules, players[mover])
        elif action.then in ("bank", "win"):
            rest = [who for who in range(count) if who != mover]
            others = [players[who] for who in rest]
            players[mover], others = ref.after_bank(rules, players[mover], others, total)
            if action.then == "bank":
                for who, status in zip(rest, others, strict=True):
                    players[who] = status
        mover = (mover + (action.then not in ("roll", "win"))) % count
        assert (game.statuses, game.mover) == (players, mover)


# ----------------------------------------------------------- the flow of a game, as it went wrong


def test_a_finished_game_asks_nothing_and_lets_nothing_happen():
    for total, dice in ((0, 5), (5, 4), (20, 1), (495, 2)):
        game = Game.from_state(State(995 - total, 0, total, dice, entered=True))
        game.throw([1, 2, 3, 3, 4][:dice])
        game.play(parse_action("keep 1, win"))
        assert game.winner == 0 and game.statuses[0].score == 1005
        assert game.actions() == [] and game.mover == 0
        with pytest.raises(StateError, match="the game is over: player 1 has won"):
            _ = game.state
        assert refused(game, game.throw) and refused(game, game.throw, [1, 1, 1, 1, 1])
        for action in (Action("roll"), Action("bank"), Action("bust"), *KEEP.values()):
            assert refused(game, game.play, action)
        assert refused(game, game.throw_off)


def test_a_finished_state_is_refused_by_whatever_takes_a_state():
    solution = solve(PIG)
    for state in (
        State(100, 0),
        State(0, 100),
        State(96, 0, turn_total=4),
        State(0, 105),
    ):
        for ask in (PIG.check, PIG.actions, solution.best_action, solution.action_values):
            with pytest.raises(StateError, match=r"over|ended"):
                ask(state)
        with pytest.raises(StateError, match=r"over|ended"):
            Game.from_state(state, PIG)


@pytest.mark.parametrize("score", [0, -50, -300])
def test_who_has_not_entered_banks_from_the_entry_on_whatever_his_score(score):
    for total, dice in reachable(SHARABESHKI, score):
        if total and dice < 5:
            game = Game.from_state(State(score, 0, total, dice, entered=False))
            assert (Action("bank") in game.actions()) == (total >= 50)
            if total < 50:
                assert refused(game, game.play, Action("bank"))
            else:
                game.play(Action("bank"))
                assert game.statuses[0] == Status(score + total, True, 0)


def test_only_what_scores_can_be_kept_of_any_throw_of_any_number_of_dice():
    for dice in range(1, 6):
        for throw, found in throws(SHARABESHKI, dice).items():
            game = Game.from_state(State(100, 0, least(dice), dice, entered=True))
            game.throw(throw)
            for kept in subsets(throw) - set(found.keeps):
                assert refused(game, game.play, Action("keep", kept, "roll"))
                assert refused(game, game.play, Action("keep", kept, "bank"))
            for foreign in ((1,) * 6, tuple(face % 6 + 1 for face in throw)):
                if tuple(sorted(foreign)) not in found.keeps:
                    assert refused(game, game.play, Action("keep", foreign, "roll"))
            assert found.keeps or game.actions() == [Action("bust")]


def test_a_keep_that_does_not_score_is_refused_in_a_clear_line():
    game = Game()
    game.throw([1, 2, 3, 4, 6])
    for kept in ((2,), (1, 2)):
        with pytest.raises(StateError, match=r"must be one of: keep 1, roll$"):
            game.play(Action("keep", kept, "roll"))
    game.play(KEEP["roll"])
    assert (game.turn_total, game.dice_left) == (10, 4)


@pytest.mark.parametrize("hot", ["must_roll", "may_roll"])
def test_all_dice_set_aside_are_thrown_again_unless_the_turn_ends(hot):
    rules = replace(SHARABESHKI, hot_dice=hot)
    for dice in range(1, 6):
        for score in (100, 555 - 10, 555 - 15, 990, 500):
            for throw, found in throws(rules, dice).items():
                total = least(dice)
                if throw not in found.keeps or rule.ends_at(rules, score + total):
                    continue
                game = Game.from_state(State(score, 0, total, dice, entered=True), rules)
                game.throw(throw)
                then = {action.then for action in game.actions() if action.dice == throw}
                after = score + total + found.keeps[throw]
                forced = {"win"} if after >= 1000 else {"dump"} if after == 555 else None
                assert then == (forced or ({"roll"} if hot == "must_roll" else {"roll", "bank"}))
                if forced is None:
                    game.play(Action("keep", throw, "roll"))
                    assert (game.turn_total, game.dice_left) == (after - score, 5)
                    assert (Action("bank") in game.actions()) == (hot == "may_roll")


def test_a_bank_into_a_barrel_or_over_it_still_overtakes():
    game = Game.from_state(State(180, 190, turn_total=30, dice_left=2))
    game.play(Action("bank"))
    assert game.statuses == [Status(210, True, 0), Status(140, True, 0)]
    for lo, hi in SHARABESHKI.barrels:
        for before, after in (
            (lo - 20, lo + 30),
            (lo - 20, hi - 5),
            (lo - 5, hi + 25),
            (lo + 5, hi),
        ):
            for other in range(before - 5, min(after + 10, 1000), 5):
                state = State(before, other, after - before, 2, 0, 1, True, True)
                if after >= 1000 or after == 555:
                    continue
                game = Game.from_state(state)
                game.play(Action("bank"))
                lost = 50 if before < other < after else 0
                assert game.statuses == [Status(after, True, 0), Status(other - lost, True, 1)]


@pytest.mark.parametrize("hot", ["must_roll", "may_roll"])
def test_hot_dice_without_end_come_to_an_end(hot):
    always = Rules(
        target=30, entry=0, barrels=(), dump_trucks=(), bolts_to_penalty=0, bolt_penalty=1,
        overtake_penalty=0, floor=0, dice=1, sides=2, hot_dice=hot,
        combinations=(((1,), 1), ((2,), 2)),
    )  # fmt: skip
    solution = solve(always)
    assert solution.start == pytest.approx(1.0)
    game = Game(always, 1, rng=1)
    while game.winner is None:
        game.throw()
        game.play(next(action for action in game.actions() if action.then != "bank"))
    assert len(game.turns) == 1 and game.statuses[0].score in (30, 31)


@pytest.mark.parametrize("name", ["must_roll", "all_may_roll", "three_bolts", "dump_truck"])
def test_the_chances_of_what_a_turn_comes_to_add_up_to_one(name):
    rules = TINY[name]
    solution = solve(rules)

    def best(me, opponent, total, dice, throw):
        action = solution.best_action(state_of(me, opponent, total, dice), throw)
        return action.dice, action.then

    for me, opponent in ref.positions(rules)[::3]:
        ends = ref.outcome_distribution(ref.freeze(rules), best, me, opponent)
        assert sum(ends.values()) == Fraction(1)


RARE = [195, 295, 530, 535, 540, 545, 550, 895, 995, -45]


@pytest.mark.parametrize("score", [*RARE, 0, -50, -250, -300])
def test_every_throw_of_every_number_of_dice_has_an_answer(default_solution, score):
    entered = score in RARE
    for bolts, dice in itertools.product(range(3), range(1, 6)):
        total = least(dice)
        if rule.ends_at(SHARABESHKI, score + total):
            continue
        state = State(score, 500, total, dice, bolts, 2, entered, True)
        for throw in throws(SHARABESHKI, dice):
            game = Game.from_state(state)
            game.throw(throw)
            best = default_solution.best_action(game.state, throw)
            assert best in game.actions()
            game.play(best)
            assert game.winner == 0 or isinstance(game.state, State)


def test_who_overshoots_the_target_wins():
    for score in (990, 995, 900, 985):
        for throw, found in throws(SHARABESHKI, 5).items():
            for kept, points in found.keeps.items():
                if score + points >= 1000:
                    game = Game.from_state(State(score, 0, entered=True))
                    game.throw(throw)
                    mine = [action for action in game.actions() if action.dice == kept]
                    assert mine == [Action("keep", kept, "win")]
                    game.play(mine[0])
                    assert (game.winner, game.statuses[0].score) == (0, score + points)


def test_a_dump_truck_can_be_stepped_round_and_overtakes_nobody():
    for kept, score in (((1, 5), 545), ((1, 1), 550), ((1, 1, 5), 0)):
        game = Game.from_state(State(530, 540, entered=True, opponent_entered=True, bolts=2))
        game.throw([1, 1, 5, 2, 3])
        then = "dump" if score == 0 else "bank"
        game.play(Action("keep", kept, then))
        other = 540 if score == 0 else 490
        assert game.statuses == [Status(score, True, 0), Status(other, True, 0)]


# ----------------------------------------------------------------------------- what is refused


def test_a_throw_on_the_table_must_be_answered_first():
    game = Game()
    assert refused(game, game.play, KEEP["roll"])
    assert refused(game, game.play, Action("bank"))
    game.throw([1, 2, 2, 3, 3])
    assert refused(game, game.throw)
    assert refused(game, game.play, Action("roll"))
    assert refused(game, game.play, Action("bust"))
    assert refused(game, game.play, "roll")


@pytest.mark.parametrize("faces", [[], [1], [1] * 4, [1] * 6, [0] * 5, [7] * 5, [1, 2, 3, 4, 5.5]])
def test_a_throw_that_the_dice_cannot_show_is_refused(faces):
    game = Game()
    assert refused(game, game.throw, faces)


@pytest.mark.parametrize(
    "players",
    [0, -1, [], ["a", "a"], ["a", ""], [" a"], ["a|b"], ["a\nb"], None, 1.5, [1, 2], [None, "a"]],
)
def test_players_that_make_no_sense_are_refused(players):
    with pytest.raises(StateError):
        Game(players=players)


def test_a_state_is_about_two_players():
    for count in (1, 3):
        with pytest.raises(StateError, match="2 players"):
            _ = Game(players=count).state
        with pytest.raises(StateError, match="2 players"):
            Game.from_state(State(), players=count)
    with pytest.raises(StateError, match="first = 2"):
        Game(first=2)


@pytest.mark.parametrize("rules", [PIG, SMALL, TINY["barrel_at_nothing"]])
def test_positions_of_two_turn_into_states_and_back(rules):
    dice = random.Random(4)
    game = Game(rules, rng=9)
    while game.winner is None:
        again = Game.from_state(game.state, rules)
        assert again.state == game.state == State.parse(str(game.state)) == rules.check(game.state)
        throw = game.throw()
        assert {str(a) for a in game.actions()} == {
            str(a) for a in rules.actions(game.state, throw)
        }
        action = dice.choice(game.actions())
        expected = rules.apply(game.state, action, throw)
        game.play(action)
        assert game.winner is not None or game.state == expected


# ------------------------------------------------------------------------------- dice and order


def test_throws_are_drawn_from_the_generator_that_is_given():
    for seed in (7, np.random.default_rng(7)):
        assert Game(rng=seed).throw() == Game(rng=7).throw()
    faces = [Game(rng=generator).throw() for generator in [np.random.default_rng(1)] * 600]
    assert {face for throw in faces for face in throw} == {1, 2, 3, 4, 5, 6}
    game = Game(PIG, 1, rng=3)
    while game.winner is None:
        game.play(Action("roll"))
        assert len(game.thrown) == 1
        game.play(game.actions()[-1])


def test_the_highest_throw_goes_first_and_those_who_tie_throw_again():
    game = Game(players=["a", "b", "c"])
    one, five, nothing = (1, 2, 3, 3, 4), (5, 2, 3, 3, 4), (2, 2, 3, 3, 4)
    bad = [
        [], [[one, five]], [[one, five, one]], [[one, five, nothing], [one, five]],
        [[one, five, (1, 1)]], [[five, one, one], [one, one]],
    ]  # fmt: skip
    for rounds in bad:
        assert refused(game, game.throw_off, rounds)
    assert game.throw_off([[five, one, one], [nothing, nothing], [five, one]]) == 2
    assert refused(game, game.throw_off)
    order = []
    for _ in range(4):
        order.append(game.mover)
        game.throw(nothing)
        game.play(Action("bust"))
    assert order == [2, 0, 1, 2]
    assert "throw-off: 2 3 3 4 5, 1 2 3 3 4, 1 2 3 3 4 | 2 2 3 3 4, 2 2 3 3 4 | " in str(game)


def test_a_drawn_throw_off_favours_nobody_and_one_player_needs_none():
    wins = [Game(players=3, rng=seed).throw_off() for seed in range(900)]
    assert all(abs(wins.count(who) - 300) < 4 * 200**0.5 for who in range(3))
    assert Game(players=1).throw_off() == 0
    same = replace(PIG, sides=1, combinations=(((1,), 1),))
    for game in (Game(same), Game.from_state(State(5, 0), PIG)):
        assert refused(game, game.throw_off)


# ------------------------------------------------------------------------------ sheet and record

RECORD = """\
sharabeshki game 1
rules: sharabeshki
players: Anna, Boris
state: 500eb2d5:550e
first: Anna
1. Anna | 1 1 2 2 2: keep 1 1 2 2 2, roll | 2 3 6 6 6: keep 6 6 6, bank | Anna 600e, Boris 500e
2. Boris | 1 5 5 5 6: keep 5, roll | 2 2 3 6: bust | Boris 500eb1
3. Anna | 2 2 3 3 4: bust | Anna 600eb1
4. Boris | 1 5 5 5 6: keep 1 5 5 5, bank | Boris 560eb1
"""


def test_a_record_reads_as_it_is_written_down():
    text = RECORD.replace("Boris 560eb1", "Boris 560e")
    assert str(Game.parse(text)) == text
    with pytest.raises(StateError, match=r"'4. Boris .* Boris 560eb1' should be .* Boris 560e'"):
        Game.parse(RECORD)


def test_the_record_in_the_documentation_replays():
    page = Path(__file__).parent.parent / "docs" / "record.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    text = "".join(line[4:] + "\n" for line in lines if line.startswith("    "))
    game = Game.parse(text)
    assert str(game) == text and game.thrown == (2, 3, 5)


def test_a_score_sheet_shows_dashes_penalties_and_overtakes():
    text = RECORD.replace("Boris 560eb1", "Boris 560e")
    assert Game.parse(text).sheet() == ("Anna  Boris\n500   550\n600   -50 500 —\n—     560")
    game = Game(replace(SHARABESHKI, bolt_on="first_throw"), ["a", "b"])
    for _ in range(6):
        game.throw([2, 2, 3, 3, 4])
        game.play(Action("bust"))
    game.throw([1, 2, 2, 3, 3])
    game.play(KEEP["roll"])
    game.throw([2, 2, 3, 3])
    game.play(Action("bust"))
    rows = [line.split("  ") for line in game.sheet().splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells == [["a", "b"], ["0", "0"], ["—"] * 2, ["—"] * 2, ["— -50 -50"] * 2, ["."]]


@pytest.mark.parametrize("rules", [SHARABESHKI, PIG, PIGLET, SMALL, *TINY.values()])
def test_any_game_replays_to_the_same_position_at_any_moment(rules):
    dice = random.Random(8)
    for count in (1, 2, 3):
        game = Game(rules, count, rng=count)
        if count > 1 and rules in (SHARABESHKI, PIG):
            game.throw_off()
        for moment in range(60):
            if game.winner is not None:
                break
            if game.thrown is None:
                game.throw()
            else:
                game.play(dice.choice(game.actions()))
            if moment % 7 < 2:
                again = Game.parse(str(game))
                assert position(again) == position(game)
                assert (str(again), again.sheet()) == (str(game), game.sheet())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sharabeshki game 1", "sharabeshki game 2"),
        ("rules: sharabeshki", "rules: chess"),
        ("rules: sharabeshki", 'rules: {"targets": 3}'),
        ("players: Anna, Boris", "players: Anna"),
        ("players: Anna, Boris\n", ""),
        ("first: Anna", "first: Boris"),
        ("first: Anna", "last: Anna"),
        ("state: 500eb2d5:550e", "state: 500eb2d5:1000e"),
        ("state: 500eb2d5:550e", "state: here"),
        ("1 1 2 2 2: keep 1 1 2 2 2", "1 1 2 2 2: keep 1 1 2 2 3"),
        ("1 1 2 2 2: keep 1 1 2 2 2", "1 1 2 2 7: keep 1 1"),
        ("1 1 2 2 2: keep 1 1 2 2 2", "1 1 2 2 x: keep 1 1"),
        ("2 3 6 6 6: keep 6 6 6, bank", "2 3 6 6 6: keep 6 6 6, wait"),
        ("Boris 500eb1", "Boris 500e"),
        ("3. Anna", "4. Anna"),
        ("3. Anna", "3. Boris"),
        ("2 2 3 3 4: bust", "2 2 3 3 4"),
        ("\n3. Anna | 2 2 3 3 4: bust | Anna 600eb1", ""),
        ("2. Boris", "\n2. Boris"),
    ],
)
def test_a_record_that_is_wrong_is_refused(old, new):
    text = RECORD.replace("Boris 560eb1", "Boris 560e")
    assert old in text
    with pytest.raises((StateError, RulesError)) as caught:
        Game.parse(text.replace(old, new))
    assert "\n" not in str(caught.value)


def test_actions_read_as_they_are_written():
    for action in (
        *KEEP.values(),
        Action("keep", (1, 5, 5), "dump"),
        Action("bust"),
        Action("roll"),
    ):
        assert parse_action(str(action)) == action
    for text in ("", "keep", "keep x, roll", "keep 1", "keep 1, ", "roll 1", "fold", "bust, roll"):
        with pytest.raises(StateError):
            parse_action(text)


@pytest.mark.parametrize("odd", [None, 5, b"keep 1, roll"])
def test_what_is_no_text_is_named(odd):
    for read in (parse_action, Game.parse):
        with pytest.raises(StateError, match=re.escape(f"{odd!r}: not ")):
            read(odd)
    with pytest.raises(RulesError, match=re.escape(f"rules = {odd!r}")):
        Game(odd)


# --------------------------------------------------------------------------------- the command


@pytest.fixture
def play(monkeypatch, capsys):
    """Run ``sharabeshki play`` on lines of input; its exit code and what it prints."""

    def run(text, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code = main(["play", "--preset", "pig", *options])
        return code, capsys.readouterr().out

    return run


def test_a_game_against_optimal_play_goes_on_to_its_end(play, tmp_path):
    record = tmp_path / "game.txt"
    code, out = play("1\n" * 500, "--seed", "4", "--record", str(record))
    assert code == 0
    game = Game.parse(record.read_text(encoding="utf-8"))
    assert game.winner is not None and game.rules == PIG
    assert out.endswith(f"{game.sheet()}\n\n{game.names[game.winner]} won\n")
    assert play("1\n" * 500, "--seed", "4")[1] == out


def test_bad_input_is_one_line_and_asked_again(play):
    bad = ["", "0", "9", "x", "2 2", "1 5 roll", "keep", "-1", "roll", "\N{SUPERSCRIPT TWO}"]
    code, out = play("\n".join([*bad, "q"]), "--seed", "4", "--first", "you")
    assert code == 0 and out.count("> ") == len(bad) + 1
    for line in bad:
        assert f"> {line}\n{line!r}: " in out


def test_a_player_can_ask_for_advice_the_sheet_and_help(play):
    _, out = play("?\ns\nh\nq\n", "--seed", "4", "--first", "you")
    assert "action" in out and "behind" in out
    assert out.count("q  leave the game") == 2 and "you  optimal" in out
    assert out.endswith("not over\n")


def test_answers_may_be_lines_or_dice(play):
    _, out = play("q\n", "--seed", "4", "--first", "you")
    face = out.split("1  keep ")[1][0]
    for text in ("1", f"keep {face}, roll", f"{face} r", f"k {face} roll"):
        _, out = play(f"{text}\n", "--seed", "4", "--first", "you")
        assert f"> {text}\n  keep {face}, roll\n" in out and out.endswith("not over\n")


def test_the_command_refuses_what_makes_no_sense(play, tmp_path, capsys):
    assert play("", "--seed", "-1")[0] == 2
    assert play("q\n", "--record", str(tmp_path / "no" / "file"))[0] == 1
    assert play("", "--first", "me")[0] == 2


@pytest.fixture
def count(capsys):
    """Run ``sharabeshki simulate``; its exit code and what it prints."""

    def run(*options):
        code = main(["simulate", *options])
        found = capsys.readouterr()
        return code, found.out, found.err

    return run


def test_many_games_are_counted_in_a_table(count):
    options = ("--preset", "pig", "--games", "500", "--seed", "3", "--second", "20")
    code, out, _ = count(*options)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["first", "second"]
    assert lines[1].split() == ["policy", "optimal", "20"]
    assert lines[-1].startswith("500 games, seed 3, ")
    assert count(*options)[1].splitlines()[:-1] == lines[:-1]
    assert "fewest:20" in count(*options, "--first", "fewest:20")[1]


@pytest.mark.parametrize(
    "options", [("--first", "x"), ("--first", "20,30"), ("--games", "0"), ("--seed", "-1")]
)
def test_counting_refuses_what_makes_no_sense(count, options):
    code, out, error = count("--preset", "pig", *options)
    assert (code, out, error.count("\n")) == (2, "", 1)
