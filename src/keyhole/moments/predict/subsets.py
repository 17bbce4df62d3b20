"""The label given any subset of the attributes: a linear predictor and its error variance for each subset.

Joint moments tell what the best linear predictor from a subset S is, and which share rho of the label's variance it
explains. But they are estimates, and rho is too large. How far the predictors from S of the five fold fits differ, as a
jackknife adds it up, is the sampling variance J of the predictor; so on new rows it has variance rho + J and covariance
rho with the label. The slope that suits it best is rho / (rho + J), and with slope t the error is
1 - 2 t rho + t^2 (rho + J), as a share of the label's variance. All attributes that have a weight keep slope 1: whole
rows are predicted by ``coef_`` as it stands, and the slopes of subsets are relative to theirs. Where weights are
posterior means, sampling variance is counted already, so J is 0.

Held-out rows tell how much of rho is confirmed where few attributes are known, and how much where all are
(``held_out.py``, ``honest/explained_share.py``); in between, the confirmed share is interpolated linearly in rho. No
error variance is claimed that is smaller than what held-out rows can tell from none, or larger than the label's.

All of it depends on which attributes are known, and not on their values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..standard.joint import JointMoments
from ..standard.scales import Scales
from ..standard.woodbury import solve_by_smaller
from .settings import NUMBERS_AT_ONCE


class RescaledMoments(NamedTuple):
    """Joint moments in the scales of the main fit: a weight there is ``ratio`` times a weight here, and a predictor
    with weights w has the offset base + w' shift."""

    joint: JointMoments
    ratio: np.ndarray
    shift: np.ndarray
    base: float


class SubsetPredictors(NamedTuple):
    """Of m subsets of k attributes: weights of their standardised values (m, k), offsets (m,), and error variances
    (m,), as shares of the label's variance."""

    weights: np.ndarray
    offset: np.ndarray
    variance: np.ndarray

    def predictions(self, z: np.ndarray) -> np.ndarray:
        """From standardised values, a row for each subset."""
        return self.offset + np.sum(self.weights * z, axis=1)


class Subsets(NamedTuple):
    """The main fit, the fold fits, and what held-out rows tell of both.

    ``slope_of_all`` is rho / (rho + J) of all attributes. Of rho held-out rows confirm ``confirmed_few`` where few
    attributes are known, and ``confirmed_all`` where all are; ``explained_range`` is rho for both.
    ``sampling_variance`` is whether J counts; ``least_variance`` is the least variance that can be told from none, and
    ``most_variance`` the label's: a predictor is one that held-out rows support, or the mean label. ``needed`` is a
    mask of the attributes that have a weight where all are known (None: all), and ``variance_of_all`` the error
    variance there, if rows that show all of them tell it.
    """

    scales: Scales
    main: RescaledMoments
    fold_fits: tuple[RescaledMoments, ...]
    slope_of_all: float = 1.0
    confirmed_few: float = 1.0
    confirmed_all: float = 1.0
    sampling_variance: bool = True
    least_variance: float = 0.0
    most_variance: float = np.inf
    explained_range: tuple[float, float] = (0.0, 1.0)
    needed: np.ndarray | None = None
    variance_of_all: float | None = None

    @property
    def used(self) -> np.ndarray:
        """The attributes that have a scale."""
        return self.scales.used

    def hold_all(self, S: np.ndarray) -> np.ndarray:
        """Whether subsets hold all attributes that have a weight in the prediction of whole rows."""
        if self.needed is None:
            return np.full(len(S), S.shape[1] == len(self.used))
        return np.sum(self.needed[S], axis=1) == self.needed.sum()

    def predictors(self, S: np.ndarray, fold: np.ndarray | None = None) -> SubsetPredictors:
        """Predictors from the subsets that are the rows of S; ``fold`` names the fold fit that predicts instead."""
        k, r = S.shape[1], self.main.joint.loadings.shape[1]
        step = max(NUMBERS_AT_ONCE // (k * max(r, 1) + min(k, r) ** 2 + 1), 1)
        parts = [
            self._predictors(S[start : start + step], None if fold is None else fold[start : start + step])
            for start in range(0, max(len(S), 1), step)
        ]
        return SubsetPredictors(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def standardise(self, values: np.ndarray, S: np.ndarray) -> np.ndarray:
        """Raw values of used attributes, in the scales of the main fit and measured from its means."""
        return (values - self.scales.mean[S]) / self.scales.scale[S] - self.main.joint.mean[S]

    def _predictors(self, S: np.ndarray, fold: np.ndarray | None) -> SubsetPredictors:
        weights, offset, explained = predictor_from(self.main, S)
        sampling = np.zeros_like(explained)
        if self.fold_fits:
            found = [predictor_from(fit, S) for fit in self.fold_fits]
            all_weights, offsets = np.stack([f[0] for f in found]), np.stack([f[1] for f in found])
            if self.sampling_variance:
                sampling = jackknife_variance(self.main.joint, S, all_weights, offsets)
            if fold is not None:
                rows = np.arange(len(S))
                weights, offset = all_weights[fold, rows], offsets[fold, rows]
        total = explained + sampling
        share = np.divide(explained, total, out=np.zeros_like(explained), where=total > 0)
        slope = self.confirmed_few * np.minimum(share / self.slope_of_all, 1.0)
        whole = self.hold_all(S)
        slope = np.where(whole, 1.0, slope)
        few, most = self.explained_range
        many = np.clip((explained - few) / max(most - few, 1e-9), 0.0, 1.0)
        explained = explained * (1.0 - many * (1.0 - self.confirmed_all))
        variance = 1.0 - 2.0 * slope * self.confirmed_few * explained + slope**2 * (explained + sampling)
        variance = np.maximum(np.minimum(variance, self.most_variance), self.least_variance)
        if self.variance_of_all is not None:
            variance = np.where(whole, self.variance_of_all, np.maximum(variance, self.variance_of_all))
        return SubsetPredictors(slope[:, None] * weights, slope * offset, variance)


def predictor_from(moments: RescaledMoments, S: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For subsets of one size, the rows of S: weights, offsets and the share of the label's variance explained."""
    joint = moments.joint
    W = joint.loadings[S]
    cross = W @ joint.label_loadings[0] + joint.residual_cross[S, 0]
    weights = solve_by_smaller(W, joint.noise[S], cross[:, :, None])[:, :, 0]
    explained = np.clip(np.sum(weights * cross, axis=1) / joint.label_variance()[0], 0.0, 1.0)
    weights = weights * moments.ratio[S]
    return weights, moments.base + np.sum(weights * moments.shift[S], axis=1), explained


def jackknife_variance(joint: JointMoments, S: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Of a prediction from S, on average over examples; fold fits come first in the arrays."""
    weights, offsets = weights - weights.mean(axis=0), offsets - offsets.mean(axis=0)
    by_factors = np.einsum("fmk,mkr->fmr", weights, joint.loadings[S], optimize=True)
    each = np.sum(by_factors**2, axis=2) + np.sum(weights**2 * joint.noise[S], axis=2) + offsets**2
    return (len(weights) - 1) * each.mean(axis=0)


def rescaled(joint: JointMoments, scales: Scales, main: JointMoments, main_scales: Scales) -> RescaledMoments:
    """Joint moments in the scales of the main fit; an attribute that either left out has no weight."""
    both = (scales.scale > 0) & (main_scales.scale > 0)
    scale, other = np.where(both, scales.scale, 1.0), np.where(both, main_scales.scale, 1.0)
    label, other_label = scales.label_scale[0], main_scales.label_scale[0]
    centre = scales.mean + scales.scale * joint.mean
    other_centre = main_scales.mean + main_scales.scale * main.mean
    base = (scales.label_mean[0] + label * joint.label_mean[0] - main_scales.label_mean[0]) / (other_label or 1.0)
    blank = joint._replace(
        loadings=np.where(both[:, None], joint.loadings, 0.0),
        noise=np.where(both, joint.noise, 1.0),
        residual_cross=np.where(both[:, None], joint.residual_cross, 0.0),
    )
    ratio = np.where(both, (label / (other_label or 1.0)) * (other / scale), 0.0)
    return RescaledMoments(blank, ratio, np.where(both, (other_centre - centre) / other, 0.0), float(base))
