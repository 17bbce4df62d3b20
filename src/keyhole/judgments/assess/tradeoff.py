"""Given a total of training judgments: more objects, or more judgments of each?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..selector import MultiSelector
from .validation import measured_loss, shuffled


def tradeoff(
    judgments: Any,
    labels: Any,
    budget: float,
    totals: Sequence[int],
    k: Sequence[int] = (2, 3, 4, 6),
    method: str = "full",
    n_splits: int = 20,
    test_share: float = 0.5,
    random_state: Any = None,
) -> Columns:
    """Error against k, the judgments of each cell, when their total is fixed (the paper's last experiment).

    For a total of M judgments of d attributes, M / (k d) training objects with k judgments of each attribute
    choose the repeats; these objects are then judged as often as chosen, a regressor is fitted, and its loss
    measured on other objects. Needs judgments to draw from: at least ``max(k)`` of each cell, and as many as
    the repeats may become. The loss is relative to the variance of the test labels.
    """
    table, y = as_judgments_and_labels(judgments, labels)
    d, depth = len(table.attributes), int(table.counts.min())
    if not 0 < test_share < 1:
        raise ValueError(f"test_share must lie between 0 and 1; got {test_share!r}")
    if min(k) < 2 or max(k) > depth:
        raise ValueError(f"k must lie between 2 and {depth}, the fewest judgments of a cell; got {list(k)}")
    pool = len(y) - round(test_share * len(y))
    for total in totals:
        fewest, most = total // (max(k) * d), total // (min(k) * d)
        if not 2 <= fewest <= most <= pool:
            raise ValueError(
                f"a total of {total} is from {fewest} objects with {max(k)} judgments of {d} attributes to {most} "
                f"with {min(k)}; there are {pool} objects to train on, so totals from {2 * max(k) * d} to "
                f"{pool * min(k) * d} will do"
            )
    rng = np.random.default_rng(random_state)
    selector = MultiSelector(budget, method=method, max_repeats=depth)
    losses: dict[tuple[int, int], list[float]] = {(total, each): [] for total in totals for each in k}
    for _ in range(n_splits):
        mixed, order = shuffled(table, rng), rng.permutation(len(y))
        test = order[pool:]
        for total, each in losses:
            train = order[:pool][: total // (each * d)]
            selector.fit_arrays(mixed.keep_objects(train).first(each), y[train])
            loss = measured_loss(
                mixed.keep_objects(train), y[train], mixed.keep_objects(test), y[test], selector.repeats_
            )
            losses[total, each].append(loss / float(np.var(y[test])))
    rows = [
        (
            total,
            each,
            total // (each * d),
            float(np.mean(found)),
            float(np.std(found, ddof=1) / np.sqrt(n_splits)),
        )
        for (total, each), found in losses.items()
    ]
    return Columns.from_rows(("total", "k", "objects", "loss", "standard_error"), rows)
