"""When to explore and when to exploit, how often to update, and on how many examples.

A cycle is a phase of exploration followed by a phase of exploitation; either may be left out. Batches grow from cycle
to cycle, since the noise of a batch limits an iterate that has found its support.

Whatever is not given follows from revealed cells. With s attributes in the support, lambda and mu the largest and the
smallest eigenvalue of their Gram matrix, d attributes, and m of them in a block:

- the first exploring batch has 2 s log(d / s) examples per block. Thresholding keeps so much of the gradient's noise
  that a step divides the excess by 1 + batch / (2 s log(d / s)) at best: with this batch by 2;
- there are (lambda / mu) log(d / m) exploiting updates, but at least 3 and at most 20. The theorem's number has the
  square of the condition number kappa = lambda / mu inside the logarithm, kappa log(max(d / (kappa^2 m), 1)), which may
  be 0: a phase without exploitation;
- exploiting batches are such that a cycle spends as many examples on exploitation as on exploration.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

AUTO = -1.0  # an entry of a schedule that was not given
THEOREM = -2.0  # an entry of the exploiting updates: their number is the theorem's
FEWEST, MOST = 3.0, 20.0  # automatic exploiting updates of a cycle
LEAST_PER_BLOCK = 4  # examples; the first of an attribute only begins its scale
# Positions in ``ThresholdingState.numbers``: counts and sums of the present batch, the place in the schedule, and the
# steps.
(
    ASKED,
    IN_BATCH,
    LOSS,
    MEAN_LOSS,
    IN_GRAM,
    CYCLE,
    EXPLORING,
    UPDATES_LEFT,
    BATCH,
    STEP,
    DAMPING,
    HALVINGS,
    CONDITION,
    STARTED,
    N_NUMBERS,
) = range(15)


class ThresholdingRule(NamedTuple):
    """The constants of a run.

    Entry c of a schedule is for cycle c; after the last, batches grow by ``growth`` in each cycle and updates stay.
    ``explore_batches`` are examples per block, ``exploit_batches`` examples. A phase with 0 updates is left out.
    ``largest_batch`` limits the examples of a batch, where the batches are automatic and the number of examples to come
    is known; where it leaves fewer than LEAST_PER_BLOCK examples for a block, ``most_blocks`` of them, other ones for
    each update, are shown. ``start`` holds raw coefficients to begin from, or is empty; a ``step_size`` of nan is the
    automatic one. With ``halving``, the step to an iterate that loses too much is made again at half its length. Where
    ``explore_each`` or ``exploit_each`` has entries, these are the batches instead, with a row per cycle and a column
    per update; the number of updates is then given.
    """

    sparsity: int
    width: int
    contiguous: bool
    step_size: float
    growth: float
    explore_batches: np.ndarray
    explore_updates: np.ndarray
    exploit_batches: np.ndarray
    exploit_updates: np.ndarray
    start: np.ndarray
    largest_batch: float = np.inf
    most_blocks: int = 2**62
    halving: bool = True
    explore_each: np.ndarray = np.empty((0, 0))
    exploit_each: np.ndarray = np.empty((0, 0))


def first_batch(d: int, sparsity: int) -> int:
    """Examples per block in the first exploring batch, if it is not given."""
    return int(np.ceil(2 * sparsity * np.log(d / sparsity)))


def fitted_to(rule: ThresholdingRule, largest_batch: float) -> ThresholdingRule:
    """The same rule with batches of at most so many examples."""
    if not np.isfinite(largest_batch):
        return rule
    most = rule.most_blocks if rule.contiguous else max(int(largest_batch) // LEAST_PER_BLOCK, 1)
    return rule._replace(largest_batch=float(largest_batch), most_blocks=most)


@njit(cache=True, nogil=True)
def n_blocks(rule: ThresholdingRule, d: int) -> int:
    """How many blocks a batch shows: those that d attributes make, or fewer."""
    return min((d + rule.width - 1) // rule.width, rule.most_blocks)


def entry(schedule: np.ndarray, cycle: int, growth: float) -> float:
    """The entry of a schedule for a cycle."""
    last = len(schedule) - 1
    return np.ceil(schedule[min(cycle, last)] * growth ** max(cycle - last, 0) - 1e-9)


def given_batch(numbers: np.ndarray, rule: ThresholdingRule, exploring: bool) -> float:
    """The given batch of the present update: its examples, for an exploring update those of a block."""
    batches, each, updates = rule.exploit_batches, rule.exploit_each, rule.exploit_updates
    if exploring:
        batches, each, updates = rule.explore_batches, rule.explore_each, rule.explore_updates
    cycle = int(numbers[CYCLE])
    if each.size:
        made = int(entry(updates, cycle, 1.0) - numbers[UPDATES_LEFT])
        batches = each[:, min(made, each.shape[1] - 1)]
    return entry(batches, cycle, rule.growth)


def examples_of_update(numbers: np.ndarray, rule: ThresholdingRule, d: int) -> float:
    """The examples of the present update, if its batch is given."""
    exploring = bool(numbers[EXPLORING])
    blocks = n_blocks(rule, d) if exploring else 1
    return min(given_batch(numbers, rule, exploring) * blocks, rule.largest_batch)


def explored(numbers: np.ndarray, rule: ThresholdingRule, d: int) -> float:
    """The examples that the exploring updates of the present cycle take."""
    cycle = int(numbers[CYCLE])
    updates = entry(rule.explore_updates, cycle, 1.0)
    if rule.explore_each.size:
        batches = rule.explore_each.T[: int(updates)]
        return n_blocks(rule, d) * float(sum(entry(batch, cycle, rule.growth) for batch in batches))
    batch = entry(rule.explore_batches, cycle, rule.growth)
    return min(batch * n_blocks(rule, d), rule.largest_batch) * updates


def begin_phase(numbers: np.ndarray, rule: ThresholdingRule, d: int, exploring: bool) -> None:
    """Set the number of updates of a phase and the examples of the first."""
    cycle = int(numbers[CYCLE])
    numbers[EXPLORING] = exploring
    if exploring:
        updates = entry(rule.explore_updates, cycle, 1.0)
    elif rule.exploit_updates[0] == AUTO:
        updates = np.clip(np.ceil(numbers[CONDITION] * np.log(d / rule.width)), FEWEST, MOST)
    elif rule.exploit_updates[0] == THEOREM:
        updates = theorem_updates(numbers[CONDITION], d, rule.width)
    else:
        updates = entry(rule.exploit_updates, cycle, 1.0)
    numbers[UPDATES_LEFT] = updates
    if not exploring and rule.exploit_batches[0] == AUTO:
        numbers[BATCH] = np.ceil(explored(numbers, rule, d) / max(updates, 1.0))
    else:
        numbers[BATCH] = examples_of_update(numbers, rule, d)


def theorem_updates(condition: float, d: int, width: int) -> float:
    """Exploiting updates by Theorem 4.4 of Murata and Suzuki 2018, with the constants of its Theta() taken as 1."""
    return float(np.ceil(condition * np.log(max(d / (condition**2 * width), 1.0))))


def end_update(numbers: np.ndarray, rule: ThresholdingRule, d: int) -> None:
    """Count an update; after the last one of a phase, begin the next."""
    numbers[UPDATES_LEFT] -= 1
    if numbers[UPDATES_LEFT] > 0:
        each = rule.explore_each if numbers[EXPLORING] else rule.exploit_each
        if each.size:
            numbers[BATCH] = examples_of_update(numbers, rule, d)
        return
    if numbers[EXPLORING] and rule.exploit_updates[0] != 0:
        begin_phase(numbers, rule, d, False)
    if numbers[UPDATES_LEFT] <= 0:
        numbers[CYCLE] += 1
        begin_phase(numbers, rule, d, bool(rule.explore_updates[0] != 0))
