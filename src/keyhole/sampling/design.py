"""Subsets of exactly k attributes with given, unequal inclusion probabilities.

The design is conditional Poisson sampling: of all designs with these inclusion probabilities pi_i it has the largest
entropy (Hájek 1964; Chen, Dempster and Liu 1994), a subset having probability proportional to the product of the odds
p_i / (1 - p_i) of its members. Revealed values can be weighted by it, since the probability pi_ij that two attributes
are drawn together can be computed exactly as well. It is positive whenever the certain attributes (pi = 1) leave two
places or more.

``inclusion.py`` computes pi from the working probabilities p, and ``count_tree.py`` draws a subset; here p is found so
that pi equals the target. ``cost_design.py`` has a limit on the cost in place of a fixed size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.special import expit, logit

from .count_tree import draw_members, new_count_tree
from .inclusion import first_order, new_circle, second_order

# Errors are relative for pi above the second number, absolute below: a sum of k floats knows no better.
_CLOSE_ENOUGH, _SMALL = 1e-12, 1e-3
_BELOW_ONE = 1.0 - 2.0**-53


class Design(NamedTuple):
    """A design that draws subsets of exactly k attributes.

    Parameters
    ----------
    inclusion : ndarray of shape (n_attributes,)
        The inclusion probability pi of each attribute.
    working : ndarray of shape (n_attributes,)
        The working probability p of each attribute: its probability before the size of the subset is imposed.
    circle : ndarray of shape (n_points, 4)
        Points of the unit circle with their weights, from which pi_ij is computed.
    counts : ndarray
        The tree of counts from which subsets are drawn.
    offsets : ndarray of int64
        Where each level of the tree begins in ``counts``.

    References
    ----------
    Hájek, J. (1964). Asymptotic theory of rejective sampling with varying probabilities from a finite population. The
    Annals of Mathematical Statistics, 35(4), 1491-1523.

    Chen, X.-H., Dempster, A. P. and Liu, J. S. (1994). Weighted finite population sampling to maximize entropy.
    Biometrika, 81(3), 457-469.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import new_design, new_generator
    >>> design = new_design(np.array([0.9, 0.5, 0.4, 0.2]))
    >>> design.size
    2
    >>> print(design.draw(new_generator(0)))
    [0 2]
    """

    inclusion: np.ndarray
    working: np.ndarray
    circle: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray

    @property
    def size(self) -> int:
        """The number k of attributes in a subset."""
        return int(self.offsets[-1] - self.offsets[-2] - 1)

    def draw(self, rng: np.ndarray) -> np.ndarray:
        """Draw one subset.

        Parameters
        ----------
        rng : ndarray of uint64 of shape (4,)
            The random generator, see ``new_generator``; it is advanced.

        Returns
        -------
        ndarray of int64 of shape (k,)
            The attributes that were drawn, in ascending order.
        """
        return design_subset(rng, self)

    def joint(self, attributes: np.ndarray) -> np.ndarray:
        """Compute the second-order inclusion probabilities of some attributes.

        Parameters
        ----------
        attributes : ndarray of int64 of shape (n,)
            Different attributes.

        Returns
        -------
        ndarray of shape (n, n)
            The probability pi_ij that both of two attributes are drawn, with pi_i on the diagonal.
        """
        return joint_inclusion(self, attributes)

    def among(self, attributes: np.ndarray) -> Design:
        """Condition the design on drawing none but some attributes.

        Parameters
        ----------
        attributes : ndarray of int64 of shape (n,)
            The attributes that may be drawn, in ascending order; they are numbered anew.

        Returns
        -------
        Design
            The design of min(k, n) of them with the same odds. A subset of k of them has its probability under this
            design, divided by that of drawing none but them.
        """
        k, log_odds = min(self.size, len(attributes)), logit(self.working[attributes])
        free = np.isfinite(log_odds)
        total = k - int(np.count_nonzero(~free))
        # Working probabilities have the sum k, and a common factor of the odds changes no design of fixed size.
        working = np.ones(len(attributes))
        if total < np.count_nonzero(free):
            working[free] = _with_sum(log_odds[free], total)
        return design_of(working, k)


def new_design(target: np.ndarray) -> Design:
    """Make the design with the given inclusion probabilities.

    Parameters
    ----------
    target : array-like of shape (n_attributes,)
        The inclusion probabilities: above 0 and at most 1, with a whole number k as their sum.

    Returns
    -------
    Design
        Its ``inclusion`` equals the target to a relative error of about 1e-12.

    Raises
    ------
    ValueError
        If a probability is out of its range, the sum is not a whole number, the probabilities of 1 leave nothing for
        the other attributes, or the probabilities are too close to 0 or 1 to be reached.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import joint_inclusion, new_design
    >>> design = new_design(np.array([0.9, 0.5, 0.4, 0.2]))
    >>> print(joint_inclusion(design, np.array([0, 1, 2, 3])).round(4))
    [[0.9    0.42   0.3257 0.1543]
     [0.42   0.5    0.0543 0.0257]
     [0.3257 0.0543 0.4    0.02  ]
     [0.1543 0.0257 0.02   0.2   ]]
    """
    target = np.array(target, dtype=np.float64)
    if target.ndim != 1 or target.size == 0:
        raise ValueError(f"inclusion probabilities must be a one-dimensional array; got shape {target.shape}")
    wrong = np.flatnonzero(~((target > 0) & (target <= 1)))
    if wrong.size:
        raise ValueError(
            f"inclusion probabilities must be above 0 and at most 1; number {wrong[0]} is {target[wrong[0]]}"
        )
    k = round(target.sum())
    if k == 0 or abs(target.sum() - k) > 1e-9 * k:
        raise ValueError(f"inclusion probabilities must sum to a whole number of 1 or more; they sum to {target.sum()}")
    certain = np.count_nonzero(target == 1.0)
    if certain == k < len(target):
        raise ValueError(
            f"{k} probabilities of 1 leave nothing for the others, of which the largest is "
            f"{target[target < 1.0].max()}; give fewer probabilities of 1, or a larger floor"
        )
    return design_of(_working_probabilities(target, k), k)


def design_of(working: np.ndarray, k: int) -> Design:
    """The design with these working probabilities, which have the sum k."""
    if not len(working):  # nothing is left to draw
        nothing = np.empty(0)
        return Design(nothing, nothing, np.empty((0, 4)), np.ones(1), np.array([0, 1], dtype=np.int64))
    circle = new_circle(working, k)
    return Design(first_order(working, circle), working, circle, *new_count_tree(working, k))


def _working_probabilities(target: np.ndarray, k: int) -> np.ndarray:
    """The p with sum k whose pi is ``target``, by Newton steps on the log odds.

    The covariance of the draws, which is the derivative, is taken to be diag(c) - c c' / sum(c), with c
    such that its diagonal is right (Deville and Tillé 2005); it is near enough for some ten steps.
    """
    free = target < 1.0
    if not free.any():
        return target
    total = k - int(np.count_nonzero(~free))
    wanted = np.minimum(target[free] * (total / target[free].sum()), _BELOW_ONE)
    working, log_odds = target.copy(), logit(wanted)
    for _ in range(1000):
        achieved = first_order(working, new_circle(working, k))[free]
        error = np.max(np.abs(achieved - wanted) / (wanted + _SMALL))
        if error <= _CLOSE_ENOUGH:
            return working
        achieved = np.clip(achieved, 1e-300, _BELOW_ONE)
        variance = achieved * (1.0 - achieved)
        c = variance
        for _ in range(20):
            c = variance + c * c / c.sum()  # between variance and twice that
        log_odds += (logit(wanted) - logit(achieved)) * (variance / c)
        working[free] = _with_sum(log_odds, total)
    raise ValueError(
        f"inclusion probabilities too close to 0 or 1: the smallest is {wanted.min()}, and they are reached with a"
        f" relative error of {error}; give a larger floor"
    )


def _with_sum(log_odds: np.ndarray, total: float) -> np.ndarray:
    """Probabilities with these log odds up to a common shift, which is chosen so that they have a sum."""
    shift = 0.0
    for _ in range(100):
        p = expit(log_odds + shift)
        missing = total - p.sum()
        if abs(missing) <= 1e-12 * total:
            break
        shift += np.clip(missing / np.sum(p * (1.0 - p)), -1.0, 1.0)
    return p


@njit(cache=True, nogil=True)
def design_subset(rng: np.ndarray, design: Design) -> np.ndarray:
    """Draw one subset of k attributes by a design.

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    design : Design
        The design, see ``new_design``.

    Returns
    -------
    ndarray of int64 of shape (k,)
        The attributes that were drawn, in ascending order.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import design_subset, new_design, new_generator
    >>> print(design_subset(new_generator(0), new_design(np.array([0.9, 0.5, 0.4, 0.2]))))
    [0 2]
    """
    return draw_members(rng, design.counts, design.offsets)


@njit(cache=True, nogil=True)
def joint_inclusion(design: Design, attributes: np.ndarray) -> np.ndarray:
    """Compute the second-order inclusion probabilities of some attributes.

    Parameters
    ----------
    design : Design
        The design, see ``new_design``.
    attributes : ndarray of int64 of shape (n,)
        Different attributes; those of one drawn subset, or all of them.

    Returns
    -------
    ndarray of shape (n, n)
        The probability pi_ij that both of two attributes are drawn, with pi_i on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import joint_inclusion, new_design
    >>> print(joint_inclusion(new_design(np.full(6, 1 / 3)), np.array([0, 5])).round(4))
    [[0.3333 0.0667]
     [0.0667 0.3333]]
    """
    k = design.offsets[-1] - design.offsets[-2] - 1
    joint = second_order(design.working, design.circle, k, attributes)
    for r in range(len(attributes)):
        joint[r, r] = design.inclusion[attributes[r]]
    return joint
