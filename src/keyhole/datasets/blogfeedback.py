"""UCI BlogFeedback as a regression: how many comments will a blog post get within a day?"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from .files import find_file

WHAT = (
    "blogData_train.csv and the files blogData_test-*.csv of https://archive.ics.uci.edu/dataset/304/blogfeedback,"
    " or an .npz file with Xtr (52397, 280), ytr, Xte and yte, the comments not transformed"
)


class BlogFeedback(NamedTuple):
    """Posts to learn from and later ones to test on; labels are log(1 + comments)."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def blogfeedback() -> BlogFeedback:
    """UCI BlogFeedback (Buza 2014) with labels log(1 + comments), since the numbers of comments are very skewed."""
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
    rows = np.vstack([np.loadtxt(path, delimiter=",", ndmin=2, dtype=np.float32) for path in paths])
    return rows[:, :-1], rows[:, -1]
