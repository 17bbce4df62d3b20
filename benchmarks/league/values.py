"""The transforms of values that rivals are measured with.

They are fitted to the whole training table, cells that were not paid for included, which favours the rivals. A test
value beyond the training values is held at their edge.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import norm, rankdata

Transform = Callable[[np.ndarray, np.ndarray], np.ndarray]


def cut(column: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Held within three standard deviations of the mean."""
    mean, spread = column.mean(), column.std()
    return np.clip(new, mean - 3 * spread, mean + 3 * spread)


def logarithmic(column: np.ndarray, new: np.ndarray) -> np.ndarray:
    """sign(x - median) log(1 + |x - median| / spread); the spread is the median of |x - median| where that is not 0,
    and otherwise the standard deviation."""
    median = np.median(column)
    spread = np.median(np.abs(column - median)) or column.std() or 1.0
    apart = np.clip(new, column.min(), column.max()) - median
    return np.sign(apart) * np.log1p(np.abs(apart) / spread)


def ranks(column: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The normal quantile of the rank among the training values, interpolated between them."""
    known, where = np.unique(column, return_index=True)
    quantiles = norm.ppf(rankdata(column)[where] / (len(column) + 1))
    return np.interp(new, known, quantiles)


TRANSFORMS: dict[str, Transform | None] = {"raw": None, "cut": cut, "log": logarithmic, "ranks": ranks}


def transformed(values: str, X: np.ndarray, X_test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows after a transform of each attribute."""
    transform = TRANSFORMS[values]
    if transform is None:
        return X, X_test
    both = np.vstack([X, X_test])
    columns = [transform(X[:, i], both[:, i]) for i in range(X.shape[1])]
    return tuple(np.split(np.ascontiguousarray(np.transpose(columns)), [len(X)]))  # type: ignore[return-value]
