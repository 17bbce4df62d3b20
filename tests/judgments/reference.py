"""Plain, slow forms of the four methods: every candidate of every step gets its own pseudo-inverse.

``algorithm_1`` is the paper's, line by line, with a rule of its own for equal objectives; ``select`` has the library's
choices as well, and the methods that the paper compares with.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

TIE, NOTHING = 1e-9, 1e-12  # the library's, for ``select``


def moments(values, y):
    """b, v, Sigma before the repair, and the deviation of the cell means; complete judgments only."""
    m, d, k = values.shape
    xbar = values.mean(axis=2)
    xbar = xbar - xbar.mean(axis=0)
    y = y - y.mean()
    b = sum(y[i] * xbar[i] for i in range(m)) / m
    v = np.array([np.mean([np.var(values[i, a], ddof=1) for i in range(m)]) for a in range(d)])
    second = sum(np.outer(xbar[i], xbar[i]) for i in range(m)) / m
    return b, v, second - np.diag(v) / k, np.sqrt(np.diag(second))


def nearest_psd(sigma, unit):
    w, u = np.linalg.eigh(sigma / np.outer(unit, unit))
    return (u @ np.diag(np.maximum(w, 0)) @ u.T) * np.outer(unit, unit)


def objective(sigma, b, v, r):
    """Lines 11 and 12 of Algorithm 1: b' M^+ b over the attributes with repeats; M^+ is the Moore-Penrose inverse."""
    chosen = np.flatnonzero(r)
    M = sigma[np.ix_(chosen, chosen)] + np.diag(v[chosen] / r[chosen])
    return float(b[chosen] @ np.linalg.pinv(M) @ b[chosen]) if len(chosen) else 0.0


def naive_greedy(sigma, b, v, offers, budget, variance, per_cost=True, most=None, spend_all=False):
    """``offers``: (columns, cost). How often each was bought, the repeats, the objective after each step."""
    r = np.zeros(len(b), dtype=int)
    bought, left, path, now = np.zeros(len(offers), dtype=int), float(budget), [], 0.0
    while True:
        gains, barred = [], []
        for g, (columns, cost) in enumerate(offers):
            candidate = r.copy()
            candidate[columns] += 1
            barred.append(cost > left + 1e-9 * budget or (most is not None and bought[g] >= most[g]))
            gain = 0.0 if barred[-1] else objective(sigma, b, v, candidate) - now
            gains.append(gain if gain > NOTHING * variance else 0.0)
        gains = np.where(barred, -np.inf, gains)
        scores = gains / np.array([cost for _, cost in offers]) if per_cost else gains
        best = int(np.flatnonzero(scores >= scores.max() * (1 - TIE))[0])
        if barred[best] or (gains[best] == 0.0 and not spend_all):
            return bought, r, path
        columns, cost = offers[best]
        r[columns] += 1
        bought[best] += 1
        left -= cost
        now = objective(sigma, b, v, r)
        path.append(now)


def select(values, y, budget, method, scaling="deviation", ridge=0.0, costs=None, per_cost=True, spend_all=False):
    """Repeats and projected losses of a method, with the library's choices by default."""
    m, d, k = values.shape
    costs = np.ones(d) if costs is None else np.asarray(costs, dtype=float)
    b, v, sigma, deviation = moments(values, y)
    variance = np.var(y)
    unit = deviation if scaling == "deviation" else np.ones(d)
    if method == "copies":
        singles = values.reshape(m, d * k)
        singles = singles - singles.mean(axis=0)
        second = singles.T @ singles / m
        scale = np.sqrt(np.diag(second)) if scaling == "deviation" else np.ones(d * k)
        second = second + ridge * np.diag(scale**2)
        offers = [([a * k + j], costs[a]) for a in range(d) for j in range(k)]
        bought, _, path = naive_greedy(
            second,
            singles.T @ (y - y.mean()) / m,
            np.zeros(d * k),
            offers,
            budget,
            variance,
            per_cost,
            np.ones(d * k),
            spend_all,
        )
        return bought.reshape(d, k).sum(axis=1), variance - np.array(path)
    if method == "averages":
        second = sigma + np.diag(v) / k + ridge * np.diag(unit**2)
        offers = [([a], costs[a] * k) for a in range(d)]
        most = np.ones(d)
        bought, _, path = naive_greedy(second, b, np.zeros(d), offers, budget, variance, per_cost, most, spend_all)
        return bought * k, variance - np.array(path)
    sigma = nearest_psd(sigma, unit) if method == "full" else np.diag(np.maximum(np.diag(sigma), 0))
    offers = [([a], costs[a]) for a in range(d)]
    sigma = sigma + ridge * np.diag(unit**2)
    _, r, path = naive_greedy(sigma, b, v, offers, budget, variance, per_cost, None, spend_all)
    return r, variance - np.array(path)


def algorithm_1(x, y, B, kind):
    """Sabato and Kalai (2013), Algorithm 1; x[i, a, j] is judgment j of attribute a of object i.

    The numbers are those of its lines, and the means that it takes as 0 are subtracted first. Also gives the objective
    after each step. Of equal objectives the first attribute is taken. Scoring is computed in fractions, so equal is
    equal; MakePSD and pseudo-inverses need floating-point numbers, of which those within 1e-10 of the label's variance
    count as equal.
    """
    if kind == "scoring":
        x, y = np.vectorize(Fraction)(x), np.vectorize(Fraction)(y)
    (m, d, k), zero = x.shape, y[0] - y[0]
    x, y = x - (x.sum(axis=(0, 2)) / (m * k))[:, None], y - y.sum() / m
    xbar = [sum(x[i, :, j] for j in range(k)) / k for i in range(m)]  # 3
    b = sum(y[i] * xbar[i] for i in range(m)) / m  # 4
    v = sum(((x[i] - xbar[i][:, None]) ** 2).sum(axis=1) / (k - 1) for i in range(m)) / m  # 5
    if kind == "scoring":  # 6
        sigma2 = [max(zero, s) for s in sum(xbar[i] ** 2 for i in range(m)) / m - v / k]  # 7

        def obj(r):  # 8: a quotient of 0 and 0 counts as 0
            terms = [(b[a] ** 2, sigma2[a] + v[a] / int(r[a])) for a in range(d) if r[a]]
            return sum((above / below for above, below in terms if below), zero)
    else:
        sigma = nearest_psd(sum(np.outer(xbar[i], xbar[i]) for i in range(m)) / m - np.diag(v) / k, np.ones(d))  # 10

        def obj(r):
            return objective(sigma, b, v, r)  # 11, 12

    r, path = np.zeros(d, dtype=int), []  # 14
    equal = 0 if kind == "scoring" else 1e-10 * np.var(y)
    for _ in range(B):  # 15
        values = [obj(r + e) for e in np.eye(d, dtype=int)]
        r[next(a for a in range(d) if values[a] >= max(values) - equal)] += 1  # 16, 17
        path.append(float(obj(r)))
    return r, np.array(path)  # 19


def best_scoring(values, y, budget):
    """The largest scoring objective over all repeat vectors within the budget, by exhaustion."""
    b, v, sigma, _ = moments(values, y)
    s2 = np.maximum(np.diag(sigma), 0)
    best = 0.0
    for r in itertools.product(range(budget + 1), repeat=len(b)):
        if sum(r) <= budget:
            total = sum(b[a] ** 2 / (s2[a] + v[a] / r[a]) for a in range(len(b)) if r[a] and s2[a] + v[a] > 0)
            best = max(best, total)
    return best
