"""The mean regret along a stream: what the bounds of Dantzig and of dual averaging are about.

The regret is the sum of the squared errors of the predictions that a learner made for each example before it learned
from it, minus that of the best weights. A sparse learner records the former at no cost (``learning_curve_``); the best
weights are those that the labels were made with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...datasets import MurataSuzuki


class Watched:
    """A stream that sums up, as examples are taken from it in their order, the squared errors of its true weights.

    Parameters
    ----------
    stream : MurataSuzuki
        The examples.
    """

    def __init__(self, stream: MurataSuzuki) -> None:
        self.stream, self.seen, self.least = stream, 0, 0.0
        self.used = np.flatnonzero(stream.coef)

    def __call__(self, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """Examples, each of them to be taken once."""
        X, y = self.stream.table(low, high), self.stream.labels(low, high)
        self.least += float(np.sum((y - X[:, self.used] @ self.stream.coef[self.used]) ** 2))
        self.seen = high
        return X, y

    def mean_regret(self, learner: Any) -> float:
        """The regret for each example, of a learner that has learned from all examples so far."""
        curve = learner.learning_curve_
        lost = float(np.sum(curve.squared_error * np.diff(curve.examples, prepend=0)))
        return (lost - self.least) / self.seen
