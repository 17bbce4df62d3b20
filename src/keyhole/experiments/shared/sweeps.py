"""Many settings and seeds of a streaming learner in one compiled pass over the rows.

A protocol with ten folds and a grid runs the same learner hundreds of times over the same rows. Here the states of
all its settings are stacked, each field with one more axis, and a compiled loop shows a block of rows, which stays in
the cache, to all of them before it continues with the next block. The steps are the learners' own kernels, so each
learner ends as ``fit`` would have left it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numba import njit

from ...observe.meter import Counts
from ...observe.reveal import FINE
from ...observe.scales import Scales
from ...online.aer import AER
from ...online.aesvr import AESVR
from ...online.base import StreamingLearner
from ...online.baseline import Baseline
from ...online.kernels.aer import AERRule, AERState, learn_aer
from ...online.kernels.analytic_ridge import learn_analytic
from ...online.kernels.draw_distribution import DrawDistribution
from ...online.kernels.gen_est import AnalyticLoss
from ...online.kernels.l1_ball import Ball
from ...online.kernels.lasso import LassoState, learn_lasso
from ...online.kernels.pairs import BaselineRule, BaselineState, learn_pairs
from ...online.kernels.ridge import RidgeState, learn_ridge
from ...online.kernels.update_rule import UpdateRule
from ...sampling.alias import AliasTable

BLOCK = 256  # rows; of 784 float32 attributes, they and a state fit in a core's own cache


class Sweep:
    """Learners of one class, with different settings or seeds, that learn from the same rows.

    Parameters
    ----------
    learners : sequence of StreamingLearner
        Learners that are not fitted yet.
    n_attributes : int
        The number of attributes of the rows.

    Attributes
    ----------
    learners : list of StreamingLearner
        The same learners: they predict, and their meters count. Their states are views of shared arrays.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import AER
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> sweep = Sweep([AER(4, radius, random_state=0) for radius in (1.0, 2.0)], X.shape[1]).learn(X, y)
    >>> [round(learner.score(X, y), 1) for learner in sweep.learners]
    [0.5, 0.7]
    """

    def __init__(self, learners: Sequence[StreamingLearner], n_attributes: int) -> None:
        self.learners = [learner.start(n_attributes) for learner in learners]
        if len({type(learner) for learner in self.learners}) != 1:
            raise ValueError(f"a sweep takes learners of one class, not {[type(x).__name__ for x in self.learners]}")
        self.states = stacked([learner.state_ for learner in self.learners])
        self.rules = stacked([learner.rule_ for learner in self.learners])
        self.counts = stacked([learner.observed_.counts for learner in self.learners])
        for at, learner in enumerate(self.learners):
            learner.state_ = taken(self.states, at)
            learner.observed_.counts = taken(self.counts, at)
        self.limits = np.array([learner.budget if learner.hard_budget else -1 for learner in self.learners])

    def learn(self, X: np.ndarray, y: np.ndarray, start: int = 0, stop: int | None = None) -> Sweep:
        """Let all learners learn from rows ``start`` to ``stop``."""
        first, stop = self.learners[0], len(y) if stop is None else stop
        given = (X, y, start, stop, self.counts, self.limits)
        if isinstance(first, AER):
            failure = sweep_aer(self.states, self.rules, *given)
        elif isinstance(first, Baseline):
            failure = sweep_pairs(self.states, self.rules, *given)
        elif isinstance(first, AESVR):
            losses = stacked([learner._loss() for learner in self.learners])
            failure = sweep_svr(self.states, self.rules, losses, *given)
        elif isinstance(first.state_, RidgeState):
            failure = sweep_ridge(self.states, self.rules, *given)
        else:
            failure = sweep_lasso(self.states, self.rules, *given)
        if failure != FINE:
            raise ValueError("a sweep read a value that is not a finite number, or a learner exceeded its budget")
        return self

    def learn_others(self, X: np.ndarray, y: np.ndarray, parts: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """For each part, from one row to another, learn from all rows but these, and give the part.

        Parts follow each other from row 0 on. The rows before a part are learned from once for it and all later parts,
        which is what a new sweep would learn from them.
        """
        for start, stop in parts:
            kept = copied((self.states, self.counts))
            self.learn(X, y, stop)
            yield start, stop
            restore((self.states, self.counts), kept)
            for learner in self.learners:
                # Baseline keeps what it solved for by the number of examples alone.
                learner.__dict__.pop("solution_", None)
            self.learn(X, y, start, stop)

    def errors(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Mean squared error of every learner on whole rows."""
        coef = np.column_stack([learner.coef_ for learner in self.learners])
        intercept = np.array([learner.intercept_ for learner in self.learners])
        return np.mean((X @ coef + intercept - y[:, None]) ** 2, axis=0)


def stacked(parts: Sequence[Any]) -> Any:
    """Equal NamedTuples as one, whose arrays have one more axis; numbers become arrays."""
    first = parts[0]
    if isinstance(first, tuple):
        return type(first)(*(stacked(fields) for fields in zip(*parts, strict=True)))
    return np.stack(parts)


def taken(stack: Any, at: int) -> Any:
    """One of the stacked NamedTuples; its arrays are views."""
    if isinstance(stack, tuple):
        return type(stack)(*(taken(field, at) for field in stack))
    return stack[at]


def copied(stack: Any) -> Any:
    """A copy of stacked NamedTuples."""
    return tuple(copied(field) for field in stack) if isinstance(stack, tuple) else stack.copy()


def restore(stack: Any, kept: Any) -> None:
    """Write a copy back, so that views of the arrays see it, too."""
    if isinstance(stack, tuple):
        for field, old in zip(stack, kept, strict=True):
            restore(field, old)
    else:
        stack[...] = kept


# What `taken` does, for compiled loops.


@njit(cache=True, nogil=True)
def _counts(c, at):
    return Counts(c.per_attribute[at], c.tally[at], c.large[at])


@njit(cache=True, nogil=True)
def _scales(s, at):
    return Scales(s.attributes[at], s.label[at])


@njit(cache=True, nogil=True)
def _distribution(e, at):
    table = AliasTable(e.table.probability[at], e.table.threshold[at], e.table.alias[at])
    return DrawDistribution(e.on[at], table, e.root[at], e.seen[at])


@njit(cache=True, nogil=True)
def _rule(r, at):
    return UpdateRule(
        r.x_draws[at],
        r.inner_draws[at],
        r.radius[at],
        r.horizon[at],
        r.theorem[at],
        r.warmup[at],
        r.confidence[at],
        r.growing[at],
        r.separate[at],
        r.warmup_radius[at],
        r.second_step[at],
    )


@njit(cache=True, nogil=True)
def _ridge(s, at):
    scales, distribution = _scales(s.scales, at), _distribution(s.distribution, at)
    return RidgeState(
        s.rng[at], s.marks[at], s.numbers[at], s.weights[at], s.tree[at], scales, distribution, s.evidence[at]
    )


@njit(cache=True, nogil=True)
def sweep_aer(states, rules, cells, labels, start, stop, counts, limits):
    """Rows start to stop through every state, block by block; FINE, or what went wrong."""
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for at in range(len(states.rng)):
            ball = Ball(states.ball.weights[at], states.ball.tree[at], states.ball.numbers[at])
            scales, evidence = _scales(states.scales, at), states.evidence[at]
            state = AERState(states.rng[at], states.marks[at], states.numbers[at], ball, scales, evidence)
            rule = AERRule(
                rules.half[at],
                rules.radius[at],
                rules.reg[at],
                rules.horizon[at],
                rules.growing[at],
                rules.l2_bound[at],
                rules.updated[at],
            )
            _, failure = learn_aer(state, rule, cells, labels, first, last, _counts(counts, at), limits[at])
            if failure != FINE:
                return failure
    return FINE


@njit(cache=True, nogil=True)
def sweep_pairs(states, rules, cells, labels, start, stop, counts, limits):
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for at in range(len(states.rng)):
            scales = _scales(states.scales, at)
            state = BaselineState(
                states.rng[at],
                states.marks[at],
                states.numbers[at],
                states.A[at],
                states.b[at],
                scales,
                states.half_A[at],
                states.half_b[at],
                states.evidence[at],
            )
            rule = BaselineRule(rules.pairs[at])
            _, failure = learn_pairs(state, rule, cells, labels, first, last, _counts(counts, at), limits[at])
            if failure != FINE:
                return failure
    return FINE


@njit(cache=True, nogil=True)
def sweep_ridge(states, rules, cells, labels, start, stop, counts, limits):
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for at in range(len(states.rng)):
            state, rule = _ridge(states, at), _rule(rules, at)
            _, failure = learn_ridge(state, rule, cells, labels, first, last, _counts(counts, at), limits[at])
            if failure != FINE:
                return failure
    return FINE


@njit(cache=True, nogil=True)
def sweep_svr(states, rules, losses, cells, labels, start, stop, counts, limits):
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for at in range(len(states.rng)):
            state, rule = _ridge(states, at), _rule(rules, at)
            loss = AnalyticLoss(
                losses.coefficients[at],
                losses.shifts[at],
                losses.width[at],
                losses.repeats[at],
                losses.zero_terms[at],
                losses.margin[at],
                losses.erf[at],
                losses.some[at],
            )
            _, failure = learn_analytic(state, rule, loss, cells, labels, first, last, _counts(counts, at), limits[at])
            if failure != FINE:
                return failure
    return FINE


@njit(cache=True, nogil=True)
def sweep_lasso(states, rules, cells, labels, start, stop, counts, limits):
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for at in range(len(states.rng)):
            scales, distribution = _scales(states.scales, at), _distribution(states.distribution, at)
            state = LassoState(
                states.rng[at],
                states.marks[at],
                states.numbers[at],
                states.weights[at],
                states.theta[at],
                states.tree[at],
                states.mass[at],
                scales,
                distribution,
                states.evidence[at],
            )
            _, failure = learn_lasso(
                state, _rule(rules, at), cells, labels, first, last, _counts(counts, at), limits[at]
            )
            if failure != FINE:
                return failure
    return FINE
