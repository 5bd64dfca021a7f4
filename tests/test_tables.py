"""Saved files and the cache: what is refused, what survives, what is replaced."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from solver import PIG, PIGLET, SolutionError, solve, tables
from solver.tables import cache_folder, cached, entry, load, save

SMALL = replace(PIG, target=20)


@pytest.fixture(scope="module")
def piglet():
    return solve(PIGLET)


@pytest.fixture
def file(piglet, tmp_path):
    path = tmp_path / "piglet.npz"
    save(piglet, path)
    return path


def sealed(path, piglet, **changes):
    """A file with a right digest over arrays of which some are changed; None leaves one out."""
    arrays = {
        "format": np.int64(tables.FORMAT),
        "package": np.array("0"),
        "rules": np.array(piglet.rules.to_toml()),
        "error_bound": np.float64(1e-9),
        "residual": np.float64(0),
        "passes": np.float64(0),
        "seconds": np.float64(0),
        "values": piglet.values,
    } | changes
    kept = {name: array for name, array in arrays.items() if array is not None}
    path.write_bytes(tables._seal(**kept))
    return path


def refusal(path, rules=None):
    with pytest.raises(SolutionError) as info:
        load(path, rules)
    assert str(path) in str(info.value)
    return str(info.value)


def same(one, other):
    return (
        np.array_equal(one.values, other.values)
        and one.rules == other.rules
        and (one.error_bound, one.residual, one.passes, one.seconds)
        == (other.error_bound, other.residual, other.passes, other.seconds)
    )


# --- files ---------------------------------------------------------------------------------------


def test_round_trip(piglet, file):
    assert same(load(file), piglet)
    assert same(load(file, PIGLET), piglet)
    assert not load(file).values.flags.writeable


def test_no_bound_round_trips(piglet, tmp_path):
    save(replace(piglet, error_bound=None), tmp_path / "x")
    assert load(tmp_path / "x").error_bound is None


def test_numpy_reads_the_file(piglet, file):
    with np.load(file, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["values"], piglet.values)
        assert int(arrays["format"]) == tables.FORMAT
        assert "target = 2" in str(arrays["rules"])


def test_same_solution_same_bytes(piglet, file, tmp_path):
    save(piglet, tmp_path / "again")
    assert file.read_bytes() == (tmp_path / "again").read_bytes()


def test_each_flipped_byte_is_refused(file):
    good = file.read_bytes()
    data = bytearray(good)
    for place in range(len(good)):
        mask = 1 + 37 * place % 255
        data[place] ^= mask
        file.write_bytes(data)
        with pytest.raises(SolutionError):
            load(file)
        data[place] ^= mask


def test_each_truncation_is_refused(file):
    good = file.read_bytes()
    for length in (*range(0, len(good), 7), *range(len(good) - 200, len(good))):
        file.write_bytes(good[:length])
        with pytest.raises(SolutionError):
            load(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda good: b"", "empty"),
        (lambda good: good[: len(good) // 2], "truncated"),
        (lambda good: good[:-1], "truncated"),
        (lambda good: good[:200] + b"\0" + good[201:], "damaged"),
        (lambda good: good + b"\n", "damaged"),
        (lambda good: b"score,value\n1,2\n", "not a saved solution"),
        (lambda good: good * 2, "damaged"),
    ],
)
def test_refusals_say_which(file, change, words):
    file.write_bytes(change(file.read_bytes()))
    assert words in refusal(file)


def test_foreign_archives(tmp_path):
    np.savez(tmp_path / "a.npz", values=np.zeros(3))
    assert "not a saved solution" in refusal(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("notes.txt", "hello")
    assert "not a saved solution" in refusal(tmp_path / "b.zip")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": np.int64(99)}, "format 99; this version reads format 1"),
        ({"format": None}, "format unknown"),
        ({"values": None}, "it lacks 'values'"),
        ({"rules": np.array("target = ")}, "not a saved solution"),
        ({"rules": np.array("targets = 3")}, "targets"),
        ({"values": np.zeros((2, 2), np.float32)}, "2 x 2 float64"),
        ({"values": np.zeros((3, 3))}, "2 x 2 float64"),
        ({"values": np.full((2, 2), np.nan)}, "not chances"),
        ({"values": np.full((2, 2), 7.0)}, "not chances"),
        ({"error_bound": np.array([1.0, 2.0])}, "not a saved solution"),
        ({"error_bound": np.array("small")}, "not a saved solution"),
        ({"values": np.array([[None] * 2] * 2)}, "not a saved solution"),  # a pickle
    ],
)
def test_sealed_nonsense_is_refused(piglet, tmp_path, changes, words):
    assert words in refusal(sealed(tmp_path / "x.npz", piglet, **changes))


def test_other_rules_are_refused(file):
    assert "other rules" in refusal(file, PIG)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.npz")
    with pytest.raises(IsADirectoryError):
        load(tmp_path)


@pytest.mark.parametrize("odd", [None, 0, 5, True, ["x.npz"]])
def test_what_is_no_path_is_named_and_no_open_file_is_touched(odd):
    """To `open` a number is an open file: it would be read, and closed."""
    with pytest.raises(TypeError, match=re.escape(f"{odd!r}: must be the path of a file")):
        load(odd)
    os.fstat(0)


# --- writing -------------------------------------------------------------------------------------


def test_save_leaves_one_file_with_usual_rights(file):
    assert os.listdir(file.parent) == [file.name]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_old_file_survives_a_failed_save(piglet, file, monkeypatch, step, error):
    def fail(*_):
        raise error

    before = file.read_bytes()
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error)):
        save(replace(piglet, passes=99.0), file)
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_save_through_a_link_keeps_the_link(piglet, tmp_path):
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.npz"
    link.symlink_to(tmp_path / "real" / "x.npz")
    save(piglet, link)
    assert link.is_symlink()
    assert same(load(tmp_path / "real" / "x.npz"), piglet)


def test_save_refuses_what_is_no_file(piglet, tmp_path):
    with pytest.raises(OSError, match="not a regular file"):
        save(piglet, "/dev/null")
    with pytest.raises(OSError, match="not a regular file"):
        save(piglet, tmp_path)
    with pytest.raises(FileNotFoundError):
        save(piglet, tmp_path / "none" / "x.npz")


# --- the cache -----------------------------------------------------------------------------------


def unsolvable(*_):
    raise AssertionError("solved again")


def test_folder_explicit_then_variable_then_users(monkeypatch, tmp_path):
    monkeypatch.setenv("SHARABESHKI_CACHE", str(tmp_path / "variable"))
    assert cache_folder(tmp_path / "explicit") == tmp_path / "explicit"
    assert cache_folder() == tmp_path / "variable"
    for nothing in ("", None):
        if nothing is None:
            monkeypatch.delenv("SHARABESHKI_CACHE")
        else:
            monkeypatch.setenv("SHARABESHKI_CACHE", nothing)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
        assert cache_folder() == tmp_path / "user" / "sharabeshki"


def test_solved_once_then_from_the_file(empty_cache, monkeypatch):
    first = cached(SMALL)
    tables._held.clear()
    monkeypatch.setattr(tables, "solve", unsolvable)
    assert same(cached(SMALL), first)
    assert cached(SMALL) is cached(SMALL)
    assert [path.name for path in empty_cache.iterdir()] == [f"{SMALL.digest}.npz"]


def test_a_bound_above_the_tolerance_is_not_accepted(empty_cache):
    loose = cached(SMALL, 1e-3)
    assert cached(SMALL, 1e-6).error_bound <= 1e-6 < loose.error_bound
    assert load(entry(SMALL)).error_bound <= 1e-6
    tables._held.clear()
    assert cached(SMALL, 1e-3).error_bound <= 1e-6


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path, piglet: path.write_bytes(b""),
        lambda path, piglet: path.write_bytes(b"PK\3\4 nothing else"),
        lambda path, piglet: path.write_bytes(path.read_bytes()[:-100]),
        lambda path, piglet: save(piglet, path),  # other rules
        lambda path, piglet: save(replace(load(path), error_bound=None), path),
        lambda path, piglet: sealed(path, load(path)),  # another version of the package
    ],
)
def test_a_broken_entry_is_replaced(empty_cache, piglet, spoil):
    good = cached(SMALL)
    path = entry(SMALL)
    spoil(path, piglet)
    tables._held.clear()
    again = cached(SMALL)
    assert np.array_equal(again.values, good.values)
    assert again.error_bound <= 1e-9
    assert same(load(path), again)


def test_fresh_solves_again(empty_cache):
    first = cached(SMALL)
    again = cached(SMALL, fresh=True)
    assert again is not first
    assert cached(SMALL) is again


def test_memory_is_bounded(empty_cache):
    for target in range(2, 2 + 2 * tables._HELD):
        cached(replace(PIGLET, target=target))
    assert len(tables._held) == tables._HELD


def test_progress_is_handed_on(empty_cache):
    seen = []
    cached(SMALL, on_progress=seen.append)
    assert seen
    assert seen[-1].passes > 0


def test_unusable_folder_is_said_once(empty_cache, caplog, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SHARABESHKI_CACHE", str(tmp_path / "file" / "folder"))
    for target in (3, 4, 5):
        assert cached(replace(PIGLET, target=target)).error_bound <= 1e-9
    assert len(caplog.messages) == 1
    assert "cannot use the cache folder" in caplog.messages[0]


def test_full_disk_does_not_stop_the_work(empty_cache, caplog, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert cached(SMALL).error_bound <= 1e-9
    assert "No space left on device" in caplog.messages[0]
    assert list(empty_cache.iterdir()) == []


def test_orphans_are_cleared_once_they_are_old(empty_cache):
    empty_cache.mkdir()
    old, new, other = (empty_cache / name for name in (".a.npz.1f.tmp", ".b.npz.2f.tmp", "c.tmp"))
    for path in (old, new, other):
        path.write_bytes(b"")
    for path in (old, other):
        os.utime(path, (0, 0))
    cached(SMALL)
    assert not old.exists()
    assert new.exists()
    assert other.exists()


def test_two_processes_into_one_cache(tmp_path):
    code = (
        "from dataclasses import replace; from solver import PIG; from solver.tables import cached;"
        "print(cached(replace(PIG, target=40)).start)"
    )
    environment = os.environ | {"SHARABESHKI_CACHE": str(tmp_path)}
    command = [sys.executable, "-P", "-c", code]
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    results = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], results
    assert results[0] == results[1]
    (path,) = tmp_path.iterdir()
    assert load(path).error_bound <= 1e-9


def test_import_is_light():
    code = "import solver, sys; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    heavy = {"scipy", "matplotlib", "rich", "argparse", "platformdirs", "tomli_w", "email"}
    assert not heavy & set(found.stdout.split())


def test_archive_in_memory_matches(piglet):
    data = tables._pack(piglet)
    assert zipfile.is_zipfile(io.BytesIO(data))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert archive.comment.startswith(tables.MARK)
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
