"""What the published theorems promise before anything is measured: certain, and loose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.parameters import ParameterError, check_positive, check_whole
from ..common.wording import counted
from .bound_formulas import aelr, aerr, examples_needed
from .settings import LEAST_TESTS


class PublishedBounds(NamedTuple):
    """Published bounds that hold for any study of a given size, without a pilot.

    Attributes
    ----------
    n_attributes : int
        The number of attributes.
    n_tests : int
        The tests of each example.
    n_examples : int
        The number of examples.
    ridge : float
        The most by which the squared error of AERR exceeds that of the best predictor in the ball, on average.
    lasso : float
        The same for AELR.
    fewest : float
        No learner can come within ``accuracy`` of the best predictor on every distribution with fewer examples; 0
        where the theorem says nothing, as it does of fewer attributes than four times the tests.
    accuracy : float
        The excess of the squared error that ``fewest`` is about.
    radius : float
        The radius of the ball that holds the weights.
    """

    n_attributes: int
    n_tests: int
    n_examples: int
    ridge: float
    lasso: float
    fewest: float
    accuracy: float
    radius: float

    def __str__(self) -> str:
        size = f"{counted(self.n_examples, 'example')}, {self.n_tests} of {self.n_attributes:,} attributes of each"
        return (
            f"Without a pilot, only published bounds are known for {size}.\n"
            "  Ridge regression (AERR; Hazan and Koren 2012, Theorem 3.1): if no example is longer than 1, and no"
            f" weight vector and no label exceeds {self.radius:g}, the expected squared error is at most"
            f" {self.ridge:.3g} above that of the best predictor.\n"
            "  Lasso (AELR; Hazan and Koren 2012, Theorem 3.4): if no value exceeds 1, and the sum of absolute weights"
            f" and all labels are at most {self.radius:g}, it is at most {self.lasso:.3g} above.\n"
            f"{self._about_fewest()}{self._about_trivial()}"
            "  The bounds of AERR and AELR depend on examples times tests only, so they cannot tell which layout is"
            " better.\n"
            "  Warning: bounds hold for the worst distribution and are loose. On scikit-learn's digits, measured excess"
            " errors are at most a fifth of them. A pilot of a few dozen examples tells far more."
        )

    def _about_fewest(self) -> str:
        fewest = np.ceil(self.fewest)
        if fewest <= 1:
            return ""
        return (
            f"  No learner (Cesa-Bianchi et al. 2010, Theorem 3) comes within {self.accuracy:g} of the best predictor"
            f" on every distribution with fewer than {counted(fewest, 'example')}.\n"
        )

    def _about_trivial(self) -> str:
        """Predicting 0 has at most the squared error of the largest label, whatever the distribution."""
        trivial = self.radius**2
        if max(self.ridge, self.lasso) <= trivial:
            return ""
        return f"  Always predicting 0 is at most {trivial:g} above it, too, so a larger bound promises nothing.\n"


def published_bounds(
    n_attributes: int, n_examples: int, n_tests: int, *, radius: float = 1.0, accuracy: float = 0.01
) -> PublishedBounds:
    """State the published bounds on the error of a study for which there is no pilot.

    Parameters
    ----------
    n_attributes : int
        The number of attributes.
    n_examples : int
        The number of examples.
    n_tests : int
        The number of attributes that are revealed of each example, from 2 to all.
    radius : float, default=1.0
        The radius of the ball that holds the weights, and the largest absolute label.
    accuracy : float, default=0.01
        The excess error that the lower bound on the number of examples is about.

    Returns
    -------
    PublishedBounds
        The bounds, in units of the squared label; printed, they are sentences.

    Raises
    ------
    ParameterError
        If a number is out of range.

    References
    ----------
    E. Hazan, T. Koren. Linear regression with limited observation. ICML 2012.

    N. Cesa-Bianchi, S. Shalev-Shwartz, O. Shamir. Efficient learning with partially observed attributes. ICML 2010.

    Examples
    --------
    >>> from keyhole import planning
    >>> bounds = planning.published_bounds(30, 455, 4)
    >>> round(bounds.ridge, 2)
    1.68
    """
    owner = "published_bounds"
    check_whole(owner, "n_attributes", n_attributes, LEAST_TESTS)
    check_whole(owner, "n_examples", n_examples, 1)
    check_whole(owner, "n_tests", n_tests, LEAST_TESTS)
    if n_tests > n_attributes:
        raise ParameterError("n_tests", f"an example has no more than its {n_attributes} attributes", n_tests)
    check_positive(owner, "radius", radius)
    check_positive(owner, "accuracy", accuracy)
    draws = n_tests - 1  # one test estimates the inner product, the others the example
    return PublishedBounds(  # the theorems are about half the squared error
        n_attributes=n_attributes,
        n_tests=n_tests,
        n_examples=n_examples,
        ridge=2 * aerr(n_attributes, n_examples, draws, radius),
        lasso=2 * aelr(n_attributes, n_examples, draws, radius),
        fewest=examples_needed(n_attributes, n_tests, accuracy) if n_attributes >= 4 * n_tests else 0.0,
        accuracy=accuracy,
        radius=radius,
    )
