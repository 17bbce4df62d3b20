"""Ridge regression, for when every cell was revealed: then there is nothing to infer.

Which scale an attribute is given decides how much it is shrunk. Two that have no units are tried, the standard
deviation and one that is larger for attributes that are almost always constant; leave-one-out errors choose the
penalty and the scale.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import Cells, standardised, summarised
from .joint import Joint
from .rows import Units

PENALTIES = np.logspace(-3, 6, 28)  # for attributes of variance 1


def ridge(cells: Cells, labels: np.ndarray, d: int) -> tuple[Joint, Units, str]:
    """As second moments, and what was chosen."""
    from sklearn.linear_model import RidgeCV  # here, since it takes longer to import than most data to fit

    n, summary = cells.n_examples, summarised(cells.attributes, cells.values, d)
    spread = np.where(np.ptp(labels, axis=0) > 0, labels.std(axis=0), 0.0)
    targets = standardised(labels, labels.mean(axis=0), spread)
    tried = {}
    for name, scale in (("standard deviations", summary.deviation), ("guarded scales", summary.scale())):
        table = np.empty((n, d))
        places = cells.attributes
        table[cells.rows, places] = standardised(cells.values, summary.mean[places], scale[places])
        # With an intercept, which is 0: leaving one row out moves the means too, and where rows are fewer than
        # attributes an error that forgets that is 0.
        solved = RidgeCV(PENALTIES, gcv_mode="svd").fit(table, targets)
        tried[name] = solved.best_score_, solved.alpha_, table, scale
    name = max(tried, key=lambda name: tried[name][0])
    score, penalty, table, scale = tried[name]
    U, s, Vt = np.linalg.svd(table, full_matrices=False)
    C = targets.T @ U / np.sqrt(n)
    left = np.maximum(np.mean(targets**2, axis=0) - np.sum(C**2, axis=1), 0.0)
    L = labels.shape[1]
    joint = Joint(np.zeros(d), Vt.T * (s / np.sqrt(n)), np.full(d, penalty / n), np.zeros(L), C, left, np.zeros((d, L)))
    why = f"every cell was revealed; {name}, penalty {penalty:.3g}, leave-one-out error {-score:.3g} of the variance"
    return joint, Units(summary.mean, scale, labels.mean(axis=0), spread), why
