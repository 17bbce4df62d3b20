"""Hybrid and Exploration as printed: a constant step, given batches, contiguous blocks, raw values, no halving.

The paper leaves the step and the batches to tuning. Its theorems have a step of the order 1 / L and batches that grow
by a constant factor, so the settings of a grid are a share of 1 / L, the examples per block of the first batch, and the
factor by which batches grow. L is twice the largest eigenvalue of the mean of x x', which bounds the paper's L_s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import Exploration, Hybrid

AS_PRINTED = ", as printed"
PRINTED = ("Hybrid" + AS_PRINTED, "Exploration" + AS_PRINTED)
EXPLORE_UPDATES, EXPLOIT_UPDATES = 3, 8  # of a cycle of Hybrid; the theorem has 3 exploring ones
EXPLOIT_BATCHES = 4  # an exploiting batch is so many times the examples per block of an exploring one


def smoothness(X: np.ndarray) -> float:
    """L, from whole rows: twice the largest eigenvalue of the mean of x x'."""
    X = X.astype(np.float64)
    return 2.0 * float(np.linalg.eigvalsh(X.T @ X / len(X))[-1])


def batch_sizes(first: int, growth: float, n: int) -> list[int]:
    """Batches that grow from the first by a factor, as the list that the printed algorithm takes."""
    sizes = [first]
    while growth > 1.0 and sizes[-1] < n:
        sizes.append(int(np.ceil(first * growth ** len(sizes))))
    return sizes


def printed_learner(
    name: str, budget: int, sparsity: int, L: float, n: int, share: float, batch: int, growth: float
) -> Any:
    """A learner as printed, for a stream of n examples."""
    step, batches = share / L, batch_sizes(batch, growth, n)
    if name.startswith("Exploration"):
        return Exploration.as_printed(budget, sparsity=sparsity, step_size=step, batch_size=batches)
    return Hybrid.as_printed(
        budget,
        sparsity=sparsity,
        step_size=step,
        explore_batch=batches,
        exploit_batch=[EXPLOIT_BATCHES * size for size in batches],
        explore_updates=EXPLORE_UPDATES,
        exploit_updates=EXPLOIT_UPDATES,
    )
