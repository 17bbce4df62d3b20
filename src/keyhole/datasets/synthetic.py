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
    """The simulated data of Kukliansky and Shamir 2015, section 5.1.

    Attribute i is 1 with probability u_i and else 0, independently; u_i is proportional to i^alpha and scaled
    so that |u|_2 = 1 (``norm="ridge"``) or max u = 1 ("lasso"). Labels are exact scalar products with random
    weights: from {-1, 1} for ridge, and for lasso 0 with probability 0.7, else -1 or 1. A binary attribute is
    its own square, so the second moments are u.

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
    """What distribution-dependent draws can gain, for ridge and for lasso (Kukliansky and Shamir 2015).

    The ratios of the bounds with and without them: (sum sqrt(m))^2 / (d sum(m)) and sum(m) / (d max(m)), for
    second moments m. 1 is no gain.
    """
    m = np.asarray(moments, dtype=np.float64)
    return float(np.sqrt(m).sum() ** 2 / (len(m) * m.sum())), float(m.sum() / (len(m) * m.max()))
