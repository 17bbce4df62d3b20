"""UCI BlogFeedback as a regression: how many comments will a blog post get within a day?"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from .files import find_file, record_file

WHAT = (
    "blogData_train.csv and the files blogData_test-*.csv of https://archive.ics.uci.edu/dataset/304/blogfeedback,"
    " or an .npz file with Xtr (52397, 280), ytr, Xte and yte, the comments not transformed"
)


class BlogFeedback(NamedTuple):
    """Blog posts to learn from, and later ones to test on.

    Parameters
    ----------
    X : ndarray of shape (52397, 280)
        The attributes of the posts to learn from.
    y : ndarray of shape (52397,)
        Their labels, log(1 + comments within a day).
    X_test : ndarray of shape (n_test, 280)
        The attributes of the later posts.
    y_test : ndarray of shape (n_test,)
        Their labels.

    Examples
    --------
    >>> posts = BlogFeedback(np.zeros((2, 280)), np.log1p([0, 9]), np.zeros((1, 280)), np.log1p([4]))
    >>> posts.y.round(2)
    array([0. , 2.3])
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def blogfeedback() -> BlogFeedback:
    """Load UCI BlogFeedback, with labels log(1 + comments), since the numbers of comments are very skewed.

    The files are searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``; they are not downloaded.

    Returns
    -------
    BlogFeedback
        Posts to learn from, and later ones to test on.

    Raises
    ------
    FileNotFoundError
        If the files are missing; the message says what to put where.

    References
    ----------
    K. Buza. Feedback prediction for blogs. Data Analysis, Machine Learning and Knowledge Discovery, 2014.

    Examples
    --------
    >>> posts = blogfeedback()  # doctest: +SKIP
    >>> posts.X.shape, posts.X_test.shape  # doctest: +SKIP
    ((52397, 280), (4121, 280))
    """
    path = find_file(("blogfeedback.npz", "blogData_train.csv"), WHAT)
    if path.suffix == ".csv":
        X, y = _posts([path])
        X_test, y_test = _posts(sorted(path.parent.glob("blogData_test-*.csv")))
    else:
        with np.load(path) as stored:
            X, y, X_test, y_test = (stored[name] for name in ("Xtr", "ytr", "Xte", "yte"))
    return BlogFeedback(X, np.log1p(y.astype(np.float64)), X_test, np.log1p(y_test.astype(np.float64)))


def _posts(paths: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Posts of UCI's files, which end in the number of comments."""
    if not paths:
        raise FileNotFoundError(f"blogData_train.csv is there, but no blogData_test-*.csv beside it. Put there {WHAT}.")
    rows = np.vstack([np.loadtxt(path, delimiter=",", ndmin=2, dtype=np.float32) for path in map(record_file, paths)])
    return rows[:, :-1], rows[:, -1]
