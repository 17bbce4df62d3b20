"""Severity correction: take each worker's own mildness or severity off their judgments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..data.columns import Columns
from ..data.inputs import as_judgments
from ..data.table import Judgments
from .variance_components import attribute_components, judgments_of, require_workers

TOLERANCE = 1e-10
MOST_TURNS = 200


def correct_severity(judgments: Any) -> Judgments:
    """Judgments less the estimated severity of their workers, attribute by attribute.

    Severities are best linear predictions: a worker's mean deviation from the objects' (corrected) means,
    shrunk by residual variance over worker variance, so that a worker with few judgments is hardly moved and
    nobody is where workers do not differ. Use it when the same workers will judge the new objects, or enough
    is known of those who will; a new worker's severity is noise that no correction can foresee.
    """
    judgments = as_judgments(judgments)
    require_workers(judgments, "severity corrections")
    assert judgments.worker is not None
    effects = severities(judgments)
    shift = np.take_along_axis(effects.T[None, :, :], np.maximum(judgments.worker, 0), axis=2)
    return replace(judgments, values=judgments.values - shift)


def severities(judgments: Judgments) -> np.ndarray:
    """Estimated severity of each worker on each attribute (workers, attributes); 0 where nothing is known."""
    out = np.zeros((len(judgments.workers), len(judgments.attributes)))
    for a in range(len(judgments.attributes)):
        x, objects, workers = judgments_of(judgments, a)
        parts = attribute_components(x, objects, workers)
        if not parts.worker > 0:
            continue
        shrink = float(np.nansum([parts.interaction, parts.residual])) / parts.worker
        n_o, n_w = np.maximum(np.bincount(objects), 1), np.bincount(workers, minlength=len(out))
        effect = np.zeros(len(out))
        for _ in range(MOST_TURNS):
            value = np.bincount(objects, weights=x - effect[workers]) / n_o
            new = np.bincount(workers, weights=x - value[objects], minlength=len(out)) / (n_w + shrink + 1e-300)
            # Only differences between workers are known; their mean belongs to the objects.
            new -= n_w @ new / n_w.sum()
            moved = np.abs(new - effect).max()
            effect = new
            if moved <= TOLERANCE * np.sqrt(parts.worker):
                break
        out[:, a] = np.where(n_w > 0, effect, 0.0)
    return out


def severity_table(judgments: Judgments) -> Columns:
    """The severities as a long table: worker, attribute, severity, judgments."""
    require_workers(judgments, "severities")
    effects = severities(judgments)
    rows = []
    for a, name in enumerate(judgments.attributes):
        counts = np.bincount(judgments_of(judgments, a)[2], minlength=len(judgments.workers))
        rows += [(w, name, float(effects[i, a]), int(counts[i])) for i, w in enumerate(judgments.workers) if counts[i]]
    return Columns.from_rows(("worker", "attribute", "severity", "judgments"), rows)
