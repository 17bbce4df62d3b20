"""Ridge regression, for a table of which every cell was revealed: then there is nothing to infer.

Which scale an attribute is given decides how much it is shrunk. Two that have no unit are tried, the standard
deviation and one that is larger for attributes that are almost always constant; leave-one-out errors choose the
penalty and the scale.
"""

from __future__ import annotations

import numpy as np

from ...common.penalties import RIDGE_PENALTIES
from ...observe.cells import standardised, summarised
from ..solution import Solution, Training, candidate, solution_of
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from ..standard.scales import Scales, label_scales, with_labels
from .family import Family, Role


class Ridge(Family):
    """Ridge regression on complete rows."""

    name = "ridge"
    role = Role.SETTLED

    def applies(self, data: Training) -> bool:
        return data.n_rows >= 2 and data.complete

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        joint, scales, why = ridge_moments(data)
        return solution_of(joint, scales, self, [candidate(self, True, why)])

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        joint, scales, _ = ridge_moments(data)
        return like.with_moments(joint, scales)

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        """The penalty stays as it is."""
        return like.with_moments(moments_of_complete(rows, like.joint.noise), like.scales)


def ridge_moments(data: Training) -> tuple[JointMoments, Scales, str]:
    """A ridge regression as joint moments, its scales, and what was chosen."""
    from sklearn.linear_model import RidgeCV  # here, since it takes longer to import than most data to fit

    labels, n, d = data.labels, data.n_rows, data.n_attributes
    spread = label_scales(labels)
    targets = standardised(labels, labels.mean(axis=0), spread)
    tried = []
    forms = (
        [("", data.with_values(None))]
        if data.allowed is None
        else [
            (" of raw values", data.with_values(None)),
            (" of mapped values", data),
        ]
    )
    for of, form in forms:
        cells = form.cells
        summary = summarised(cells.attributes, cells.values, d)
        scales_tried = [("standard deviations", summary.deviation), ("guarded scales", summary.scale())]
        if data.common_unit:
            scales_tried.append(("a common scale", data.scales().scale))
        for name, scale in scales_tried:
            table = np.empty((n, d))
            table[cells.rows, cells.attributes] = standardised(
                cells.values, summary.mean[cells.attributes], scale[cells.attributes]
            )
            # With an intercept, which is 0: leaving one row out moves the means too, and where rows are fewer than
            # attributes an error that forgets that is 0.
            solved = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd").fit(table, targets)
            scales = with_labels(form.values, summary.mean, scale, labels)
            tried.append((solved.best_score_, solved.alpha_, table, name + of, scales))
    score, penalty, table, name, scales = max(tried, key=lambda one: one[0])
    if data.allowed is None and not data.common_unit:  # as it is, so that it is ridge regression and nothing else
        scales = scales._replace(
            label_low=np.full(labels.shape[1], -np.inf), label_high=np.full(labels.shape[1], np.inf)
        )
    U, s, Vt = np.linalg.svd(table, full_matrices=False)
    C, L = targets.T @ U / np.sqrt(n), labels.shape[1]
    joint = JointMoments(
        mean=np.zeros(d),
        loadings=Vt.T * (s / np.sqrt(n)),
        noise=np.full(d, penalty / n),
        label_mean=np.zeros(L),
        label_loadings=C,
        label_noise=np.maximum(np.mean(targets**2, axis=0) - np.sum(C**2, axis=1), 0.0),
        residual_cross=np.zeros((d, L)),
    )
    why = (
        f"every cell was revealed; attributes were divided by {name}, the penalty is {penalty:.3g}, and the"
        f" leave-one-out squared error is {-score:.3g} times the label's variance"
    )
    return joint, scales, why


def moments_of_complete(rows: Rows, penalty: np.ndarray) -> JointMoments:
    """The moments of complete rows; what ridge adds to the variances is their noise."""
    labels, table = rows.labels, np.nan_to_num(rows.table)
    mean, label_mean = table.mean(axis=0), labels.mean(axis=0)
    table, labels = table - mean, labels - label_mean
    values, vectors = np.linalg.eigh(table.T @ table / rows.n_rows)
    return JointMoments(
        mean=mean,
        loadings=vectors * np.sqrt(np.maximum(values, 0.0)),
        noise=penalty,
        label_mean=label_mean,
        label_loadings=np.zeros((rows.n_labels, rows.n_attributes)),
        label_noise=labels.var(axis=0),
        residual_cross=table.T @ labels / rows.n_rows,
    )
