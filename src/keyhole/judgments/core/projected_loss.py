"""The best predictor from means of given numbers of judgments, and the loss of a predictor (Lemma A.2)."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from .estimated_moments import SINGULAR, Moments


def predictor(moments: Moments, sigma: np.ndarray, repeats: np.ndarray) -> tuple[np.ndarray, float]:
    """The best coefficients for means of ``repeats`` judgments under these estimates, and the intercept."""
    chosen = np.flatnonzero(repeats)
    coef = np.zeros(len(repeats))
    if len(chosen):
        unit = moments.deviation[chosen]
        noise = np.diag(moments.v[chosen] / repeats[chosen])
        m_r = (sigma[np.ix_(chosen, chosen)] + noise) / np.outer(unit, unit)
        coef[chosen] = linalg.pinvh(m_r, rtol=SINGULAR) @ (moments.b[chosen] / unit) / unit
    return coef, moments.label_mean - float(coef @ moments.mean)


def estimated_loss(moments: Moments, repeats: np.ndarray, coef: np.ndarray, intercept: float) -> float:
    """The loss of a fixed predictor on means of ``repeats`` judgments, without bias (Lemma A.2).

    ``moments.sigma`` must be the estimate before the repair. Coefficients of attributes with no repeats do not
    count. The squared difference of the means is what the mean of one sample misses of the next.
    """
    w = np.where(repeats > 0, coef, 0.0)
    noise = np.divide(moments.v, repeats, out=np.zeros(len(w)), where=repeats > 0)
    spread = w @ moments.sigma @ w + noise @ w**2 - 2 * w @ moments.b + moments.label_variance
    return float(spread + (w @ moments.mean + intercept - moments.label_mean) ** 2)
