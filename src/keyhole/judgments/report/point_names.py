"""Names beside the points of a figure, placed so that they do not overlap where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = 8.0  # of the letters, in points
LETTER, LINE = 0.58 * SIZE, 1.1 * SIZE  # about the width of a letter and the height of a line
RADIUS = 4.0  # of a point, at least
# Where a name may stand, in points from its point: to its right, left, above and below; further from a larger point.
PLACES = ((6, 3, 0), (6, -9, 0), (-6, 3, 1), (-6, -9, 1), (0, 8, 0.5), (0, -15, 0.5), (8, 11, 0), (8, -17, 0))


def name_points(
    axes: Axes, names: Sequence[str], x: np.ndarray, y: np.ndarray, order: Sequence[int], radius: ArrayLike = RADIUS
) -> None:
    """Write names beside points, in the given order; scales, margins and points must be there already.

    Each point has a radius, in points of the page. A name takes the place around its point that covers the least area
    of the points and of the names so far.
    """
    axes.autoscale_view()
    centres = axes.transData.transform(np.column_stack([x, y])) * 72 / axes.figure.dpi
    radii = np.broadcast_to(np.maximum(radius, RADIUS), len(x))
    taken = np.column_stack([centres - radii[:, None], centres + radii[:, None]])  # boxes: left, bottom, right, top
    for i in order:
        places = [(right + np.sign(right) * (radii[i] - RADIUS), up, share) for right, up, share in PLACES]
        boxes = [_box(centres[i], len(names[i]), *place) for place in places]
        others = np.vstack([np.delete(taken[: len(x)], i, axis=0), taken[len(x) :]])
        best = int(np.argmin([_covered(box, others) for box in boxes]))
        right, up, share = places[best]
        side = "left" if share == 0 else "right" if share == 1 else "center"
        axes.annotate(names[i], (x[i], y[i]), (right, up), textcoords="offset points", fontsize=SIZE, ha=side)
        taken = np.vstack([taken, boxes[best]])


def _box(centre: np.ndarray, letters: int, right: float, up: float, share: float) -> np.ndarray:
    left, bottom = centre[0] + right - share * LETTER * letters, centre[1] + up
    return np.array([left, bottom, left + LETTER * letters, bottom + LINE])


def _covered(box: np.ndarray, others: np.ndarray) -> float:
    """The area that a box shares with others."""
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    return float(np.prod(np.maximum(sides, 0), axis=1).sum())
