"""Solving: known values, exact values, bounds that hold, and every way to end early."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import oracles
import pytest
import reference as ref
from games import (
    COIN,
    NEVER,
    SMALL,
    TINY,
    chance,
    furthest,
    in_a_row,
    least,
    once,
    pig,
    solved,
    watchdog,
)
from scipy.sparse import eye_array
from scipy.sparse.linalg import spsolve

from solver import PIG, PIGLET, Progress, Rules, Solution, SolveError, State, gauss_seidel, solve
from solver import policy as policy_module
from solver._kernel import WIDEST
from solver.bellman import Bellman
from solver.certificate import Certificate
from solver.policy import Policy
from solver.positions import positions

TOLERANCES = (0.1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12)


# -------------------------------------------------------------------------------- exact values


@pytest.mark.parametrize("name", TINY)
def test_every_value_lies_within_the_bound_of_the_exact_one(name: str) -> None:
    """Compared as fractions, so that no rounding of the comparison can hide anything."""
    solution = once(TINY[name])
    assert solution.error_bound is not None and solution.error_bound <= 1e-9
    assert furthest(TINY[name], solution) <= F(solution.error_bound)


@pytest.mark.parametrize("name", TINY)
def test_the_bound_holds_at_the_smallest_tolerance_that_is_accepted(name: str) -> None:
    solution = least(TINY[name])
    assert solution.error_bound is not None and solution.error_bound < 1e-11
    assert furthest(TINY[name], solution) <= F(solution.error_bound)


@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize("name", ["coin", "every_bolt_costs", "dump_truck", "three_dice_all"])
def test_a_bound_is_within_the_tolerance_and_holds(name: str, tolerance: float) -> None:
    solution = solved(TINY[name], tolerance)
    assert solution.error_bound is not None
    assert 0 < solution.error_bound <= tolerance
    assert furthest(TINY[name], solution) <= F(solution.error_bound)


@pytest.mark.parametrize("target", oracles.PIG_EXACT)
def test_pig_exactly(target: int) -> None:
    solution = least(pig(target))
    assert abs(F(solution.start) - oracles.PIG_EXACT[target]) <= F(solution.error_bound)


@pytest.mark.parametrize("where", oracles.PIGLET_2)
def test_piglet_exactly(where: tuple[int, int, int]) -> None:
    me, opponent, total = where
    state = State(me, opponent, total)
    assert least(PIGLET).win_probability(state) == pytest.approx(
        float(oracles.PIGLET_2[where]), abs=1e-13
    )


def test_piglet_to_three() -> None:
    assert solved(replace(PIGLET, target=3)).start == pytest.approx(
        float(oracles.PIGLET_3_START), abs=1e-9
    )


# -------------------------------------------------------------------------------- known values


@pytest.mark.parametrize("name", SMALL)
def test_small_games_of_1000(name: str) -> None:
    _, start, known = oracles.SMALL_GAMES[name]
    solution = once(SMALL[name])
    assert solution.start == pytest.approx(start, abs=1e-9)
    for me, opponent, value in known:
        assert chance(solution, me, opponent) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("target", oracles.PIG_FIRST_PLAYER)
def test_the_first_player_of_pig(target: int) -> None:
    assert once(pig(target)).start == pytest.approx(oracles.PIG_FIRST_PLAYER[target], abs=1e-9)


@pytest.mark.parametrize(("me", "opponent", "value"), oracles.PIG_100)
def test_pig_is_not_mirrored_at_its_borders(me: int, opponent: int, value: float) -> None:
    solution = once(pig(100))
    assert chance(solution, (me, True, 0), (opponent, True, 0)) == pytest.approx(value, abs=1e-9)
    assert solution.win_probability(State(me, opponent)) == pytest.approx(value, abs=1e-9)


def test_more_points_are_not_always_better() -> None:
    """Just below a dump truck or in a barrel a player stands worse than with fewer points."""
    solution = once(SMALL["t100_scaled"])
    assert chance(solution, (45, True, 0), (0, False, 0)) < chance(
        solution, (40, True, 0), (0, False, 0)
    )


@pytest.mark.slow
def test_the_default_game(default_solution: Solution) -> None:
    assert default_solution.error_bound is not None and default_solution.error_bound <= 1e-9
    assert default_solution.start == pytest.approx(oracles.START, abs=1e-9)
    assert len(default_solution.positions) ** 2 == default_solution.values.size == 641_601
    for me, opponent, value in oracles.BETWEEN_TURNS:
        assert chance(default_solution, me, opponent) == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(len(oracles.INSIDE_A_TURN)))
def test_the_default_game_inside_a_turn(default_solution: Solution, case: int) -> None:
    me, opponent, total, dice, throw, known = oracles.INSIDE_A_TURN[case]
    state = State(me[0], opponent[0], total, dice, me[2], opponent[2], me[1], opponent[1])
    found = {str(a): value for a, value in default_solution.action_values(state, throw)}
    assert set(found) == set(known)
    for action, value in known.items():
        assert found[action] == pytest.approx(value, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", oracles.START_BY_READING)
def test_the_full_game_in_other_readings(name: str) -> None:
    overrides, start = oracles.START_BY_READING[name]
    assert solve(Rules(**overrides), 1e-8).start == pytest.approx(start, abs=1e-6)


# ------------------------------------------------------------------------- two ways to one value


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_plain_value_iteration_agrees(name: str) -> None:
    rules = (TINY | SMALL)[name]
    plain = gauss_seidel(rules, 1e-10, threads=1)
    assert plain.error_bound is None
    np.testing.assert_allclose(once(rules).values, plain.values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_one_more_pass_agrees_with_the_residual(name: str) -> None:
    solution = once((TINY | SMALL)[name])
    bellman = Bellman(solution.positions, threads=1)
    moved = np.abs(bellman.backward(solution.values) - solution.values).max()
    assert moved <= 2 * solution.residual + 1e-14
    assert solution.error_bound is not None and solution.residual <= solution.error_bound


def test_a_sparse_solver_confirms_the_greedy_policies() -> None:
    """The reference says where each greedy turn ends, and scipy solves the linear system."""
    rules = replace(TINY["three_dice_all"], target=40, set_aside="any")
    solution = solved(rules)
    statuses, index = solution.positions.statuses, solution.positions.index

    def value(me: Any, opponent: Any) -> float:
        return chance(solution, me, opponent)

    policy = ref.greedy(rules, value)
    system = eye_array(solution.values.size, format="lil")
    for row, (me, opponent) in enumerate(itertools.product(statuses, repeat=2)):
        for end, share in ref.outcome_distribution(rules, policy, me, opponent).items():
            if end != "win":
                system[row, index[end[1]] * len(statuses) + index[end[0]]] += float(share)
    found = spsolve(system.tocsc(), np.ones(solution.values.size))  # x = won + P (1 - x)
    np.testing.assert_allclose(found, solution.values.reshape(-1), rtol=0, atol=1e-9)


# --------------------------------------------------------------------------- the form of results


def test_a_solution_says_how_it_came_about() -> None:
    begun = time.perf_counter()
    solution = solved(SMALL["t60"])
    assert solution.rules == SMALL["t60"]
    assert solution.passes >= 1 and 0 < solution.seconds <= time.perf_counter() - begun
    assert solution.values.shape == (len(solution.positions),) * 2
    assert solution.values.dtype == np.float64
    assert solution.values.min() >= 0 and solution.values.max() <= 1
    first = solution.positions.start
    assert solution.start == solution.values[first, first]
    with pytest.raises(FrozenInstanceError):
        solution.error_bound = 0.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        solution.values[0, 0] = 0.5


@pytest.mark.parametrize("entry", [0, 2])
def test_the_target_may_be_a_single_throw_away(entry: int) -> None:
    """Heads wins at once: 1/2 + 1/8 + ... = 2/3, whether or not one must enter first."""
    rules = replace(COIN, target=1, entry=entry)
    assert solved(rules, 1e-12).start == pytest.approx(2 / 3, abs=1e-12)


def test_a_sure_win_is_one() -> None:
    """A die that always scores, from which all hot dice must be rolled: nobody ever stops."""
    rules = replace(COIN, sides=1, hot_dice="must_roll", target=3)
    assert solved(rules).start == pytest.approx(1, abs=1e-9)


# ---------------------------------------------------------------- the same on any machine


@pytest.fixture
def many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut even the smallest games up for the threads."""
    monkeypatch.setattr(Bellman, "grain", 1)
    monkeypatch.setattr(policy_module, "GRAIN", 1)


@pytest.mark.usefixtures("many_pieces")
@pytest.mark.parametrize("name", ["three_bolts", "five_dice", "t60"])
@pytest.mark.parametrize("method", [solve, gauss_seidel])
def test_threads_and_widths_do_not_change_a_bit(method: Any, name: str) -> None:
    rules = TINY[name] if name in TINY else replace(SMALL[name], target=45, bolts_to_penalty=2)
    ways = [(threads, WIDEST) for threads in (1, 2, 3)] + [(2, width) for width in range(WIDEST)]
    first, *others = [method(rules, 1e-9, threads=threads, width=width) for threads, width in ways]
    for other in others:
        np.testing.assert_array_equal(first.values, other.values)
        assert (first.error_bound, first.residual) == (other.error_bound, other.residual)
        assert first.passes == other.passes


@pytest.mark.usefixtures("many_pieces")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wrong", [0.0, np.nan, np.inf])
def test_a_sweep_tells_the_largest_change(threads: int, wrong: float) -> None:
    """Of all threads, of no more than there are positions, and none that is no number is missed."""
    bellman = Bellman(positions(SMALL["t60"]), threads)
    policy, rng = Policy(bellman), np.random.default_rng(1)
    policy.update(rng.random((bellman.size,) * 2))
    x, rhs = rng.random((bellman.size,) * 2), policy.constant.copy()
    rhs[3, 5] += wrong
    out, table = bellman.padded(x), bellman.padded(x.T)
    change = policy.work(policy.fronts, -1.0, rhs, table, out)
    most = np.abs(out[:, : bellman.size] - x).max()
    assert change == (most if np.isfinite(most) else np.inf)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize(
    "rules",
    [
        replace(PIG, target=40),  # busts leave all as it was
        replace(SMALL["t60"], bolts_to_penalty=2, bolt_on="first_throw"),  # later busts do
        replace(SMALL["t60"], bolts_to_penalty=0, dump_trucks=(30,)),  # so do dump trucks at 0
    ],
)
def test_a_sweep_solves_an_equation_for_its_own_unknown(rules: Rules, sign: float) -> None:
    """x = rhs + sign * P x at each position alone, as if all the others were known."""
    bellman = Bellman(positions(rules))
    policy, rng, size = Policy(bellman), np.random.default_rng(1), bellman.size
    policy.update(rng.random((size, size)))
    x, rhs = rng.random((size, size)), bellman.padded(rng.random((size, size)))
    out, table = bellman.padded(x), bellman.padded(x.T)
    policy.work(bellman.all, sign, rhs, table, out, own=True)
    new, own = out[:, :size], np.zeros((size, size))
    for i in range(size):
        alone = np.zeros((size, size))
        alone[i, i] = 1.0
        own[i, i] = policy.apply(alone)[i, i]
    assert own.max() > 0.1
    others = policy.apply(x) - own * x
    np.testing.assert_allclose(new, rhs[:, :size] + sign * (others + own * new), atol=1e-12)


@pytest.mark.usefixtures("many_pieces")
def test_one_thread_that_fails_ends_the_work_of_all() -> None:
    """The others must not wait for it at the end of the front."""
    bellman, calls = Bellman(positions(SMALL["t60"]), threads=3), itertools.count()
    table, out = np.zeros((2, bellman.size, bellman.lanes))

    def work(crew: Any, room: Any) -> None:
        if next(calls) == 1:
            raise OwnError
        bellman.kernel.backward(crew, room, *bellman.by_score, table, out)

    with pytest.raises(OwnError):
        bellman.turns(work, bellman.by_score)


def test_solving_twice_is_the_same_to_the_last_bit() -> None:
    again = [solved(SMALL["t80_all"], threads=2).values for _ in range(2)]
    np.testing.assert_array_equal(*again)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads: Any) -> None:
    with pytest.raises(ValueError, match=f"threads = {threads!r}: must be"):
        solve(PIGLET, threads=threads)


@pytest.mark.parametrize("width", [-1, WIDEST + 1, 7])
def test_an_instruction_set_that_there_is_not_is_refused(width: int) -> None:
    """In a process of its own, which a call through nothing would end."""
    code = f"""
        from solver import PIGLET, solve
        try:
            solve(PIGLET, width={width})
        except ValueError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(width) in done.stdout


# ------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "tolerance", [0, 0.0, -1e-9, 0.2, 1, float("inf"), float("nan"), "1e-9", None]
)
def test_tolerances_that_are_refused(tolerance: Any) -> None:
    with pytest.raises(
        SolveError, match=r"tolerance .* must be above 0 and at most 0\.1"
    ) as caught:
        solve(PIGLET, tolerance)
    assert repr(tolerance) in str(caught.value)


@pytest.mark.parametrize("tolerance", [1e-15, 1e-18, 5e-324])
@pytest.mark.parametrize("name", ["coin", "pig_off_step", "dump_truck", "five_dice"])
def test_a_tolerance_below_rounding_is_refused_with_one_that_is_not(
    name: str, tolerance: float
) -> None:
    with pytest.raises(SolveError, match="double precision") as caught:
        solved(TINY[name], tolerance)
    offered = float(str(caught.value).rsplit("about ", 1)[1].split()[0])
    assert tolerance < offered < 1e-9
    assert solved(TINY[name], offered).error_bound <= offered


ENDLESS = {
    "one way to the target, and a dump truck on it": NEVER,
    "the same with a die": replace(NEVER, sides=3),
    "with bolts and an entry": replace(
        NEVER, entry=1, bolts_to_penalty=2, bolt_penalty=1, floor=-2, sides=4
    ),
    "a barrel that nobody can leave": replace(
        COIN, target=6, barrels=((0, 6),), dump_trucks=(5,), hot_dice="may_roll"
    ),
    "dump trucks that no throw gets past": replace(
        COIN, target=6, dump_trucks=(3, 4), combinations={(1,): 2, (2,): 1}
    ),
    "only with all dice, and each turn dumps": replace(
        COIN, dice=2, sides=3, target=4, dump_trucks=(2,), combinations={(1, 1): 1},
        hot_dice="must_roll",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_a_game_that_may_never_end_is_refused(name: str) -> None:
    with pytest.raises(SolveError, match="may never end"):
        solved(ENDLESS[name])


@pytest.mark.parametrize(
    ("heads", "sides", "floor"),
    [
        *((heads, 2, 0) for heads in range(1, 13)),
        (6, 3, 0),
        (8, 2, -2),  # scores that nobody has
    ],
)
def test_a_game_of_so_many_heads_in_a_row_is_solved(heads: int, sides: int, floor: int) -> None:
    """A turn wins with a chance of p = sides ** -heads, so the first player with 1 / (2 - p)."""
    solution = solved(replace(in_a_row(heads, sides), floor=floor))
    assert abs(F(solution.start) - 1 / (2 - F(1, sides**heads))) <= F(solution.error_bound)


def test_a_game_of_hundreds_of_turns_is_solved() -> None:
    """Nobody enters below the target, so that only a turn that wins counts."""
    rules = replace(
        COIN, sides=4, combinations={(1,): 2}, target=7, entry=8, bolts_to_penalty=1,
        bolt_penalty=2, overtake_penalty=2, floor=-2, hot_dice="may_roll",
    )  # fmt: skip
    solution, plain = solved(rules), gauss_seidel(rules, 1e-9, threads=1)
    np.testing.assert_allclose(solution.values, plain.values, rtol=0, atol=1e-8)
    assert solution.passes < 100  # both answering each other in circles: 616, and no certificate


def test_a_game_of_thousands_of_turns_is_solved() -> None:
    """Two threes, three times in a row, win; nothing else does anything."""
    rules = replace(COIN, dice=2, sides=4, combinations={(3, 3): 3}, target=7, entry=8)
    solution = solved(rules)
    assert abs(F(solution.start) - 1 / (2 - F(1, 16**3))) <= F(solution.error_bound)


@pytest.mark.parametrize(
    "rules",
    [
        replace(in_a_row(7), dice=2, sides=4, combinations={(1, 1): 1}),
        replace(
            in_a_row(7, sides=4), bolts_to_penalty=3, bolt_penalty=1, floor=-1, set_aside="all"
        ),
    ],
)
def test_a_game_of_millions_of_turns_is_refused_at_once(rules: Rules) -> None:
    with pytest.raises(SolveError, match="turns"):
        solve(rules, 1e-9, watchdog(5), threads=1)


TIED = {
    "at an odd score that nobody can have": Rules(
        target=10, entry=2, barrels=(), dump_trucks=(), bolts_to_penalty=0, bolt_penalty=1,
        overtake_penalty=2, hot_dice="may_roll", floor=0, dice=1, sides=2, combinations={(1,): 4},
    ),
    "where all play wins or loses for sure, and a sure winner may put it off": Rules(
        target=6, entry=5, barrels=(), dump_trucks=(3,), dump_on_penalty=True, bolts_to_penalty=1,
        bolt_penalty=1, overtake_penalty=1, floor=-1, dice=2, sides=2,
        combinations={(1,): 1, (1, 1): 2, (2,): 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIED)
def test_a_game_in_which_choices_tie_exactly_is_solved(name: str) -> None:
    """Of equal choices the greedy one may be over sooner than the other: the bounds must allow
    for both."""
    for tolerance in (1e-3, 1e-9, 1e-11):
        solution = solved(TIED[name], tolerance)
        assert solution.error_bound is not None and solution.error_bound <= tolerance
        assert furthest(TIED[name], solution) <= F(solution.error_bound)


# ---------------------------------------------------------------------- progress and ending early


@pytest.mark.parametrize(("method", "phases"), [
    (solve, {"iterate", "certify"}), (gauss_seidel, {"sweep"}),
])  # fmt: skip
def test_progress_is_told_as_it_comes(method: Any, phases: set[str]) -> None:
    told: list[Progress] = []
    solution = method(SMALL["t60"], 1e-9, told.append, threads=1)
    assert {progress.phase for progress in told} == phases
    for before, after in itertools.pairwise(told):
        assert before.passes <= after.passes and before.seconds <= after.seconds
    assert told[-1].passes <= solution.passes and told[-1].seconds <= solution.seconds
    assert all(progress.change >= 0 and progress.goal > 0 for progress in told)


class OwnError(Exception):
    pass


@pytest.mark.parametrize("error", [OwnError, KeyboardInterrupt])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", [solve, gauss_seidel])
def test_what_a_callback_raises_ends_the_solve(
    method: Any, threads: int, error: type[BaseException]
) -> None:
    calls = 0

    def stop(_: Progress) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise error

    with pytest.raises(error):
        method(SMALL["t80_first"], 1e-9, stop, threads=threads)
    assert calls == 2


def test_ctrl_c_ends_a_solve_of_the_full_game_at_once() -> None:
    code = """
        import signal, solver
        signal.signal(signal.SIGINT, signal.default_int_handler)  # else ignored in the background
        print("begun", flush=True)
        try:
            solver.solve(on_progress=lambda progress: print(progress.phase, flush=True))
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(2.0)  # in the middle of the first passes
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - begun
    assert (process.returncode, err) == (0, "") and out.endswith("stopped\n")
    assert took < 4  # a second on an idle machine


def test_an_unfinished_reference_says_how_far_it_came() -> None:
    with pytest.raises(SolveError, match="no convergence in 3 sweeps: the last one changed"):
        gauss_seidel(SMALL["t60"], max_sweeps=3)


def test_a_proof_of_less_than_was_asked_for_is_not_handed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Widening may end in bounds that hold but lie beyond the tolerance."""

    def too_wide(bellman: Any, values: Any, turns: Any, tolerance: float) -> Certificate:
        return Certificate(2 * tolerance, 0.0, np.full(values.shape, -1.0))

    monkeypatch.setattr(sys.modules["solver.solve"], "certify", too_wide)
    with pytest.raises(SolveError):
        solve(PIGLET, 1e-9)
