"""How far judges agree: internal variance, intraclass correlation, Krippendorff's alpha."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.columns import Columns
from ..data.inputs import as_judgments


def agreement(judgments: Any) -> Columns:
    """Agreement about each attribute, as a table.

    ``internal_variance``: the paper's v, the variance of judgments of one object. ``external_variance``: of
    the objects' own values. ``icc``: intraclass correlation ICC(1), the share of a single judgment's variance
    that is the object's (one-way analysis of variance, unequal numbers allowed). ``icc_mean``: the same of
    the mean of as many judgments as objects have on average, ICC(1, k). ``alpha``: Krippendorff's alpha for
    interval data. Cells with fewer than two judgments say nothing and are left out; an attribute that never
    varies has no ICC and no alpha (NaN).

    >>> import numpy as np
    >>> from keyhole.judgments import agreement
    >>> print(agreement(np.array([[[1.0, 2.0]], [[5.0, 6.0]], [[9.0, 9.0]]])))
    attribute  judgments  internal_variance  external_variance     icc  icc_mean   alpha
    x0                 6             0.3333              13.92  0.9766    0.9882  0.9709
    """
    table = as_judgments(judgments)
    names = ("attribute", "judgments", "internal_variance", "external_variance", "icc", "icc_mean", "alpha")
    rows = [
        (name, int((~np.isnan(table.values[:, a])).sum()), *attribute_agreement(table.values[:, a]))
        for a, name in enumerate(table.attributes)
    ]
    return Columns.from_rows(names, rows)


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
