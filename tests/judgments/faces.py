"""The judgments of faces that some tests need; they are not part of the package."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("KEYHOLE_DATA", "nowhere"))


def load(name):
    """A data file from the folder KEYHOLE_DATA, or a visible skip."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not in KEYHOLE_DATA ({FOLDER})")
    return np.load(path)


def faces():
    data = load("omi_judgments_a.npz")
    return data["judgments"].astype(float), [str(name) for name in data["attributes"]]
