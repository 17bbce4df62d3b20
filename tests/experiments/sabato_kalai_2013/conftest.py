"""Faces and a CT file made up, so that tests are quick and need no data."""

from __future__ import annotations

import numpy as np
import pytest

from keyhole.datasets import FaceJudgments
from keyhole.experiments.sabato_kalai_2013 import fig4_all_labels, fig4_estimates, properties, splits


@pytest.fixture(autouse=True)
def faces(monkeypatch) -> FaceJudgments:
    """40 made-up faces of which "age", "weight" and four others were judged 24 times each."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(40, 6)) @ (np.eye(6) + 0.5)
    judged = truth[:, :, None] + np.array([0.3, 2.0, 0.5, 1.0, 0.5, 3.0])[:, None] * rng.normal(size=(40, 6, 24))
    made = FaceJudgments(50 + 10 * judged, ["age", "happy", "smart", "cute", "weight", "smug"])
    for module in (splits, properties, fig4_all_labels, fig4_estimates):
        monkeypatch.setattr(module, "face_judgments", lambda: made)
    return made


@pytest.fixture
def ct_file(write_ct_file):
    """A CT file of 400 slices in which neighbouring bins are alike."""
    rng = np.random.default_rng(0)
    values = np.repeat(rng.normal(size=(400, 48)), 8, axis=1) + 0.5 * rng.normal(size=(400, 384))
    table = np.column_stack([np.arange(400) // 100, values, values[:, 0] + values[:, 100]])
    write_ct_file(table)
    return table
