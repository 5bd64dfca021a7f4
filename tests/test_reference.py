"""The reference implementation against published numbers, an independent solver, and by hand.

Numbers marked "independent solver" come from a program written separately from both this
reference and the package. Pig's are those of Neller and Presser, "Optimal Play of the Dice Game
Pig", UMAP Journal 25(1), 2004, and of the same solver.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction as F
from types import SimpleNamespace

import oracles
import pytest
import reference as ref

THOUSAND = SimpleNamespace(**ref.DEFAULTS)
START = (0, False, 0)


def pig(target):
    """One die: 1 loses the turn total, the other faces add their number."""
    points = tuple(((face,), face) for face in range(2, 7))
    return ref.make(**{**ref.TINY["coin"], "sides": 6, "combinations": points, "target": target})


def piglet(target):
    """One coin: heads adds 1, tails loses the turn total."""
    return ref.make(**{**ref.TINY["coin"], "target": target})


def playing(score, bolts=0):
    return (score, True, bolts)


def linear(rules):
    """Values between turns under which a turn is worth the points that it adds, over the target."""
    return lambda mover, other: 1 - F(other[0], rules.target)


def some_value(me, opp):
    """Arbitrary but fixed values between turns, all different enough to tell an error."""
    return F(7 * me[0] + 13 * opp[0] + 101 * me[2] + 57 * opp[2] + 31 * me[1] + 10_007, 20_011) % 1


# ----------------------------------------------------------------------------- throws and keeps


@pytest.mark.parametrize(("throw", "expected"), oracles.KEEPS)
def test_keeps_of_reported_throws(throw, expected):
    found = ref.keeps(map(int, throw), THOUSAND)
    assert found == {tuple(map(int, kept)): points for kept, points in expected.items()}


PAIRS = tuple(
    (tuple(sorted(2 * faces)), 1500)
    for faces in itertools.combinations_with_replacement(range(1, 7), 3)
)
SIX_DICE = [
    (tuple(((face,) * 3, 100 * face) for face in range(1, 7)), "222333", 500),
    (PAIRS, "333344", 1500),
    ((*PAIRS, ((1,) * 4, 2000), ((5,), 50)), "111155", 2100),
    (tuple(sorted((*PAIRS, ((1,) * 4, 2000), ((5,), 50)))), "111155", 2100),
]


@pytest.mark.parametrize(("combinations", "throw", "points"), SIX_DICE)
def test_best_split_of_six_dice(combinations, throw, points):
    rules = ref.make(dice=6, combinations=combinations)
    dice = tuple(map(int, throw))
    assert ref.keeps(dice, rules)[dice] == points


def test_best_split_is_not_always_the_first():
    rules = ref.make(**ref.TINY["split_not_first"])
    assert ref.keeps((1, 1, 2, 2), rules) == {
        (1, 1): 4, (1, 2): 3, (2, 2): 1, (1, 1, 2, 2): 6,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("throw", "kept"),
    [
        ("12225", "12225"),
        ("15226", "15"),
        ("22226", "2222"),
        ("23456", "23456"),
        ("55666", "55666"),
    ],
)
def test_set_aside_all_takes_everything_that_scores(throw, kept):
    found = ref.keeps(map(int, throw), ref.make(set_aside="all"))
    assert list(found) == [tuple(map(int, kept))]


@pytest.mark.parametrize(
    ("combinations", "throw", "kept"),
    [
        ((((1, 2), 5), ((2, 3), 6)), (1, 2, 3), (2, 3)),  # most points
        ((((1, 2), 5), ((2, 3, 3), 5)), (1, 2, 3, 3), (2, 3, 3)),  # then most dice
        ((((1, 2), 5), ((2, 3), 5)), (1, 2, 3), (1, 2)),  # then the smallest
    ],
)
def test_set_aside_all_ties(combinations, throw, kept):
    rules = ref.make(set_aside="all", combinations=combinations)
    assert ref.keeps(throw, rules) == {kept: max(points for _, points in combinations)}


BUST = ["2/3", "4/9", "5/18", "17/108", "25/324"]
ALL_SCORE = ["1/3", "1/9", "1/18", "13/324", "119/1944"]
MEAN_BEST = ["5/2", "5", "625/72", "775/54", "73325/2592"]
OPTION_SETS = [2, 5, 13, 30, 62]


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_chances_of_throws(d):  # independent solver
    chances = {t: F(n, 6**d) for t, n in ref.throws(d, THOUSAND).items()}
    assert sum(chances.values()) == 1
    best = {t: ref.keeps(t, THOUSAND) for t in chances}
    assert sum(p for t, p in chances.items() if not best[t]) == F(BUST[d - 1])
    assert sum(p for t, p in chances.items() if t in best[t]) == F(ALL_SCORE[d - 1])
    mean = sum(p * max(best[t].values(), default=0) for t, p in chances.items())
    assert mean == F(MEAN_BEST[d - 1])
    assert len({frozenset(k.items()) for k in best.values() if k}) == OPTION_SETS[d - 1]


BEST_OF_FIVE = {  # independent solver; out of 7776
    0: 600, 5: 900, 10: 1620, 15: 1080, 20: 1170, 25: 540, 30: 280, 35: 80, 40: 185, 45: 85,
    50: 245, 55: 20, 60: 195, 65: 65, 70: 85, 75: 20, 80: 25, 85: 5, 90: 5, 100: 180, 105: 80,
    110: 15, 120: 15, 125: 125, 130: 5, 200: 21, 205: 5, 250: 120, 300: 1, 400: 1, 500: 1,
    600: 1, 1000: 1,
}  # fmt: skip


def test_best_score_of_five_dice():
    found = Counter()
    for throw, count in ref.throws(5, THOUSAND).items():
        found[max(ref.keeps(throw, THOUSAND).values(), default=0)] += count
    assert found == BEST_OF_FIVE


def test_single_chances():
    assert ref.throws(5, THOUSAND)[2, 3, 4, 5, 6] == 120
    assert ref.throws(1, THOUSAND)[6,] == 1


# --------------------------------------------------------------------- players between two turns


def test_statuses_of_the_default_game():
    found = ref.statuses(THOUSAND)
    assert len(found) == len(set(found)) == 3 * (7 + 260)
    assert {s for s, entered, _ in found if not entered} == set(range(-300, 1, 50))
    assert {s for s, entered, _ in found if entered} == set(range(-300, 1000, 5))


def test_statuses_under_other_rules():
    off_multiple = ref.make(floor=-120)
    assert {s for s, entered, _ in ref.statuses(off_multiple) if not entered} == {
        0, -50, -100, -120,
    }  # fmt: skip
    assert all(entered for _, entered, _ in ref.statuses(ref.make(entry=0)))
    dumped = ref.statuses(ref.make(dump_on_penalty=True))
    assert playing(555) not in dumped and playing(555) in ref.statuses(THOUSAND)
    assert ref.statuses(piglet(2)) == [playing(0), playing(1)]
    assert ref.step(THOUSAND) == 5 and ref.step(ref.make(bolt_penalty=42)) == 1


def test_barrel_keeps_the_player_until_he_leaves_it():
    assert ref.after_bank(THOUSAND, playing(195), [], 60) == (playing(255), [])
    for score, short, enough in ((255, 40, 45), (205, 90, 95), (200, 95, 100), (900, 95, 100)):
        assert not ref.may_bank(THOUSAND, playing(score), short, 3)
        assert ref.may_bank(THOUSAND, playing(score), enough, 3) == (score < 900)
    assert ref.may_bank(THOUSAND, playing(195), 10, 4)  # onto a barrel
    assert ref.may_bank(THOUSAND, playing(195), 200, 1)  # over it
    assert ref.may_bank(THOUSAND, playing(300), 5, 4)  # its end is outside


def test_barrel_from_zero_binds_only_those_who_entered():
    rules = ref.make(barrels=((0, 100),))
    assert not ref.may_bank(rules, playing(0), 95, 3)
    assert ref.may_bank(rules, playing(0), 100, 3)
    assert ref.may_bank(rules, START, 50, 3)


def test_entry_looks_at_the_turn_total_alone():
    assert not ref.may_bank(THOUSAND, (-50, False, 0), 45, 2)
    assert ref.may_bank(THOUSAND, (-50, False, 0), 50, 2)
    assert ref.after_bank(THOUSAND, (-50, False, 2), [], 50) == (playing(0), [])
    assert ref.after_bank(THOUSAND, (-100, False, 0), [], 50) == (playing(-50), [])
    assert ref.may_bank(THOUSAND, playing(-50), 5, 4)


@pytest.mark.parametrize("left", [0, 5])
def test_hot_dice(left):
    assert not ref.may_bank(THOUSAND, playing(300), 250, left)
    assert ref.may_bank(ref.make(hot_dice="may_roll"), playing(300), 200, left)
    assert not ref.may_bank(ref.make(hot_dice="may_roll"), playing(300), 0, left)


def test_dump_truck():
    assert ref.what_happens(THOUSAND, playing(530), 25) == "dump"
    assert ref.what_happens(THOUSAND, playing(255), 300) == "dump"
    assert ref.what_happens(THOUSAND, START, 555) == "dump"
    assert ref.what_happens(THOUSAND, playing(530), 30) is None
    assert ref.what_happens(THOUSAND, playing(555), 0) is None
    assert ref.after_dump(THOUSAND, (-50, False, 2)) == playing(0)
    options = ref.throw_values(THOUSAND, some_value, playing(530), START, 0, 5, (1, 5, 2, 6, 1))
    thens = {kept: {then for k, then in options if k == kept} for kept, _ in options}
    assert thens == {
        (1,): {"roll", "bank"}, (5,): {"roll", "bank"}, (1, 1): {"roll", "bank"},
        (1, 5): {"roll", "bank"}, (1, 1, 5): {"dump"},
    }  # fmt: skip
    assert options[(1, 1, 5), "dump"] == 1 - some_value(START, playing(0))


def test_win_needs_no_roll_and_no_exact_hit():
    for score, total in ((990, 10), (990, 15), (900, 100), (0, 1000)):
        assert ref.what_happens(THOUSAND, playing(score), total) == "win"
    assert ref.what_happens(THOUSAND, playing(990), 5) is None
    assert ref.what_happens(THOUSAND, START, 1000) == "win"


def test_overtaking():
    assert ref.after_bank(THOUSAND, playing(500, 2), [playing(550, 1)], 70) == (
        playing(570), [playing(500, 1)],
    )  # fmt: skip
    assert ref.after_bank(THOUSAND, playing(500), [playing(570)], 70)[1] == [playing(570)]
    assert ref.after_bank(THOUSAND, playing(500), [playing(500)], 70)[1] == [playing(500)]
    assert ref.after_bank(THOUSAND, playing(180), [playing(190)], 30) == (
        playing(210), [playing(140)],
    )  # fmt: skip
    assert ref.after_bank(THOUSAND, (-50, False, 0), [(0, False, 2)], 60)[1] == [(0, False, 2)]
    assert ref.after_bank(THOUSAND, START, [playing(5)], 50)[1] == [playing(-45)]
    assert ref.after_bank(THOUSAND, playing(-300), [playing(-270)], 50)[1] == [playing(-300)]


def test_overtaking_several():
    opponents = [playing(50), playing(100, 1), playing(45), (0, False, 0), playing(60), playing(70)]
    assert ref.after_bank(THOUSAND, playing(45), opponents, 55)[1] == [
        playing(0), playing(100, 1), playing(45), (0, False, 0), playing(10), playing(20),
    ]  # fmt: skip


@pytest.mark.parametrize(("dump_on_penalty", "score"), [(False, 555), (True, 0)])
def test_penalty_onto_a_dump_truck(dump_on_penalty, score):
    rules = ref.make(dump_on_penalty=dump_on_penalty)
    assert ref.after_bust(rules, playing(605, 2), True) == playing(score)
    assert ref.after_bank(rules, playing(600), [playing(605, 2)], 10)[1] == [playing(score, 2)]


def test_bolts():
    assert ref.after_bust(THOUSAND, START, False) == (0, False, 1)
    assert ref.after_bust(THOUSAND, (0, False, 2), True) == (-50, False, 0)
    assert ref.after_bust(THOUSAND, playing(-270, 2), True) == playing(-300)
    assert ref.after_bust(THOUSAND, playing(20, 2), True) == playing(-30)
    one = ref.make(bolts_to_penalty=1)
    assert ref.after_bust(one, playing(20), False) == playing(-30)
    assert ref.after_bust(ref.make(bolts_to_penalty=0), playing(20), True) == playing(20)


@pytest.mark.parametrize(
    ("bolt_on", "later_before_entry", "later_after_entry"),
    [("any_throw", 1, 1), ("first_throw", 0, 0), ("any_throw_until_entered", 1, 0)],
)
def test_bolt_on(bolt_on, later_before_entry, later_after_entry):
    rules = ref.make(bolt_on=bolt_on)
    for entered, later in ((False, later_before_entry), (True, later_after_entry)):
        assert ref.after_bust(rules, (0, entered, 1), True) == (0, entered, 2)
        assert ref.after_bust(rules, (0, entered, 1), False) == (0, entered, 1 + later)


# ---------------------------------------------------------------------------------- single turns


@pytest.mark.parametrize(
    ("set_aside", "hot_dice", "points"),
    [  # independent solver
        ("any", "must_roll", 36.906465355),
        ("all", "must_roll", 35.306971482),
        ("any", "may_roll", 36.923874697),
        ("all", "may_roll", 35.324589787),
    ],
)
def test_points_of_one_turn(set_aside, hot_dice, points):
    rules = ref.make(
        set_aside=set_aside, hot_dice=hot_dice, target=3000, barrels=(), dump_trucks=(), entry=0
    )
    value = ref.backward(rules, lambda me, opp: 1 - opp[0] / 3000, playing(0), playing(0))
    assert value * 3000 == pytest.approx(points, abs=2e-9)


def test_hold_at_20_pig():
    rules = pig(500)

    def hold_at_20(me, opp, total, dice, throw):
        return throw, "bank" if total + throw[0] >= 20 else "roll"

    ends = ref.outcome_distribution(rules, hold_at_20, playing(0), playing(0))
    assert sum(ends.values()) == 1
    mean = sum(chance * me[0] for (me, _), chance in ends.items())
    assert float(mean) == pytest.approx(8.1417948937, abs=1e-10)
    table = ref.turn(rules, linear(rules), playing(0), playing(0))
    assert table[20, 1]["roll"] == table[20, 1]["bank"]
    assert table[19, 1]["roll"] > table[19, 1]["bank"]
    assert table[21, 1]["roll"] < table[21, 1]["bank"]
    best = ref.backward(rules, linear(rules), playing(0), playing(0))
    assert float(best - mean / 500) == pytest.approx(0, abs=1e-9)  # no better way to add points


@pytest.mark.parametrize(
    ("me", "target"),
    [(playing(895), 1000), (playing(995, 2), 1000), (playing(500, 1), 600), ((-50, False, 2), 80)],
)
@pytest.mark.parametrize("switch", [{}, {"set_aside": "all"}, {"hot_dice": "may_roll"}])
def test_turn_agrees_with_its_throws(me, target, switch):
    rules = ref.make(**switch, target=target, barrels=((900, 1000),), dump_trucks=(40, 555))
    here = ref.Turn(rules, some_value, me, playing(550))
    table = ref.turn(rules, some_value, me, playing(550))
    assert here.chance == table[0, 5]["roll"] and "bank" not in table[0, 5]
    for (total, dice), options in table.items():
        worth = sum(
            count * max(here.options(total, dice, throw).values())
            for throw, count in ref.throws(dice, rules).items()
        )
        assert options["roll"] == worth / 6**dice
        assert ("bank" in options) == ref.may_bank(rules, me, total, dice)


def test_bust_values():
    me, opp = playing(545, 1), playing(545)
    first = ref.throw_values(THOUSAND, some_value, me, opp, 0, 5, (2, 2, 3, 3, 6))
    later = ref.throw_values(THOUSAND, some_value, me, opp, 60, 2, (4, 2))
    assert first == later == {"bust": 1 - some_value(opp, playing(545, 2))}
    rules = ref.make(bolt_on="first_throw")
    later = ref.throw_values(rules, some_value, me, opp, 60, 2, (4, 2))
    assert later == {"bust": 1 - some_value(opp, me)}


# ----------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize(("target", "chance"), [(5, F(216, 271)), (10, F(7776, 10961))])
def test_pig_exactly(target, chance):
    assert ref.solve_exact(pig(target))[playing(0), playing(0)] == chance


@pytest.mark.parametrize(
    ("target", "chance"),
    [(10, 0.709424322598303), (20, 0.615558549805043), (50, 0.546150844166788)],
)
def test_pig_in_floats(target, chance):
    values = ref.solve_float(pig(target))
    assert values[playing(0), playing(0)] == pytest.approx(chance, abs=1e-12)


def test_piglet():
    rules = piglet(2)
    values = ref.solve_exact(rules)
    found = {
        (me, opp, total): max(options.values())
        for me, opp in itertools.product(range(2), repeat=2)
        for (total, _), options in ref.turn(
            rules, lambda m, o: values[m, o], playing(me), playing(opp)
        ).items()
    }
    assert found == {
        (0, 0, 0): F(4, 7), (0, 0, 1): F(5, 7), (0, 1, 0): F(2, 5), (0, 1, 1): F(3, 5),
        (1, 0, 0): F(4, 5), (1, 1, 0): F(2, 3),
    }  # fmt: skip
    assert ref.solve_exact(piglet(3))[playing(0), playing(0)] == F(6, 11)


T60 = {"target": 60, "floor": -50, "barrels": (), "dump_trucks": ()}
T80 = {
    "target": 80, "floor": -50, "entry": 25, "barrels": ((40, 60),), "dump_trucks": (65,),
}  # fmt: skip
T100 = {
    "target": 100, "floor": -50, "entry": 20, "barrels": ((20, 30), (60, 70), (90, 100)),
    "dump_trucks": (55,), "bolt_penalty": 10, "overtake_penalty": 10,
}  # fmt: skip
SMALL = {  # independent solver; (score, entered, bolts) of the mover, of the other, chance
    "t60": (T60, [
        (0, 0, 0, 0, 0, 0, 0.591598388462),
        (-10, 1, 1, 0, 0, 0, 0.533677821775),
        (50, 1, 0, -10, 1, 0, 0.972486536811),
        (10, 1, 1, 50, 1, 2, 0.404898990253),
        (-45, 1, 0, 15, 1, 1, 0.371239465017),
        (55, 1, 1, 5, 1, 2, 0.97231209608),
        (40, 1, 1, 0, 0, 2, 0.92413511716),
        (20, 1, 0, 50, 1, 2, 0.4858597011),
        (50, 1, 2, 20, 1, 0, 0.936178196576),
        (25, 1, 2, 25, 1, 1, 0.598296155497),
        (0, 0, 0, -5, 1, 2, 0.630553560086),
        (25, 1, 1, 10, 1, 2, 0.676007923546),
        (0, 0, 2, 30, 1, 2, 0.440149419615),
        (0, 0, 2, 55, 1, 1, 0.329088245241),
        (5, 1, 2, 0, 0, 0, 0.583159822396),
    ]),
    "t100_scaled": (T100, [
        (0, 0, 0, 0, 0, 0, 0.56168802847),
        (60, 1, 0, 0, 0, 2, 0.835718188579),
        (25, 1, 2, 60, 1, 0, 0.396203447477),
        (-10, 1, 2, -50, 1, 1, 0.663903713073),
        (70, 1, 2, -10, 1, 2, 0.899283348107),
        (0, 0, 0, 20, 1, 2, 0.525230749334),
        (75, 1, 1, 75, 1, 0, 0.775755158099),
        (-30, 1, 0, 0, 0, 0, 0.460034325084),
        (0, 0, 2, 80, 1, 1, 0.193604998136),
    ]),
    "t80_first": ({**T80, "bolt_on": "first_throw"}, [
        (0, 0, 0, 0, 0, 0, 0.566823029073),
        (-15, 1, 1, 35, 1, 1, 0.429488599464),
        (-40, 1, 0, 0, 0, 2, 0.43995476866),
        (70, 1, 2, 0, 0, 0, 0.949286216267),
        (40, 1, 2, 0, 1, 2, 0.73943247583),
    ]),
    "t80_all": ({**T80, "set_aside": "all"}, [
        (0, 0, 0, 0, 0, 0, 0.554287177513),
        (50, 1, 1, -20, 1, 2, 0.789036103828),
        (70, 1, 2, -15, 1, 0, 0.952727539604),
        (-50, 1, 0, 35, 1, 2, 0.336348421892),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_small_games(name):
    overrides, known = SMALL[name]
    rules = ref.make(**overrides)
    values = ref.solve_float(rules, 1e-10)
    for *where, chance in known:
        position = tuple(where[:3]), tuple(where[3:])
        assert values[position] == pytest.approx(chance, abs=1e-9)
        again = ref.backward(rules, lambda me, opp: values[me, opp], *position)
        assert again == pytest.approx(values[position], abs=1e-9)


# ------------------------------------------------------------------------------------ tiny games


def test_tiny_games_turn_every_switch():
    games = [ref.make(**overrides) for overrides in ref.TINY.values()]
    for name, seen in {
        "dump_on_penalty": {False, True},
        "bolts_to_penalty": {0, 1, 2, 3},
        "bolt_on": {"any_throw", "first_throw", "any_throw_until_entered"},
        "hot_dice": {"must_roll", "may_roll"},
        "set_aside": {"any", "all"},
        "dice": {1, 2, 3, 4, 5},
        "sides": {2, 3, 4, 6},
    }.items():
        assert {getattr(rules, name) for rules in games} == seen
    for name in ("entry", "barrels", "dump_trucks", "overtake_penalty", "floor"):
        assert {bool(getattr(rules, name)) for rules in games} == {False, True}
    assert any(rules.target % ref.step(rules) for rules in games)


@pytest.mark.parametrize("name", ref.TINY)
def test_tiny_games_are_lawful(name):
    rules = ref.make(**ref.TINY[name])
    step = ref.step(rules)
    assert rules.floor <= 0 and rules.floor % step == 0
    assert all(0 < truck < rules.target and truck % step == 0 for truck in rules.dump_trucks)
    ends = [end for barrel in sorted(rules.barrels) for end in barrel]
    assert ends == sorted(ends) and all(lo < hi <= rules.target for lo, hi in rules.barrels)
    assert min(rules.bolt_penalty, rules.overtake_penalty, rules.bolts_to_penalty) >= 0
    assert rules.combinations == tuple(sorted(rules.combinations))
    for faces, points in rules.combinations:
        assert points > 0 and 1 <= len(faces) <= rules.dice
        assert faces == tuple(sorted(faces)) and set(faces) <= set(range(1, rules.sides + 1))
    assert len(ref.positions(rules)) <= 350


@pytest.fixture(scope="module", params=ref.TINY)
def tiny(request):
    rules = ref.make(**ref.TINY[request.param])
    return rules, ref.solve_exact(rules)


def test_tiny_games_exactly(tiny):
    rules, values = tiny
    assert set(values) == set(ref.positions(rules))
    assert all(isinstance(value, F) and 0 < value < 1 for value in values.values())
    for (me, opp), value in itertools.islice(values.items(), 0, None, 9):
        assert ref.backward(rules, lambda m, o: values[m, o], me, opp) == value


def test_tiny_games_in_floats(tiny):
    rules, values = tiny
    floats = ref.solve_float(rules)
    assert max(abs(floats[p] - float(values[p])) for p in values) < 1e-12


def hasty(me, opp, total, dice, throw, rules):
    """Sets aside as much as it can and banks as soon as it may."""
    kept, points = max(ref.keeps(throw, rules).items(), key=lambda item: (item[1], item[0]))
    return kept, ref.allowed(rules, me, total + points, dice - len(kept))[-1]


@pytest.mark.parametrize(
    "name", ["coin_entry", "every_bolt_costs", "dump_on_penalty", "three_bolts"]
)
def test_policies_evaluated(name):
    rules = ref.make(**ref.TINY[name])
    values = ref.solve_exact(rules)
    best = ref.greedy(rules, lambda me, opp: values[me, opp])

    def plain(*where):
        return hasty(*where, rules)

    begin = ref.start(rules), ref.start(rules)
    for ours, theirs in ((best, best), (best, plain), (plain, best)):
        for position, chance in ref.evaluate_exact(rules, ours, theirs, begin).items():
            if ours is theirs:
                assert chance == values[position]
            else:
                assert (chance >= values[position]) == (ours is best) or chance == values[position]


@pytest.mark.parametrize("name", ref.TINY)
def test_outcomes_sum_to_one(name):
    rules = ref.make(**ref.TINY[name])
    for me, opp in itertools.islice(ref.positions(rules), 0, None, 11):
        ends = ref.outcome_distribution(rules, lambda *where: hasty(*where, rules), me, opp)
        assert sum(ends.values()) == 1
        assert all(end == "win" or set(end) <= set(ref.statuses(rules)) for end in ends)


def test_policies_may_not_cheat():
    rules = piglet(4)
    with pytest.raises(ValueError, match="dump after"):
        ref.outcome_distribution(rules, lambda *where: ((1,), "dump"), playing(0), playing(0))


def test_play_that_cannot_end_is_refused():
    with pytest.raises(ValueError, match="need not end"):
        ref.solve_linear({"a": (F(1), {"b": F(-1)}), "b": (F(1), {"a": F(-1)})})
