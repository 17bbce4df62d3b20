"""What the figures and the table have in common: the budget, the digits, the learners and how they were run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...datasets import mnist_pair
from ..shared.mnist_grids import AT_AN_END, PRINTED

BUDGET, PAIR = 4, [3, 5]
AER, BASELINE = ["AER", f"AER, {PRINTED}"], ["Baseline", f"Baseline, {PRINTED}"]
PUBLISHED = {"ridge": 0.110, "Lasso": 0.222, "AER": 0.320, "Baseline": 0.815}  # medians of errors over pairs of digits
PUBLISHED_WRONG = {"AER": 3.5, "Lasso": 1.1, "ridge": 1.3}  # medians of wrong signs over pairs, in percent
NEAR = 0.1  # a published number is reached within a tenth of it

HOW = (
    "A tenth of the images is for testing. Settings are chosen by cross-validation on whole training rows, as in the"
    " paper, which uses cells that a learner under a budget could not see; 'untuned' has settings that were fixed in"
    f" advance on other data. {AT_AN_END} 'As printed' follows the paper exactly: raw pixels, no intercept, a constant"
    " regularisation and, for Baseline, a matrix that is not positive semidefinite (the solution is a stationary point,"
    " reached from w = 0); the others centre and scale by running estimates from revealed cells, may adapt the"
    " regularisation, and Baseline's negative eigenvalues are clipped. All reference lines respect the budget of 4"
    " pixels per image (complete rows on average). Error bars are standard errors over splits."
)


def draw_pairs(axes: Any, at: int, values: np.ndarray, colour: str) -> None:
    """A dot for each pair of digits in the line at this height, and the median as a bar."""
    spread = np.linspace(-0.22, 0.22, len(values)) if len(values) > 1 else np.zeros(1)
    axes.plot(np.sort(values), at + spread, ".", color=colour, alpha=0.6)
    axes.plot([np.median(values)] * 2, [at - 0.35, at + 0.35], color=colour, linewidth=2.5)


def needs_mnist() -> object:
    """Raise FileNotFoundError where MNIST is missing."""
    return mnist_pair(*PAIR)
