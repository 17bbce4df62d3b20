"""Plain, slow versions of Two-Phased DDAERR and DDAELR by the letter of Kukliansky and Shamir 2015.

Phase 1 is AERR (AELR) with uniform draws on m1 examples. Its output, the average of its weights, is where phase 2
starts; the moments A[i] are plain means of revealed squares; the output of phase 2 is the average of its own weights.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


class TwoPhased:
    """What both share: the estimates from an ask, and the end of the first phase."""

    def __init__(self, d, m1, first, second, improved, margin=0.0, w1=0.0):
        self.d, self.m1, self.improved, self.margin = d, m1, improved, margin
        self.parameters = [first, second]  # (step, radius) of each phase; the second step may depend on the moments
        self.w, self.iterates, self.t, self.A = np.full(d, w1), [], 0, None
        self.squares = [[] for _ in range(d)]

    @property
    def output(self):
        return np.mean(self.iterates, axis=0) if self.iterates else self.w

    def probabilities(self, power):
        """q and p of the paper; p is None at weights of 0."""
        A = np.ones(self.d) if self.A is None else self.A
        q = A**power / np.sum(A**power)
        p = self.inner() if self.A is None or not self.improved else np.abs(self.w) * np.sqrt(A)
        return q, p / p.sum() if p.any() else None

    def tell(self, ask, values, label):
        q, p = self.probabilities(self.power)
        k, inner = np.sum(ask.roles == 0), np.sum(ask.roles == 1)
        x, phi = np.zeros(self.d), -label
        for slot, role in zip(ask.slots, ask.roles, strict=True):
            i = ask.attributes[slot]
            if role == 0:
                x[i] += values[slot] / q[i] / k
            else:
                phi += self.w[i] / p[i] * values[slot] / inner
        for i, value in zip(ask.attributes, values, strict=True):
            self.squares[i].append(value**2)
        self.iterates.append(self.w.copy())
        step, radius = self.parameters[self.A is not None]
        self.step(phi * x, step, radius)
        self.t += 1
        if self.t == self.m1:
            self.begin_second_phase()

    def begin_second_phase(self):
        everything = np.mean(np.concatenate(self.squares))
        means = np.array([np.mean(s) if s else everything for s in self.squares])
        self.A = means + 13 / 6 * self.margin
        step, radius = self.parameters[1]
        self.parameters[1] = (step(means) if callable(step) else step, radius)
        start, self.iterates = self.output, []
        self.start(start, radius)


class TwoPhasedRidge(TwoPhased):
    power = 0.5

    def inner(self):
        return self.w**2

    def step(self, g, step, radius):
        v = self.w - step * g
        self.w = v * radius / max(np.linalg.norm(v), radius)

    def start(self, w, radius):
        self.w = w * radius / max(np.linalg.norm(w), radius)


class TwoPhasedLasso(TwoPhased):
    power = 1.0

    def __init__(self, d, *rest, **named):
        super().__init__(d, *rest, **named)
        self.up, self.down = np.full(d, 1.0), np.full(d, 1.0)

    def inner(self):
        return np.abs(self.w)

    def step(self, g, step, radius):
        clipped = np.clip(g, -1 / step, 1 / step)
        self.up *= np.exp(-step * clipped)
        self.down *= np.exp(step * clipped)
        self.w = radius * (self.up - self.down) / (self.up.sum() + self.down.sum())

    def start(self, w, radius):
        """The z+, z- of sum 1 with z+ - z- = w / radius and the largest entropy: z+_i z-_i is the same for all i."""
        share = w / radius
        share *= min(1.0, 0.99 / np.abs(share).sum())

        def total(root):
            return np.sum(np.sqrt(share**2 + 4 * root**2)) - 1.0

        root = brentq(total, 0.0, 1.0, xtol=1e-16)
        self.up = (np.sqrt(share**2 + 4 * root**2) + share) / 2
        self.down = (np.sqrt(share**2 + 4 * root**2) - share) / 2
        self.w = radius * share
