"""Severity correction: subtract each worker's estimated severity from their judgments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..data.inputs import as_judgments
from ..data.table import Judgments, require_workers
from .variance_components import attribute_components, judgments_of

TOLERANCE = 1e-10
MOST_ITERATIONS = 200


def correct_severity(judgments: Any) -> Judgments:
    """Subtract the estimated severity of their workers from judgments, attribute by attribute.

    A severity is a best linear prediction: the worker's mean deviation from the objects' (corrected) means, shrunk by
    the ratio of the residual variance to the variance between workers. A worker with few judgments is therefore
    hardly corrected, and no worker is where workers do not differ. Use the correction when the same workers will judge
    the new objects; the severity of a new worker is noise that no correction can foresee.

    Parameters
    ----------
    judgments : table, path or Judgments
        Judgments with their workers, in any form that ``as_judgments`` takes.

    Returns
    -------
    Judgments
        The corrected judgments.

    Raises
    ------
    BadValue
        If the workers were not recorded.

    Examples
    --------
    Worker "b" judges every object 2 higher than worker "a" does.

    >>> from keyhole.judgments import correct_severity
    >>> table = {"object": [1, 1, 2, 2, 3, 3], "attribute": ["tall"] * 6,
    ...          "value": [1, 3, 5, 7, 8, 10], "worker": ["a", "b"] * 3}
    >>> correct_severity(table).values[:, 0].round(2)
    array([[2., 2.],
           [6., 6.],
           [9., 9.]])
    """
    table = as_judgments(judgments)
    require_workers(table, "severity corrections")
    assert table.worker is not None
    effects = severities(table)
    shift = np.take_along_axis(effects.T[None, :, :], np.maximum(table.worker, 0), axis=2)
    return replace(table, values=table.values - shift)


def severities(judgments: Judgments) -> np.ndarray:
    """Estimated severity of each worker on each attribute (workers, attributes); 0 where there is no estimate."""
    out = np.zeros((len(judgments.workers), len(judgments.attributes)))
    for a in range(len(judgments.attributes)):
        x, objects, workers = judgments_of(judgments, a)
        parts = attribute_components(x, objects, workers)
        if not parts.worker > 0:
            continue
        shrink = float(np.nansum([parts.interaction, parts.residual])) / parts.worker
        n_o, n_w = np.maximum(np.bincount(objects), 1), np.bincount(workers, minlength=len(out))
        effect = np.zeros(len(out))
        for _ in range(MOST_ITERATIONS):
            value = np.bincount(objects, weights=x - effect[workers]) / n_o
            new = np.bincount(workers, weights=x - value[objects], minlength=len(out)) / (n_w + shrink + 1e-300)
            # Only differences between workers can be estimated; their mean belongs to the objects.
            new -= n_w @ new / n_w.sum()
            moved = np.abs(new - effect).max()
            effect = new
            if moved <= TOLERANCE * np.sqrt(parts.worker):
                break
        out[:, a] = np.where(n_w > 0, effect, 0.0)
    return out
