"""A progress bar on stderr where that is a terminal; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["OnStage", "bar"]

OnStage = Callable[[str, float], None]
"""Called with what is being done, and with the share of it that is done."""

WIDTH = 30
PAUSE = 0.05  # seconds between two changes of the line


@contextmanager
def bar() -> Iterator[OnStage | None]:
    """A bar that is wiped at the end; None without a terminal."""
    stream = sys.stderr
    if not stream.isatty():
        yield None
        return
    shown = {"at": 0.0, "width": 0}

    def report(stage: str, share: float) -> None:
        now = time.monotonic()
        if share < 1.0 and now < shown["at"] + PAUSE:
            return
        text = line(stage, share)
        stream.write("\r" + text.ljust(int(shown["width"])))
        stream.flush()
        shown.update(at=now, width=len(text))

    try:
        yield report
    finally:
        stream.write("\r" + " " * int(shown["width"]) + "\r")
        stream.flush()


def line(stage: str, share: float) -> str:
    """What the bar looks like.

    Examples
    --------
    >>> line("pages", 0.5)
    'sharabeshki: pages    [###############...............]  50%'
    """
    done = round(WIDTH * min(max(share, 0.0), 1.0))
    return f"sharabeshki: {stage:<8} [{'#' * done}{'.' * (WIDTH - done)}] {share:4.0%}"
