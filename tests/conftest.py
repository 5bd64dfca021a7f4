"""One cache of solutions for a whole test run, so that each game is solved once."""

from __future__ import annotations

import os
import tempfile

import pytest

# Set before anything looks for the cache; a developer may point it at a folder that stays.
if "SHARABESHKI_CACHE" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="sharabeshki-")
    os.environ["SHARABESHKI_CACHE"] = _folder.name


@pytest.fixture(scope="session")
def default_solution():
    """The default game, solved once a run."""
    from solver.tables import cached

    return cached()


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache folder of its own, and nothing in memory."""
    from solver import tables

    monkeypatch.setenv("SHARABESHKI_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "_held", {})
    monkeypatch.setattr(tables, "_warned", set())
    return tmp_path / "cache"
