"""Forest cover types (Blackard 1998) as a regression: is this patch of land the commonest type?"""

from __future__ import annotations

import numpy as np

from .files import find_file

WHAT = "an .npz file with X (581012, 54) and y (581012,), the cover types from 1 to 7"
COMMONEST = 2


def covertype() -> tuple[np.ndarray, np.ndarray]:
    """Load the forest cover types, as a regression on whether a patch of land has the commonest one.

    The file is searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``, and else downloaded by scikit-learn.

    Returns
    -------
    X : ndarray of shape (581012, 54)
        The attributes of each patch, scaled to lie between 0 and 1, as float32.
    y : ndarray of shape (581012,)
        +1 for lodgepole pine, and -1 for other types.

    Raises
    ------
    FileNotFoundError
        If the file is missing and cannot be downloaded.

    References
    ----------
    J. A. Blackard. Comparison of neural networks and discriminant analysis in predicting forest cover types. 1998.

    Examples
    --------
    >>> X, y = covertype()  # doctest: +SKIP
    >>> X.shape  # doctest: +SKIP
    (581012, 54)
    """
    with np.load(find_file("covertype.npz", WHAT, _download)) as stored:
        X, y = stored["X"].astype(np.float32), stored["y"]
    low, high = X.min(axis=0), X.max(axis=0)
    return (X - low) / np.where(high > low, high - low, 1), np.where(y == COMMONEST, 1.0, -1.0)


def _download() -> dict[str, np.ndarray]:
    from sklearn.datasets import fetch_covtype

    X, y = fetch_covtype(return_X_y=True, n_retries=1)
    return {"X": X.astype(np.int16), "y": y.astype(np.uint8)}
