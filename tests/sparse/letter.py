"""Algorithms 1 to 3 of Murata and Suzuki 2018, line by line and slow, in the order of the stream."""

from __future__ import annotations

import numpy as np


class Rows:
    """The examples of a stream, each used once; ``StopIteration`` at their end. What is not observed is NaN."""

    def __init__(self, X, y):
        self.X, self.y, self.at = X, y, 0
        self.revealed = np.zeros(X.shape[1], dtype=int)

    def sample(self, observed):
        if self.at == len(self.y):
            raise StopIteration
        observed = sorted({int(j) for j in observed})
        self.revealed[observed] += 1
        x = np.full(self.X.shape[1], np.nan)
        x[observed] = self.X[self.at, observed]
        self.at += 1
        return x, self.y[self.at - 1]


def hard_threshold(v, s):
    kept = sorted(range(len(v)), key=lambda j: (-abs(v[j]), j))[:s]
    return np.array([v[j] if j in kept else 0.0 for j in range(len(v))])


def exploration(theta, eta, budget, s, batches, T, rows):
    """Algorithm 1; yields each theta_t."""
    d = len(theta)
    theta = hard_threshold(theta, s)
    room = budget - s
    blocks = [range(start, min(start + room, d)) for start in range(0, d, room)]
    for t in range(T):
        B = batches[min(t, len(batches) - 1)]
        support = np.flatnonzero(theta)
        g = np.zeros(d)
        for _ in range(B):
            for J in blocks:
                x, y = rows.sample([*support, *J])
                for j in J:
                    g[j] += 2 * (theta[support] @ x[support] - y) * x[j] / B
        theta = hard_threshold(theta - eta * g, s)
        yield theta


def exploitation(theta, eta, batches, T, rows):
    """Algorithm 2; yields each theta_t."""
    support = np.flatnonzero(theta)
    for t in range(T):
        B = batches[min(t, len(batches) - 1)]
        g = np.zeros(len(theta))
        for _ in range(B):
            x, y = rows.sample(support)
            g[support] += 2 * (theta[support] @ x[support] - y) * x[support] / B
        theta = theta - eta * g
        yield theta


def hybrid(theta, eta, budget, s, explore, exploit, explore_updates, exploit_updates, rows):
    """Algorithm 3, entry k of a schedule being for cycle k; yields each theta~_k.

    An entry of a batch is a number for all updates of the cycle, or a sequence: {B^-_{t,k}} or {B_{t,k}} for each t.
    """

    def of(schedule, k):
        return schedule[min(k, len(schedule) - 1)]

    k = 0
    while True:
        *_, theta = exploration(theta, eta, budget, s, np.ravel(of(explore, k)), of(explore_updates, k), rows)
        *_, theta = exploitation(theta, eta, np.ravel(of(exploit, k)), of(exploit_updates, k), rows)
        yield theta
        k += 1


def last(iterates, default):
    """The last iterate that the stream is long enough for."""
    try:
        for iterate in iterates:
            default = iterate
    except (StopIteration, RuntimeError):
        pass
    return default
