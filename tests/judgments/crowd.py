"""A simulated crowd: workers with severities who each judge many objects, as a long table."""

from __future__ import annotations

import numpy as np


def crowd(
    seed=0,
    objects=120,
    workers=15,
    judgments=4,
    severity=1.0,
    halo=0.0,
    noise=1.0,
    attributes=("a", "b", "c"),
):
    """Columns object, attribute, value, worker, and labels by object.

    Each object is judged by some workers, who judge all its attributes. A value is the object's own, plus the
    worker's severity on that attribute, plus a halo that a worker gives to all attributes of an object.
    """
    rng = np.random.default_rng(seed)
    d = len(attributes)
    truth = rng.normal(size=(objects, d))
    worker_effect = severity * rng.normal(size=(workers, d))
    table = {"object": [], "attribute": [], "value": [], "worker": []}
    for i in range(objects):
        for w in rng.choice(workers, size=judgments, replace=False):
            shared = halo * rng.normal()
            for a in range(d):
                table["object"].append(f"o{i}")
                table["attribute"].append(attributes[a])
                table["value"].append(float(truth[i, a] + worker_effect[w, a] + shared + noise * rng.normal()))
                table["worker"].append(f"w{w}")
    labels = {f"o{i}": float(truth[i] @ np.arange(1, d + 1) + 0.1 * rng.normal()) for i in range(objects)}
    return table, labels
