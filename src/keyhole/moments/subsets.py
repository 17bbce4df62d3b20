"""The label given any subset of the attributes: a linear predictor and its variance for each subset.

Second moments say what the best linear predictor from a subset S is, and which share rho of the label's variance it
explains. But they are estimates, and claim too much. How far the predictors from S of the five refits differ, as a
jackknife adds it up, is the variance J that the predictor owes to chance alone; so in new rows it has variance
rho + J and covariance rho with the label. The slope that suits it best is rho / (rho + J), and with slope t the
error is 1 - 2 t rho + t^2 (rho + J), in parts of the label's variance. All attributes together keep slope 1: whole
rows are predicted by ``coef_`` as it stands, and the slopes of subsets are measured by theirs. A diagonal is the
exception: its weights are means given the cells, in which chance is counted already, so there J is 0.

Held-out rows say how much of rho is true where few attributes are known, and how much where all are (``held_out.py``,
``borne_out.py``); in between, the share follows rho in a straight line. No variance is claimed that is smaller than
what held-out rows can tell from none.

All of it depends on which attributes are known, and not on their values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .joint import Joint
from .rows import Units

NUMBERS_AT_ONCE = 2_000_000


class View(NamedTuple):
    """Second moments in the units of the main fit: a weight there is ``ratio`` times a weight here, and a predictor
    with weights w has the offset base + w' shift."""

    joint: Joint
    ratio: np.ndarray
    shift: np.ndarray
    base: float


class Given(NamedTuple):
    """Of m subsets of k attributes: weights of their standardised values (m, k), offsets (m,), and error variances
    (m,), in parts of the label's."""

    weights: np.ndarray
    offset: np.ndarray
    variance: np.ndarray

    def predictions(self, z: np.ndarray) -> np.ndarray:
        """From standardised values, a row for each subset."""
        return self.offset + np.sum(self.weights * z, axis=1)


class Subsets(NamedTuple):
    """The main fit, the refits, the attributes that have a weight, and what held-out rows say of both.

    ``slope_of_all`` is rho / (rho + J) of all attributes. Of rho held-out rows bear out a share ``kept`` where few
    attributes are known, and ``kept_of_all`` where all are; ``seen`` is rho for both. ``chance_counts`` is whether J
    does; ``least`` is the least variance that can be told from none.
    """

    units: Units
    main: View
    refits: tuple[View, ...]
    used: np.ndarray
    slope_of_all: float = 1.0
    kept: float = 1.0
    kept_of_all: float = 1.0
    chance_counts: bool = True
    least: float = 0.0
    seen: tuple[float, float] = (0.0, 1.0)

    def given(self, S: np.ndarray, by: np.ndarray | None = None) -> Given:
        """Predictors from the subsets that are the rows of S; ``by`` names the refit that is to predict instead."""
        k, r = S.shape[1], self.main.joint.loadings.shape[1]
        step = max(NUMBERS_AT_ONCE // (k * max(r, 1) + min(k, r) ** 2 + 1), 1)
        parts = [
            self._given(S[start : start + step], None if by is None else by[start : start + step])
            for start in range(0, max(len(S), 1), step)
        ]
        return Given(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def standard(self, values: np.ndarray, S: np.ndarray) -> np.ndarray:
        """Raw values of attributes in ``used``, in the units of the main fit and measured from its means."""
        return (values - self.units.mean[S]) / self.units.scale[S] - self.main.joint.mean[S]

    def _given(self, S: np.ndarray, by: np.ndarray | None) -> Given:
        weights, offset, explained = predictor_from(self.main, S)
        chance = np.zeros_like(explained)
        if self.refits:
            found = [predictor_from(view, S) for view in self.refits]
            all_weights, offsets = np.stack([f[0] for f in found]), np.stack([f[1] for f in found])
            if self.chance_counts:
                chance = spread(self.main.joint, S, all_weights, offsets)
            if by is not None:
                rows = np.arange(len(S))
                weights, offset = all_weights[by, rows], offsets[by, rows]
        claimed = explained + chance
        share = np.divide(explained, claimed, out=np.zeros_like(explained), where=claimed > 0)
        slope = self.kept * np.minimum(share / self.slope_of_all, 1.0)
        if S.shape[1] == len(self.used):
            slope = np.ones_like(share)
        few, most = self.seen
        many = np.clip((explained - few) / max(most - few, 1e-9), 0.0, 1.0)
        explained = explained * (1.0 - many * (1.0 - self.kept_of_all))
        variance = 1.0 - 2.0 * slope * self.kept * explained + slope**2 * (explained + chance)
        return Given(slope[:, None] * weights, slope * offset, np.maximum(variance, self.least))


def predictor_from(view: View, S: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For subsets of one size, the rows of S: weights, offsets and the share of the label's variance explained."""
    joint = view.joint
    W, noise = joint.loadings[S], joint.noise[S]
    cross = W @ joint.label_loadings[0] + joint.rest[S, 0]
    k, r = W.shape[1:]
    if k <= r:
        covariance = W @ W.transpose(0, 2, 1) + noise[:, :, None] * np.eye(k)
        weights = np.linalg.solve(covariance, cross[:, :, None])[:, :, 0]
    else:  # Woodbury's identity
        scaled = W / noise[:, :, None]
        inner = np.eye(r) + W.transpose(0, 2, 1) @ scaled
        direct = cross / noise
        seen = np.linalg.solve(inner, W.transpose(0, 2, 1) @ direct[:, :, None])
        weights = direct - (scaled @ seen)[:, :, 0]
    explained = np.clip(np.sum(weights * cross, axis=1) / joint.label_variance()[0], 0.0, 1.0)
    weights = weights * view.ratio[S]
    return weights, view.base + np.sum(weights * view.shift[S], axis=1), explained


def spread(joint: Joint, S: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The jackknife's variance of a prediction from S on average over examples; refits come first in the arrays."""
    weights, offsets = weights - weights.mean(axis=0), offsets - offsets.mean(axis=0)
    by_factors = np.einsum("fmk,mkr->fmr", weights, joint.loadings[S], optimize=True)
    each = np.sum(by_factors**2, axis=2) + np.sum(weights**2 * joint.noise[S], axis=2) + offsets**2
    return (len(weights) - 1) * each.mean(axis=0)


def view_of(joint: Joint, units: Units, main: Joint, in_units: Units) -> View:
    """Second moments as seen in the units of the main fit; what either left out has no weight."""
    both = (units.scale > 0) & (in_units.scale > 0)
    scale, other = np.where(both, units.scale, 1.0), np.where(both, in_units.scale, 1.0)
    label, other_label = units.label_scale[0], in_units.label_scale[0]
    centre = units.mean + units.scale * joint.mean
    other_centre = in_units.mean + in_units.scale * main.mean
    base = (units.label_mean[0] + label * joint.label_mean[0] - in_units.label_mean[0]) / (other_label or 1.0)
    blank = joint._replace(
        loadings=np.where(both[:, None], joint.loadings, 0.0),
        noise=np.where(both, joint.noise, 1.0),
        rest=np.where(both[:, None], joint.rest, 0.0),
    )
    ratio = np.where(both, (label / (other_label or 1.0)) * (other / scale), 0.0)
    return View(blank, ratio, np.where(both, (other_centre - centre) / other, 0.0), float(base))
