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
    """Impressions of faces.

    Parameters
    ----------
    judgments : ndarray of shape (n_faces, n_attributes, n_judgments)
        Judgments from 0 to 100.
    attributes : list of str
        The names of the attributes.

    Examples
    --------
    >>> faces = FaceJudgments(np.full((2, 1, 3), 50.0), ["age"])
    >>> float(faces.judgments.mean())
    50.0
    """

    judgments: np.ndarray
    attributes: list[str]


def face_judgments() -> FaceJudgments:
    """Load impressions of synthetic faces by 24 raters each, which are not facts about people.

    The file is searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``; it is not downloaded.

    Returns
    -------
    FaceJudgments
        The judgments, and the names of the attributes.

    Raises
    ------
    FileNotFoundError
        If the file is missing; the message says what to put where.

    References
    ----------
    J. C. Peterson, S. Uddenberg, T. L. Griffiths, A. Todorov, J. W. Suchow. Deep models of superficial face judgments.
    PNAS 119(17), 2022.

    Examples
    --------
    >>> faces = face_judgments()  # doctest: +SKIP
    >>> faces.judgments.shape  # doctest: +SKIP
    (502, 34, 24)
    """
    with np.load(find_file("omi_judgments_a.npz", WHAT)) as stored:
        names = [str(name) for name in stored["attributes"]]
        return FaceJudgments(stored["judgments"].astype(np.float64), names)
