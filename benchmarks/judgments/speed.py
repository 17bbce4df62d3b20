"""Speed of the full method, against one decomposition per candidate."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from keyhole.judgments import MultiSelector

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from judgments import reference


def wide_judgments(objects: int, attributes: int) -> tuple[np.ndarray, np.ndarray]:
    """Two judgments of correlated attributes, and a label that depends on some of them."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(objects, 30)) @ rng.normal(size=(30, attributes)) + rng.normal(
        size=(objects, attributes)
    )
    y = truth[:, :20] @ rng.normal(size=20) + rng.normal(size=objects)
    return truth[:, :, None] + 3 * rng.normal(size=(objects, attributes, 2)), y


def seconds_of_full(objects: int, attributes: int, budget: int, times: int = 5) -> tuple[float, float]:
    """Fastest and slowest of some whole fits, moments and repair included."""
    values, y = wide_judgments(objects, attributes)
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        MultiSelector(budget).fit(values, y)
        taken.append(time.perf_counter() - start)
    return min(taken), max(taken)


def against_naive(objects: int = 1000, attributes: int = 200, budget: int = 100) -> tuple[float, float, bool]:
    """Seconds of the whole fast fit and of the naive greedy alone, and whether they chose the same."""
    values, y = wide_judgments(objects, attributes)
    b, v, sigma, unit = reference.moments(values, y)
    sigma = reference.nearest_psd(sigma, unit)
    with threadpool_limits(1):  # threads only get in each other's way on matrices of this size
        fast = seconds_of_full(objects, attributes, budget)[0]
        start = time.perf_counter()
        _, repeats, _ = reference.naive_greedy(
            sigma, b, v, [([a], 1.0) for a in range(attributes)], budget, np.var(y)
        )
        naive = time.perf_counter() - start
    same = bool((repeats == MultiSelector(budget).fit(values, y).repeats_).all())
    return fast, naive, same


def summary() -> str:
    """The lines of the docs."""
    low, high = seconds_of_full(5000, 1000, 200)
    fast, naive, same = against_naive()
    verdict = "the same" if same else "NOT the same"
    return f"""Full on 5,000 objects, 1,000 attributes, 2 judgments, budget 200: {low:.2f} to {high:.2f} s
over five fits. On 1,000 objects, 200 attributes, budget 100: {fast * 1000:.0f} ms, against {naive:.1f} s
with one pseudo-inverse per candidate, {naive / fast:.0f} times as long; the choices are {verdict}."""
