"""Ridge regression, for a table of which every cell was revealed: then there is nothing to infer.

Where few cells are missing, and held-out rows do not support factors, it is what a fit starts from too, and the gaps
are filled (``gaps.py``).

Which scale an attribute is given decides how much it is shrunk. Two that have no unit are tried, the standard
deviation and one that is larger for attributes that are almost always constant; leave-one-out errors choose the
penalty and the scale. From few rows they vary much where the penalty is small: of 50 rows of 40 independent attributes
one sample in eighty had a leave-one-out error of 0.28 times the label's variance, and a true one of 1.5. So the penalty
of the largest marginal likelihood (weights and noise normal, the scale of both unknown) is taken where it is larger and
its leave-one-out error is within a standard error of the least. With raw values it is scikit-learn's RidgeCV.
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
from .gaps import filled, without_gaps
from .settings import PERMUTATIONS


class Ridge(Family):
    """Ridge regression on complete rows."""

    name = "ridge"
    role = Role.SETTLED

    def applies(self, data: Training) -> bool:
        return data.n_rows >= 2 and data.complete

    def applies_with_gaps(self, data: Training) -> bool:
        return data.almost_complete

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        joint, scales, why = ridge_moments(data)
        return solution_of(joint, scales, self, [candidate(self, True, why)])

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        joint, scales, _ = ridge_moments(data)
        return like.with_moments(joint, scales)

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        """The penalty stays as it is."""
        return like.with_moments(moments_of_complete(rows, like.joint.noise, like.joint), like.scales)


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
        row, column, values = without_gaps(form)
        summary = summarised(column, values, d)
        scales_tried = [("standard deviations", summary.deviation), ("guarded scales", summary.scale())]
        if data.common_unit:
            scales_tried.append(("a common scale", data.scales().scale))
        for name, scale in scales_tried:
            table = np.empty((n, d))
            table[row, column] = standardised(values, summary.mean[column], scale[column])
            # With an intercept, which is 0: leaving one row out moves the means too, and where rows are fewer than
            # attributes an error that forgets that is 0.
            solved = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd", store_cv_results=True).fit(table, targets)
            scales = with_labels(form.values, summary.mean, scale, labels)
            tried.append((solved.best_score_, solved, table, name + of, scales))
    _, solved, table, name, scales = max(tried, key=lambda one: one[0])
    errors = solved.cv_results_.reshape(n, -1, len(RIDGE_PENALTIES)).mean(axis=1)
    chosen = int(np.argmin(errors.mean(axis=0)))
    if data.allowed is not None:
        chosen = _cautious(chosen, errors, table, targets)
    elif not data.common_unit:  # as it is, so that it is ridge regression and nothing else
        scales = scales._replace(
            label_low=np.full(labels.shape[1], -np.inf), label_high=np.full(labels.shape[1], np.inf)
        )
    penalty, error = RIDGE_PENALTIES[chosen], errors[:, chosen].mean()
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
    missing = 1.0 - len(data.cells.values) / (n * d)
    cells = "every cell was revealed" if data.complete else f"{missing:.1%} of the cells are missing and were filled"
    why = (
        f"{cells}; attributes were divided by {name}, the penalty is {penalty:.3g}, and the"
        f" leave-one-out squared error is {error:.3g} times the label's variance"
    )
    return joint, scales, why


def is_evident(rows: Rows, seed: int) -> bool:
    """Whether complete rows show that attributes tell something of the label.

    The marginal likelihood of the best penalty, above that of the largest, is compared with what it is after random
    permutations of the labels; so it is by chance in one case of ``PERMUTATIONS``, whatever the distributions are.
    """
    table, labels = np.nan_to_num(rows.table), rows.labels - rows.labels.mean(axis=0)
    directions = _directions(table - table.mean(axis=0))
    rng = np.random.default_rng(seed)

    def gained(order: np.ndarray) -> float:
        found = _log_likelihoods(*directions, labels[order])
        return float(found.max() - found[-1])

    actual = gained(np.arange(rows.n_rows))
    return actual > 0 and all(actual > gained(rng.permutation(rows.n_rows)) for _ in range(PERMUTATIONS))


def _cautious(least: int, errors: np.ndarray, table: np.ndarray, targets: np.ndarray) -> int:
    """The number of the penalty: that of the least leave-one-out error, or a larger one up to the most likely;
    ``errors`` are the squares of each row, (rows, penalties)."""
    likely = int(np.argmax(_log_likelihoods(*_directions(table), targets)))
    for k in range(likely, least, -1):
        more = errors[:, k] - errors[:, least]
        if more.mean() <= more.std(ddof=1) / np.sqrt(len(more)):
            return k
    return least


def _directions(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The left singular vectors and the singular values of a table, without those that are 0."""
    U, s, _ = np.linalg.svd(table, full_matrices=False)
    keep = s > 1e-9 * s.max()
    return U[:, keep], s[keep]


def _log_likelihoods(U: np.ndarray, s: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Of the penalties, up to a constant, given that labels have mean 0: y ~ N(0, v (X X' / penalty + I)), where v is
    the one that is most likely, and U and s are the directions of X."""
    along = (U.T @ targets) ** 2  # (directions, labels)
    across = np.maximum(np.sum(targets**2, axis=0) - along.sum(axis=0), 0.0)
    variance = 1.0 + s**2 / RIDGE_PENALTIES[:, None]  # (penalties, directions)
    squares = np.maximum((1.0 / variance) @ along + across, 1e-300)
    free = len(targets) - 1  # one degree of freedom is the mean's
    return -0.5 * np.sum(np.sum(np.log(variance), axis=1)[:, None] + free * np.log(squares), axis=1)


def moments_of_complete(rows: Rows, penalty: np.ndarray, like: JointMoments | None = None) -> JointMoments:
    """The moments of complete rows; what ridge adds to the variances is their noise. Gaps are filled by earlier
    moments."""
    labels, table = rows.labels, np.nan_to_num(rows.table if like is None else filled(rows.table, like))
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
