"""The distributions of the negative results of Cesa-Bianchi et al. 2010, from which it is hard to learn.

All attributes are signs: attribute i is -s_i or s_i, with equal probability.
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
    """Generate independent attributes of two values: attribute i is -sizes[i] or sizes[i], with probability 1/2 each.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    sizes : array-like of shape (n_attributes,)
        The absolute values of the attributes.
    coef : array-like of shape (n_attributes,)
        The weights of the labels.
    label_bound : float, default=None
        Without it, labels are <coef, x>. With it, they are -label_bound or label_bound, with <coef, x> as their mean:
        the noisiest labels of that bound.
    random_state : int, RandomState instance or None, default=None
        The seed of the stream.

    Returns
    -------
    TwoValued
        The stream.

    Raises
    ------
    ValueError
        If sizes and coef do not have one length, or if the mean of a label could exceed its bound.

    Examples
    --------
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
    """Generate the distribution of Theorem 3 of Cesa-Bianchi et al. 2010: fair signs, one correlated with the label.

    The label is -1 or 1 and agrees with the good attribute with probability 1/2 + sqrt(accuracy). The best weights are
    2 sqrt(accuracy) there and 0 elsewhere, and a learner with an excess below ``accuracy`` knows which attribute it is.
    With k attributes of each example, no learner reaches this with fewer than about d / (192 k accuracy) examples.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    n_attributes : int
        The number d of attributes.
    accuracy : float, default=0.04
        The accuracy of the theorem, between 0 and 1/16.
    random_state : int, RandomState instance or None, default=None
        The seed of the stream, and of the place of the good attribute.

    Returns
    -------
    TwoValued
        The stream.

    Raises
    ------
    ValueError
        If the number of attributes or the accuracy is out of range.

    References
    ----------
    N. Cesa-Bianchi, S. Shalev-Shwartz, O. Shamir. Efficient learning with partially observed attributes. ICML 2010.

    Examples
    --------
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
    """Generate the distribution of Theorem 4 of Cesa-Bianchi et al. 2010: three fair signs, their mean as the label.

    A linear predictor from all three has no error. A prediction from two of them has a squared error of at least 1/9,
    whatever was learned.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    random_state : int, RandomState instance or None, default=None
        The seed of the stream.

    Returns
    -------
    TwoValued
        The stream.

    References
    ----------
    N. Cesa-Bianchi, S. Shalev-Shwartz, O. Shamir. Efficient learning with partially observed attributes. ICML 2010.

    Examples
    --------
    >>> data = three_signs(1000, random_state=0)
    >>> round(data.excess(np.array([1 / 3, 1 / 3, 0])), 4)
    0.1111
    """
    return signs(n_examples, np.ones(3), np.full(3, 1 / 3), random_state=random_state)
