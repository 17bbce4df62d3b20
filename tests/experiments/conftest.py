"""Fixtures of several papers: MNIST made small, and a CT file made up."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import keyhole as kh
from keyhole.experiments.shared import mnist_curves


@pytest.fixture
def few_images(monkeypatch):
    """A tenth of the images of two digits, so that tests are quick; skips where MNIST is missing."""
    if not (Path(os.environ.get("KEYHOLE_DATA", "nowhere")) / "mnist.npz").is_file():
        pytest.skip("mnist.npz is not in $KEYHOLE_DATA")
    X, y = kh.datasets.mnist_pair(3, 5)
    monkeypatch.setattr(mnist_curves, "_pair", lambda first, second: (X[::10], y[::10]))


@pytest.fixture
def write_ct_file(tmp_path, monkeypatch):
    """Writes a table of patients, 384 values and locations as the CT file of $KEYHOLE_DATA."""
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))

    def write(table: np.ndarray) -> None:
        header = ",".join(["patientId", *(f"value{at}" for at in range(384)), "reference"])
        np.savetxt(tmp_path / "slice_localization_data.csv", table, delimiter=",", header=header, comments="")

    return write
