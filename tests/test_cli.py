"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from solver import PIG, PIGLET, SHARABESHKI, Rules, State, solve, tables
from solver.cli import COMMANDS, main
from solver.cli.text import certain, decimals, upward
from solver.tables import cached, entry, load, save

PIG_OPTIONS = ["--preset", "pig", "--target", "40"]
SMALL = replace(PIG, target=40)
TINY_THOUSAND = ["--target", "60", "--floor", "-50", "--barrels", "none", "--dump-trucks", "none"]


@pytest.fixture
def run(capsys):
    """Run the command; its exit code, stdout and stderr."""

    def call(*words):
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def process(*words, **options):
    """Run the command as a process."""
    command = [sys.executable, "-P", "-m", "solver", *map(str, words)]
    if "stdout" not in options:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(command, check=False, text=True, timeout=600, **options)


def one_line(text):
    assert re.fullmatch(r"sharabeshki: [^\n]+\n", text), text
    return text


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.50963885998, 0.25, 0.12345, 0.0, 1.0, 1 / 3, 0.4999999996])
@pytest.mark.parametrize("bound", [0.0, 1e-15, 1e-9, 3e-4, 0.02, 0.3])
def test_printed_digits_are_certain(value, bound):
    text = certain(value, bound)
    if text == "unknown":
        assert bound > 0.1
        return
    digits = len(text.partition(".")[2])
    for part in (-1, -0.3, 0, 0.5, 1):
        true = Fraction(value) + Fraction(part) * Fraction(bound)
        assert abs(min(max(true, 0), 1) - Fraction(text)) <= Fraction(1, 2 * 10**digits)


def test_upward_never_claims_too_much():
    for bound in (9.0e-10, 8.99999963444032e-10, 9.96e-10, 1e-9, 0.0501, 3e-16):
        assert bound <= float(upward(bound)) <= 1.2 * bound


def test_decimals():
    assert [decimals(bound) for bound in (None, 1e-9, 1e-5, 1e-3, 0.1)] == [6, 6, 4, 2, 1]


# --- solve ---------------------------------------------------------------------------------------


def test_solve_prints_the_chance_and_how_sure_it_is(run, tmp_path):
    code, out, err = run("solve", *PIG_OPTIONS, "--output", tmp_path / "pig.npz")
    lines = dict(re.split(r"\s{2,}", line) for line in out.splitlines())
    solution = load(tmp_path / "pig.npz")
    assert (code, err) == (0, "")
    assert list(lines) == [
        "first player's chance", "positions", "error bound", "backward passes", "time",
    ]  # fmt: skip
    assert lines["positions"] == "1,600"
    assert lines["first player's chance"] == certain(solution.start, solution.error_bound)
    assert float(lines["error bound"]) <= 1e-9
    assert solution.rules == SMALL


def test_solve_uses_the_cache_unless_told_not_to(run, empty_cache, monkeypatch):
    assert run("solve", *PIG_OPTIONS)[0] == 0
    before = entry(SMALL).read_bytes()
    again = run("solve", *PIG_OPTIONS)
    assert entry(SMALL).read_bytes() == before
    assert again == run("solve", *PIG_OPTIONS)
    assert run("solve", *PIG_OPTIONS, "--fresh")[0] == 0
    assert entry(SMALL).read_bytes() != before  # the time it took differs


def test_solve_into_a_cache_folder(run, tmp_path):
    assert run("solve", *PIG_OPTIONS, "--cache", tmp_path / "here")[0] == 0
    assert entry(SMALL, tmp_path / "here").exists()


def test_tolerance_decides_the_digits(run, empty_cache):
    out = run("solve", *PIG_OPTIONS, "--tolerance", "1e-3")[1]
    assert len(out.split()[3]) <= len("0.123")


def test_rules_from_every_source_agree(run, tmp_path):
    (tmp_path / "rules.toml").write_text(SMALL.to_toml())
    by_file = run("rules", "--rules", tmp_path / "rules.toml")
    assert by_file == run("rules", *PIG_OPTIONS)
    assert Rules.from_toml(by_file[1]) == SMALL
    assert Rules.from_toml(run("rules")[1]) == SHARABESHKI


def test_every_field_has_an_option(run):
    words = {
        "target": "300", "entry": "30", "barrels": "50-70,100-200", "dump_trucks": "55,155",
        "bolts_to_penalty": "2", "bolt_penalty": "10", "bolt_on": "first_throw",
        "overtake_penalty": "15", "hot_dice": "may_roll", "set_aside": "all", "floor": "-50",
        "dice": "4", "sides": "6", "combinations": "1=10,5=5,1 1 1=100",
    }  # fmt: skip
    options = [w for name, word in words.items() for w in ("--" + name.replace("_", "-"), word)]
    rules = Rules.from_toml(run("rules", *options, "--dump-on-penalty")[1])
    assert rules == Rules(
        target=300, entry=30, barrels=((50, 70), (100, 200)), dump_trucks=(55, 155),
        dump_on_penalty=True, bolts_to_penalty=2, bolt_penalty=10, bolt_on="first_throw",
        overtake_penalty=15, hot_dice="may_roll", set_aside="all", floor=-50, dice=4, sides=6,
        combinations={(1,): 10, (5,): 5, (1, 1, 1): 100},
    )  # fmt: skip


# --- best and table ------------------------------------------------------------------------------


def test_best_ranks_all_actions(run):
    code, out, err = run("best", "0+25:0", *PIG_OPTIONS)
    solution = cached(SMALL)
    ranked = solution.action_values(State(0, 0, 25))
    _, head, *rows = out.splitlines()
    assert (code, err) == (0, "")
    assert head.split() == ["action", "chance", "behind"]
    assert [row.split()[:2] for row in rows] == [
        [str(action), f"{value:.6f}"] for action, value in ranked
    ]
    assert "behind" not in rows[0]
    assert len(rows[0].split()) == 2
    assert float(rows[1].split()[2]) <= 0


@pytest.mark.parametrize(
    "words",
    [
        ["0+20:5", "4"],
        ["--score", "0", "--turn-total", "20", "--opponent-score", "5", "--", "4"],
        ["4", "--turn-total", "20", "--opponent-score", "5"],
    ],
)
def test_a_state_and_throw_can_be_said_in_several_ways(run, words):
    expected = run("best", "0+20:5", "4", *PIG_OPTIONS)
    assert expected[0] == 0
    assert run("best", *PIG_OPTIONS, *words) == expected


@pytest.mark.parametrize(
    "throw", [["11552"], ["1,1,5,5,2"], ["1", "1", "5", "5", "2"], ["1 1 5 5 2"]]
)
def test_throws_can_be_written_in_several_ways(run, throw):
    code, out, _ = run("best", "0:0", *throw, *TINY_THOUSAND)
    assert code == 0
    assert "throw 1 1 5 5 2" in out


def test_a_bust_is_an_answer(run):
    code, out, _ = run("best", "0:0", "22336", *TINY_THOUSAND)
    assert code == 0
    assert out.splitlines()[2].split()[0] == "bust"


def test_negative_scores_are_not_options(run):
    code, out, _ = run("best", "-50nb2:0e", *TINY_THOUSAND)
    assert code == 0
    assert out.startswith("-50nb2d5:0e\n")
    assert run("table", "-50nb2:0e", *TINY_THOUSAND)[0] == 0


def test_best_and_table_from_a_file(run, tmp_path, monkeypatch):
    save(solve(SMALL), tmp_path / "pig.npz")
    expected = run("best", "0+25:0", *PIG_OPTIONS)
    monkeypatch.setattr(tables, "solve", None)
    assert run("best", "0+25:0", "--solution", tmp_path / "pig.npz") == expected
    assert run("table", "0:0", "--solution", tmp_path / "pig.npz")[0] == 0


def test_table_in_the_terminal(run):
    code, out, err = run("table", "0:0", *TINY_THOUSAND)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[1].split() == [
        "turn", "total", "1", "die", "2", "dice", "3", "dice", "4", "dice", "5", "dice",
    ]  # fmt: skip
    assert lines[2].split() == ["0", "roll*"]
    full = run("table", "0:0", "--all", *TINY_THOUSAND)[1]
    assert len(full.splitlines()) > len(lines)
    assert "+0." in full


def test_table_as_data(run):
    table = cached(Rules(target=60, floor=-50, barrels=(), dump_trucks=())).hold_roll_table(State())
    rows = list(csv.DictReader(io.StringIO(run("table", "0:0", "--csv", *TINY_THOUSAND)[1])))
    data = json.loads(run("table", "0:0", "--json", *TINY_THOUSAND)[1])
    assert data["state"] == str(table.state)
    assert len(rows) == len(data["cells"]) == np.count_nonzero(table.action)
    for row, cell in zip(rows, data["cells"], strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in cell.items()}
        at = table.turn_totals.index(cell["turn_total"]), cell["dice_left"] - 1
        assert cell["action"] == table.action[at]
        for name in ("roll", "bank"):
            found = getattr(table, name)[at]
            assert cell[name] == (None if np.isnan(found) else found)


# --- verify --------------------------------------------------------------------------------------


def test_verify_proves_a_good_file(run, tmp_path):
    save(solve(SMALL), tmp_path / "pig.npz")
    code, out, err = run("verify", tmp_path / "pig.npz")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("proven again")


@pytest.mark.parametrize("change", [1e-6, -1e-6])
@pytest.mark.parametrize("place", [(0, 0), (0, 39), (39, 0), (39, 39), (17, 23)])
def test_verify_catches_one_altered_value(run, tmp_path, place, change):
    solution = solve(SMALL)
    values = solution.values.copy()
    values[place] += change
    save(replace(solution, values=values), tmp_path / "pig.npz")  # the digest is right
    code, out, err = run("verify", tmp_path / "pig.npz")
    assert (code, out) == (1, "")
    assert "NOT proven" in one_line(err)


def test_verify_wants_a_claim(run, tmp_path):
    save(replace(solve(SMALL), error_bound=None), tmp_path / "pig.npz")
    code, _, err = run("verify", tmp_path / "pig.npz")
    assert code == 1
    assert "claims no error bound" in one_line(err)


# --- bad input -----------------------------------------------------------------------------------

BAD = {
    "no command": [],
    "unknown command": ["solv"],
    "unknown option": ["solve", "--tagret", "3"],
    "abbreviated option": ["solve", "--toler", "1e-3"],
    "unknown preset": ["solve", "--preset", "farkle"],
    "target not a number": ["solve", "--target", "lots"],
    "negative penalty": ["solve", "--bolt-penalty", "-5"],
    "floor off the step": ["solve", "--floor", "-7"],
    "barrel beyond the target": ["solve", "--target", "300"],
    "barrels unreadable": ["solve", "--barrels", "200"],
    "no dice": ["solve", "--dice", "0"],
    "combination of a face that is not there": ["solve", "--combinations", "7=5"],
    "combination without points": ["solve", "--combinations", "1"],
    "tolerance zero": ["solve", "--tolerance", "0"],
    "tolerance not a number": ["solve", "--tolerance", "nan"],
    "preset and file": ["solve", "--preset", "pig", "--rules", "x.toml"],
    "rules file missing": ["solve", "--rules", "/nowhere/x.toml"],
    "no state": ["best"],
    "state unreadable": ["best", "195-60:540"],
    "state twice": ["best", "0:0", "--score", "5"],
    "finished game": ["best", "1000:0"],
    "finished turn": ["best", "530+25d3:0"],
    "score off the step": ["best", "3:0"],
    "score below the floor": ["best", "-305e:0"],
    "too many bolts": ["best", "0b3:0"],
    "seven dice": ["best", "0d7:0"],
    "negative dice": ["best", "--score", "0", "--dice-left", "-1"],
    "turn total that cannot be": ["best", "0+7d3:0"],
    "throw with too few dice": ["best", "0:0", "123"],
    "a face 7": ["best", "0:0", "12347"],
    "a negative face": ["best", "0:0", "1", "2", "-3", "4", "5"],
    "a face that is a word": ["best", "0:0", "one"],
    "a throw for a table": ["table", "0:0", "12345"],
    "csv and json": ["table", "0:0", "--csv", "--json"],
    "solution missing": ["best", "0:0", "--solution", "/nowhere/x.npz"],
    "solution is a folder": ["best", "0:0", "--solution", "/"],
    "file to verify missing": ["verify", "/nowhere/x.npz"],
    "nothing to verify": ["verify"],
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_exit_2(run, words, monkeypatch):
    monkeypatch.setattr(tables, "solve", None)  # found before any work
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    one_line(err)


@pytest.mark.parametrize(
    "text", ["targets = 3", "target = ", "target = 'x'", "combinations = 3", "\udcff"]
)
def test_bad_rules_files(run, tmp_path, text):
    (tmp_path / "x.toml").write_bytes(text.encode(errors="surrogateescape"))
    code, out, err = run("rules", "--rules", tmp_path / "x.toml")
    assert (code, out) == (2, "")
    one_line(err)


def test_bad_solution_files(run, tmp_path):
    save(solve(PIGLET), tmp_path / "x.npz")
    good = (tmp_path / "x.npz").read_bytes()
    for data in (b"", b"hello", good[:-40], good.replace(b"s\0\0\0i", b"s\0\0\0j")):
        (tmp_path / "x.npz").write_bytes(data)
        for words in (["verify"], ["best", "0:0", "--solution"], ["table", "0:0", "--solution"]):
            code, out, err = run(*words, tmp_path / "x.npz")
            assert (code, out) == (2, "")
            assert "x.npz" in one_line(err)


def test_solution_and_rules_do_not_mix(run, tmp_path):
    save(solve(PIGLET), tmp_path / "x.npz")
    code, _, err = run("best", "0:0", "--solution", tmp_path / "x.npz", "--target", "3")
    assert code == 2
    assert "--solution sets the rules" in one_line(err)


# --- failures and interruptions ------------------------------------------------------------------


def test_output_that_cannot_be_written_fails_before_the_work(run, monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "solve", None)
    for path in (tmp_path / "none" / "x.npz", tmp_path, "/dev/null"):
        code, out, err = run("solve", "--output", path)
        assert (code, out) == (1, "")
        assert "cannot write" in one_line(err)


def test_full_disk_is_one_line(run, monkeypatch, tmp_path):
    run("solve", *PIG_OPTIONS)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = run("solve", *PIG_OPTIONS, "--output", tmp_path / "x.npz")
    assert code == 1
    assert "first player's chance" in out
    assert "No space left on device" in one_line(err)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_never_ends_is_a_failure(run):
    words = ["--target", "10", "--combinations", "1=5", "--dice", "1", "--floor", "0"]
    code, out, err = run("solve", *words, "--barrels", "none", "--dump-trucks", "5", "--entry", "0")
    assert (code, out) == (1, "")
    one_line(err)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_answers_to_its_name(run, name):
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "") and out.startswith(f"usage: sharabeshki {name} ")


def test_ctrl_c_is_one_line_and_130(run, monkeypatch, empty_cache):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "solve", interrupted)
    code, out, err = run("solve", *PIG_OPTIONS)
    assert (code, out) == (130, "")
    assert one_line(err) == "sharabeshki: interrupted\n"


HEEDS_CTRL_C = """
import signal  # tests that run in the background hand it on as ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
from solver.cli import main
raise SystemExit(main())
"""


def test_ctrl_c_ends_a_solve_at_once(tmp_path):
    command = [sys.executable, "-P", "-c", HEEDS_CTRL_C, "solve", "--cache", str(tmp_path)]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **options) as child:
        time.sleep(2.5)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        begun = time.monotonic()
        out, err = child.communicate(timeout=30)
    assert time.monotonic() - begun < 5
    assert (child.returncode, out, err) == (130, "", "sharabeshki: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_unusable_cache_folder_as_a_process(tmp_path):
    (tmp_path / "file").write_text("")
    done = process("solve", *PIG_OPTIONS, "--cache", tmp_path / "file" / "folder")
    assert done.returncode == 0
    assert "first player's chance" in done.stdout
    assert "cannot use the cache folder" in one_line(done.stderr)


def test_nobody_reads_on():
    words = " ".join(TINY_THOUSAND)
    command = f"{sys.executable} -P -m solver table 0:0 --csv {words} | head -c 1"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.stdout, done.stderr) == ("t", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_stdout_is_one_line():
    with open("/dev/full", "w") as full:
        done = process("rules", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert "No space left on device" in one_line(done.stderr)


# --- terminals -----------------------------------------------------------------------------------


def on_terminal(*words, **environment):
    """Run with stdout piped and stderr on a terminal; both texts."""
    master, slave = pty.openpty()
    done = process(
        *words, stdout=subprocess.PIPE, stderr=slave,
        env=os.environ | environment,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # all has been read
        pass
    os.close(master)
    return done.stdout, shown.decode()


def test_progress_on_a_terminal_only(tmp_path):
    words = ["solve", *PIG_OPTIONS, "--cache", tmp_path, "--fresh"]
    out, shown = on_terminal(*words, NO_COLOR="1")
    assert "solving" in shown
    assert "\x1b" not in shown
    assert shown.endswith("\r")  # wiped
    assert "solving" not in out
    assert process(*words).stderr == ""


def test_piped_output_is_plain():
    done = process("table", "0:0", *TINY_THOUSAND, env=os.environ | {"FORCE_COLOR": "1"})
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout


def test_help_and_version(run):
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for command in ("solve", "best", "table", "verify", "rules"):
        assert re.search(rf"^\s+{command}\s", out, re.MULTILINE)
        assert run(command, "--help")[0] == 0
    assert run("--version")[1].startswith("sharabeshki 0.")
