"""Held-out rows that show every attribute which the predictors without each fold use: their losses are known exactly.

Where a predictor uses the few attributes that a policy shows together, some rows show all of them. Which rows these are
does not depend on their values, so their mean loss is an unbiased estimate too. Where attributes are almost copies of
each other (spectra), it is far less noisy than losses that are estimated from single cells and pairs: large weights
cancel each other in a whole row, and not in parts of it.
"""

from __future__ import annotations

import numpy as np

from ..solution import Training
from .fold_fits import FoldFits
from .settings import LEAST_EXACT_ROWS, LEAST_EXACT_ROWS_OF_FOLD, MUCH_BETTER_KNOWN
from .support import shows_all


def exact_rows(fits: FoldFits, data: Training) -> np.ndarray:
    """A mask of the rows that show all, or of none where these are too few, or every cell was revealed."""
    cells = data.as_revealed
    if data.complete or not fits.fits:
        return np.zeros(cells.n_examples, dtype=bool)
    used = np.any([np.any(fit.coef, axis=0) for fit in fits.fits], axis=0)
    shown = shows_all(used, fits.columns(cells))
    by_fold = np.bincount(fits.fold[shown], minlength=len(fits.fits))
    enough = shown.sum() >= LEAST_EXACT_ROWS and by_fold.min() >= LEAST_EXACT_ROWS_OF_FOLD
    return shown & enough


def is_much_better_known(standard_error: float, other: float) -> bool:
    """Whether an estimate is to be preferred to another for its standard error.

    Small losses also have a small standard error; taken at the least difference, they would be preferred too often.
    """
    return standard_error < MUCH_BETTER_KNOWN * other
