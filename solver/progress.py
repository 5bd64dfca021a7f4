"""A line on a terminal that says how far a solve has come; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from solver.solve import OnProgress, Progress

__all__ = ["on_terminal"]

PHASES = {"iterate": "solving", "certify": "proving the error bound", "sweep": "sweeping"}
PAUSE = 0.1  # seconds between two lines


@contextmanager
def on_terminal(on_progress: OnProgress | None = None) -> Iterator[OnProgress | None]:
    """A callback for a solve: `on_progress` if given, else a line on stderr if it is a terminal.

    The line is wiped at the end, however the solve ends.
    """
    if on_progress is not None or not sys.stderr.isatty():
        yield on_progress
        return
    line = _Line(sys.stderr)
    try:
        yield line
    finally:
        line.wipe()


class _Line:
    """One line that is written over and over."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.width, self.next = stream, 0, 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self.next:
            self.write(text(progress))
            self.next = now + PAUSE

    def write(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def wipe(self) -> None:
        self.write("")
        self.stream.write("\r")
        self.stream.flush()


def text(progress: Progress) -> str:
    """What the line says.

    Examples
    --------
    >>> text(Progress("iterate", 3.25, 0.0012, 1e-9, 4.2))
    'sharabeshki: solving, change 1e-03 of 1e-09, 3.2 passes, 4 s'
    """
    change = f", change {progress.change:.0e} of {progress.goal:.0e}"
    return (
        f"sharabeshki: {PHASES.get(progress.phase, progress.phase)}"
        f"{change if progress.phase != 'certify' else ''}"
        f", {progress.passes:.1f} passes, {progress.seconds:.0f} s"
    )
