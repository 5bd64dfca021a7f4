"""Peer: two-player Pig in Storm, through stormpy (2.0.0 measured, ``pip install stormpy``).

Storm has no solver for stochastic games with two players (asked about one written as a PRISM smg
it returns None), so the game is written as an interval MDP: the maximiser is one player, and
nature, who chooses the probabilities inside their intervals, is the other.  A choice of nature's
between two ways is a pair of intervals [slack, 1 - slack]; Storm refuses 0 as a lower bound, so
the slack is positive, and it costs nature at most ``slack`` times the number of choices.  With
nature held back a little, the maximiser's value errs upwards; with ``both_sides`` the game is
solved for the second player too, which bounds the first player's chance from below (up to the
stop rule).

Method: robust value iteration (G. N. Iyengar, "Robust Dynamic Programming", Mathematics of
Operations Research 30(2), 2005), the one that Storm has for interval models; it ends on change
below ``precision``.  Storm itself: C. Hensel, S. Junges, J.-P. Katoen, T. Quatmann and M. Volk,
"The probabilistic model checker Storm", STTT 24, 2022.

Run alone, ``python pig_storm.py [target [precision]]`` prints the result as JSON; peak memory is
that of the whole process, so ask for it in a fresh one.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

# "me" is the score of the player to move, "you" that of the other.
PROGRAM = """
mdp
const int N = {target};
const double slack = {slack!r};
module pig
  nature : [0..1] init {nature_starts};
  me : [0..N] init 0;
  you : [0..N] init 0;
  total : [0..N] init 0;
  rolls : [0..1] init 0;  // nature has decided to roll
  [] me<N & (nature=0 | total=0 | rolls=1) -> {throw};
  [] me<N & nature=0 & total>0 -> 1: {bank};
  [] me<N & nature=1 & total>0 & rolls=0 ->
     [slack, 1-slack]: {bank} + [slack, 1-slack]: (rolls'=1);
  [] me=N -> 1: true;
endmodule
label "won" = me=N & nature=0;
"""
BANK = "(nature'=1-nature) & (me'=you) & (you'=me+total) & (total'=0)"
BUST = "1/6: (nature'=1-nature) & (me'=you) & (you'=me) & (total'=0) & (rolls'=0)"
SCORES = (
    "1/6: (me'=me+total+{face}>=N ? N : me) & (you'=me+total+{face}>=N ? 0 : you)"
    " & (total'=me+total+{face}>=N ? 0 : total+{face}) & (rolls'=0)"
)
PROPERTY = 'Pmax=? [F "won"]'


def program(target: int, slack: float, nature_starts: bool) -> str:
    """Write Pig as a PRISM program with intervals."""
    throw = " + ".join([BUST] + [SCORES.format(face=face) for face in range(2, 7)])
    return PROGRAM.format(
        target=target, slack=slack, nature_starts=int(nature_starts), throw=throw, bank=BANK
    )


def build(target: int, slack: float, nature_starts: bool) -> tuple[Any, Any]:
    """Build the interval MDP and the property that is asked of it."""
    import stormpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pig.pm")
        path.write_text(program(target, slack, nature_starts))
        parsed = stormpy.io.parse_prism_program(str(path))
    question = stormpy.parse_properties(PROPERTY, parsed)[0]
    return stormpy.build_model[stormpy.Interval](parsed, [question]), question


def check(model: Any, question: Any, precision: float) -> float:
    """Return the maximiser's chance, by robust value iteration to an absolute change."""
    import stormpy

    environment = stormpy.environments.sound()
    environment.solver().force_soundness = False  # there is no sound method for intervals
    method = environment.solver().min_max()
    method.method = stormpy.environments.MinMaxMethod.VALUE_ITERATION
    method.precision = stormpy.Rational(precision)
    method.relative_termination_criterion = False
    method.maximal_number_of_iterations = 1_000_000
    robust = stormpy.UncertaintyResolutionMode.ROBUST
    result = stormpy.model_checking(
        model, question, uncertainty_resolution_mode=robust, environment=environment
    )
    return float(result.get_value(model.initial_states[0]))


def solve(
    target: int = 100, precision: float = 1e-12, slack: float = 1e-14, both_sides: bool = False
) -> dict[str, Any]:
    """Solve two-player Pig.

    Parameters
    ----------
    target : int
        Points that win.
    precision : float
        Storm stops when a sweep changes no value by more.
    slack : float
        Lower bound of nature's probabilities.
    both_sides : bool
        Solve for the second player too, in a model of its own.

    Returns
    -------
    dict
        ``value`` (the first player's chance to win), ``seconds`` (model checking of one side, or
        of both), ``compile_seconds`` (importing stormpy and building the models), ``sweeps`` (None:
        Storm does not tell), ``peak_mib``, ``version``, ``states`` (of one model), and ``other``
        (the same value found for the second player, None unless ``both_sides``).

    Raises
    ------
    ImportError
        If stormpy is not installed, or is older than 2.0.
    """
    started = perf_counter()
    import stormpy

    if not hasattr(stormpy, "UncertaintyResolutionMode"):
        raise ImportError(f"stormpy 2.0 or later is needed, not {stormpy.__version__}")
    building = perf_counter() - started
    seconds, values, states = 0.0, [], 0
    for nature_starts in (False, True)[: 1 + both_sides]:
        started = perf_counter()
        model, question = build(target, slack, nature_starts)
        built = perf_counter()
        values.append(check(model, question, precision))
        building, seconds = building + built - started, seconds + perf_counter() - built
        states = model.nr_states
    return {
        "value": values[0],
        "seconds": seconds,
        "compile_seconds": building,
        "sweeps": None,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": f"stormpy {stormpy.__version__}",
        "states": states,
        "other": 1 - values[1] if both_sides else None,
    }


if __name__ == "__main__":
    kinds = int, float, float
    print(json.dumps(solve(*(kind(text) for kind, text in zip(kinds, sys.argv[1:], strict=False)))))
