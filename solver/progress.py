"""A line on a terminal that says how far something has come; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from solver.solve import OnProgress, Progress

__all__ = ["Line", "on_terminal"]

PHASES = {"iterate": "solving", "certify": "proving the error bound", "sweep": "sweeping"}
PAUSE = 0.1  # seconds between two lines


class Line:
    """One line on stderr that is written over and over, and wiped when its context ends.

    Attributes
    ----------
    seen : bool
        Whether stderr is a terminal; if not, nothing is written.
    """

    def __init__(self) -> None:
        self.stream, self.width, self.at = sys.stderr, 0, 0.0
        self.seen = self.stream.isatty()

    def __enter__(self) -> Line:
        return self

    def show(self, text: str, pause: float = 0.0) -> None:
        """Write over what stands there, if it has stood for `pause` seconds."""
        now = time.monotonic()
        if self.seen and now >= self.at + pause:
            self._write("\r" + text.ljust(self.width))
            self.width, self.at = len(text), now

    def __exit__(self, *error: object) -> None:
        if self.width:
            self._write("\r" + " " * self.width + "\r")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


@contextmanager
def on_terminal(on_progress: OnProgress | None = None) -> Iterator[OnProgress | None]:
    """A callback for a solve: `on_progress` if given, else a line on stderr if it is a terminal.

    The line is wiped at the end, however the solve ends.
    """
    with Line() as line:
        if on_progress is not None or not line.seen:
            yield on_progress
        else:
            yield lambda progress: line.show(text(progress), PAUSE)


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
