"""The points of learning curves: simulated errors at parts of the total and at each total, on one scale.

Designs at a total are simulated in all worlds, those at parts of it only in some. The errors of these worlds may by
chance be larger or smaller than those of all, so an error at a part is divided by the ratio of the two at the total:
where p is the error at a part and u that at the total, the mean of u over all worlds is multiplied by the ratio of the
means of p and of u over the worlds that have both. At the total, the curve is then what the table of designs has. With
several totals, u is interpolated between them, on logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .curves import Curve, curve_of
from .designs import Design


def learning_curves(
    designs: dict[float, list[Design]],
    parts: dict[float, list[Design]],
    errors: dict[tuple[int, float], np.ndarray],
    n_worlds: int,
    some: Sequence[int],
) -> dict[tuple[str, float], tuple[Curve, Curve]]:
    """Learning curves from all attributes and from few, by learner and spend.

    ``designs`` were simulated in all worlds, ``parts`` in ``some``. A design that has all examples there are at two
    totals has one point for both, that of the larger.
    """
    at_totals = _by_family(designs, errors, range(n_worlds))
    at_parts = _by_family(parts, errors, some)
    return {
        family: (_curve(found, at_parts.get(family, {}), some, 0), _curve(found, at_parts.get(family, {}), some, 1))
        for family, found in at_totals.items()
    }


def _by_family(
    designs: dict[float, list[Design]], errors: dict[tuple[int, float], np.ndarray], worlds: Sequence[int]
) -> dict[tuple[str, float], dict[float, np.ndarray]]:
    """Errors of shape (n_worlds, 2) by what stays the same when the total changes, and by cost."""
    found: dict[tuple[str, float], dict[float, np.ndarray]] = {}
    for total in sorted(designs):
        for at, design in enumerate(designs[total]):
            if design.can_be_chosen:
                found.setdefault(design.family, {})[design.cost] = np.array([errors[i, total][at] for i in worlds])
    return found


def _curve(
    at_totals: dict[float, np.ndarray], at_parts: dict[float, np.ndarray], some: Sequence[int], few: int
) -> Curve:
    whole = {cost: of_worlds[:, few] for cost, of_worlds in at_totals.items()}
    scaled = {cost: in_all_worlds(cost, found[:, few], whole, some) for cost, found in at_parts.items()}
    points = scaled | whole
    costs = sorted(points)
    return curve_of(np.array(costs), np.array([points[cost] for cost in costs]), [cost in whole for cost in costs])


def in_all_worlds(cost: float, part: np.ndarray, whole: dict[float, np.ndarray], some: Sequence[int]) -> np.ndarray:
    """Errors at a cost that was simulated in some worlds, as a value for each of all worlds.

    The mean of these values is the error on the scale of all worlds, and their standard deviation, divided by the root
    of the number of worlds, its standard error: that of ``u`` in all worlds, and that of what ``u`` leaves unexplained
    in those that have both. A single value is no error of a world.
    """
    costs = np.array(sorted(whole))
    weights = [np.interp(np.log(cost), np.log(costs), one) for one in np.eye(len(costs))]
    u = np.exp(weights @ np.log([whole[one] for one in costs]))
    there = u[list(some)]
    ratio = part.mean() / there.mean()
    values = ratio * u
    values[list(some)] += len(u) / len(there) * u.mean() / there.mean() * (part - ratio * there)
    return values
