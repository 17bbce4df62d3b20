"""A progress bar for what takes long, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterable


def shown(steps: Iterable, title: str, total: int) -> Iterable:
    """The steps, with a bar that goes away when they are done."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(steps, title, total, console=console, transient=True, disable=not console.is_terminal)
