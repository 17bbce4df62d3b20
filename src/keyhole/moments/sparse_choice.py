"""At most s attributes for a predictor: chosen one by one, each by what it explains of what those before left over.

The choice is made on the joint second moments, which rest on all revealed cells. Rows go on coming, so it is made again
at every renewal of the policy, and not in between: what was never drawn together often enough is not predicted from.
The predictor on the chosen few is least squares with hardly any shrinking, from every cell of theirs that was revealed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..observe.cells import Cells, standardised, summarised
from .gaussian import gaussian
from .joint import Joint, predictor
from .rows import Units
from .solving import Solution

OWN = 0.1  # with less than this share of its variance its own, an attribute adds too little to tell
DOUBTFUL, SURE = 0.5, 0.95  # shares of a budget: for a choice that may still be wrong, and the largest


class Choice(NamedTuple):
    """The chosen attributes, in ascending order, and the share of what can be explained that they explain."""

    attributes: np.ndarray
    share: float

    @property
    def certainty(self) -> float:
        """The share of a budget that they deserve: half, for what they explain hides what others do, or more."""
        return min(max(self.share, DOUBTFUL), SURE)


def choose(solution: Solution, s: int) -> Choice:
    """At most s of the attributes that were seen to vary, by forward selection."""
    joint, used = solution.joint, np.flatnonzero(solution.units.scale > 0)
    left, pairs = joint.cross(used) / np.sqrt(joint.label_variance()), joint.covariance(used)
    whole, explained = np.diag(pairs).copy(), 0.0
    chosen: list[int] = []
    for _ in range(min(s, len(used))):
        own = np.diag(pairs)
        gain = np.where(own > OWN * whole, np.sum(left**2, axis=1) / np.maximum(own, OWN * whole), 0.0)
        gain[chosen] = 0.0
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen.append(best)
        explained += gain[best]
        share = pairs[:, best] / own[best]
        left = left - np.outer(share, left[best])
        pairs = pairs - np.outer(share, pairs[best])
    weights = np.where(solution.units.scale > 0, joint.weights(), 0.0)
    everything = np.sum(weights * joint.cross(np.arange(len(joint.mean))).T / joint.label_variance()[:, None])
    # What is not known of weights may be worth as much again, and counts against the choice.
    unknown = np.sum(solution.interest**2) - np.sum(weights**2)
    return Choice(np.sort(used[chosen]), explained / max(everything + unknown, explained, 1e-300))


def confined(solution: Solution, cells: Cells, labels: np.ndarray, chosen: np.ndarray) -> Solution:
    """The predictor from the chosen attributes alone: others are taken to say nothing."""
    if not len(chosen):
        return solution
    d = len(solution.units.mean)
    summary = summarised(cells.attributes, cells.values, d)
    scale = np.where(np.isin(np.arange(d), chosen), summary.deviation, 0.0)
    units = Units(summary.mean, scale, solution.units.label_mean, solution.units.label_scale)
    scores = standardised(cells.table(chosen), units.mean[chosen], units.scale[chosen])
    joint = joint_of_few(scores, standardised(labels, units.label_mean, units.label_scale), chosen, d)
    coef, intercept = predictor(joint, joint.weights(), units)
    weights = np.sqrt(np.sum(joint.weights() ** 2, axis=0))
    why = f"at most {len(chosen)} attributes were wanted; chosen one by one from the {solution.family}"
    before = [candidate | {"kept": False} for candidate in solution.candidates]
    told = [*before, {"family": "sparse", "kept": True, "why": why}]
    return Solution(joint, units, coef, intercept, weights, "sparse", told)


def joint_of_few(scores: np.ndarray, labels: np.ndarray, chosen: np.ndarray, d: int) -> Joint:
    """Second moments of the chosen attributes, a column each with NaN for what is not known, and of the labels."""
    L, k = labels.shape[1], len(chosen)
    some = ~np.isnan(scores).all(axis=1)
    mean, covariance = gaussian(np.column_stack([scores[some], labels[some]]))
    values, vectors = np.linalg.eigh(covariance[:k, :k])
    noise = 0.5 * values[0]  # any number below the smallest would do: loadings and noise give the covariance back
    loadings, rest, means, noises = np.zeros((d, k)), np.zeros((d, L)), np.zeros(d), np.ones(d)
    loadings[chosen], rest[chosen] = vectors * np.sqrt(values - noise), covariance[:k, k:]
    means[chosen], noises[chosen] = mean[:k], noise
    return Joint(means, loadings, noises, mean[k:], np.zeros((L, k)), np.diag(covariance)[k:], rest)
