"""Simulated games: the kernel against the referee game by game, and against solved values."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
import reference as ref
from games import TINY, exact
from games import once as solved

from solver import PIG, PIGLET, SHARABESHKI, State, StateError
from solver import simulate as module
from solver.deck import deck
from solver.dice import throws
from solver.play import Game
from solver.simulate import Mean, SimulationError, Table, simulate
from solver.thresholds import NEVER, Case, PolicyError, Thresholds

SMALL = {
    "pig": PIG,
    "target 300": replace(
        SHARABESHKI, target=300, barrels=((60, 90), (200, 300)), dump_trucks=(155,), floor=-100
    ),
    "penalties dump": replace(
        SHARABESHKI, target=200, barrels=((50, 80),), dump_trucks=(40, 105), floor=-50,
        dump_on_penalty=True, hot_dice="may_roll", bolt_on="any_throw_until_entered",
    ),
}  # fmt: skip
GAMES = TINY | SMALL
WORD = 1 << 64


# ------------------------------------------------------- the kernel's games, played by the referee


def hashed(word):
    """The finaliser of splitmix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def words(seed, number):
    """The generator of one game."""
    key = (hashed(seed) + number) % WORD
    for step in itertools.count(1):
        yield hashed((hashed(key) + step * 0x9E3779B97F4A7C15) % WORD)


def drawn(cards, word, dice):
    """The option set that a word stands for, as an index."""
    first, stop = int(cards.start[dice - 1]), int(cards.start[dice])
    column, rest = divmod(word * (stop - first), WORD)
    kept = rest < int(cards.threshold[first + column])
    return first + (column if kept else int(cards.alias[first + column]))


def faces(rules):
    """A throw for each option set."""
    cards = deck(rules)
    found = {
        (d, t.options): t.dice for d in range(1, rules.dice + 1) for t in throws(rules, d).values()
    }
    ranges = [range(*cards.start[d - 1 : d + 1]) for d in range(1, rules.dice + 1)]
    return {k: found[d, cards.sets[k]] for d, indices in enumerate(ranges, 1) for k in indices}


def refereed(rules, policies, seed, number, begin):
    """The record of a game of the kernel, played by the referee with the same throws."""
    cards, shows, word = deck(rules), faces(rules), words(seed, number)
    game = Game.from_state(begin, rules)
    while game.winner is None:
        dice = game.throw(shows[drawn(cards, next(word), game.dice_left)])
        legal = game.actions()
        bust = legal[0].kind == "bust"
        game.play(legal[0] if bust else policies[game.mover](game.state, dice))
    ends = [(turn.player, turn.steps[-1][1].then, turn) for turn in game.turns]
    return [
        game.winner,
        len(game.turns),
        sum(len(turn.steps) for turn in game.turns),
        *(sum(turn.bolt for p, _, turn in ends if p == who) for who in (0, 1)),
        *(sum(then == "dump" for p, then, _ in ends if p == who) for who in (0, 1)),
        *(sum(len(turn.changes) > 1 for p, _, turn in ends if p == who) for who in (0, 1)),
    ]


def thumb(rules, number):
    """Threshold rules of several kinds, to the scale of a game."""
    step, dice, target = rules.step, rules.dice, rules.target
    banks = tuple(step * n for n in (2, 3, 2, 5, 9, 12)[:dice])
    cases = (
        Case(bank=NEVER, opponent_score=(target - 3 * step, None)),
        Case(keep="everything", barrel=False, bolts=(1, None)),
        Case(bank=0, reaching=(target // 2, target // 2 + 2 * step)),
        Case(keep="fewest dice", lead=(None, 0), opponent_entered=True),
    )
    return (
        Thresholds(step * 3),
        Thresholds(banks, keep="fewest dice"),
        Thresholds(banks, keep=tuple(step * n for n in (0, 3, 1, 4, 7, 8)[:dice])),
        Thresholds(banks[::-1], cases=cases),
    )[number]


def as_players(rules, policies):
    return [
        partial(p, rules=rules) if isinstance(p, Thresholds) else p.best_action for p in policies
    ]


def records(rules, policies, seed, count, begin=None):
    begin = rules.check(begin or State())
    return Table(rules, policies, begin, 10_000).play(seed, 0, count)


@pytest.mark.parametrize("name", GAMES)
def test_optimal_play_in_the_kernel_is_the_referees_game_by_game(name):
    rules = GAMES[name]
    solution = solved(rules)
    found = records(rules, (solution, solution), 7, 60 if name in TINY else 6)
    for number, record in enumerate(found.tolist()):
        best = solution.best_action
        assert record == refereed(rules, (best, best), 7, number, State())


@pytest.mark.parametrize("numbers", [(0, 1), (2, 3), (3, 0)])
@pytest.mark.parametrize("name", GAMES)
def test_threshold_rules_in_the_kernel_are_the_referees_game_by_game(name, numbers):
    rules = GAMES[name]
    pair = [thumb(rules, number) for number in numbers]
    found = records(rules, pair, 2**63 - 1, 25)
    for number, record in enumerate(found.tolist()):
        assert record == refereed(rules, as_players(rules, pair), 2**63 - 1, number, State())


@pytest.mark.parametrize("name", ["three_bolts", "dump_on_penalty", "target 300"])
def test_a_solution_against_a_rule_is_the_referees_game_by_game(name):
    rules = GAMES[name]
    for pair in ((solved(rules), thumb(rules, 3)), (thumb(rules, 1), solved(rules))):
        found = records(rules, pair, 1, 20 if name in TINY else 4)
        for number, record in enumerate(found.tolist()):
            assert record == refereed(rules, as_players(rules, pair), 1, number, State())


def test_games_begin_in_any_state_between_turns():
    rules = GAMES["target 300"]
    pair, begin = (thumb(rules, 0), thumb(rules, 1)), rules.check(State.parse("150eb1:-50nb2"))
    found = records(rules, pair, 5, 40, begin)
    for number, record in enumerate(found.tolist()):
        assert record == refereed(rules, as_players(rules, pair), 5, number, begin)


# ---------------------------------------------------------------------------------------- throws


@pytest.mark.parametrize("rules", [*GAMES.values(), replace(SHARABESHKI, dice=6, sides=8)])
def test_alias_tables_hold_the_chance_of_each_option_set(rules):
    cards = deck(rules)
    for dice in range(1, rules.dice + 1):
        first, stop = cards.start[dice - 1], cards.start[dice]
        chance = [0] * (stop - first)  # in units of 1 / (columns * 2**64)
        for column in range(stop - first):
            kept = int(cards.threshold[first + column])
            chance[column] += kept
            chance[cards.alias[first + column]] += WORD - kept
        for index, part in enumerate(chance):
            exact = sum(
                throw.outcomes
                for throw in throws(rules, dice).values()
                if throw.options == cards.sets[first + index]
            )
            assert abs(part * rules.sides**dice - exact * len(chance) * WORD) < 2**20 * WORD**0.5


def test_throws_come_up_as_often_as_they_should():
    """Chi-square over the option sets of five dice, from the first words of many games."""
    cards, count = deck(SHARABESHKI), 60_000
    first, stop = cards.start[4], cards.start[5]
    seen = np.zeros(stop - first)
    for number in range(count):
        seen[drawn(cards, next(words(11, number)), 5) - first] += 1
    chance = np.array([
        sum(t.outcomes for t in throws(SHARABESHKI, 5).values() if t.options == options)
        for options in cards.sets[first:stop]
    ]) / 6**5  # fmt: skip
    off = ((seen - count * chance) ** 2 / (count * chance)).sum()
    freedom = stop - first - 1
    assert abs(off - freedom) < 4 * (2 * freedom) ** 0.5


def test_the_words_of_a_game_are_even_and_do_not_hang_together():
    found = np.array([list(itertools.islice(words(3, n), 20)) for n in range(3000)]) / WORD
    flat = found.ravel()
    assert abs(flat.mean() - 0.5) < 4 / (12 * flat.size) ** 0.5
    for one, two in ((found[:, :-1], found[:, 1:]), (found[:-1], found[1:])):
        correlation = np.corrcoef(one.ravel(), two.ravel())[0, 1]
        assert abs(correlation) < 4 / one.size**0.5


# --------------------------------------------------------------------------------- solved values


def off(result, value):
    """How many standard errors the share of wins is from a value."""
    return abs(result.win_rate.mean - value) / result.win_rate.error


@pytest.mark.parametrize("name", TINY)
def test_tiny_games_are_won_as_often_as_the_exact_value_says(name):
    rules = TINY[name]
    start = ref.start(rules)
    result = simulate(solved(rules), 20_000, 5, rules)
    assert off(result, float(exact(rules)[start, start])) < 4
    assert sum(result.wins) == result.games == 20_000


@pytest.mark.parametrize(("rules", "value"), [(PIG, 0.530592), (PIGLET, 4 / 7)])
def test_pig_and_piglet_are_won_as_often_as_published(rules, value):
    assert off(simulate(solved(rules), 40_000, 5, rules), value) < 4


def test_games_from_a_state_are_won_as_often_as_its_value_says():
    solution, state = solved(GAMES["target 300"]), State.parse("150eb1:-50nb2")
    result = simulate(solution, 8_000, 8, solution.rules, state=state)
    assert off(result, solution.win_probability(state)) < 4


def as_reference(rules, rule):
    """A threshold rule as the reference asks for it."""

    @cache
    def policy(me, opponent, total, dice, throw):
        state = State(me[0], opponent[0], total, dice, me[2], opponent[2], me[1], opponent[1])
        action = rule(state, throw, rules)
        return action.dice, action.then

    return policy


@pytest.mark.parametrize("name", ["coin_entry", "must_roll", "dump_truck", "three_bolts"])
def test_threshold_rules_win_as_often_as_their_exact_value_says(name):
    rules = TINY[name]
    pair, start = [thumb(rules, 1), thumb(rules, 3)], ref.start(rules)
    policies = [as_reference(rules, rule) for rule in pair]
    value = ref.evaluate_exact(ref.freeze(rules), *policies)[start, start]
    assert off(simulate(pair, 100_000, 9, rules), float(value)) < 4


def test_optimal_play_of_the_default_game(default_solution):
    result = simulate(default_solution, 40_000, 20, SHARABESHKI)
    assert off(result, default_solution.start) < 4
    assert 56.5 < result.turns.mean < 58 and 134.5 < result.throws.mean < 137


@pytest.mark.slow
def test_a_million_optimal_games_of_the_default_game(default_solution):
    result = simulate(default_solution, 1_000_000, 20, SHARABESHKI)
    assert off(result, default_solution.start) < 4
    assert result.win_rate.error < 6e-4


# ------------------------------------------------------------------------------------ the results


def test_the_result_depends_on_the_seed_alone(monkeypatch):
    rules = GAMES["target 300"]
    solution, rule = solved(rules), Thresholds(20)
    for pair in ((rule, rule), (solution, rule)):
        one = simulate(pair, 700, 3, rules, threads=1)
        monkeypatch.setattr(module, "BATCH", 97)
        two = simulate(pair, 700, np.random.default_rng(3), rules, threads=3)
        monkeypatch.undo()
        assert replace(one, seconds=0) == replace(two, seconds=0)
        assert replace(simulate(pair, 700, 4, rules), seconds=0) != replace(one, seconds=0)


def test_means_and_standard_errors_are_those_of_the_records():
    rule = Thresholds(20)
    result = simulate(rule, 500, 6, PIG)
    seed = int(np.random.default_rng(6).integers(1 << 63))
    games = records(PIG, (rule, rule), seed, 500)
    assert result.wins == ((games[:, 0] == 0).sum(), (games[:, 0] == 1).sum())
    for mean, column in ((result.turns, 1), (result.throws, 2), (result.bolts[0], 3)):
        error = games[:, column].std(ddof=1) / 500**0.5
        assert mean == pytest.approx(Mean(games[:, column].mean(), error))
    assert simulate(rule, 1, 6, PIG).turns.error == 0


def test_a_callable_is_asked_by_the_referee():
    rule = Thresholds(20)
    asked = partial(rule, rules=PIG)
    slow, fast = simulate(asked, 100, 2, PIG), simulate(rule, 3000, 2, PIG)
    for one, two in ((slow.win_rate, fast.win_rate), (slow.turns, fast.turns)):
        assert abs(one.mean - two.mean) < 4 * (one.error**2 + two.error**2) ** 0.5
    again = simulate((asked, rule), 100, 2, PIG)
    assert replace(again, seconds=0) == replace(slow, seconds=0)


@pytest.mark.parametrize(
    ("policies", "games", "options", "message"),
    [
        ((), 1, {}, "0 policies"),
        (3, 1, {}, "3 is no policy"),
        (print, 0, {}, "games = 0"),
        (print, 1.5, {}, "games = 1.5"),
        (print, True, {}, "games = True"),
        (print, 1, {"longest": 0}, "longest = 0"),
        (lambda state, throw: None, 1, {}, "None: not for"),
        (print, 1, {"state": State(10, 0, 5, 4)}, "between turns"),
        (print, 1, {"state": State(1000, 0)}, "the game is over"),
    ],
)
def test_what_makes_no_sense_is_refused(policies, games, options, message):
    with pytest.raises((SimulationError, PolicyError, StateError), match=message):
        simulate(policies, games, 1, **options)


def test_a_solution_of_other_rules_is_refused():
    with pytest.raises(PolicyError, match="other rules"):
        simulate(solved(PIGLET), 1, 1, PIG)
    with pytest.raises(PolicyError, match="5 numbers"):
        simulate(Thresholds((1, 2, 3, 4, 5)), 1, 1, PIG)


@pytest.mark.parametrize("wrap", [lambda rule: rule, lambda rule: partial(rule, rules=PIG)])
def test_a_game_that_does_not_end_is_refused(wrap):
    rule = wrap(Thresholds(20))
    with pytest.raises(SimulationError, match="did not end within 8 turns"):
        simulate(rule, 5, 1, PIG, longest=8)
