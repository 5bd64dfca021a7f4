"""Saved solutions: each file is written whole or not at all, and refused if a byte of it is off.

A file is an uncompressed ``.npz`` that ``np.load`` reads too. Its zip comment is the text `MARK`
and the SHA-256, in hexadecimal, of every byte before the digest, so that no byte is left
unguarded. It is written to a temporary file beside its place, flushed to the disk and moved
there: at any moment the name stands for the old file or for the new one.

The digest guards against accidents. Against intent there is ``sharabeshki verify``, which proves
the error bound again from the rules and the values alone.
"""

from __future__ import annotations

import contextlib
import errno
import io
import math
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from solver.progress import on_terminal
from solver.rules import SHARABESHKI, Rules, as_rules
from solver.solution import Solution
from solver.solve import OnProgress, solve

__all__ = ["FORMAT", "SolutionError", "cache_folder", "cached", "entry", "load", "save"]

FORMAT = 1
MARK = b"sharabeshki solution, sha256 "
CACHE_VARIABLE = "SHARABESHKI_CACHE"
_DIGITS = 64  # of the digest
_ZIP = b"PK\x03\x04"
_NUMBERS = ("error_bound", "residual", "passes", "seconds")
_HELD = 8  # solutions kept in memory
_STALE = 24 * 3600.0  # seconds after which a temporary file is an orphan

PathLike = str | os.PathLike[str]


class SolutionError(ValueError):
    """A file that is refused as a saved solution; the message says which file and why."""

    def __init__(self, path: PathLike, problem: str) -> None:
        super().__init__(f"{os.fspath(path)}: {problem}")
        self.path, self.problem = path, problem


def save(solution: Solution, path: PathLike) -> None:
    """Write a solution to a file, replacing what is there only once the new one is complete.

    Parameters
    ----------
    solution : Solution
    path : str or path
        A new name or a regular file; a link stays, and what it leads to is replaced.

    Raises
    ------
    OSError
        If the folder is missing or read-only, the disk is full, and so on; the old file is intact.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    scratch = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
    try:
        with open(scratch, "xb") as file:
            file.write(_pack(solution))
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where the system can; the file is whole either way."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _version() -> str:
    from solver import __version__

    return __version__


def _pack(solution: Solution) -> bytes:
    """The bytes of a file."""
    bound = solution.error_bound
    return _seal(
        format=np.int64(FORMAT),
        package=np.array(_version()),
        rules=np.array(solution.rules.to_toml()),
        error_bound=np.float64(math.nan if bound is None else bound),
        residual=np.float64(solution.residual),
        passes=np.float64(solution.passes),
        seconds=np.float64(solution.seconds),
        values=np.ascontiguousarray(solution.values, dtype=np.float64),
    )


def _seal(**arrays: Any) -> bytes:
    """An archive of arrays that ends in its digest."""
    import hashlib

    archive = io.BytesIO()
    np.savez(archive, **arrays)
    length = (len(MARK) + _DIGITS).to_bytes(2, "little")  # a zip ends in the length of its comment
    body = archive.getvalue()[:-2] + length + MARK
    return body + hashlib.sha256(body).hexdigest().encode()


def load(path: PathLike, rules: Rules | None = None) -> Solution:
    """Read a saved solution.

    Parameters
    ----------
    path : str or path
    rules : Rules, optional
        The rules that it must be for; default: any.

    Raises
    ------
    SolutionError
        If the file is foreign, truncated, damaged, of another version, or for other rules.
    OSError
        If it cannot be read at all.
    """
    return _solution(path, _read(path), rules)


def _read(path: PathLike) -> dict[str, Any]:
    """The arrays of a file whose digest is right, by name."""
    import hashlib
    import zipfile

    if not isinstance(path, str | bytes | os.PathLike):  # open() takes a number for an open file
        raise TypeError(f"{path!r}: must be the path of a file")
    with open(path, "rb", buffering=0) as file:
        start = file.read(len(_ZIP))
        if start != _ZIP:
            raise SolutionError(path, "not a saved solution" if start else "an empty file")
        file.seek(0)
        data = file.read()
    body, digest = memoryview(data)[:-_DIGITS], data[-_DIGITS:]
    if body[-len(MARK) :] != MARK:
        raise SolutionError(path, _what_is(data))
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise SolutionError(path, "damaged: its bytes do not match their digest")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise SolutionError(path, f"not a saved solution: {error}") from None


def _what_is(data: bytes) -> str:
    """What is wrong with a zip file that does not end like a saved solution."""
    import zipfile

    if MARK not in data and zipfile.is_zipfile(io.BytesIO(data)):
        return "an archive, but not a saved solution (or damaged at its end)"
    return "truncated or damaged: it does not end in its digest"


def _solution(path: PathLike, arrays: dict[str, Any], rules: Rules | None) -> Solution:
    """Arrays read from `path` as the solution that they claim to be, if they can be one."""
    if arrays.get("format") != FORMAT:
        found = arrays.get("format", "unknown")
        raise SolutionError(path, f"format {found}; this version reads format {FORMAT}")
    try:
        theirs = Rules.from_toml(str(arrays["rules"]))
        bound, *numbers = (float(arrays[name]) for name in _NUMBERS)
        values = arrays["values"]
    except KeyError as error:
        raise SolutionError(path, f"not a saved solution: it lacks {error}") from None
    except (TypeError, ValueError) as error:
        raise SolutionError(path, f"not a saved solution: {error}") from None
    if rules is not None and theirs != rules:
        raise SolutionError(path, "a solution for other rules")
    known = rules or theirs  # look-ups are faster with the object that the caller goes on using
    solution = Solution(known, values, None if math.isnan(bound) else bound, *numbers)
    _check_values(path, solution)
    return solution


def _check_values(path: PathLike, solution: Solution) -> None:
    """Refuse values that are no chances, or not one for each position."""
    values, size = solution.values, len(solution.positions)
    if values.dtype != np.float64 or values.shape != (size, size):
        raise SolutionError(path, f"not a saved solution: values must be {size} x {size} float64")
    if not -0.1 <= values.min() <= values.max() <= 1.1:  # false for NaN too
        raise SolutionError(path, "not a saved solution: its values are not chances")


def cache_folder(folder: PathLike | None = None) -> Path:
    """Where solutions are kept.

    Parameters
    ----------
    folder : str or path, optional
        Default: what the environment variable ``SHARABESHKI_CACHE`` says; if it is not set, the
        user's cache folder.
    """
    named = folder or os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("sharabeshki", appauthor=False)


def entry(rules: Rules, folder: PathLike | None = None) -> Path:
    """The file of the cache that is for these rules."""
    return cache_folder(folder) / f"{as_rules(rules).digest}.npz"


def cached(
    rules: Rules = SHARABESHKI,
    tolerance: float = 1e-9,
    on_progress: OnProgress | None = None,
    folder: PathLike | None = None,
    fresh: bool = False,
) -> Solution:
    """The solution of a game: from memory, from the cache, or solved and put there.

    An entry of the cache is accepted only if it is sound, for these rules, from this version of
    the package, and within the tolerance; otherwise it is replaced. Without a usable folder it
    works on, and says so once.

    Parameters
    ----------
    rules : Rules
    tolerance : float
        The error bound that is asked for.
    on_progress : callable, optional
        Of a solve, as :func:`solver.solve.solve` has it; default: a line on a terminal.
    folder : str or path, optional
        See :func:`cache_folder`.
    fresh : bool
        Solve even if there is an entry, and replace it.

    Raises
    ------
    SolveError
        As :func:`solver.solve.solve`.
    """
    path = entry(rules, folder)
    solution = None if fresh else _known(path, rules, tolerance)
    if solution is None:
        with on_terminal(on_progress) as report:
            solution = solve(rules, tolerance, report)
        _store(solution, path)
    _hold(path, solution)
    return solution


def _known(path: Path, rules: Rules, tolerance: float) -> Solution | None:
    """The solution in memory or in the cache."""
    held = _held.get(path)
    if held is not None and _meets(held, tolerance):
        return held
    return _from_cache(path, rules, tolerance)


_held: dict[Path, Solution] = {}


def _hold(path: Path, solution: Solution) -> None:
    """Keep a solution in memory; the oldest go."""
    _held.pop(path, None)
    _held[path] = solution
    for oldest in list(_held)[:-_HELD]:
        _held.pop(oldest, None)


def _meets(solution: Solution, tolerance: float) -> bool:
    return solution.error_bound is not None and solution.error_bound <= tolerance


def _from_cache(path: Path, rules: Rules, tolerance: float) -> Solution | None:
    """An entry of the cache, if there is one and nothing speaks against it."""
    try:
        arrays = _read(path)
        solution = _solution(path, arrays, rules)
    except (OSError, SolutionError):
        return None
    if str(arrays.get("package")) != _version() or not _meets(solution, tolerance):
        return None
    return solution


def _store(solution: Solution, path: Path) -> None:
    """Put a solution into the cache, or say once that this cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear_orphans(path.parent)
        save(solution, path)
    except OSError as error:
        _warn_once(f"cannot use the cache folder {path.parent} ({error.strerror}): not kept")


def _clear_orphans(folder: Path) -> None:
    """Remove temporary files that killed processes left behind."""
    for orphan in folder.glob(".*.npz.*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - orphan.stat().st_mtime > _STALE:
                orphan.unlink()


_warned: set[str] = set()


def _warn_once(message: str) -> None:
    """One line on stderr for the first fault of the cache, unless logging is set up otherwise."""
    if _warned:
        return
    _warned.add(message)
    import logging

    logging.getLogger("sharabeshki").warning("sharabeshki: %s", message)
