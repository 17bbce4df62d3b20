"""Raters' impressions of faces: many independent judgments of each attribute of each face."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .files import find_file

WHAT = (
    "an .npz file with judgments (faces, attributes, judgments of each) from 0 to 100 and the names of the attributes,"
    " made from the One Million Impressions data (Peterson et al. 2022)"
)


class FaceJudgments(NamedTuple):
    """Judgments (faces, attributes, judgments of each) from 0 to 100, and the names of the attributes."""

    judgments: np.ndarray
    attributes: list[str]


def face_judgments() -> FaceJudgments:
    """Impressions of synthetic faces, 24 raters each (Peterson et al. 2022): not facts about people."""
    with np.load(find_file("omi_judgments_a.npz", WHAT)) as stored:
        names = [str(name) for name in stored["attributes"]]
        return FaceJudgments(stored["judgments"].astype(np.float64), names)
