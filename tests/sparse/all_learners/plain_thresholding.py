"""Plain, slow versions of Exploration, Exploitation and Hybrid, which take the blocks that the learner shows."""

from __future__ import annotations

import copy

import numpy as np

from keyhole.observe.ask import X_ESTIMATE
from sparse.all_learners.reference import Plain, largest_entries


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
