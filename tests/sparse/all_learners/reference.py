"""Plain, slow versions of the sparse learners: dense vectors, all examples kept, the papers' lines, nothing lazy.

Dual averaging and Dantzig draw for themselves. Exploration, Exploitation and Hybrid are in ``plain_thresholding.py``.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE
from online.all_learners.printed import generator, subset
from online.all_learners.reference import PlainScales


def places_of_largest(v, k):
    """Where the k largest entries are, the largest first and of equals the first; entries of 0 are left out."""
    return [i for i in sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k] if v[i] != 0.0]


def largest_entries(v, k):
    """H_k: all but the k largest entries set to 0, of equals the first kept."""
    kept = places_of_largest(v, k)
    return np.array([v[i] if i in kept else 0.0 for i in range(len(v))])


def subset_beside(support, d, size, rng):
    """A subset of the attributes that are not in the support, each equally likely.

    It is drawn from the first d - n numbers, n being the length of the support; those of them that are in the support
    stand for those of the last n that are not.
    """
    first = d - len(support)
    stand_ins = [i for i in range(first, d) if i not in support]
    stands_for = dict(zip([i for i in support if i < first], stand_ins, strict=True))
    return [stands_for.get(i, i) for i in subset(first, size, rng)]


class Plain:
    """What the references share: z of an ask's values, and the squared errors of predictions before the label."""

    def __init__(self, d, sparsity, scaling):
        self.d, self.s, self.t = d, sparsity, 0
        self.scales = PlainScales(d, scaling)
        self.errors, self.cells = [], 0

    def scaled(self, scales, ask, values, label, w=None):
        """z and the label in scaled coordinates; the prediction is that of w, or of the weights of the ask."""
        z = np.zeros(self.d)
        for i, value in zip(ask.attributes, values, strict=True):
            z[i] = scales.z(i, value)
        if w is None:
            w = np.zeros(self.d)
            for slot, role, weight in zip(ask.slots, ask.roles, ask.weights, strict=True):
                if role == INNER_PRODUCT:
                    w[ask.attributes[slot]] = weight
        predicted = w @ z
        if scales.on:
            labels = scales.labels or [0.0]
            predicted = np.mean(labels) + np.std(labels) * predicted
        self.errors.append((predicted - label) ** 2)
        self.cells += len(ask.attributes)
        self.t += 1
        return z, scales.y(label)


def assert_asks_for(ask, support, S):
    """The ask is for the support, to predict, and for S, to learn, in this order."""
    np.testing.assert_array_equal(ask.attributes[ask.slots], [*support, *S])
    np.testing.assert_array_equal(ask.roles, [INNER_PRODUCT] * len(support) + [X_ESTIMATE] * len(S))
    assert set(ask.attributes) == {*support, *S}


class PlainDual(Plain):
    def __init__(self, d, sparsity, m, variant, *, radius=1.0, l1=0.01, growing=False, scaling="running", seed=0):
        super().__init__(d, sparsity, scaling)
        self.m, self.variant, self.radius, self.l1, self.growing = m, variant, radius, l1, growing
        self.rng = generator(seed)
        self.eta, self.gradients = np.zeros(d), []

    def dense(self):
        if self.variant == 1:
            lam = np.sqrt(8 * self.d * (self.t + 1) / self.m)
        else:
            lam = np.sqrt(np.sum(np.square(self.gradients))) / self.radius
        if not self.eta.any():
            return np.zeros(self.d)
        divisor = max(lam, np.linalg.norm(self.eta) / self.radius)
        w = -self.eta / divisor
        if self.variant not in (3, 5):
            return w
        if self.growing:
            moved = np.maximum(np.abs(self.eta) - self.l1 * np.sqrt(np.sum(np.square(self.gradients))), 0)
            return np.sign(w) * moved / divisor
        return np.sign(w) * np.maximum(np.abs(w) - self.l1, 0)

    def draw(self):
        """The support and the subset S of the next example."""
        support = places_of_largest(self.eta, self.s)
        if self.variant == 1:
            return support, subset(self.d, self.m, self.rng)
        if self.variant in (2, 3):
            return support, subset_beside(support, self.d, self.m, self.rng)
        return ([], subset(self.d, self.m, self.rng)) if self.t % 2 == 0 else (support, [])

    def tell(self, ask, values, label):
        w = self.dense()
        support, S = self.draw()
        assert_asks_for(ask, support, S)
        z, y = self.scaled(self.scales, ask, values, label, np.where(np.isin(np.arange(self.d), support), w, 0.0))
        g = np.zeros(self.d)
        if not S:
            pass  # variants 4 and 5 at every other example: the support only, and no gradient
        elif self.variant == 1:
            u = largest_entries(w, self.s)
            g[S] = 2 * self.d / self.m * (u @ z - y) * z[S]
        else:
            rest = self.d - len(support)
            p = dict.fromkeys(support, 1.0) | dict.fromkeys(S, self.m / rest)
            for i in p:
                for j in p:
                    both = p[i] * p[j]
                    if i in S and j in S:
                        both = self.m / rest * ((self.m - 1) / (rest - 1) if i != j else 1.0)
                    g[i] += 2 * z[i] * z[j] * w[j] / both
                g[i] -= 2 * y * z[i] / p[i]
        self.eta += g
        self.gradients.append(g)
        self.scales.observe(ask.attributes, values, label)

    def coef(self):
        return self.scales.raw(largest_entries(self.dense(), self.s))


class PlainDantzig(Plain):
    def __init__(self, d, sparsity, k0, *, constant, exact=True, noise=None, delta=0.05, scaling="running", seed=0):
        super().__init__(d, sparsity, scaling)
        self.k0, self.constant, self.exact, self.noise, self.delta = k0, constant, exact, noise, delta
        self.rows, self.w, self.rng = [], np.zeros(d), generator(seed)

    def tell(self, ask, values, label):
        S = subset(self.d, self.k0, self.rng)
        assert_asks_for(ask, np.flatnonzero(self.w), S)
        z, y = self.scaled(self.scales, ask, values, label, self.w)
        self.rows.append((np.where(np.isin(np.arange(self.d), S), z, 0.0), y))
        self.scales.observe(ask.attributes, values, label)
        t = len(self.rows)
        if t > 1 and np.log2(t) % 1 == 0 and t >= self.s * np.log(self.d) * np.log(t):
            self.solve(t)

    def solve(self, t):
        d, k0 = self.d, self.k0
        Z, y = np.array([z for z, _ in self.rows]), np.array([y for _, y in self.rows])
        Xhat = Z * d / k0
        A = (Xhat.T @ Xhat - (1 - k0 / d) * np.diag(np.diag(Xhat.T @ Xhat))) / t  # as printed
        if self.exact:
            A *= np.where(np.eye(d), 1.0, k0 * (d - 1) / (d * (k0 - 1)))
        b = Xhat.T @ y / t
        unit = np.std(self.scales.labels) if self.scales.on else 1.0
        noise = np.sqrt(np.mean(y**2)) if self.noise is None else self.noise / unit
        bound = self.constant * np.sqrt(d * np.log(t * d / self.delta) / (t * k0)) * (noise + d / k0)
        both = np.hstack([A, -A])
        solved = linprog(np.ones(2 * d), np.vstack([both, -both]), np.concatenate([b + bound, bound - b]))
        self.w = largest_entries(solved.x[:d] - solved.x[d:], self.s)

    def coef(self):
        return self.scales.raw(self.w)
