"""The end of a batch of Exploration, Exploitation and Hybrid: a step, and new scales.

The step is 1 / (2 lambda (1 + rho)). lambda is the largest eigenvalue of the Gram matrix of the support in this batch;
for the first step, which has no support yet, that of s attributes of the first block. rho, the share of the gradient's
noise in the s entries that are kept, is s / batch on a given support, and 2 s log(d / s) / batch where the s largest of
d are kept; this step minimises (1 - a)^2 + a^2 rho, the factor by which the excess shrinks. If an iterate loses more
than DIVERGED times what predicting the mean label loses, the last step is made again with half its length, and all
steps that follow are halved; with ``halving`` switched off steps are as given.
"""

from __future__ import annotations

import numpy as np

from ..observe.scales import carried_over, in_scale
from .hard_thresholding import ThresholdingState, new_blocks, support_size
from .schedule import (
    CONDITION,
    CYCLE,
    DAMPING,
    EXPLORING,
    HALVINGS,
    IN_BATCH,
    IN_GRAM,
    LOSS,
    MEAN_LOSS,
    STARTED,
    STEP,
    ThresholdingRule,
    end_update,
    n_blocks,
)

DIVERGED = 2.0  # times the loss of the mean label


def end_batch(state: ThresholdingState, rule: ThresholdingRule) -> None:
    """Make a step, store the learned weights, take the new scales, and begin the next batch."""
    numbers = state.numbers
    if numbers[STARTED] or not len(rule.start):
        make_step(state, rule)
    refresh_scales(state, rule)
    if not numbers[EXPLORING] or rule.exploit_updates[0] == 0 or numbers[CYCLE] == 0:
        state.learned[:] = state.theta
    cycle = numbers[CYCLE]
    end_update(numbers, rule, len(state.theta))
    if numbers[CYCLE] > cycle:  # also where the theorem has no exploiting update
        state.learned[:] = state.theta
    numbers[: IN_GRAM + 1] = 0.0
    for sums in (state.gradient, state.seen, state.gram):
        sums[:] = 0.0
    if numbers[EXPLORING]:
        new_blocks(state, rule)


def make_step(state: ThresholdingState, rule: ThresholdingRule) -> None:
    """theta <- H_s(theta - step * gradient), or the last step again with half its length."""
    numbers, s = state.numbers, rule.sparsity
    if rule.halving and not numbers[LOSS] <= DIVERGED * numbers[MEAN_LOSS] and numbers[STEP] > 0:
        numbers[DAMPING] *= 0.5
        numbers[STEP] *= 0.5
        numbers[HALVINGS] += 1
    else:
        state.anchor[:] = state.theta
        state.anchor_gradient[:] = state.gradient / np.maximum(state.seen, 1.0)
        numbers[STEP] = numbers[DAMPING] * step_size(state, rule)
    moved = state.anchor - numbers[STEP] * state.anchor_gradient
    support = np.sort(np.argsort(-np.abs(moved), kind="stable")[:s])
    support = support[moved[support] != 0]
    state.theta[:] = 0.0
    state.theta[support] = moved[support]
    state.support[:] = -1
    state.support[: len(support)] = support
    state.place[:] = -1
    state.place[support] = np.arange(len(support))


def step_size(state: ThresholdingState, rule: ThresholdingRule) -> float:
    """The given step, or 1 / (2 lambda (1 + rho)); and the condition number, for the schedule."""
    numbers, s, d = state.numbers, rule.sparsity, len(state.theta)
    below = np.tril(state.gram, -1)
    gram = (below + below.T + np.diag(np.diag(state.gram))) / max(numbers[IN_GRAM], 1.0)
    eigenvalues = np.linalg.eigvalsh(gram)
    largest, smallest = eigenvalues[-1], eigenvalues[s - max(support_size(state), 1)]
    numbers[CONDITION] = largest / max(smallest, 1e-9 * largest) if largest > 0 else 1.0
    if not np.isnan(rule.step_size):
        return rule.step_size
    rho = s / numbers[IN_BATCH]
    if numbers[EXPLORING]:
        rho *= 2 * np.log(d / s) * n_blocks(rule, d)
    return 0.5 / (largest * (1 + rho)) if largest > 0 else 0.0


def refresh_scales(state: ThresholdingState, rule: ThresholdingRule) -> None:
    """Take the running scales, and convert all weights to them."""
    if state.numbers[STARTED]:
        for weights in (state.theta, state.learned, state.anchor):
            weights[:] = carried_over(state.frozen, state.scales, weights)
    elif len(rule.start):
        state.theta[:] = in_scale(state.scales, rule.start)
    state.numbers[STARTED] = 1.0
    state.frozen.attributes[:] = state.scales.attributes
    state.frozen.label[:] = state.scales.label
