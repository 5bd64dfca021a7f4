"""A progress bar on stderr where that is a terminal; nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solver.progress import Line

__all__ = ["OnStage", "bar"]

OnStage = Callable[[str, float], None]
"""Called with what is being done, and with the share of it that is done."""

WIDTH = 30
PAUSE = 0.05  # seconds between two changes of the line


@contextmanager
def bar() -> Iterator[OnStage | None]:
    """A bar that is wiped at the end; None without a terminal."""
    with Line() as shown:
        if shown.seen:
            yield lambda stage, share: shown.show(line(stage, share), PAUSE if share < 1.0 else 0.0)
        else:
            yield None


def line(stage: str, share: float) -> str:
    """What the bar looks like.

    Examples
    --------
    >>> line("pages", 0.5)
    'sharabeshki: pages    [###############...............]  50%'
    """
    done = round(WIDTH * min(max(share, 0.0), 1.0))
    return f"sharabeshki: {stage:<8} [{'#' * done}{'.' * (WIDTH - done)}] {share:4.0%}"
