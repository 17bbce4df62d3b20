"""Plain, slow versions of the streaming learners: dense vectors, the papers' lines, nothing lazy."""

from __future__ import annotations

import numpy as np


class PlainScales:
    """Running scales from the list of all values seen."""

    def __init__(self, d, scaling):
        self.on = scaling == "running"
        self.seen = [[] for _ in range(d)]
        self.largest = np.zeros(d)
        self.labels = []

    def attribute_scale(self, i, deviation=0.0):
        x = np.array(self.seen[i])
        r = max(self.largest[i], abs(deviation))
        return np.sqrt((np.sum((x - x.mean()) ** 2) + 10 * r**2) / (len(x) + 10) + (r / 10) ** 2)

    def z(self, i, value):
        if not self.on:
            return value
        if not self.seen[i]:
            return 0.0
        deviation = value - np.mean(self.seen[i])
        return deviation / self.attribute_scale(i, deviation) if deviation else 0.0

    def y(self, label):
        if not self.on:
            return label
        return (label - np.mean(self.labels)) / np.std(self.labels) if np.ptp(self.labels or [0]) else 0.0

    def observe(self, attributes, values, label):
        for i, value in zip(attributes, values, strict=True):
            self.seen[i].append(value)
            self.largest[i] = max(self.largest[i], abs(value - np.mean(self.seen[i])))
        self.labels.append(label)

    def raw(self, w):
        if not self.on:
            return w, 0.0
        coef, mean = np.zeros(len(w)), np.zeros(len(w))
        for i in range(len(w)):
            if self.largest[i] > 0:
                coef[i] = w[i] * np.std(self.labels) / self.attribute_scale(i)
            mean[i] = np.mean(self.seen[i]) if self.seen[i] else 0.0
        return coef, np.mean(self.labels) - coef @ mean


class Plain:
    """What the references share: the estimates from an ask, the average, the moments of a warm-up."""

    def __init__(self, d, radius, *, scaling="none", step=None, moments=None, warmup=None):
        self.d, self.radius, self.step = d, radius, step
        self.w, self.total, self.t, self.G2 = np.zeros(d), np.zeros(d), 0, 0.0
        self.scales = PlainScales(d, scaling)
        self.moments, self.warmup = moments, warmup
        self.squares = [[] for _ in range(d)]

    def coef(self):
        return self.scales.raw(self.total / max(self.t, 1))

    def estimates(self, ask, values, label):
        """x~, phi~ and z by the definition, from the draws and weights of an ask."""
        z = np.array([self.scales.z(i, v) for i, v in zip(ask.attributes, values, strict=True)])
        x, phi = np.zeros(self.d), -self.scales.y(label)
        for slot, role, weight in zip(ask.slots, ask.roles, ask.weights, strict=True):
            if role == 0:
                x[ask.attributes[slot]] += weight * z[slot]
            else:
                phi += weight * z[slot]
        return x, phi, z

    def count(self, ask, values, label, z):
        self.scales.observe(ask.attributes, values, label)
        for i, value in zip(ask.attributes, z, strict=True):
            self.squares[i].append(value**2)
        if self.warmup and self.t in self.warmup * 2 ** np.arange(20):
            mean = np.mean(np.concatenate(self.squares))
            self.moments = np.array([(sum(s) + 5 * mean) / (len(s) + 5) for s in self.squares])

    def q(self, power):
        if self.moments is None:
            return np.full(self.d, 1 / self.d)
        return self.moments**power / np.sum(self.moments**power)


class PlainRidge(Plain):
    def draw_probabilities(self):
        p = self.w**2 if self.moments is None else np.abs(self.w) * np.sqrt(self.moments)
        return self.q(0.5), p / p.sum() if p.any() else None

    def tell(self, ask, values, label):
        x, phi, z = self.estimates(ask, values, label)
        self.t += 1
        self.total += self.w
        g = phi * x
        self.G2 += g @ g
        if g.any():
            step = self.step or np.sqrt(2) * self.radius / np.sqrt(self.G2)
            v = self.w - step * g
            self.w = v * self.radius / max(np.linalg.norm(v), self.radius)
        self.count(ask, values, label, z)


class PlainLasso(Plain):
    def __init__(self, d, radius, **rest):
        super().__init__(d, radius, **rest)
        self.up, self.down = np.ones(d), np.ones(d)

    def draw_probabilities(self):
        p = np.abs(self.w) * (1.0 if self.moments is None else np.sqrt(self.moments))
        return self.q(1.0), p / p.sum() if p.any() else None

    def tell(self, ask, values, label):
        x, phi, z = self.estimates(ask, values, label)
        self.t += 1
        self.total += self.w
        g = phi * x
        self.G2 += g @ g
        if g.any():
            step = self.step or np.sqrt(np.log(2 * self.d) * self.d / (10 * self.G2))
            clipped = np.clip(g, -1 / step, 1 / step)
            self.up *= np.exp(-step * clipped)
            self.down *= np.exp(step * clipped)
            self.w = self.radius * (self.up - self.down) / (self.up.sum() + self.down.sum())
        self.count(ask, values, label, z)


class PlainAER(Plain):
    """``step`` is Pegasos' regularisation here."""

    def draw_probabilities(self):
        return None, np.abs(self.w) / np.abs(self.w).sum() if self.w.any() else None

    def tell(self, ask, values, label):
        v, error, z = self.estimates(ask, values, label)
        self.t += 1
        self.total += self.w
        g = 2 * error * v
        self.G2 += g @ g
        w = (1 - 1 / self.t) * self.w
        if g.any():
            t = self.t
            reg = self.step or np.sqrt(self.G2 / t) * self.d**0.25 / self.radius * np.sqrt(np.log(t + 1) / t)
            w = project(w - g / (reg * t), self.radius)
        self.w = w
        self.count(ask, values, label, z)


def project(v, radius):
    """The nearest point of the l1 ball, by bisection on the threshold."""
    if np.abs(v).sum() <= radius:
        return v
    low, high = 0.0, np.abs(v).max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(np.abs(v) - middle, 0).sum() > radius else (low, middle)
    return np.sign(v) * np.maximum(np.abs(v) - high, 0)
