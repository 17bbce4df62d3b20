"""Two digits of MNIST as a regression."""

from __future__ import annotations

import numpy as np

from .files import find_file

WHAT = "an .npz file with X (70000, 784) uint8, training images first, and y (70000,) uint8"


def mnist_pair(first: int, second: int) -> tuple[np.ndarray, np.ndarray]:
    """Load all images of two digits of MNIST.

    The file is searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``, and else downloaded from OpenML.

    Parameters
    ----------
    first, second : int
        Two different digits.

    Returns
    -------
    X : ndarray of shape (n_images, 784)
        Pixels from 0 to 1, as float32.
    y : ndarray of shape (n_images,)
        -1 for the first digit and +1 for the second.

    Raises
    ------
    ValueError
        If these are not two different digits.
    FileNotFoundError
        If the file is missing and cannot be downloaded.

    Examples
    --------
    >>> X, y = mnist_pair(3, 5)  # doctest: +SKIP
    >>> X.shape  # doctest: +SKIP
    (13454, 784)
    """
    if not (0 <= first <= 9 and 0 <= second <= 9 and first != second):
        raise ValueError(f"digits {first!r} and {second!r}: two different ones from 0 to 9 are needed")
    with np.load(find_file("mnist.npz", WHAT, _download)) as stored:
        X, y = stored["X"], stored["y"]
    chosen = (y == first) | (y == second)
    return (X[chosen] / np.float32(255)).astype(np.float32), np.where(y[chosen] == second, 1.0, -1.0)


def _download() -> dict[str, np.ndarray]:
    from sklearn.datasets import fetch_openml

    X, y = fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False, parser="liac-arff", n_retries=1)
    return {"X": np.asarray(X).astype(np.uint8), "y": np.asarray(y).astype(np.uint8)}
