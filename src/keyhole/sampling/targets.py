"""From weights to inclusion probabilities."""

from __future__ import annotations

import numpy as np


def inclusion_targets(weights: np.ndarray, k: int, floor: float = 0.0, ceiling: float = 1.0) -> np.ndarray:
    """Turn weights into inclusion probabilities with the sum k.

    The probabilities are proportional to shares of the weights, but at most ``ceiling``. A share is ``floor`` spread
    evenly plus the rest in proportion to the weights, so no attribute falls below floor * k / d (or the ceiling).
    Attributes whose share of k would exceed the ceiling get exactly the ceiling, and the remainder goes to the others
    in proportion to their shares.

    Parameters
    ----------
    weights : array-like of shape (n_attributes,)
        Finite numbers, none of them negative.
    k : int
        The sum of the probabilities: the number of attributes that a design with them draws.
    floor : float, default=0.0
        The part of the probability, from 0 to 1, that is spread evenly over all attributes.
    ceiling : float, default=1.0
        The largest probability, from k / n_attributes to 1. Attributes of probability 1 may leave a single place, and
        then no two others are ever drawn together; a ceiling below 1 keeps every pair possible.

    Returns
    -------
    ndarray of shape (n_attributes,)
        The inclusion probabilities, all above 0.

    Raises
    ------
    ValueError
        If an argument is out of its range, or an attribute would have probability 0.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import inclusion_targets
    >>> print(inclusion_targets(np.array([10.0, 1.0, 1.0, 2.0]), 2))
    [1.   0.25 0.25 0.5 ]
    >>> print(inclusion_targets(np.array([10.0, 1.0, 1.0, 2.0]), 2, ceiling=0.8))
    [0.8 0.3 0.3 0.6]
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.ndim != 1 or weights.size == 0:
        raise ValueError(f"weights must be a one-dimensional array; got shape {weights.shape}")
    d = len(weights)
    if not 1 <= k <= d:
        raise ValueError(f"k must be between 1 and the number of weights, {d}; got {k}")
    if not 0.0 <= floor <= 1.0:
        raise ValueError(f"floor must be between 0 and 1; got {floor}")
    if not k / d <= ceiling <= 1.0:
        raise ValueError(f"ceiling must be between k / d, {k / d}, and 1; got {ceiling}")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        raise ValueError(f"weights must be finite and not negative; number {wrong[0]} is {weights[wrong[0]]}")
    largest = weights.max()
    shares = np.full(d, floor / d)
    if largest > 0:
        scaled = weights / largest
        shares += (1.0 - floor) * (scaled / scaled.sum())
    elif floor < 1.0:
        raise ValueError("weights are all zero; give a positive weight, or floor=1 for equal probabilities")
    if shares.min() <= 0:
        raise ValueError(
            f"weight number {shares.argmin()} is {weights[shares.argmin()]}, so it would never be drawn; "
            "give every attribute a positive weight, or a floor above 0"
        )
    order = np.argsort(-shares, kind="stable")
    descending = shares[order]
    remaining = np.cumsum(descending[::-1])[::-1]  # the share of this attribute and of all lighter ones
    # The first attribute that its part of what the heavier ones leave over does not lift to the ceiling.
    left = k - ceiling * np.arange(d)
    room = (1.0 + 1e-12) * ceiling * remaining  # with some for rounding: the last attribute always passes
    capped = int(np.argmax(descending * left <= room))
    targets = np.full(d, ceiling)
    filled = descending[capped:] * (left[capped] / remaining[capped])
    targets[order[capped:]] = np.where(filled < (1.0 - 1e-15) * ceiling, filled, ceiling)
    return targets


def cost_targets(weights: np.ndarray, cost: np.ndarray, budget: float, floor: float, ceiling: float) -> np.ndarray:
    """Turn weights into inclusion probabilities whose expected cost is the budget.

    The probabilities are proportional to shares of the weights, as in ``inclusion_targets``, but at most ``ceiling``.
    If all offers at the ceiling cost less than the budget, all probabilities are the ceiling.

    Parameters
    ----------
    weights : ndarray of shape (n_offers,)
        Finite numbers, none of them negative; if all are 0, the shares are equal.
    cost : ndarray of shape (n_offers,)
        The cost of each offer.
    budget : float
        The expected cost of a subset.
    floor : float
        The part of the shares, from 0 to 1, that is spread evenly over all offers.
    ceiling : float
        The largest probability.

    Returns
    -------
    ndarray of shape (n_offers,)
        The inclusion probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.sampling import cost_targets
    >>> print(cost_targets(np.array([4.0, 1.0, 1.0]), np.array([1.0, 1.0, 2.0]), 2.0, 0.0, 0.9))
    [0.9        0.36666667 0.36666667]
    """
    d = len(weights)
    shares = np.full(d, 1.0 / d)
    if weights.any():
        shares = floor / d + (1.0 - floor) * weights / weights.sum()
    capped = np.zeros(d, dtype=bool)
    while True:
        left = budget - ceiling * cost[capped].sum()
        open_cost = shares[~capped] @ cost[~capped]
        targets = np.full(d, ceiling)
        if open_cost > 0:
            targets[~capped] = np.minimum(shares[~capped] * (left / open_cost), 2.0)
        above = ~capped & (targets > ceiling)
        if not above.any():
            return targets
        capped |= above
