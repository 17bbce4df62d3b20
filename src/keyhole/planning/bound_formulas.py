"""The published bounds on the expected excess risk, as printed.

d attributes, m examples, k draws for the estimate of x, B the radius of the ball, ``moments`` the E[x_i^2]. Risks are
half the squared error, but for AER the squared error. Where a theorem has an O(), its constant is taken as 1.
"""

from __future__ import annotations

import numpy as np


def aer(d: int, m: int, budget: int, B: float) -> float:
    """Cesa-Bianchi et al. 2010, Theorem 2 with B_2 = B: up to a constant; |x_i| <= 1 and |y| <= 1."""
    return float(d * (B + 1) * B / np.sqrt(budget) * np.sqrt(np.log(m) / m))


def baseline(d: int, m: int, budget: int, B: float, delta: float) -> float:
    """Cesa-Bianchi et al. 2010, Theorem 1: up to a constant, with probability 1 - delta; |x_i| <= 1 and |y| <= 1."""
    return float((d * B) ** 2 / budget * np.sqrt(np.log(d / delta) / m))


def aerr(d: int, m: int, k: int, B: float) -> float:
    """Hazan and Koren 2012, Theorem 3.1: |x|_2 <= 1 and |y| <= B."""
    return float(4 * B**2 * np.sqrt(2 * d / (k * m)))


def aelr(d: int, m: int, k: int, B: float) -> float:
    """Hazan and Koren 2012, Theorem 3.4: |x_i| <= 1 and |y| <= B."""
    return float(4 * B**2 * np.sqrt(10 * d * np.log(2 * d) / (k * m)))


def ddaerr(moments: np.ndarray, m: int, k: int, B: float) -> float:
    """Kukliansky and Shamir 2015, Theorem 3.3: as AERR, with known moments."""
    return float(4 * B**2 / np.sqrt(m) * np.sqrt(half_norm(moments) / k + 1))


def ddaelr(moments: np.ndarray, m: int, k: int, B: float) -> float:
    """Kukliansky and Shamir 2015, Theorem 4.4: as AELR, with known moments."""
    return float(4 * B**2 * np.sqrt(5 * np.log(2 * len(moments)) * (moments.sum() + k) / (k * m)))


def two_phased_ddaerr(moments: np.ndarray, m1: int, m2: int, k: int, B: float, delta: float) -> float:
    """Kukliansky and Shamir 2015, Theorem 3.4: with probability 1 - delta over the first phase."""
    d = len(moments)
    margin = d * np.sqrt(2 * d * np.log(2 * d / delta) / ((k + 1) * m1))
    known = 16 * B**2 / np.sqrt(m2) * np.sqrt((np.sqrt(half_norm(moments)) + margin) ** 2 / k + 1)
    return float(min(known, 4 * B**2 / np.sqrt(m2) * np.sqrt(6 * d / k)))


def two_phased_ddaelr(moments: np.ndarray, m1: int, m2: int, k: int, B: float, delta: float) -> float:
    """Kukliansky and Shamir 2015, Theorem 4.5: with probability 1 - delta over the first phase."""
    d = len(moments)
    margin = min(d * np.log(2 * d / delta) / ((k + 1) * m1), 1.0)
    known = 4 * B**2 * np.sqrt(5 * (16 * moments.sum() + 88 * d / 3 * margin + k) * np.log(2 * d) / (k * m2))
    return float(min(known, 61 * B**2 * np.sqrt(d * np.log(2 * d) / (k * m2))))


def half_norm(moments: np.ndarray) -> float:
    """The 1/2-norm of the moments, (sum of their roots)^2."""
    return float(np.sqrt(moments).sum() ** 2)


def exploration(d: int, n: int, s: int, budget: int, noise: float) -> float:
    """Murata and Suzuki 2018, Corollary 4.2 solved for the excess, squared error: up to a constant and logarithms."""
    return d * s * noise**2 / ((budget - s) * n)


def hybrid(n: int, s: int, noise: float, smallest: float) -> float:
    """Murata and Suzuki 2018, Corollary 4.5 likewise, when the smallest weight stands out."""
    return s * noise**2 / (smallest**2 * n)


def full_objective(d: int, m: int, budget: int, least_eigenvalue: float, delta: float) -> float:
    """Sabato and Kalai 2013, Theorem 3.1: the error of the full objective for all repeats, up to a constant."""
    within = min(budget, d)
    return float(within**3 * np.log(budget * d / delta) / (least_eigenvalue**2 * np.sqrt(m)))


def scoring_objective(d: int, m: int, budget: int, least_eigenvalue: float, delta: float) -> float:
    """The same of Scoring, where attributes are uncorrelated."""
    return float(np.log(budget * d / delta) / (least_eigenvalue**2 * np.sqrt(m)))


def examples_needed(d: int, budget: int, accuracy: float) -> float:
    """Cesa-Bianchi et al. 2010, proof of Theorem 3: no learner can do with fewer examples (d >= 4 budget)."""
    return 0.5 * float(np.floor(d / (96 * budget * accuracy)))
