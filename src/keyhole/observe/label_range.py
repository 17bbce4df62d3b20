"""The range of the labels seen, within which predictions may be held; it is the last two entries of an array."""

from __future__ import annotations

import numpy as np
from numba import njit

LOWEST, HIGHEST = -2, -1


def new_range(wanted: bool) -> np.ndarray:
    """The range of no label at all; empty where it is not wanted."""
    return np.array([np.inf, -np.inf]) if wanted else np.empty(0)


@njit(cache=True, nogil=True)
def count_label(seen: np.ndarray, label: float) -> None:
    """Add a label to the range."""
    seen[LOWEST] = min(seen[LOWEST], label)
    seen[HIGHEST] = max(seen[HIGHEST], label)


def within_range(seen: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """The predictions, held within the range of the labels where that is counted."""
    if not len(seen) or seen[LOWEST] > seen[HIGHEST]:
        return predictions
    return np.clip(predictions, seen[LOWEST], seen[HIGHEST])
