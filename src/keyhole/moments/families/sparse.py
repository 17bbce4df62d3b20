"""The sparse family: at most s attributes, selected one by one, each by what it explains of what is left over.

The selection is made on the joint moments of the start, which rest on all revealed cells. It is made again at every
renewal of the policy, and not in between: attributes that were rarely drawn together are not predicted from. The
predictor on the selected few is least squares with hardly any shrinkage, from all of their revealed cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import standardised, summarised
from ..solution import Solution, Training, candidate, not_kept, solution_of
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from ..standard.scales import Scales
from .family import Family, Role
from .gaussian import gaussian
from .settings import LEAST_CERTAINTY, LEAST_OWN_VARIANCE, MAX_CERTAINTY


class Sparse(Family):
    """Least squares on the few attributes that the policy settled on, or that are best so far."""

    name = "sparse"
    role = Role.SPARSE
    selects_attributes = True

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        assert start is not None, "a sparse predictor is derived from a start"
        assert data.sparsity is not None
        settled = np.empty(0) if data.policy is None else data.policy.settled(data.n_rows)
        of_settled = np.flatnonzero(np.isin(data.attribute_of, settled) & (start.scales.scale > 0))
        selected = of_settled if len(of_settled) else forward_selection(start, data.sparsity).attributes
        if not len(selected):
            return start
        joint, scales = moments_of_few(data, selected, start.scales)
        why = (
            f"predictions may need at most {data.sparsity} attributes; {len(selected)} were selected one by one from"
            f" the joint moments of the family {start.family.name!r}"
        )
        return solution_of(joint, scales, self, [*not_kept(start.candidates), candidate(self, True, why)], start)

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        """Attributes are selected again, from these rows alone."""
        assert like.start is not None
        start = like.start.family.refit(like.start, data, max_iterations)
        selected = forward_selection(start, len(like.scales.used)).attributes
        if not len(selected):
            return start._replace(coef=0 * start.coef, intercept=start.scales.label_mean)
        joint, scales = moments_of_few(data, selected, start.scales)
        return like.with_moments(joint, scales)

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        selected = like.scales.used
        joint = joint_moments_of_few(rows.table[:, selected], rows.labels, selected, rows.n_attributes)
        return like.with_moments(joint, like.scales)


class Selected(NamedTuple):
    """The selected attributes, in ascending order, and the part of the explainable variance that they explain."""

    attributes: np.ndarray
    share: float

    @property
    def certainty(self) -> float:
        """The share of a budget that they deserve: half, since what they explain hides what others do, or more."""
        return min(max(self.share, LEAST_CERTAINTY), MAX_CERTAINTY)


def forward_selection(solution: Solution, s: int, least_own_variance: float = LEAST_OWN_VARIANCE) -> Selected:
    """At most s of the attributes that were seen to vary, one by one.

    One that keeps less than ``least_own_variance`` of its variance, given those before it, is left out.
    """
    joint, used = solution.joint, solution.scales.used
    variance = joint.label_variance()
    variance = np.where(variance > 0, variance, 1.0)  # of equal labels nothing is explained
    left, pairs = joint.cross_covariance(used) / np.sqrt(variance), joint.covariance(used)
    whole, explained = np.diag(pairs).copy(), 0.0
    chosen: list[int] = []
    for _ in range(min(s, len(used))):
        own = np.diag(pairs)
        enough = own > least_own_variance * whole
        gain = np.where(enough, np.sum(left**2, axis=1) / np.maximum(own, least_own_variance * whole), 0.0)
        gain[chosen] = 0.0
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen.append(best)
        explained += gain[best]
        slope = pairs[:, best] / own[best]
        left = left - np.outer(slope, left[best])
        pairs = pairs - np.outer(slope, pairs[best])
    weights = np.where(solution.scales.scale > 0, joint.weights(), 0.0)
    everything = np.sum(weights * joint.cross_covariance().T / variance[:, None])
    # The unknown part of the weights may be worth as much again, and counts against the selection.
    unknown = np.sum(solution.usefulness**2) - np.sum(weights**2)
    return Selected(np.sort(used[chosen]), explained / max(everything + unknown, explained, 1e-300))


def moments_of_few(data: Training, selected: np.ndarray, labels_as: Scales) -> tuple[JointMoments, Scales]:
    """Joint moments of the selected attributes alone, with labels in the scales given; others are left out."""
    cells, d = data.cells, data.n_attributes
    summary = summarised(cells.attributes, cells.values, d)
    scale = np.where(np.isin(np.arange(d), selected), summary.deviation, 0.0)
    scales = labels_as._replace(mean=summary.mean, scale=scale, values=data.values)
    scores = standardised(cells.table(selected), scales.mean[selected], scales.scale[selected])
    labels = standardised(data.labels, scales.label_mean, scales.label_scale)
    return joint_moments_of_few(scores, labels, selected, d), scales


def joint_moments_of_few(scores: np.ndarray, labels: np.ndarray, selected: np.ndarray, d: int) -> JointMoments:
    """From standardised values of the selected attributes, a column each with NaN for what is not known."""
    L, k = labels.shape[1], len(selected)
    some = ~np.isnan(scores).all(axis=1)
    mean, covariance = gaussian(np.column_stack([scores[some], labels[some]]))
    values, vectors = np.linalg.eigh(covariance[:k, :k])
    noise = 0.5 * values[0]  # any number below the smallest would do: loadings and noise give the covariance back
    loadings, cross, means, noises = np.zeros((d, k)), np.zeros((d, L)), np.zeros(d), np.ones(d)
    loadings[selected], cross[selected] = vectors * np.sqrt(values - noise), covariance[:k, k:]
    means[selected], noises[selected] = mean[:k], noise
    return JointMoments(
        mean=means,
        loadings=loadings,
        noise=noises,
        label_mean=mean[k:],
        label_loadings=np.zeros((L, k)),
        label_noise=np.diag(covariance)[k:],
        residual_cross=cross,
    )
