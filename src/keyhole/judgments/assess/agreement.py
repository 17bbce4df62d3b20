"""How far workers agree: internal variance, intraclass correlation, Krippendorff's alpha."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.columns import Columns
from ..data.inputs import as_judgments

NAMES = ("attribute", "judgments", "internal_variance", "external_variance", "icc", "icc_mean", "alpha")


def agreement(judgments: Any) -> Columns:
    """Measure how far workers agree about each attribute.

    Cells with fewer than two judgments carry no information about agreement and are left out. An attribute that
    never varies has no intraclass correlation and no alpha (NaN).

    Parameters
    ----------
    judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
        The judgments, in any form that ``as_judgments`` takes.

    Returns
    -------
    Columns
        One row per attribute: ``attribute``; the number of ``judgments``; ``internal_variance``, the variance between
        judgments of one object (v in [1]_); ``external_variance``, that between the objects' own values; ``icc``, the
        intraclass correlation ICC(1) of [2]_, the share of a single judgment's variance that is the object's (one-way
        analysis of variance, unequal numbers of judgments allowed); ``icc_mean``, that of the mean of as many
        judgments as objects have on average, ICC(1, k); and ``alpha``, Krippendorff's alpha for interval data [3]_.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.
    .. [2] P. E. Shrout and J. L. Fleiss, "Intraclass correlations: uses in assessing rater reliability",
       Psychological Bulletin 86, 1979.
    .. [3] K. Krippendorff, "Content Analysis: An Introduction to Its Methodology", Sage, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import agreement
    >>> print(agreement(np.array([[[1.0, 2.0]], [[5.0, 6.0]], [[9.0, 9.0]]])))
    attribute  judgments  internal_variance  external_variance     icc  icc_mean   alpha
    x0                 6             0.3333              13.92  0.9766    0.9882  0.9709
    """
    table = as_judgments(judgments)
    rows = [
        (name, int((~np.isnan(table.values[:, a])).sum()), *attribute_agreement(table.values[:, a]))
        for a, name in enumerate(table.attributes)
    ]
    return Columns.from_rows(NAMES, rows)


def attribute_agreement(x: np.ndarray) -> tuple[float, float, float, float, float]:
    """Internal and external variance, ICC(1), ICC(1, k) and alpha of judgments (objects, judgments)."""
    present = ~np.isnan(x)
    x, present = x[present.sum(axis=1) >= 2], present[present.sum(axis=1) >= 2]
    if not len(x):
        return (np.nan,) * 5
    k = present.sum(axis=1)
    n = int(k.sum())
    values = np.where(present, x, 0.0)
    mean = values.sum(axis=1) / k
    inside = (np.where(present, x - mean[:, None], 0.0) ** 2).sum(axis=1)
    grand = float(values.sum() / n)
    total = float((np.where(present, x - grand, 0.0) ** 2).sum())
    internal = float((inside / (k - 1)).mean())
    # One-way analysis of variance; k0 is the number of judgments that an even design would have.
    within = float(inside.sum()) / (n - len(k))
    if len(k) < 2:
        return internal, np.nan, np.nan, np.nan, np.nan
    between = float((k * (mean - grand) ** 2).sum()) / (len(k) - 1)
    k0 = (n - float((k**2).sum()) / n) / (len(k) - 1)
    external = max(0.0, (between - within) / k0)
    if total <= 1e-20 * n * grand**2:
        return internal, external, np.nan, np.nan, np.nan
    icc = (between - within) / (between + (k0 - 1) * within)
    icc_mean = (between - within) / between if between > 0 else np.nan
    observed = 2 / n * float((k / (k - 1) * inside).sum())
    expected = 2 * total / (n - 1)
    return internal, external, icc, icc_mean, 1 - observed / expected
