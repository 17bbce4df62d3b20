"""Distributions that are hard on purpose: those of the negative results of Cesa-Bianchi et al. 2010.

They, and the data for the theorems on what can be done, are signs: attribute i is -s_i or s_i, evenly.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..common.parameters import check_whole
from .streams import new_seed
from .two_valued import TwoValued, Values


def signs(
    n_examples: int, sizes: Any, coef: Any, label_bound: float | None = None, random_state: Any = None
) -> TwoValued:
    """Attribute i is -sizes[i] or sizes[i], each with probability 1/2, independently.

    Labels are <coef, x>, or with ``label_bound`` B either -B or B, with <coef, x> as their mean: the noisiest
    labels of that bound.

    >>> data = signs(10_000, sizes=np.full(4, 0.5), coef=np.full(4, 0.5), label_bound=1.0, random_state=0)
    >>> np.unique(data.X), np.unique(data.y), data.excess(np.zeros(4))
    (array([-0.5,  0.5], dtype=float32), array([-1.,  1.]), 0.25)
    """
    s, w = np.asarray(sizes, dtype=np.float64), np.asarray(coef, dtype=np.float64)
    if s.ndim != 1 or s.shape != w.shape:
        raise ValueError(f"sizes of shape {s.shape} and coef of shape {w.shape}: signs needs two lists of one length")
    return TwoValued(n_examples, Values(-s, s, np.full(len(s), 0.5)), w, new_seed(random_state), label_bound)


def one_good_attribute(
    n_examples: int, n_attributes: int, accuracy: float = 0.04, random_state: Any = None
) -> TwoValued:
    """The distribution of Theorem 3: all attributes are fair signs, and one of them hints at the label.

    The label is -1 or 1 and agrees with the good attribute with probability 1/2 + sqrt(accuracy). The best weights
    are 2 sqrt(accuracy) there and 0 elsewhere, and whoever has an excess below ``accuracy`` knows which it is.
    With k attributes of each example, no learner gets there in fewer than d / (192 k accuracy) examples or so.

    >>> data = one_good_attribute(1000, 50, accuracy=0.01, random_state=0)
    >>> np.flatnonzero(data.coef), float(data.coef.max())
    (array([44]), 0.2)
    """
    check_whole("one_good_attribute", "n_attributes", n_attributes, 1)
    if not isinstance(accuracy, numbers.Real) or not 0 < float(accuracy) < 1 / 16:
        raise ValueError(f"accuracy={accuracy!r}: one_good_attribute needs a number between 0 and 1/16")
    rng = check_random_state(random_state)
    coef = np.zeros(n_attributes)
    coef[rng.randint(n_attributes)] = 2 * np.sqrt(accuracy)
    return signs(n_examples, np.ones(n_attributes), coef, label_bound=1.0, random_state=rng)


def three_signs(n_examples: int, random_state: Any = None) -> TwoValued:
    """The distribution of Theorem 4: three fair signs, and their mean as the label.

    A linear predictor of all three makes no error. Whoever may look at two of them only when predicting has a
    squared error of at least 1/9, whatever it has learned.
    """
    return signs(n_examples, np.ones(3), np.full(3, 1 / 3), random_state=random_state)
