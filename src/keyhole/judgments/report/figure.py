"""Figures without pyplot's global state, so that drawing works in servers and threads."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", dpi=120)
    return figure, figure.subplots()


def png_bytes(figure: Figure) -> bytes:
    """The figure as the content of a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()
