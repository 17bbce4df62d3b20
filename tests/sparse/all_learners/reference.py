"""Plain, slow versions of the sparse learners: dense vectors, all examples kept, the papers' lines, nothing lazy."""

from __future__ import annotations

import copy

import numpy as np
from scipy.optimize import linprog

from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE
from online.all_learners.reference import PlainScales


def largest_entries(v, k):
    """H_k: all but the k largest entries set to 0, of equals the first kept."""
    kept = sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k]
    return np.array([v[i] if i in kept else 0.0 for i in range(len(v))])


class Plain:
    """What the references share: z of an ask's values, and the squared errors of predictions before the label."""

    def __init__(self, d, sparsity, scaling):
        self.d, self.s, self.t = d, sparsity, 0
        self.scales = PlainScales(d, scaling)
        self.errors, self.cells = [], 0

    def scaled(self, scales, ask, values, label):
        z = np.zeros(self.d)
        for i, value in zip(ask.attributes, values, strict=True):
            z[i] = scales.z(i, value)
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


class PlainThresholding(Plain):
    """Exploration, Exploitation and Hybrid. ``phases`` yields (exploring, examples of a batch) for each update."""

    def __init__(self, d, sparsity, width, phases, *, step=None, scaling="running", start=None):
        super().__init__(d, sparsity, scaling)
        self.width, self.phases, self.step_size, self.start = width, iter(phases), step, start
        self.theta, self.support = np.zeros(d), []
        self.frozen = None
        if start is not None:
            self.support = list(np.flatnonzero(start))
            if scaling == "none":
                self.theta, self.frozen = np.array(start, dtype=float), self.scales
        self.anchor = None
        self.damping, self.halvings, self.explored_only = 1.0, 0, True
        self.learned = (self.theta.copy(), self.frozen)
        self.new_batch()

    def new_batch(self):
        self.exploring, self.size = next(self.phases)
        self.batch = []

    def tell(self, ask, values, label):
        scales = self.frozen or self.scales
        z, y = self.scaled(scales, ask, values, label)
        block = [int(ask.attributes[s]) for s, role in zip(ask.slots, ask.roles, strict=True) if role == X_ESTIMATE]
        shows_support = set(self.support) <= {int(i) for i in ask.attributes}
        if shows_support and (block or not self.exploring):
            self.batch.append((z, y, block))
        self.scales.observe(ask.attributes, values, label)
        if len(self.batch) == self.size:
            if self.frozen is not None or self.start is None:
                self.update()
            self.change_scales()
            if not self.exploring or self.explored_only:
                self.learned = (self.theta.copy(), self.frozen)
                self.explored_only &= self.exploring
            self.new_batch()

    def update(self):
        loss = np.mean([(self.theta @ z - y) ** 2 for z, y, _ in self.batch])
        mean_loss = np.mean([y**2 for _, y, _ in self.batch])
        if loss > 2 * mean_loss and self.anchor is not None:
            self.damping, self.last_step, self.halvings = self.damping / 2, self.last_step / 2, self.halvings + 1
        else:
            gradient = np.zeros(self.d)
            for i in range(self.d):
                seen = [
                    2 * (self.theta @ z - y) * z[i]
                    for z, y, block in self.batch
                    if i in (block if self.exploring else self.support)
                ]
                gradient[i] = np.mean(seen) if seen else 0.0
            self.anchor, self.gradient = self.theta, gradient
            self.last_step = self.damping * (self.step_size or self.automatic_step())
        self.theta = largest_entries(self.anchor - self.last_step * self.gradient, self.s)
        self.support = list(np.flatnonzero(self.theta))

    def automatic_step(self):
        if self.support:
            rows = [z[self.support] for z, _, _ in self.batch]
        else:
            rows = [z[block[: self.s]] for z, _, block in self.batch if block[0] == self.batch[0][2][0]]
        gram = np.mean([np.outer(row, row) for row in rows], axis=0)
        rho = self.s / len(self.batch)
        if self.exploring:
            rho *= 2 * np.log(self.d / self.s) * -(-self.d // self.width)
        return 1 / (2 * np.linalg.eigvalsh(gram)[-1] * (1 + rho))

    def change_scales(self):
        new = copy.deepcopy(self.scales)
        if self.frozen is not None:
            self.theta = carried(self.frozen, new, self.theta)
            self.learned = (carried(self.frozen, new, self.learned[0]), new)
            if self.anchor is not None:
                self.anchor = carried(self.frozen, new, self.anchor)
        elif self.start is not None:
            scale = [new.attribute_scale(i) if new.seen[i] else 0.0 for i in range(self.d)]
            self.theta = self.start * scale / np.std(new.labels)
        self.frozen = new

    def coef(self):
        theta, frozen = self.learned
        return self.scales.raw(carried(frozen, self.scales, theta) if frozen else theta)


def carried(old, new, w):
    """The same predictor in other scales, except where a scale has grown by more than half."""
    if not old.on:
        return w
    out = np.zeros(len(w))
    for i in np.flatnonzero(w):
        before, now = old.attribute_scale(i), new.attribute_scale(i)
        out[i] = w[i] * (now / before if now < 1.5 * before else 1.0) * np.std(old.labels) / np.std(new.labels)
    return out


class PlainDual(Plain):
    def __init__(self, d, sparsity, subset, variant, *, radius=1.0, l1=0.01, growing=False, scaling="running"):
        super().__init__(d, sparsity, scaling)
        self.m, self.variant, self.radius, self.l1, self.growing = subset, variant, radius, l1, growing
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

    def tell(self, ask, values, label):
        w = self.dense()
        support = [int(i) for i in ask.attributes[ask.slots[ask.roles == INNER_PRODUCT]]]
        exploring = self.variant >= 4 and self.t % 2 == 0
        expected = [] if exploring else sorted(np.flatnonzero(largest_entries(self.eta, self.s)))
        assert sorted(support) == expected
        S = [int(i) for i in ask.attributes[ask.slots[ask.roles == X_ESTIMATE]]]
        z, y = self.scaled(self.scales, ask, values, label)
        g = np.zeros(self.d)
        assert len(S) == (0 if self.variant >= 4 and not exploring else self.m)
        if self.variant >= 4 and not exploring:
            pass  # shows the support only, and gives no gradient
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
    def __init__(self, d, sparsity, subset, *, constant, exact=True, noise=None, delta=0.05, scaling="running"):
        super().__init__(d, sparsity, scaling)
        self.k0, self.constant, self.exact, self.noise, self.delta = subset, constant, exact, noise, delta
        self.rows, self.w = [], np.zeros(d)

    def tell(self, ask, values, label):
        z, y = self.scaled(self.scales, ask, values, label)
        drawn = np.zeros(self.d)
        drawn[ask.attributes[ask.slots[ask.roles == X_ESTIMATE]]] = 1.0
        self.rows.append((z * drawn, y))
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
