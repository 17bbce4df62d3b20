"""A progress bar for what takes long, and none for what does not; and warnings that wait until a bar is gone.

A bar appears on a terminal after a few seconds. Several at a time, from several threads, share one display. Where
another display is on the terminal already, as the one of ``keyhole demo``, no second one is drawn over it.

While a display is there, rich replaces ``sys.stderr``, to which Python writes warnings, by a stream that prints whole
lines above the bar, and puts it back in the end. ``warnings.showwarning`` stays as it is: a replacement would take
warnings away from ``warnings.catch_warnings(record=True)`` and ``logging.captureWarnings``.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
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
            task = _show(what, total, done)  # None while another display has the terminal

    try:
        yield step
    finally:
        if task is not None:
            _hide(task)


@contextmanager
def warnings_for_later() -> Iterator[list[str]]:
    """Yields a list that receives, at the end, the messages of the warnings that were issued meanwhile, each once.

    For a command, which prints them when its bar is gone, and for a worker process, whose warnings would be written
    across the bar of the process that it works for.

    >>> with warnings_for_later() as messages:
    ...     warnings.warn("attribute 'iron' has one value only")
    >>> messages
    ["attribute 'iron' has one value only"]
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always", UserWarning)
        try:
            yield messages
        finally:
            messages += dict.fromkeys(str(warning.message) for warning in issued)


def _show(what: str, total: int, done: int) -> Any:
    global _display, _shown
    from rich.console import Console
    from rich.file_proxy import FileProxy
    from rich.progress import Progress

    with _lock:
        if _display is None:
            if isinstance(sys.stderr, FileProxy):  # what a live display of rich puts there
                return None
            _display = Progress(console=Console(stderr=True), transient=True, redirect_stderr=True)
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
