"""A table per worker, and gold items: cells whose right answer is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...common.parameters import ParameterError, check_not_negative
from ..core.cells import available_mean, cell_statistics
from ..data.columns import Columns
from ..data.inputs import as_judgments
from ..data.parsing import plain_id
from ..data.table import Judgments, require_workers

Gold = Mapping[tuple[str, str], float]

NAMES = ("worker", "judgments", "objects", "severity", "disagreement", "agreement", "gold", "gold_error")


def worker_table(judgments: Any, gold: Gold | None = None) -> Columns:
    """Describe how each worker judges.

    Severity and disagreement are in units of an attribute's noise (the standard deviation of judgments of one
    object), so that they can be averaged over attributes.

    Parameters
    ----------
    judgments : table, path or Judgments
        Judgments with their workers, in any form that ``as_judgments`` takes.
    gold : dict of (str, str) to float, optional
        The right answers of gold items, by object and attribute.

    Returns
    -------
    Columns
        One row per worker: ``worker``, the numbers of ``judgments`` and ``objects``; ``severity``, the mean
        difference from the other workers' mean in the same cell; ``disagreement``, its root mean square (that of one
        of k equally good workers is sqrt(k / (k - 1)), because the others' mean is noisy too); ``agreement``, the
        correlation with the other workers' means; ``gold``, the number of judgments of gold items; and
        ``gold_error``, their mean absolute error in the attribute's own unit. NaN where a number is unknown.

    Raises
    ------
    BadValue
        If the workers were not recorded.
    ParameterError
        If there is no judgment of a gold item's object or attribute.

    Examples
    --------
    >>> from keyhole.judgments import worker_table
    >>> table = {"object": [1, 1, 2, 2, 3, 3], "attribute": ["tall"] * 6,
    ...          "value": [1, 2, 5, 7, 8, 10], "worker": ["ann", "bob"] * 3}
    >>> print(worker_table(table, gold={("1", "tall"): 1.0}))
    worker  judgments  objects  severity  disagreement  agreement  gold  gold_error
    ann             3        3    -1.361         1.414     0.9981     1           0
    bob             3        3     1.361         1.414     0.9981     1           1
    """
    judgments = as_judgments(judgments)
    require_workers(judgments, "worker tables")
    assert judgments.worker is not None
    values = judgments.values
    cells = cell_statistics(values)
    counts = judgments.counts
    noise = np.sqrt(available_mean(cells.variance, np.ones(len(values))))
    i, a, j = np.nonzero(~np.isnan(values) & (counts >= 2)[:, :, None] & (noise > 0)[None, :, None])
    x, who, k = values[i, a, j], judgments.worker[i, a, j], counts[i, a]
    others = (cells.mean[i, a] * k - x) / (k - 1)
    centre = available_mean(cells.mean, np.ones(len(values)))
    own_score, others_score = (x - centre[a]) / noise[a], (others - centre[a]) / noise[a]
    gold_error = np.abs(values - gold_values(judgments, gold)[:, :, None])
    rows = []
    for w, name in enumerate(judgments.workers):
        own, theirs = own_score[who == w], others_score[who == w]
        gap = own - theirs
        given = judgments.worker == w
        error = gold_error[given & ~np.isnan(gold_error)]
        rows.append(
            (
                name,
                int(given.sum()),
                int(given.any(axis=(1, 2)).sum()),
                float(gap.mean()) if len(gap) else np.nan,
                float(np.sqrt((gap**2).mean())) if len(gap) else np.nan,
                _correlation(own, theirs),
                len(error),
                float(error.mean()) if len(error) else np.nan,
            )
        )
    return Columns.from_rows(NAMES, rows)


def workers_failing_gold(judgments: Any, gold: Gold, tolerance: float, at_least: int = 3) -> list[str]:
    """List the workers whose error on gold items is too large.

    Parameters
    ----------
    judgments : table, path or Judgments
        Judgments with their workers, in any form that ``as_judgments`` takes.
    gold : dict of (str, str) to float
        The right answers of gold items, by object and attribute.
    tolerance : float
        The largest mean absolute error that is accepted, in the attribute's own unit.
    at_least : int, default=3
        Workers with fewer judgments of gold items are not listed.

    Returns
    -------
    list of str
        Names of the workers whose mean absolute error exceeds the tolerance.

    Raises
    ------
    BadValue
        If the workers were not recorded.
    ParameterError
        If the tolerance is negative, or there is no judgment of a gold item's object or attribute.

    Examples
    --------
    >>> from keyhole.judgments import workers_failing_gold
    >>> table = {"object": [1, 1, 2, 2, 3, 3], "attribute": ["tall"] * 6,
    ...          "value": [1, 2, 5, 7, 8, 10], "worker": ["ann", "bob"] * 3}
    >>> gold = {("1", "tall"): 1.0, ("2", "tall"): 5.0, ("3", "tall"): 8.0}
    >>> workers_failing_gold(table, gold, tolerance=1.0)
    ['bob']
    """
    check_not_negative("workers_failing_gold", "tolerance", tolerance)
    table = worker_table(judgments, gold)
    columns = zip(table["worker"], table["gold"], table["gold_error"], strict=True)
    return [name for name, n, error in columns if n >= at_least and error > tolerance]


def gold_values(judgments: Judgments, gold: Gold | None) -> np.ndarray:
    """The right answers (objects, attributes), NaN where none is known."""
    right = np.full(judgments.values.shape[:2], np.nan)
    object_at = {name: i for i, name in enumerate(judgments.objects)}
    attribute_at = {name: a for a, name in enumerate(judgments.attributes)}
    for (object_name, attribute), value in (gold or {}).items():
        i, a = object_at.get(plain_id(object_name)), attribute_at.get(plain_id(attribute))
        if i is None or a is None:
            raise ParameterError(
                "gold", f"there is no judgment of object {object_name!r}, or none of attribute {attribute!r}"
            )
        right[i, a] = value
    return right


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 3 or x.std() == 0 or y.std() == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
