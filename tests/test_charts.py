"""The data of the charts, against the solution that they are read off."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re
import subprocess
import sys
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
import reference
from charts_games import GAMES, LENIENT, SMALL, pocket, solved

from solver import PIG, PIGLET, SHARABESHKI, Rules, State, solve
from solver.charts import (
    ChartError,
    Table,
    html,
    keep_guide,
    pocket_search,
    position_sheet,
    threshold_map,
    threshold_maps,
)
from solver.charts.book import booklet, situations
from solver.charts.pocket import of_record
from solver.charts.survey import REASONS, choices, survey
from solver.charts.thresholds import NEVER, NO_CHOICE
from solver.charts.words import Words
from solver.cli import main
from solver.evaluate import evaluate
from solver.play import Game
from solver.pocket import Ladder, Pocket, Twist, openings
from solver.tables import cached, save
from solver.thresholds import NEVER as NEVER_BANK

STATES = ["0:0", "0nb2:-50n", "50:45", "60:50b1", "75:95", "95:60", "45eb2:0e", "-50e:95"]


def state_of(me, opponent):
    return State(
        score=me.score, opponent_score=opponent.score, bolts=me.bolts,
        opponent_bolts=opponent.bolts, entered=me.entered, opponent_entered=opponent.entered,
    )  # fmt: skip


def bank_runs(table, dice):
    """The answers of one column of a hold/roll table as (action, [turn totals]), run by run."""
    column = table.dice.index(dice)
    cells = [
        (str(action), total)
        for action, total in zip(table.action[:, column], table.turn_totals, strict=True)
        if action and action != "dump"
    ]
    grouped = groupby(cells, key=lambda c: c[0])
    return [(action, [total for _, total in group]) for action, group in grouped]


# ------------------------------------------------------------------------------ position sheets


@pytest.mark.parametrize("text", STATES)
def test_the_cells_of_a_sheet_are_the_solutions(text):
    solution = solved(SMALL)
    sheet = position_sheet(solution, State.parse(text))
    assert sheet.chance == solution.win_probability(sheet.table.state)
    for record in sheet.tables()[0].records():
        if record["action"] == "dump":
            continue
        state = State.parse(text)
        inside = State(
            state.score, state.opponent_score, record["turn_total"], record["dice_left"],
            state.bolts, state.opponent_bolts, state.entered, state.opponent_entered,
        )  # fmt: skip
        values = {str(a): v for a, v in solution.action_values(inside)}
        assert record["action"] == str(solution.best_action(inside))
        assert record["roll"] == pytest.approx(values["roll"], abs=1e-12)
        if "bank" in values:
            assert record["bank"] == pytest.approx(values["bank"], abs=1e-12)
            assert record["cost"] == pytest.approx(abs(values["bank"] - values["roll"]), abs=1e-12)
            assert record["forced"] == ""
        else:
            assert record["bank"] is None
            assert record["forced"]


@pytest.mark.parametrize("text", STATES)
def test_the_spans_of_a_sheet_are_its_banks(text):
    sheet = position_sheet(solved(SMALL), State.parse(text))
    for dice in sheet.table.dice:
        runs = bank_runs(sheet.table, dice)
        expected = [[run[0], run[-1]] for action, run in runs if action == "bank"]
        if expected and runs[-1][0] == "bank":
            expected[-1][1] = None
        assert [list(span) for span in sheet.spans(dice)] == expected


def test_what_is_special_in_a_position():
    def keys(text):
        return [key for key, _ in position_sheet(solved(SMALL), State.parse(text)).notes]

    assert "note.entry" in keys("0:0")
    assert "note.barrel" in keys("65:0e")
    assert "note.last_barrel" in keys("95:0e")
    assert "note.dump" in keys("45:0e")
    assert "note.barrel_ahead" in keys("45:0e")
    assert "note.overtakes" in keys("45:50")
    assert "note.chased" in keys("50:45")
    assert "note.overtakes" not in keys("45:45")
    assert "note.bolts" in keys("45b2:50")
    assert "note.opponent_bolts" in keys("45:50b2")
    assert "note.opponent_barrel" in keys("45:65")
    assert "note.win" in keys("45:65")


def test_a_note_says_the_right_numbers():
    sheet = position_sheet(solved(SMALL), State.parse("65:50"))
    assert ("note.barrel", {"low": 60, "high": 80, "needs": 15}) in sheet.notes
    assert ("note.chased", {"behind": 15, "penalty": 50}) in sheet.notes


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_sheet_reads_as_text(game, language):
    sheet = position_sheet(solved(GAMES[game]), State())
    text = sheet.text(language)
    assert sheet.title(Words(language)) in text
    assert Words(language)("turn_total") in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert all(line == line.rstrip() for line in text.splitlines())


def test_the_drawn_rows_hold_every_doubt():
    for text in STATES:
        sheet = position_sheet(solved(SMALL), State.parse(text))
        rest = slice(sheet.shown, None)
        free = (sheet.table.action[rest] != "") & (sheet.table.forced[rest] == "")
        assert (sheet.table.action[rest][free] == "bank").all()


# ------------------------------------------------------------------------------- threshold maps


@pytest.mark.parametrize(("game", "bolts"), [("small", (0, 0)), ("small", (2, 1)),
                                             ("lenient", (1, 0)), ("pig", (0, 0))])  # fmt: skip
def test_a_map_says_what_the_hold_roll_tables_say(game, bolts):
    solution = solved(GAMES[game])
    chart = threshold_map(solution, *bolts)
    marked, dice = chart.marked(), chart.dice
    pairs = [(i, o) for i in range(len(chart.statuses)) for o in range(len(chart.opponents))]
    for i, o in random.Random(1).sample(pairs, 60):
        table = solution.hold_roll_table(state_of(chart.statuses[i], chart.opponents[o]))
        for column, number in enumerate(dice):
            free = (table.forced == "") & (table.action != "")
            runs = bank_runs(table, number)
            banks = [run for action, run in runs if action == "bank"]
            lowest = int(chart.lowest[i, o, column])
            if not free[:, number - 1].any():
                assert lowest == NO_CHOICE
            else:
                assert lowest == (banks[0][0] if banks else NEVER)
            first = next((k for k, (action, _) in enumerate(runs) if action == "bank"), len(runs))
            again = [(run[0], run[-1]) for action, run in runs[first:] if action == "roll"]
            here = chart.islands[
                (chart.islands["me"] == i)
                & (chart.islands["opponent"] == o)
                & (chart.islands["dice"] == number)
            ]
            assert list(zip(here["low"].tolist(), here["high"].tolist(), strict=True)) == again
            assert marked[i, o, column] == bool(again)
            for low, high, cost in zip(here["low"], here["high"], here["cost"], strict=True):
                inside = [k for k, t in enumerate(table.turn_totals) if low <= t <= high]
                gain = (table.roll - table.bank)[inside, number - 1]
                assert cost == pytest.approx(np.nanmax(gain), abs=1e-12)
                assert cost > 0


def test_a_map_has_a_row_for_every_pair():
    chart = threshold_map(solved(SMALL))
    rows = list(csv.DictReader(io.StringIO(chart.csv())))
    assert len(rows) == len(chart.statuses) * len(chart.opponents) * len(chart.dice)
    assert {row["dice_left"] for row in rows} == {"1", "2", "3", "4"}
    assert {row["bank_from"] for row in rows if row["score"] == "95" and row["entered"] == "True"
            } == {"no choice"}  # fmt: skip
    islands = sum(len(row["islands"].split(";")) for row in rows if row["islands"])
    assert islands == len(chart.islands)


def test_all_pairs_of_bolts():
    charts = threshold_maps(solved(SMALL))
    assert [(m.bolts, m.opponent_bolts) for m in charts.maps] == [
        (a, b) for a in range(3) for b in range(3)
    ]
    assert len(charts.tables()[0].rows) == 9 * len(charts.maps[0].tables()[0].rows)


@pytest.mark.parametrize("bolts", [(-1, 0), (0, 3), (5, 5)])
def test_bolts_that_do_not_exist_are_refused(bolts):
    with pytest.raises(ChartError, match="must be from 0 to 2"):
        threshold_map(solved(SMALL), *bolts)


def test_hot_dice_have_a_map_where_they_may_be_banked():
    assert threshold_map(solved(SMALL)).dice == (1, 2, 3, 4)
    assert threshold_map(solved(LENIENT)).dice == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_map_reads_as_text(language):
    text = threshold_map(solved(SMALL), 1, 2).text(language)
    assert Words(language).count(4, "die") in text
    assert Words(language).count(2, "bolt") in text


# --------------------------------------------------------------------------- survey, keep guide


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_options_of_throws(game):
    rules = GAMES[game]
    for dice in range(1, rules.dice + 1):
        found = choices(rules, dice)
        assert found.chance.sum() == pytest.approx(1.0, abs=1e-12)
        for options in found.options:
            assert [-points for points, _ in options] == sorted(-points for points, _ in options)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_survey_counts_whole_games(game):
    found = survey(solved(GAMES[game]), 200, seed=3)
    assert found.visits.sum() == found.turns
    assert found.visits[solved(GAMES[game]).positions.start].max() >= 200
    kept = sum(int(taken.sum()) for taken in found.taken.values())
    assert kept <= found.throws
    assert (found.first_lost == 0).all()
    less = sum(int(taken[:, 1:].sum()) for taken in found.taken.values())
    assert found.reasons.sum() == less
    lost = sum(float(lost.sum()) for lost in found.lost.values())
    assert found.reasons_lost.sum() == pytest.approx(lost)


def test_a_survey_repeats_itself():
    one, two = (survey(solved(SMALL), 50, seed=9) for _ in range(2))
    other = survey(solved(SMALL), 50, seed=10)
    assert (one.visits == two.visits).all()
    assert (one.visits != other.visits).any()


def test_positions_are_met_as_often_as_they_should_be():
    """After the first turn: the chances of its ends, against the counts of the second turn."""
    solution, games = solved(PIGLET), 4000
    found = survey(solution, games, seed=2)
    first = solution.positions.start
    # the first player of Piglet to 2 tosses until he has won or nothing scores
    assert found.visits[first, first] > games
    wins = solution.start
    assert wins == pytest.approx(4 / 7)
    mean_turns = found.turns / games
    assert mean_turns == pytest.approx(_piglet_turns(solution), abs=0.1)


def _piglet_turns(solution):
    """Expected turns of a game of Piglet by its own chances: a turn wins, or the other plays."""
    table = solution.hold_roll_table(State())
    assert table.action.size
    # V = p + (1 - p)(1 - V) where each turn wins with chance p from the first position
    value = solution.start
    p = (2 * value - 1) / value
    return 1 / p


def test_where_all_must_be_taken_there_is_nothing_to_choose():
    guide = keep_guide(solved(GAMES["all"]), games=100)
    assert guide.rows == ()
    assert guide.greedy == 0.0
    assert all(row.less == 0.0 for row in guide.dice)


def test_a_keep_guide():
    solution = solved(SMALL)
    guide = keep_guide(solution, games=400)
    assert guide.greedy > 0.0
    assert guide.games == 400
    for row in guide.rows:
        assert 0.0 <= row.bank_share <= 1.0
        assert row.worth >= 0.0
        assert set(row.best) <= set(row.throw)
        assert len(row.scoring) >= len(row.best) or sum(row.scoring)
        if not math.isnan(row.share):
            assert row.share >= row.second_share >= 0.0
    most = [len(row.throw) for row in guide.rows]
    assert most == sorted(most, reverse=True)
    assert [reason for reason, _, _ in guide.reasons] == list(REASONS)
    assert [row.dice for row in guide.dice] == [5, 4, 3, 2, 1]
    assert guide.dice[0].bust == pytest.approx(600 / 7776)
    table = guide.tables()[0].records()
    assert table[0]["dice"] == 5


def test_a_keep_guide_says_what_best_actions_do():
    """Games by the referee and `best_action`, counted apart from the survey."""
    solution, games, counts = solved(SMALL), 120, {}
    for seed in range(games):
        game = Game(SMALL, rng=np.random.default_rng(seed))
        while game.winner is None:
            action = solution.best_action(game.state, game.throw())
            if action.kind == "keep":
                dice = len(game.thrown)
                scoring = max(game.actions(), key=lambda action: len(action.dice)).dice
                met, less = counts.get(dice, (0, 0))
                counts[dice] = met + 1, less + (action.dice != scoring)
            game.play(action)
    guide = keep_guide(solution, games=2000)
    assert {row.dice for row in guide.dice if row.per_game} == set(counts)
    for row in guide.dice:
        met, less = counts[row.dice]
        assert met / (2 * games) == pytest.approx(row.per_game, rel=4 / math.sqrt(met) + 0.02)
        spread = math.sqrt(max(row.less * (1 - row.less), 0.01) / met)
        assert less / met == pytest.approx(row.less, abs=4.5 * spread)


def test_taking_all_costs_what_it_costs_in_exact_arithmetic():
    rules = Rules(**reference.TINY["dump_truck"])
    frozen = reference.freeze(rules)
    exact = reference.solve_exact(frozen)

    def value(me, opponent):
        return exact[me, opponent]

    def takes_all(me, opponent, total, dice, throw):
        kept = max(reference.keeps(throw, frozen).items(), key=lambda k: (k[1], len(k[0])))[0]
        found = reference.throw_values(frozen, value, me, opponent, total, dice, throw)
        mine = {option: worth for option, worth in found.items() if option[0] == kept}
        return max(mine, key=lambda option: (mine[option], option[1] == "bank"))

    begin = (reference.start(frozen), reference.start(frozen))
    played = reference.evaluate_exact(frozen, takes_all, reference.greedy(frozen, value))
    lost = survey(solve(rules, 1e-12), 4000, seed=5, greedy_first=True).first_lost
    error = lost.std() / math.sqrt(len(lost))
    assert error > 0
    assert lost.mean() == pytest.approx(float(exact[begin] - played[begin]), abs=4 * error)


# ---------------------------------------------------------------------------------- pocket rule


def test_a_pocket_rule_holds_the_chances_against_the_solution():
    solution, chart = solved(SMALL), pocket()
    ladder, twists = (table.records() for table in chart.tables())
    assert [row["on_card"] for row in ladder] == [False] * 4 + [True, False]
    for row in (ladder[1], ladder[4]):
        rung = chart.ladder.rungs[ladder.index(row)]
        result = evaluate(rung.rule.policy(SMALL), solution, SMALL)
        assert row["first"] == pytest.approx(result.first, abs=1e-11)
        assert row["second"] == pytest.approx(result.second, abs=1e-11)
        assert row["cost"] == pytest.approx(0.5 - (result.first + result.second) / 2, abs=1e-11)
    assert ladder[1]["bank"] == "20 20 20 20 20"
    assert [row["kind"] for row in twists] == ["dump", "into_barrel", "behind"]
    dump = next(twist for twist in chart.rule.twists if twist.kind == "dump")
    less = evaluate(chart.rule.without(dump).policy(SMALL), solution, SMALL)
    assert twists[0]["worth_first"] == pytest.approx(ladder[4]["first"] - less.first, abs=1e-11)
    assert chart.optimal == solution.start


def test_a_pocket_rule_shows_what_its_policy_sets_aside():
    chart = pocket()
    policy = chart.rule.policy(SMALL)
    keeps = chart.keeps()
    assert ((1, 5), (1,)) in [tuple(kept) for _, *kept in keeps]
    state = State.parse("0n:0n")  # the entry is 50: one cannot bank
    for throw, scoring, kept in keeps:
        assert len(throw) == 5  # with fewer, no four dice can be left
        assert policy(state, throw, SMALL).dice == kept != scoring
    assert chart.numbers() == [(1, 20), (2, 20), (3, 50), (4, 100)]
    rungs = (replace(chart.rung, rule=Pocket((0,) * 5)),)  # as soon as allowed
    least = replace(chart, ladder=Ladder(rungs, 0, (), 1)).numbers()
    assert least == [(1, 20), (2, 15), (3, 10), (4, 5)]


def test_a_pocket_rule_is_made_again_from_its_json():
    chart = pocket()
    again = of_record(solved(SMALL), json.loads(chart.json()))
    assert again.json() == chart.json()
    assert again.text("ru") == chart.text("ru")


def test_exceptions_in_words():
    chart, english, russian = pocket(), Words("en"), Words("ru")
    said = {
        Twist("dump", 10): "Where banking brings you to 45–65, bank at once.",
        Twist("short_of_barrel", 10): "Where banking brings you to 50–55 and 80–85, bank at once.",
        Twist("dump", 10, 15): "Where banking brings you to 45–65, 15 is enough.",
        Twist("into_barrel", by=35): "Bank into a barrel only with 35 or more.",
        Twist("into_barrel", by=NEVER_BANK): "Never bank into a barrel.",
        Twist("on_barrel", by=-20): "Starting on a barrel: every number 20 lower.",
        Twist(
            "opponent_near", 850, NEVER_BANK
        ): "If he has 850 or more: do not bank, go for the win.",
        Twist("behind", 250, 10): "If you are 250 or more behind: every number 10 higher.",
    }
    assert {twist: chart.said(english, twist) for twist in said} == said
    assert (
        chart.said(russian, Twist("dump", 5)) == "Если с очками хода выходит 50–60, пишите сразу."
    )
    for twist in openings(SHARABESHKI):
        assert chart.said(russian, twist)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_pocket_rule_reads_as_text(language):
    words, chart = Words(language), pocket()
    text = chart.text(language)
    for line in chart.exceptions(words):
        assert line in text
    assert words("pocket.perfect") in text
    assert words.count(chart.ladder.evaluations, "evaluation") in text
    assert words.percent(chart.rung.first, 2) in text


# -------------------------------------------------------------------------------------- booklet


def test_situations_are_counted():
    solution = solved(SMALL)
    found = survey(solution, 300)
    chosen = situations(solution, found)
    shares = [why[1]["share"] for why, _ in chosen if why[0] == "book.frequent"]
    assert shares == sorted(shares, reverse=True)
    kinds = [why[0] for why, _ in chosen]
    for edge in ("entry", "barrel", "dump", "target", "opponent"):
        assert f"book.edge.{edge}" in kinds
    assert kinds.count("book.edge.barrel") == 2
    states = [state for _, state in chosen]
    for state in states:
        solution.rules.check(state)
    entry = next(state for why, state in chosen if why[0] == "book.edge.entry")
    assert (entry.score, entry.entered) == (0, False)


def test_a_book_holds_the_solutions_numbers():
    solution = solved(SMALL)
    printed = booklet(solution, games=100)
    assert printed.start == solution.start
    assert printed.positions == solution.values.size
    assert (printed.maps[0].bolts, printed.maps[0].opponent_bolts) == (0, 0)
    record = json.loads(printed.json())
    assert record["first_player"] == solution.start
    rows = record["tables"]["sheets"]
    assert rows[0]["state"] == record["sheets"][0]
    for text in record["sheets"][:3]:
        sheet = position_sheet(solution, State.parse(text)).tables()[0].records()
        assert [row for row in rows if row["state"] == text] == [
            {"state": text, **row} for row in sheet
        ]
    assert printed.pocket is None  # none is on record for this game
    text = printed.text("ru")
    assert "самосвал" in text
    assert "Шарабешки" in text


# ------------------------------------------------------------------------------------- renderers


@pytest.fixture(scope="module", params=["position", "thresholds", "keeps", "pocket"])
def chart(request):
    solution = solved(SMALL)
    return {
        "position": lambda: position_sheet(solution, State.parse("50:45")),
        "thresholds": lambda: threshold_map(solution),
        "keeps": lambda: keep_guide(solution, games=50),
        "pocket": pocket,
    }[request.param]()


def test_json_and_csv_have_the_same_rows(chart):
    record = json.loads(chart.json())
    assert record["chart"] == chart.kind
    assert record["error_bound"] == solved(SMALL).error_bound
    rows = list(csv.DictReader(io.StringIO(chart.csv())))
    first = record["tables"][chart.tables()[0].name]
    assert len(rows) == len(first) > 0
    assert list(rows[0]) == list(first[0])
    for key, value in first[0].items():
        assert rows[0][key] == ("" if value is None else str(value))


def test_files_by_their_ending(chart, tmp_path):
    for ending, content in ((".txt", chart.text("ru")), (".csv", chart.csv()),
                            (".json", chart.json())):  # fmt: skip
        (path,) = chart.save(tmp_path / f"chart{ending}", "ru")
        assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("name", ["chart.doc", "chart", ".pdf", "chart.pdf.bak"])
def test_other_endings_are_refused(chart, tmp_path, name):
    with pytest.raises(ChartError, match=r"must end in one of \.pdf"):
        chart.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_rows():
    table = Table("nothing", ("a", "b"), ())
    assert table.csv() == "a,b\n"
    assert table.records() == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_hold_roll_table_as_html(language):
    from xml.etree import ElementTree

    table = solved(SMALL).hold_roll_table(State.parse("50:45"))
    text = html(table, language)
    assert (table._repr_html_() == text) == (language == "en")
    root = ElementTree.fromstring(text)
    rows = root.findall(".//tbody/tr")
    assert len(rows) == len(table.turn_totals)
    for row, total in zip(rows, table.turn_totals, strict=True):
        assert row.find("th").text == str(total)
        assert len(row.findall("td")) == len(table.dice)
    filled = [cell for cell in root.iter("td") if "".join(cell.itertext()).strip()]
    assert len(filled) == int((table.action != "").sum())
    assert Words(language)("action.bank") in text


def test_nothing_but_drawing_loads_matplotlib():
    code = (
        "import sys, solver, solver.charts, solver.cli.charts, solver.charts.book\n"
        "from solver import PIGLET, State, solve\n"
        "solver.charts.position_sheet(solve(PIGLET), State()).text('ru')\n"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, tmp_path):
    for name in [n for n in sys.modules if n.startswith(("matplotlib", "solver.charts.draw"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delattr("solver.charts.draw", raising=False)
    sheet = position_sheet(solved(SMALL), State())
    with pytest.raises(ChartError, match=r"pip install 'sharabeshki\[charts\]'"):
        sheet.save(tmp_path / "sheet.pdf")


# ---------------------------------------------------------------------------------- command line


@pytest.fixture
def chart_command(capsys, tmp_path):
    """The command line on the small game: the exit code, stdout and stderr."""
    import solver.cli

    path = tmp_path / "small.npz"
    save(solved(SMALL), path)

    def run(*words):
        code = solver.cli.main(["chart", *words, "--solution", str(path)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "words",
    [("position", "50:45"), ("thresholds", "--bolts", "1"), ("thresholds",),
     ("keeps", "--games", "20"), ("book", "--games", "20")],
)  # fmt: skip
def test_the_command_prints_text(chart_command, words, language):
    code, out, err = chart_command(*words, "--lang", language)
    assert (code, err) == (0, "")
    foot = {"en": "(proven)", "ru": "(доказано)"}[language]
    assert foot in out.splitlines()[-1]


def test_the_command_prints_data(chart_command):
    code, out, _ = chart_command("position", "50:45", "--json")
    assert code == 0
    assert out == position_sheet(solved(SMALL), State.parse("50:45")).json()
    code, out, _ = chart_command("thresholds", "--bolts", "1", "--opponent-bolts", "2", "--csv")
    assert out == threshold_map(solved(SMALL), 1, 2).csv()


def test_the_command_writes_files_and_names_them(chart_command, tmp_path):
    code, out, _ = chart_command("keeps", "--games", "20", "--output", str(tmp_path / "k.txt"))
    assert (code, out) == (0, f"{tmp_path / 'k.txt'}\n")
    assert (tmp_path / "k.txt").read_text(encoding="utf-8").startswith("Which dice")


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("position",), "which state?", 2),
        (("position", "50:45", "12345"), "is for a state", 2),
        (("position", "97:0"), "multiple of 5", 2),
        (("position", "50:45", "--lang", "de"), "invalid choice", 2),
        (("position", "50:45", "--output", "a.doc"), "must end in one of", 2),
        (("position", "50:45", "--output", "/nowhere/a.pdf"), "cannot write", 1),
        (("position", "50:45", "--csv", "--json"), "not allowed with", 2),
        (("thresholds", "--bolts", "3"), "must be from 0 to 2", 2),
        (("keeps", "--games", "0"), "must be from 1", 2),
        (("keeps", "--seed", "-1"), "must not be negative", 2),
        (("pocket",), "look for one with --search", 2),
        (("poster",), "invalid choice", 2),
    ],
)
def test_bad_command_lines_are_one_line(chart_command, words, said, code):
    got, out, err = chart_command(*words)
    assert (got, out) == (code, "")
    assert said in err
    assert len(err.splitlines()) == 1


# --------------------------------------------------------- the search for a pocket rule


PIG_TO_20 = ("chart", "pocket", "--search", "--preset", "pig", "--target", "20")


def on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)


def test_a_search_is_a_command(monkeypatch, capsys, tmp_path):
    target = str(tmp_path / "pocket.json")
    assert main([*PIG_TO_20, "--output", target]) == 0
    assert capsys.readouterr() == (f"{target}\n", "")
    solution = cached(replace(PIG, target=20))
    assert (tmp_path / "pocket.json").read_text("utf-8") == pocket_search(solution).json()
    on_a_terminal(monkeypatch)
    assert main([*PIG_TO_20, "--lang", "ru"]) == 0
    out, err = capsys.readouterr()
    assert "Правило на память" in out
    assert re.search(r"\r1 rules tried, the best wins \d+\.\d\d %", err)
    assert err.split("\r")[-1] == ""


def test_a_search_can_be_interrupted(monkeypatch, capsys, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    on_a_terminal(monkeypatch)
    monkeypatch.setattr("solver.pocket.Climb.grown", interrupted)
    assert main([*PIG_TO_20, "--output", str(tmp_path / "pocket.json")]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\rsharabeshki: interrupted\n")
    assert list(tmp_path.iterdir()) == []
