"""A progress bar for what takes long, and none for what does not.

It appears on a terminal after a few seconds. Several at a time, from several threads, share one display.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 3.0  # seconds

_lock = threading.Lock()
_display: Any = None
_shown = 0


@contextmanager
def steps(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yields a function to call after each of so many steps; there may be fewer of them."""
    begun, done, task = time.monotonic(), 0, None

    def step() -> None:
        nonlocal done, task
        done += 1
        if task is not None:
            _display.update(task, completed=done)
        elif time.monotonic() - begun > PATIENCE and sys.stderr.isatty():
            task = _show(what, total, done)

    try:
        yield step
    finally:
        if task is not None:
            _hide(task)


def _show(what: str, total: int, done: int) -> Any:
    global _display, _shown
    from rich.console import Console
    from rich.progress import Progress

    with _lock:
        if _display is None:
            _display = Progress(console=Console(stderr=True), transient=True)
            _display.start()
        _shown += 1
        task = _display.add_task(what, total=total, completed=done)
        _display.refresh()
        return task


def _hide(task: Any) -> None:
    global _display, _shown
    with _lock:
        _display.remove_task(task)
        _shown -= 1
        if _shown == 0:
            _display.stop()
            _display = None
