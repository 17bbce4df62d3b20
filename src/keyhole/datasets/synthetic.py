"""The simulated data of Kukliansky and Shamir 2015."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..common.parameters import check_choice, check_whole
from .streams import new_seed
from .two_valued import TwoValued, Values


def kukliansky_shamir(
    n_examples: int = 20_000,
    n_attributes: int = 500,
    alpha: float = -1.0,
    norm: str = "ridge",
    random_state: Any = None,
) -> TwoValued:
    """Generate the simulated data of Kukliansky and Shamir 2015, section 5.1.

    Attribute i is 1 with probability u_i and else 0, independently; u_i is proportional to i^alpha and scaled so that
    |u|_2 = 1 (``norm="ridge"``) or max u = 1 ("lasso"). Labels are exact scalar products with random weights: from
    {-1, 1} for ridge, and for lasso 0 with probability 0.7, else -1 or 1. A binary attribute is its own square, so the
    second moments are u.

    Parameters
    ----------
    n_examples : int, default=20_000
        The length of the stream.
    n_attributes : int, default=500
        The number of attributes.
    alpha : float, default=-1.0
        The decay of the second moments: 0 or less.
    norm : {"ridge", "lasso"}, default="ridge"
        The paper's setting for ridge or for Lasso.
    random_state : int, RandomState instance or None, default=None
        The seed of the weights and of the stream.

    Returns
    -------
    TwoValued
        The stream.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    D. Kukliansky, O. Shamir. Attribute efficient linear regression with distribution-dependent sampling. ICML 2015.

    Examples
    --------
    >>> data = kukliansky_shamir(100, alpha=-2, random_state=0)
    >>> data.X.shape, round(float(data.moments[0]), 3)
    ((100, 500), 0.961)
    """
    name = "kukliansky_shamir"
    check_whole(name, "n_examples", n_examples, 1)
    check_whole(name, "n_attributes", n_attributes, 1)
    check_choice(name, "norm", norm, ("ridge", "lasso"))
    if not isinstance(alpha, numbers.Real) or not -np.inf < float(alpha) <= 0:
        raise ValueError(f"alpha={alpha!r}: {name} needs a finite number, 0 or less")
    rng = check_random_state(random_state)
    u = np.arange(1, n_attributes + 1) ** float(alpha)
    u /= np.linalg.norm(u) if norm == "ridge" else u.max()
    sign = rng.choice([-1.0, 1.0], size=n_attributes)
    coef = sign if norm == "ridge" else sign * (rng.random_sample(n_attributes) < 0.3)
    values = Values(np.zeros(n_attributes), np.ones(n_attributes), u)
    return TwoValued(n_examples, values, coef, new_seed(rng))


def improvement_ratios(moments: np.ndarray) -> tuple[float, float]:
    """The possible gain of distribution-dependent draws: the ratios of the bounds with and without them.

    They are (sum sqrt(m))^2 / (d sum(m)) for ridge and sum(m) / (d max(m)) for Lasso, where m are the second moments.
    A ratio of 1 is no gain.

    Parameters
    ----------
    moments : array-like of shape (n_attributes,)
        The second moments of the attributes.

    Returns
    -------
    ridge : float
        The ratio for ridge.
    lasso : float
        The ratio for Lasso.

    References
    ----------
    D. Kukliansky, O. Shamir. Attribute efficient linear regression with distribution-dependent sampling. ICML 2015.

    Examples
    --------
    >>> improvement_ratios([1.0, 0.25, 0.0, 0.0])
    (0.45, 0.3125)
    """
    m = np.asarray(moments, dtype=np.float64)
    return float(np.sqrt(m).sum() ** 2 / (len(m) * m.sum())), float(m.sum() / (len(m) * m.max()))
