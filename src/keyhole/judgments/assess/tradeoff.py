"""For a fixed total of training judgments: more objects, or more judgments of each?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.parameters import ParameterError, check_share, check_whole
from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..selector import MultiSelector
from .measured_loss import measured_loss, shuffled


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
    *,
    as_printed: bool = False,
) -> Columns:
    """Measure the loss against the judgments of each cell when their total is fixed (last experiment of [1]_).

    For a total of M judgments of d attributes, M / (k d) training objects with k judgments of each attribute
    choose the repeats. These objects are then judged as often as was chosen, a ``JudgmentRegressor`` is fitted, and
    its loss is measured on held-out objects.

    Parameters
    ----------
    judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
        The judgments to draw from, in any form that ``as_judgments`` takes: at least ``max(k)`` of each cell. Repeats
        are limited to the smallest number of judgments of a cell.
    labels : array-like of shape (n_objects,), dict, table or path
        A label for each object, in the order of the objects or by their names (a dict, a table with the columns object
        and label, or a file).
    budget : float
        The most judgments of one object.
    totals : sequence of int
        Totals of training judgments.
    k : sequence of int, default=(2, 3, 4, 6)
        Numbers of judgments of each cell from which repeats are chosen.
    method : {"full", "scoring", "averages", "copies"}, default="full"
        The method of ``MultiSelector``.
    n_splits : int, default=20
        The number of random splits into training and test objects.
    test_share : float, default=0.5
        The share of the objects that is held out.
    random_state : int, Generator or None, default=None
        Seed of the splits.
    as_printed : bool, default=False
        Whether repeats are chosen by ``MultiSelector.as_printed``, the paper's own form, and not by its defaults.

    Returns
    -------
    Columns
        One row per total and k: ``total``; ``k``; the number of training ``objects``; ``loss``, the mean squared
        error on held-out objects over the variance of their labels; and its ``standard_error`` over the splits.

    Raises
    ------
    ParameterError
        If a parameter has a wrong value, or there are too few objects or judgments for it.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import tradeoff
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(200, 3))
    >>> judgments = truth[:, :, None] + rng.normal(size=(200, 3, 8))
    >>> print(tradeoff(judgments, truth.sum(axis=1), budget=6, totals=[180], k=[2, 6], n_splits=5, random_state=0))
    total  k  objects    loss  standard_error
      180  2       30  0.4799         0.07238
      180  6       10  0.5901          0.0864
    """
    table, y = as_judgments_and_labels(judgments, labels)
    d, depth = len(table.attributes), int(table.counts.min())
    check_share("tradeoff", "test_share", test_share)
    check_whole("tradeoff", "n_splits", n_splits, 2)
    if min(k) < 2 or max(k) > depth:
        raise ParameterError(
            "k", f"tradeoff needs numbers from 2 to {depth}, the smallest number of judgments of a cell", list(k)
        )
    pool = len(y) - round(test_share * len(y))
    for total in totals:
        _check_total(total, k, d, pool)
    rng = np.random.default_rng(random_state)
    form = MultiSelector.printed_parameters if as_printed else {}
    selector = MultiSelector(budget, method=method, max_repeats=depth, **form)
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
            float(np.mean(measured)),
            float(np.std(measured, ddof=1) / np.sqrt(n_splits)),
        )
        for (total, each), measured in losses.items()
    ]
    return Columns.from_rows(("total", "k", "objects", "loss", "standard_error"), rows)


def _check_total(total: int, k: Sequence[int], d: int, pool: int) -> None:
    """Raise unless a total is at least 2 objects with the most judgments, and no more objects than there are."""
    fewest, most = total // (max(k) * d), total // (min(k) * d)
    if not 2 <= fewest <= most <= pool:
        raise ParameterError(
            "totals",
            f"a total of {total} is {fewest} objects with {max(k)} judgments of {d} attributes, or {most} objects with"
            f" {min(k)}; with {pool} training objects, totals must be from {2 * max(k) * d} to {pool * min(k) * d}",
        )
