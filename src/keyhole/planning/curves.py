"""Learning curves of designs over the total cost, their extrapolation, and the cost at which a target is reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..moments.describe.extrapolation import extrapolated


class Curve(NamedTuple):
    """The error of a design against the total cost, at a fixed spend per example.

    Attributes
    ----------
    cost : ndarray of shape (n_points,)
        Total costs, those beyond the last simulated one included.
    error : ndarray of shape (n_points,)
        The errors, as shares of the label's variance.
    standard_error : ndarray of shape (n_points,)
        Their standard errors over worlds.
    n_simulated : int
        How many of the points were simulated; the others are extrapolated.
    held_back : tuple of float or None
        The last simulated error, that which an extrapolation from the points before it expects there, and its
        standard error; None with fewer than 4 simulated points.
    """

    cost: np.ndarray
    error: np.ndarray
    standard_error: np.ndarray
    n_simulated: int
    held_back: tuple[float, float, float] | None

    def up_to(self, most: float) -> Curve:
        """The points with a cost of at most so much, the first one at least, and one at this cost, between its points.

        That one is interpolated on logarithms.
        """
        n = max(1, int(np.sum(self.cost <= most * (1 + 1e-9))))
        cost, error, standard_error = self.cost[:n], self.error[:n], self.standard_error[:n]
        if n < len(self.cost) and most > cost[-1] * (1 + 1e-9):
            at, costs = np.log(most), np.log(self.cost)
            cost = np.append(cost, most)
            error = np.append(error, np.exp(np.interp(at, costs, _log(self.error))))
            standard_error = np.append(standard_error, np.interp(at, costs, self.standard_error))
        return Curve(cost, error, standard_error, min(n, self.n_simulated), self.held_back)

    def cost_of(self, target: float) -> float | None:
        """The lowest cost with an error of at most a target, by interpolation on logarithms; None if there is none."""
        reached = np.flatnonzero(self.error <= target)
        if not len(reached):
            return None
        at = int(reached[0])
        if at == 0:
            return float(self.cost[0])
        (c0, c1), (e0, e1) = np.log(self.cost[at - 1 : at + 1]), _log(self.error[at - 1 : at + 1])
        return float(np.exp(c0 + (c1 - c0) * (e0 - np.log(target)) / max(e0 - e1, 1e-12)))


def curve_of(costs: np.ndarray, errors: np.ndarray, fixed: Sequence[bool] = ()) -> Curve:
    """From errors of shape (n_costs, n_worlds) at increasing costs, each twice the one before.

    More cost never has more expected error: where simulated errors have, the points between those that are ``fixed``
    are moved. Without ``fixed``, this is the last one alone.
    """
    simulated = errors.mean(axis=1)
    mean = falling(simulated, fixed or [False] * (len(costs) - 1) + [True])
    standard_error = errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    beyond = extrapolated(costs, errors) if _doubles(costs) else None
    held_back = None
    if len(costs) >= 4 and beyond is not None:
        before = extrapolated(costs[:-1], errors[:-1])
        if before is not None:
            held_back = (float(simulated[-1]), float(before.error[0]), float(before.standard_error[0]))
    if beyond is None:
        return Curve(costs, mean, standard_error, len(costs), None)
    # An extrapolation never expects more error from more examples.
    further = np.minimum.accumulate(np.concatenate([mean[-1:], beyond.error]))[1:]
    return Curve(
        np.concatenate([costs, beyond.n_cells]),
        np.concatenate([mean, further]),
        np.concatenate([standard_error, beyond.standard_error]),
        len(costs),
        held_back,
    )


def falling(errors: np.ndarray, fixed: Sequence[bool]) -> np.ndarray:
    """Errors of which those that are not fixed are at least the next one, and then at most the one before.

    >>> falling(np.array([0.3, 0.4, 0.2, 0.25]), [False, False, False, True])
    array([0.4 , 0.4 , 0.25, 0.25])
    """
    found = errors.copy()
    free = [i for i, known in enumerate(fixed) if not known]
    for i in reversed(free):
        found[i] = max(found[i : i + 2])
    for i in free:
        found[i] = min(found[max(i - 1, 0) : i + 1])
    return found


def _log(errors: np.ndarray) -> np.ndarray:
    """Logarithms, finite for an error of 0 too."""
    return np.log(np.maximum(errors, np.finfo(float).tiny))


def _doubles(costs: np.ndarray) -> bool:
    return len(costs) >= 3 and bool(np.allclose(costs[1:] / costs[:-1], 2.0, rtol=0.2))
