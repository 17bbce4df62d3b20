"""Two-Phased DDAERR and DDAELR by the letter of Kukliansky and Shamir (2015), in plain loops that draw for themselves.

Phase 1 is AERR (AELR) with uniform draws on m1 examples, which the paper does in practice and in its experiments. Its
output, the average of its weights, is where phase 2 starts; the moments A[i] are plain means of revealed squares; the
output of phase 2 is the average of its own weights. As in ``printed.py`` of ``all_learners``, nothing is shared with
the learners but the draws of ``keyhole.sampling``. Of every example, first the attributes for x are drawn, and then
those for the inner product.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from online.all_learners import printed


class TwoPhased:
    """What both share: draws, estimates and moments.

    ``phases`` are (step, radius) of each phase; the second step may depend on the moments. By the letter one draw of
    the budget is for the inner product and all others are for x; ``as_in_experiments``, half of the draws (rounded up)
    are for the inner product, with p_j in proportion to |w_j| sqrt(A[j]) in phase 2 (section 5).
    """

    power: float  # q_i is in proportion to (A[i] + 13/6 eps)^power

    def __init__(self, d, m1, phases, *, budget, seed, as_in_experiments=False, eps=0.0, w1=0.0):
        self.d, self.m1, self.phases, self.as_in_experiments, self.eps = d, m1, list(phases), as_in_experiments, eps
        self.k = budget // 2 if as_in_experiments else budget - 1
        self.n_inner = budget - self.k
        self.rng = printed.generator(seed)
        self.pick_x = printed.drawn_by(None, d, self.rng)
        self.w, self.iterates, self.t, self.A = np.full(d, w1), [], 0, None
        self.squares = [[] for _ in range(d)]
        self.revealed = np.zeros(d, dtype=int)

    @property
    def output(self):
        return np.mean(self.iterates, axis=0) if self.iterates else self.w

    def inner_probabilities(self):
        """p of the paper, or None at weights of 0, where nothing can be drawn."""
        p = self.by_weights() if self.A is None or not self.as_in_experiments else np.abs(self.w) * np.sqrt(self.A)
        return p / p.sum() if p.any() else None

    def learn(self, x, y):
        seen, x_tilde, phi = set(), np.zeros(self.d), -y
        for _ in range(self.k):
            i, inverse = self.pick_x()
            seen.add(i)
            x_tilde[i] += inverse * x[i] / self.k
        p = self.inner_probabilities()
        for _ in range(0 if p is None else self.n_inner):
            j = printed.pick(p, self.rng)
            seen.add(j)
            phi += self.w[j] / p[j] * x[j] / self.n_inner
        for i in seen:
            self.squares[i].append(x[i] ** 2)
            self.revealed[i] += 1
        self.iterates.append(self.w.copy())
        step, radius = self.phases[self.A is not None]
        self.step(phi * x_tilde, step, radius)
        self.t += 1
        if self.t == self.m1:
            self.begin_second_phase()

    def begin_second_phase(self):
        everything = np.mean(np.concatenate(self.squares))
        means = np.array([np.mean(s) if s else everything for s in self.squares])  # print: some may never be drawn
        self.A = means + 13 / 6 * self.eps
        self.pick_x = printed.drawn_by(self.A**self.power, self.d, self.rng)
        step, radius = self.phases[1]
        self.phases[1] = (step(means) if callable(step) else step, radius)
        start, self.iterates = self.output, []
        self.start(start, radius)


class TwoPhasedRidge(TwoPhased):
    power = 0.5

    def by_weights(self):
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

    def by_weights(self):
        return np.abs(self.w)

    def step(self, g, step, radius):
        for i in range(self.d):
            clipped = printed.clip(g[i], 1 / step)
            self.up[i] *= math.exp(-step * clipped)
            self.down[i] *= math.exp(step * clipped)
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
