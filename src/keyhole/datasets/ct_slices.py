"""The UCI set "Relative location of CT slices on axial axis", and judgments simulated from it.

The file ``slice_localization_data.csv`` has 53,500 rows: a patient, 384 histogram values, and the location of
the slice. Sabato and Kalai (2013) make noisy attributes of it: each run of 8 adjacent bins is one attribute,
and a judgment of it is one of the 8 values at random; 48 attributes remain.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadValue
from .files import find_file

BINS = 384
BINS_PER_ATTRIBUTE = 8
WHAT = (
    "slice_localization_data.csv of"
    " https://archive.ics.uci.edu/dataset/206/relative+location+of+ct+slices+on+axial+axis"
)


class CTSlices(NamedTuple):
    """CT slices with their locations.

    Parameters
    ----------
    X : ndarray of shape (n_slices, 384)
        Values of histograms.
    y : ndarray of shape (n_slices,)
        The location of each slice on the axis of the body.
    patient : ndarray of shape (n_slices,)
        The number of its patient.

    Examples
    --------
    >>> slices = CTSlices(np.zeros((2, 384)), np.array([1.8, 97.5]), np.array([0, 0]))
    >>> float(slices.y.max())
    97.5
    """

    X: np.ndarray
    y: np.ndarray
    patient: np.ndarray


def ct_slices() -> CTSlices:
    """Load the 53,500 slices of the UCI set "Relative location of CT slices on axial axis".

    The file is searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``; it is not downloaded.

    Returns
    -------
    CTSlices
        Attributes, locations and patients.

    Raises
    ------
    FileNotFoundError
        If the file is missing; the message says what to put where.
    BadValue
        If the file does not have the right columns, or holds values that are not finite numbers.

    References
    ----------
    F. Graf, H.-P. Kriegel, M. Schubert, S. Pölsterl, A. Cavallaro. 2D image registration in CT images using radial
    image descriptors. MICCAI 2011.

    Examples
    --------
    >>> slices = ct_slices()  # doctest: +SKIP
    >>> slices.X.shape  # doctest: +SKIP
    (53500, 384)
    """
    return load_ct_slices(find_file(("slice_localization_data.csv", "slice_localization_data.csv.gz"), WHAT))


def load_ct_slices(path: str | os.PathLike[str]) -> CTSlices:
    """Load ``slice_localization_data.csv``, or an npz file with X, y and patient.

    The CSV has the header patientId, value0 to value383, reference; numpy opens it compressed with gzip too.
    """
    if str(path).endswith(".npz"):
        with np.load(path) as data:
            slices = CTSlices(data["X"], data["y"], data["patient"])
    else:
        table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        if table.shape[1] != BINS + 2:
            raise BadValue(f"{path}: {table.shape[1]} columns; the CT file has patientId, {BINS} values, reference")
        slices = CTSlices(table[:, 1:-1], table[:, -1], table[:, 0])
    if slices.X.ndim != 2 or slices.X.shape != (len(slices.y), BINS):
        raise BadValue(f"{path}: values of shape {slices.X.shape}; expected ({len(slices.y)}, {BINS})")
    if not (np.isfinite(slices.X).all() and np.isfinite(slices.y).all()):
        raise BadValue(f"{path} holds values that are not finite numbers")
    return CTSlices(
        np.asarray(slices.X, np.float64),
        np.asarray(slices.y, np.float64),
        np.asarray(slices.patient).astype(np.int64),
    )


def simulated_judgments(X: np.ndarray, judgments: int, random_state: Any = None) -> np.ndarray:
    """Judgments (slices, 48, judgments): each is one of the attribute's 8 adjacent bins, drawn anew.

    >>> import numpy as np
    >>> from keyhole.datasets.ct_slices import simulated_judgments
    >>> simulated_judgments(np.arange(16.0)[None, :], judgments=3, random_state=0)
    array([[[ 6.,  5.,  4.],
            [10., 10.,  8.]]])
    """
    slices, bins = X.shape
    if bins % BINS_PER_ATTRIBUTE:
        raise ValueError(f"{bins} bins do not make attributes of {BINS_PER_ATTRIBUTE} adjacent ones")
    groups = X.reshape(slices, bins // BINS_PER_ATTRIBUTE, BINS_PER_ATTRIBUTE)
    rng = np.random.default_rng(random_state)
    drawn = rng.integers(BINS_PER_ATTRIBUTE, size=(*groups.shape[:2], judgments))
    return np.take_along_axis(groups, drawn, axis=2)
