"""UCI BlogFeedback as a regression: how many comments will a blog post get within a day?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .files import find_file

WHAT = "an .npz file with Xtr (52397, 280), ytr, Xte (4121, 280) and yte, the comments not transformed"


class BlogFeedback(NamedTuple):
    """Posts to learn from and later ones to test on; labels are log(1 + comments)."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def blogfeedback() -> BlogFeedback:
    """UCI BlogFeedback (Buza 2014) with labels log(1 + comments), since the numbers of comments are very skewed."""
    with np.load(find_file("blogfeedback.npz", WHAT)) as stored:
        X, y, X_test, y_test = (stored[name] for name in ("Xtr", "ytr", "Xte", "yte"))
    return BlogFeedback(X, np.log1p(y.astype(np.float64)), X_test, np.log1p(y_test.astype(np.float64)))
