"""The algorithms that Murata and Suzuki (2018) compare with, by the letter of their papers, in plain loops.

Both draw one uniform subset for each example, and draw it for themselves: nothing is shared with the learners but the
draws of ``keyhole.sampling``. Each gives its weights at the end, and how often it revealed each attribute.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import linprog

from online.all_learners.printed import generator, subset
from sparse.letter import hard_threshold


def dantzig(X, Y, *, budget, k, sigma, C, delta, seed):
    """Kale, Karnin, Liang and Pal (2017): a linear program over all examples so far, at powers of two."""
    (m, d), rng, k0 = X.shape, generator(seed), budget - k
    w, revealed = np.zeros(d), np.zeros(d, dtype=int)
    x_hat = np.zeros((m, d))
    for t in range(1, m + 1):
        S = subset(d, k0, rng)
        revealed[sorted({*S, *np.flatnonzero(w)})] += 1  # the support only predicts
        for i in S:
            x_hat[t - 1, i] = d / k0 * X[t - 1, i]
        # t0 = O(k log(d) log(t)): no constant is printed, and it is taken as 1
        if t > 1 and math.log2(t).is_integer() and t >= k * math.log(d) * math.log(t):
            seen, labels = x_hat[:t], Y[:t]
            D = (1 - k0 / d) * np.diag(np.diag(seen.T @ seen))
            bound = C * math.sqrt(d * math.log(t * d / delta) / (t * k0)) * (sigma + d / k0)
            w = hard_threshold(smallest_l1_norm(seen.T @ labels / t, (seen.T @ seen - D) / t, bound), k)
    return w, revealed


def smallest_l1_norm(b, A, bound):
    """argmin of |w|_1 subject to |b - A w|_inf <= bound; the variables are w and u, with -u <= w <= u."""
    d = len(b)
    eye, none = np.eye(d), np.zeros((d, d))
    rows = np.block([[A, none], [-A, none], [eye, -eye], [-eye, -eye]])
    right = np.concatenate([b + bound, bound - b, np.zeros(2 * d)])
    return linprog(np.r_[np.zeros(d), np.ones(d)], rows, right, bounds=(None, None)).x[:d]


def dual_averaging(X, Y, *, budget, k, D, seed):
    """Ito et al. (2018), the algorithm with k sparse weights and budget - k other observations."""
    (m, d), rng, rest = X.shape, generator(seed), budget - k
    eta, revealed = np.zeros(d), np.zeros(d, dtype=int)

    def sparse_weights(t):
        lambda_t = math.sqrt(8 * d * t / rest)
        return hard_threshold(-eta / max(lambda_t, np.linalg.norm(eta) / D), k)

    for t in range(1, m + 1):
        x, y, u = X[t - 1], Y[t - 1], sparse_weights(t)
        S = subset(d, rest, rng)  # of all attributes, whatever the support is
        revealed[sorted({*S, *np.flatnonzero(u)})] += 1
        for i in S:
            eta[i] += 2 * d / rest * (u @ x - y) * x[i]
    return sparse_weights(m + 1), revealed
