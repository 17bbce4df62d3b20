"""A table per worker, and gold items: objects whose right answer is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.estimated_moments import available_mean, cell_statistics
from ..data.columns import Columns
from ..data.inputs import as_judgments
from ..data.parsing import plain_id
from ..data.table import Judgments
from .variance_components import require_workers

Gold = Mapping[tuple[str, str], float]


def worker_table(judgments: Any, gold: Gold | None = None) -> Columns:
    """How each worker judges, in units of the attributes' own noise so that attributes can be averaged.

    ``severity``: mean difference from the other judges of the same things; ``disagreement``: its root mean
    square, which is sqrt(k / (k - 1)) for one of k equally good judges, as the others are noisy too;
    ``agreement``: correlation with the others' means. Then ``gold``: judgments of gold items, and
    ``gold_error``: their mean absolute error in the attribute's own units.
    """
    judgments = as_judgments(judgments)
    require_workers(judgments, "worker tables")
    assert judgments.worker is not None
    values = judgments.values
    cells = cell_statistics(values)
    present = ~np.isnan(values)
    counts = judgments.counts
    noise = np.sqrt(available_mean(cells.variance, np.ones(len(values))))
    i, a, j = np.nonzero(present & (counts >= 2)[:, :, None] & (noise > 0)[None, :, None])
    x, who, k = values[i, a, j], judgments.worker[i, a, j], counts[i, a]
    others = (cells.mean[i, a] * k - x) / (k - 1)
    centre = available_mean(cells.mean, np.ones(len(values)))
    own_score, others_score = (x - centre[a]) / noise[a], (others - centre[a]) / noise[a]
    gold_error = np.abs(values - gold_values(judgments, gold)[:, :, None])
    rows = []
    for w, name in enumerate(judgments.workers):
        mine = who == w
        own, theirs = own_score[mine], others_score[mine]
        gap = own - theirs
        error = gold_error[(judgments.worker == w) & ~np.isnan(gold_error)]
        rows.append(
            (
                name,
                int((judgments.worker == w).sum()),
                int((judgments.worker == w).any(axis=(1, 2)).sum()),
                float(gap.mean()) if len(gap) else np.nan,
                float(np.sqrt((gap**2).mean())) if len(gap) else np.nan,
                _correlation(own, theirs),
                len(error),
                float(error.mean()) if len(error) else np.nan,
            )
        )
    names = ("worker", "judgments", "objects", "severity", "disagreement", "agreement", "gold", "gold_error")
    return Columns.from_rows(names, rows)


def workers_failing_gold(judgments: Any, gold: Gold, tolerance: float, at_least: int = 3) -> list[str]:
    """Workers whose mean absolute error on gold items exceeds the tolerance, given enough gold judgments."""
    if not tolerance >= 0:
        raise ValueError(f"the tolerance on gold items must be a non-negative number; got {tolerance!r}")
    table = worker_table(judgments, gold)
    columns = zip(table["worker"], table["gold"], table["gold_error"], strict=True)
    return [name for name, n, error in columns if n >= at_least and error > tolerance]


def gold_values(judgments: Judgments, gold: Gold | None) -> np.ndarray:
    """The known answers (objects, attributes), NaN where there is none."""
    right = np.full(judgments.values.shape[:2], np.nan)
    object_at = {name: i for i, name in enumerate(judgments.objects)}
    attribute_at = {name: a for a, name in enumerate(judgments.attributes)}
    for (thing, attribute), value in (gold or {}).items():
        place: list[Any] = [object_at.get(plain_id(thing)), attribute_at.get(plain_id(attribute))]
        if None in place:
            raise ValueError(f"the gold item (object {thing!r}, attribute {attribute!r}) was never judged")
        right[place[0], place[1]] = value
    return right


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 3 or x.std() == 0 or y.std() == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
