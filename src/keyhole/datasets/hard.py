"""The distributions of the negative results of Cesa-Bianchi et al. 2010 and Hazan and Koren 2012: hard to learn from.

Those of the first paper have signs as attributes: attribute i is -s_i or s_i, with equal probability. In that of the
second, all attributes of an example are 0 but one.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..common.parameters import ParameterError, check_whole, is_number
from .one_sign import OneSign
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


def one_sign_per_example(
    n_examples: int, n_attributes: int, accuracy: float = 0.25, random_state: Any = None
) -> OneSign:
    """Generate the distribution of Theorem B.1 of Hazan and Koren 2012: rows of a sparse matrix of hidden signs.

    The matrix has 1 / accuracy^2 rows, rounded to a whole number. Each row is 0 but for a sign at a place of its own,
    which is drawn at random, as is the sign. An example is a row that is drawn uniformly, and its label is 1. So an
    attribute at one of the places has the second moment accuracy^2, all others 0, and |x|_2 is 1. The best weights of
    l2 norm at most 1 are accuracy times the signs, with a squared error of (1 - accuracy)^2.

    A ridge learner with an excess of a small part of ``accuracy`` knows many of the signs, and must have read cells in
    the order of d / accuracy^2 (Theorems 2.2 and B.1). The constants of the proof are for accuracies of at most 1e-5,
    where it replaces accuracy^2 by accuracy / 100,000; for larger ones the distribution is as hard, and the bound is
    stated for its order only.

    Parameters
    ----------
    n_examples : int
        The length of the stream.
    n_attributes : int
        The number d of attributes, at least 1 / accuracy^2.
    accuracy : float, default=0.25
        The accuracy of the theorem, above 0 and at most 1.
    random_state : int, RandomState instance or None, default=None
        The seed of the stream, and of the places and the signs.

    Returns
    -------
    OneSign
        The stream.

    Raises
    ------
    ParameterError
        If the accuracy is out of range, or if there are fewer attributes than rows of the matrix.

    References
    ----------
    E. Hazan, T. Koren. Linear regression with limited observation. ICML 2012.

    Examples
    --------
    >>> data = one_sign_per_example(1000, 50, accuracy=0.25, random_state=0)
    >>> len(data.places), float(np.linalg.norm(data.coef)), data.excess(np.zeros(50))
    (16, 1.0, 0.4375)
    """
    name = "one_sign_per_example"
    check_whole(name, "n_attributes", n_attributes, 1)
    if not is_number(accuracy) or not 0 < accuracy <= 1:
        raise ParameterError("accuracy", f"{name} needs a number above 0 and at most 1", accuracy)
    rows = round(1 / float(accuracy) ** 2)
    if rows > n_attributes:
        message = f"with accuracy={accuracy}, {name} needs at least {rows} attributes, one for each hidden sign"
        raise ParameterError("n_attributes", message, n_attributes)
    rng = check_random_state(random_state)
    signs_of = np.zeros(n_attributes)
    signs_of[rng.choice(n_attributes, rows, replace=False)] = rng.choice([-1.0, 1.0], rows)
    return OneSign(n_examples, signs_of / np.sqrt(rows), signs_of, new_seed(rng))
