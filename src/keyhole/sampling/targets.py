"""From weights to inclusion probabilities."""

from __future__ import annotations

import numpy as np


def inclusion_targets(weights: np.ndarray, k: int, floor: float = 0.0, ceiling: float = 1.0) -> np.ndarray:
    """Inclusion probabilities with sum k, proportional to shares of the weights, but at most ``ceiling``.

    A share is ``floor`` spread evenly plus the rest by weight, so no attribute falls below floor * k / d
    (or the ceiling). Attributes too heavy for k draws get exactly the ceiling, and what they leave over
    goes to the others in proportion. With a ceiling of 1 they are certain, and where certain ones leave a
    single place no two others are ever seen together: a ceiling below 1 keeps every pair possible.

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
    """Inclusion probabilities in proportion to shares as above, at most ``ceiling``, that cost the budget on average.

    Where all of them at the ceiling cost less than the budget, they are at the ceiling.

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
