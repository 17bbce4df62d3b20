"""The weights of families in an average, from what held-out rows support of each.

With c the covariances of predictors with the label and H those with each other (``honest/support.py``), the average
with the weights a has the error 1 - 2 a'c + a'H a. It is minimised over a >= 0 with sum a <= 1; what is left to 1 is
the weight of the mean label. A covariance that chance may have made counts less (``DOUBT``), and where chance may have
made the largest of all, the mean label is kept (``LEAST_EVIDENCE``). Each alternative pays ``CAUTION`` standard errors
of its difference from the start, in proportion to its weight, and weights are drawn toward the start alone, or toward
another that complete rows show to be better (``PULL``): where rows do not tell families apart the start is kept.

Predictions are held within the labels, so that a prediction too far out costs less than its square. Where most labels
lie at the ends of their range, as two classes do, an average is shrunk less for that: up to the sum 1 its weights are
multiplied by what has the least error then, if the prediction is normal around a line through the label.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
from scipy.special import ndtr

from ..honest.support import Support
from .settings import (
    CAUTION,
    DOUBT,
    LABELS_COMPARED,
    LEAST_EVIDENCE,
    LEAST_LEFT,
    LEAST_WEIGHT,
    PULL,
    PULL_OF_EXACT,
    STANDARD_ERRORS,
)


def best_weights(support: Support, labels: np.ndarray | None = None) -> np.ndarray:
    """The weights that minimise the error; what they lack to 1 is the mean label's.

    ``labels`` are those within whose range predictions are held, or None where they are not one number.
    """
    c, H = support.with_label, support.among
    others = np.arange(len(c)) > 0
    # How far a covariance is believed: hardly below DOUBT standard errors of chance, nearly all above; and how far that
    # anything was found at all, since the largest of several covariances is by chance larger than one.
    evidence = np.maximum(c, 0.0) / np.maximum(support.by_chance, 1e-100)
    belief = _rises_at(DOUBT, evidence, 8)
    anything = _rises_at(LEAST_EVIDENCE, evidence.max(), 32)
    believed = np.where(c > 0, belief, 1.0) * c
    c = believed - CAUTION * others * support.difference_error
    # One of them alone, which is shrunk enough as it is if anything can be predicted: the start, unless complete rows
    # show that another gains more.
    least = np.maximum(believed - STANDARD_ERRORS * others * support.difference_error, 0.0)
    surely_gained = least**2 / np.maximum(np.diag(H), 1e-300)
    one = int(np.argmax(np.where(others & ~support.exact, 0.0, surely_gained)))
    toward = belief * (np.arange(len(c)) == one)
    # In parts of what that leaves of the label: where labels are nearly exact, small differences matter.
    left = 1.0 - 2.0 * toward[one] * c[one] + toward[one] ** 2 * H[one, one]
    pull = np.where(others & support.exact, PULL_OF_EXACT, PULL) * np.clip(left, LEAST_LEFT, 1.0)
    cautious, drawn = c + pull * toward, H + np.diag(pull)
    best = _least_error(cautious, drawn)
    best[best < LEAST_WEIGHT] = 0.0
    if labels is not None and best.any():
        multiples = np.linspace(1.0, max(1.0 / best.sum(), 1.0), 11)
        errors = multiples**2 * (best @ drawn @ best) - 2.0 * multiples * (best @ cautious)
        errors -= _gained_when_held(multiples, float(best @ believed), float(best @ H @ best), labels)
        best *= multiples[np.argmin(errors)]
    return _rounded(anything * best)


def shrunk_less(weights: np.ndarray, evident: bool) -> np.ndarray:
    """Weights with a larger sum, at most 1, where the start is ridge regression on complete rows.

    Its penalty, by leave-one-out errors, has shrunk it already, and fits without a fold of few rows, which are much
    worse, call for more. Where it is ``evident`` that attributes tell something of the label, the mean label has no
    weight; else weights are at most doubled.
    """
    if not evident:
        return _rounded(weights * min(1.0 / max(weights.sum(), 1e-9), 2.0))
    start_alone = np.arange(len(weights)) == 0
    return _rounded(weights / weights.sum() if weights.any() else start_alone.astype(float))


def _rises_at(half: float, evidence: Any, power: int) -> Any:
    """From 0 to 1, the faster the larger the power."""
    return 1.0 - 1.0 / (1.0 + np.minimum(evidence / half, 1e3) ** power)


def _rounded(weights: np.ndarray) -> np.ndarray:
    """To three decimals, so that rounding errors of the fits do not reach the average; their sum is at most 1."""
    weights = np.round(weights, 3)
    weights[np.argmax(weights)] -= max(weights.sum() - 1.0, 0.0)
    return weights


def _least_error(c: np.ndarray, H: np.ndarray) -> np.ndarray:
    """The a >= 0 with sum a <= 1 that minimise a'H a - 2 a'c: the best of all that are optimal on a face."""
    best, least = np.zeros(len(c)), 0.0
    for some in chain.from_iterable(combinations(range(len(c)), size) for size in range(1, len(c) + 1)):
        S = np.array(some)
        inside = H[np.ix_(S, S)] + 1e-9 * np.trace(H) / len(c) * np.eye(len(S))
        free, ones = np.linalg.lstsq(inside, np.column_stack([c[S], np.ones(len(S))]), rcond=None)[0].T
        for a in (free, free + ones * (1.0 - free.sum()) / ones.sum()):
            if (a >= -1e-12).all() and a.sum() <= 1.0 + 1e-9:
                value = a @ H[np.ix_(S, S)] @ a - 2.0 * a @ c[S]
                if value < least:
                    best, least = np.zeros(len(c)), value
                    best[S] = np.maximum(a, 0.0)
    return best


def _gained_when_held(multiples: np.ndarray, c: float, variance: float, labels: np.ndarray) -> np.ndarray:
    """By how much the error of multiples of a prediction falls when it is held within the labels.

    ``c`` is its covariance with the label, in parts of the label's variance, and so is its ``variance``.
    """
    y = (labels - labels.mean()) / (labels.std() or 1.0)
    low, high = y.min(), y.max()
    if len(y) > LABELS_COMPARED:
        y = np.quantile(y, (np.arange(LABELS_COMPARED) + 0.5) / LABELS_COMPARED)
    spread = np.sqrt(max(variance - c**2, 1e-6 * variance))
    held = [np.mean(squared_error_when_held(s * c * y, s * spread, low, high, y)) for s in multiples]
    free = [np.mean((s * c * y - y) ** 2) + (s * spread) ** 2 for s in multiples]
    return np.array(free) - np.array(held)


def squared_error_when_held(mean: np.ndarray, spread: float, low: float, high: float, y: np.ndarray) -> np.ndarray:
    """The expected squared error of normal predictions that are held between two ends."""
    a, b = (low - mean) / spread, (high - mean) / spread
    below, above = ndtr(a), ndtr(-b)
    density_a, density_b = np.exp(-(a**2) / 2) / np.sqrt(2 * np.pi), np.exp(-(b**2) / 2) / np.sqrt(2 * np.pi)
    inside = 1.0 - below - above
    # Of predictions between the ends: the sum of (p - y)^2 with p - y = (mean - y) + spread z.
    off = mean - y
    squares = off**2 * inside + 2.0 * off * spread * (density_a - density_b)
    squares += spread**2 * (inside + a * density_a - b * density_b)
    return squares + below * (low - y) ** 2 + above * (high - y) ** 2
