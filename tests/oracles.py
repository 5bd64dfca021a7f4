"""Known values, found without this package: what the tests compare with.

A player between turns is ``(score, entered, bolts)``; chances are those of the player about to
move, who is named first. Sources:

* the 1000 game: an independent solver, written from the rules of the game alone; exact to about
  1e-12 for the small games and 1e-11 for the full one;
* Pig: the same solver; the first player's 53.06 % and the policy's shape also in T. W. Neller and
  C. G. M. Presser, "Optimal Play of the Dice Game Pig", UMAP Journal 25(1), 2004; its hold values
  at 41:49 in the blog "Possibly Wrong", 20 March 2014;
* Piglet: exact fractions, by hand and in the article named.
"""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

Player = tuple[int, bool, int]
Known = tuple[Player, Player, float]

SMALL_GAMES: dict[str, tuple[dict[str, Any], float, list[Known]]] = {
    "t60": (
        {
            "target": 60,
            "floor": -50,
            "entry": 50,
            "barrels": (),
            "dump_trucks": (),
            "bolts_to_penalty": 3,
            "bolt_penalty": 50,
            "overtake_penalty": 50,
            "bolt_on": "any_throw",
            "set_aside": "any",
            "hot_dice": "must_roll",
            "dump_on_penalty": False,
        },
        0.591598388462,
        [
            ((-10, True, 1), (0, False, 0), 0.533677821775),
            ((50, True, 0), (-10, True, 0), 0.972486536811),
            ((10, True, 1), (50, True, 2), 0.404898990253),
            ((-45, True, 0), (15, True, 1), 0.371239465017),
            ((55, True, 1), (5, True, 2), 0.97231209608),
            ((40, True, 1), (0, False, 2), 0.92413511716),
            ((20, True, 0), (50, True, 2), 0.4858597011),
            ((50, True, 2), (20, True, 0), 0.936178196576),
            ((25, True, 2), (25, True, 1), 0.598296155497),
            ((0, False, 0), (-5, True, 2), 0.630553560086),
            ((25, True, 1), (10, True, 2), 0.676007923546),
            ((0, False, 2), (30, True, 2), 0.440149419615),
            ((0, False, 2), (55, True, 1), 0.329088245241),
            ((5, True, 2), (0, False, 0), 0.583159822396),
        ],
    ),
    "t100_scaled": (
        {
            "target": 100,
            "floor": -50,
            "entry": 20,
            "barrels": ((20, 30), (60, 70), (90, 100)),
            "dump_trucks": (55,),
            "bolts_to_penalty": 3,
            "bolt_penalty": 10,
            "overtake_penalty": 10,
            "bolt_on": "any_throw",
            "set_aside": "any",
            "hot_dice": "must_roll",
            "dump_on_penalty": False,
        },
        0.56168802847,
        [
            ((60, True, 0), (0, False, 2), 0.835718188579),
            ((25, True, 2), (60, True, 0), 0.396203447477),
            ((-10, True, 2), (-50, True, 1), 0.663903713073),
            ((70, True, 2), (-10, True, 2), 0.899283348107),
            ((0, False, 0), (20, True, 2), 0.525230749334),
            ((75, True, 1), (75, True, 0), 0.775755158099),
            ((-30, True, 0), (0, False, 0), 0.460034325084),
            ((0, False, 2), (80, True, 1), 0.193604998136),
        ],
    ),
    "t80_first": (
        {
            "target": 80,
            "floor": -50,
            "entry": 25,
            "barrels": ((40, 60),),
            "dump_trucks": (65,),
            "bolts_to_penalty": 3,
            "bolt_penalty": 50,
            "overtake_penalty": 50,
            "bolt_on": "first_throw",
            "set_aside": "any",
            "hot_dice": "must_roll",
            "dump_on_penalty": False,
        },
        0.566823029073,
        [
            ((-15, True, 1), (35, True, 1), 0.429488599464),
            ((-40, True, 0), (0, False, 2), 0.43995476866),
            ((70, True, 2), (0, False, 0), 0.949286216267),
            ((40, True, 2), (0, True, 2), 0.73943247583),
        ],
    ),
    "t80_all": (
        {
            "target": 80,
            "floor": -50,
            "entry": 25,
            "barrels": ((40, 60),),
            "dump_trucks": (65,),
            "bolts_to_penalty": 3,
            "bolt_penalty": 50,
            "overtake_penalty": 50,
            "bolt_on": "any_throw",
            "set_aside": "all",
            "hot_dice": "must_roll",
            "dump_on_penalty": False,
        },
        0.554287177513,
        [
            ((50, True, 1), (-20, True, 2), 0.789036103828),
            ((70, True, 2), (-15, True, 0), 0.952727539604),
            ((-50, True, 0), (35, True, 2), 0.336348421892),
        ],
    ),
}

PIG_FIRST_PLAYER = {
    10: 0.709424322598303,
    20: 0.615558549805043,
    50: 0.546150844166788,
    100: 0.530592725273747,
}
PIG_EXACT = {5: F(216, 271), 10: F(7776, 10961)}
PIG_100 = [
    (0, 50, 0.166511324714),
    (50, 0, 0.874798312809),
]
PIG_100_AT_41_49 = {"bank": (22, 23, 24, 25, 26), "roll": (21, 27), "bank_from": 28}
HOLD_AT_20 = 8.1417948937  # expected points of one turn of Pig

PIGLET_2 = {  # of me, opponent, turn total
    (0, 0, 0): F(4, 7),
    (0, 0, 1): F(5, 7),
    (0, 1, 0): F(2, 5),
    (0, 1, 1): F(3, 5),
    (1, 0, 0): F(4, 5),
    (1, 1, 0): F(2, 3),
}
PIGLET_3_START = F(6, 11)

BUST = {1: F(2, 3), 2: F(4, 9), 3: F(5, 18), 4: F(17, 108), 5: F(25, 324)}
ALL_DICE_SCORE = {1: F(1, 3), 2: F(1, 9), 3: F(1, 18), 4: F(13, 324), 5: F(119, 1944)}
MEAN_BEST_SCORE = {1: F(5, 2), 2: F(5), 3: F(625, 72), 4: F(775, 54), 5: F(73325, 2592)}
OPTION_SETS = {1: 2, 2: 5, 3: 13, 4: 30, 5: 62}  # that are no bust
BEST_SCORE_OF_FIVE_DICE = {  # outcomes out of 7776
    0: 600, 5: 900, 10: 1620, 15: 1080, 20: 1170, 25: 540, 30: 280, 35: 80, 40: 185,
    45: 85, 50: 245, 55: 20, 60: 195, 65: 65, 70: 85, 75: 20, 80: 25, 85: 5,
    90: 5, 100: 180, 105: 80, 110: 15, 120: 15, 125: 125, 130: 5, 200: 21, 205: 5,
    250: 120, 300: 1, 400: 1, 500: 1, 600: 1, 1000: 1,
}  # fmt: skip

BEST_TURN = {  # most expected points of one turn that nothing limits; set_aside, hot_dice
    ("any", "must_roll"): 36.906465355,
    ("all", "must_roll"): 35.306971482,
    ("any", "may_roll"): 36.923874697,
    ("all", "may_roll"): 35.324589787,
}

START = 0.5096390147988836  # of the full game
BETWEEN_TURNS: list[Known] = [
    ((-100, True, 1), (530, True, 0), 0.10289293342620205),
    ((300, True, 0), (45, True, 2), 0.7304070961153283),
    ((525, True, 2), (780, True, 0), 0.16523343974560087),
    ((625, True, 0), (0, False, 0), 0.9375104848199708),
    ((-100, True, 1), (530, True, 2), 0.10452768218023374),
    ((605, True, 1), (0, False, 1), 0.9259482144201004),
    ((470, True, 2), (55, True, 2), 0.8290082875570015),
    ((550, True, 2), (195, True, 2), 0.7840824980423959),
]
#: me, opponent, turn total, dice left, throw or None; and what follows each action ("bust" after
#: a throw in which nothing scores).
Inside = tuple[Player, Player, int, int, tuple[int, ...] | None, dict[str, float]]
INSIDE_A_TURN: list[Inside] = [
    (
        (690, True, 2),
        (0, False, 2),
        0,
        5,
        (2, 6, 1, 2, 1),
        {
            "keep 1, roll": 0.9749619617399962,
            "keep 1, bank": 0.9778014237045349,
            "keep 1 1, roll": 0.9715471836765275,
            "keep 1 1, bank": 0.9793120709951076,
        },
    ),
    (
        (545, True, 1),
        (545, True, 0),
        60,
        2,
        (4, 2),
        {
            "bust": 0.5004757168914411,
        },
    ),
    (
        (195, True, 0),
        (905, True, 0),
        15,
        2,
        None,
        {
            "roll": 0.019459810706670196,
            "bank": 0.017601427379939083,
        },
    ),
    (
        (530, True, 0),
        (0, False, 2),
        60,
        2,
        (3, 4),
        {
            "bust": 0.8772511146035206,
        },
    ),
    (
        (290, True, 1),
        (595, True, 2),
        0,
        5,
        None,
        {
            "roll": 0.25396758853716,
        },
    ),
    (
        (0, True, 2),
        (850, True, 0),
        50,
        5,
        (1, 4, 1, 6, 2),
        {
            "keep 1, roll": 0.009632518155793551,
            "keep 1, bank": 0.009482414866225808,
            "keep 1 1, roll": 0.009266622692751305,
            "keep 1 1, bank": 0.009900982439911665,
        },
    ),
    (
        (530, True, 0),
        (905, True, 1),
        0,
        5,
        None,
        {
            "roll": 0.11178591087855391,
        },
    ),
    (
        (205, True, 2),
        (690, True, 1),
        60,
        1,
        None,
        {
            "roll": 0.05928335730831616,
        },
    ),
]
START_BY_READING: dict[str, tuple[dict[str, Any], float]] = {  # to 1e-6
    "first_throw": ({"bolt_on": "first_throw"}, 0.51139628),
    "any_throw_until_entered": ({"bolt_on": "any_throw_until_entered"}, 0.51085767),
    "set_aside_all": ({"set_aside": "all"}, 0.50790525),
    "floor_100": ({"floor": -100}, 0.50968125),
    "floor_400": ({"floor": -400}, 0.509638937),
    "floor_500": ({"floor": -500}, 0.509638935),
}

KEEPS = [
    ("12225", {"1": 10, "5": 5, "15": 15, "222": 20, "1222": 30, "2225": 25, "12225": 35}),
    ("11111", {"1": 10, "11": 20, "111": 100, "1111": 200, "11111": 1000}),
    ("55555", {"5": 5, "55": 10, "555": 50, "5555": 100, "55555": 500}),
    ("12334", {"1": 10}),
    ("13456", {"1": 10, "5": 5, "15": 15}),
    ("22336", {}),
    ("33333", {"333": 30, "3333": 60, "33333": 300}),
    ("23456", {"5": 5, "23456": 250}),
    ("12345", {"1": 10, "5": 5, "15": 15, "12345": 125}),
    ("12226", {"1": 10, "222": 20, "1222": 30}),
    ("111", {"1": 10, "11": 20, "111": 100}),
    ("52162", {"1": 10, "5": 5, "15": 15}),
    ("4", {}),
    ("12346", {"1": 10}),
    ("15226", {"1": 10, "5": 5, "15": 15}),
]
"""Throws that other programs scored wrongly, and what may be kept of them for how many points."""
