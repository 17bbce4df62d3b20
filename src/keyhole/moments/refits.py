"""The chosen family fitted anew without each fifth of the rows: what held-out rows are predicted by.

How far the refits differ from one another also says how uncertain the model is, for any subset of attributes and
without one more cell.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ..observe.cells import Cells
from .joint import Joint
from .refitting import refit as refit_once
from .rows import Units
from .solving import Solution

FOLDS = 5
FEWEST_ROWS = 2 * FOLDS  # with fewer nothing is held out


class Refits(NamedTuple):
    """``fold`` of every row, and the joint second moments fitted without each fold, with their units."""

    fold: np.ndarray
    fits: list[tuple[Joint, Units]]


def refit(solution: Solution, cells: Cells, labels: np.ndarray, most_turns: int, seed: int) -> Refits:
    """The family of a solution, without each fold of its rows."""
    n = cells.n_examples
    if n < FEWEST_ROWS or solution.family == "mean":
        return Refits(np.zeros(n, dtype=np.int64), [])
    fold = np.random.default_rng(seed).permutation(n) % FOLDS

    def without(f: int) -> tuple[Joint, Units]:
        part = cells.rows_of(fold != f)
        again = refit_once(solution, part, labels[fold != f], most_turns, seed)
        return again.joint, again.units

    with ThreadPoolExecutor(FOLDS) as pool:  # compiled code lets go of the interpreter lock
        return Refits(fold, list(pool.map(without, range(FOLDS))))


def first_cells(cells: Cells) -> np.ndarray:
    """Where the cells of each row start, and where the last ends."""
    return np.searchsorted(cells.rows, np.arange(cells.n_examples + 1))
