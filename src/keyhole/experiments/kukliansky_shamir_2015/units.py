"""The work behind the figures: one data set, one number of examples and a few repeats at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...datasets import covertype, improvement_ratios, kukliansky_shamir, mnist_pair
from ..paper import Rows, Size, Unit
from ..protocol import random_split
from .comparison import Comparison, Task

ALPHAS = (0.0, -0.5, -1.0, -2.0)
D = 500
DATA: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "mnist": partial(mnist_pair, 3, 5),
    "covertype": covertype,
}
# The largest number of training examples, the budget, and the grids of the paper's tuning.
LARGEST = {"mnist": 12_000, "covertype": 50_000}
BUDGETS = {
    ("simulated", "ridge"): 5,
    ("simulated", "lasso"): 5,
    ("mnist", "ridge"): 57,
    ("mnist", "lasso"): 5,
    ("covertype", "ridge"): 5,
    ("covertype", "lasso"): 5,
}
STEPS = {
    ("simulated", "ridge"): [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2],
    ("simulated", "lasso"): [3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1],
    ("mnist", "ridge"): [1e-4, 2e-4, 4e-4, 8e-4],
    ("mnist", "lasso"): [5e-4, 1e-3, 2e-3, 4e-3, 8e-3],
    ("covertype", "ridge"): [1e-3, 3e-3, 1e-2, 3e-2],
    ("covertype", "lasso"): [3e-3, 1e-2, 3e-2, 1e-1],
}
RADII = {
    ("simulated", "ridge"): [4.0, 12.0],
    ("simulated", "lasso"): [10.0, 40.0],
    ("mnist", "ridge"): [1.0, 2.0],
    ("mnist", "lasso"): [2.0, 4.0, 8.0],
    ("covertype", "ridge"): [1.0, 3.0, 10.0],
    ("covertype", "lasso"): [3.0, 10.0, 30.0],
}
# The slow ones run in a quick run only up to so many examples.
SLOW, QUICKER = ("KeyholeRegressor", "multiple imputation"), ("complete rows", "screened panel")
QUICK_UP_TO = {"simulated": (3000, 1000), "mnist": (750, 750), "covertype": (3000, 3000)}
ALL = 50_000


def simulated(
    norm: str, alpha: float, examples: int, repeats: list[int], n_folds: int, n_further: int, up_to: dict
) -> Rows:
    """Simulated data of one decay: errors are exact, and relative to zero weights."""
    compared = _compared("simulated", norm, n_folds)
    rows: Rows = []
    for at, repeat in enumerate(repeats):
        stream = kukliansky_shamir(examples, D, alpha, norm, random_state=repeat)
        nothing = stream.excess(np.zeros(D))
        error = lambda w, b, stream=stream, nothing=nothing: stream.excess(w, b) / nothing  # noqa: E731
        task = Task(stream.X, stream.y, stream.moments, error)
        settings = compared.tune(task, repeat)
        rows += _rows(compared, task, settings, repeat, up_to if at < n_further else {}, {"alpha": alpha})
    return rows


def real(
    data: str, norm: str, examples: int, repeats: list[int], n_folds: int, n_further: int, up_to: dict, seed: int
) -> Rows:
    """Real data: a tenth of the rows for testing."""
    X, y = DATA[data]()
    compared = _compared(data, norm, n_folds)
    rows: Rows = []
    for at, repeat in enumerate(repeats):
        split = random_split(X, y, seed, repeat)
        moments = np.mean(split.X.astype(np.float64) ** 2, axis=0) + 1e-6
        task = Task(split.X[:examples], split.y[:examples], moments, partial(_test_error, split.X_test, split.y_test))
        settings = compared.tune(task, repeat)
        rows += _rows(compared, task, settings, repeat, up_to if at < n_further else {}, {"data": data})
    return rows


def ratios(data: str, seed: int) -> Rows:
    """The improvement ratios: exact for simulated data, else from the second moments of all rows."""
    if data == "simulated":
        rows: Rows = []
        for alpha in ALPHAS:
            ridge = improvement_ratios(kukliansky_shamir(1, D, alpha, "ridge", seed).moments)[0]
            lasso = improvement_ratios(kukliansky_shamir(1, D, alpha, "lasso", seed).moments)[1]
            rows.append({"data": f"simulated, alpha {alpha:g}", "ridge ratio": ridge, "lasso ratio": lasso})
        return rows
    ridge, lasso = improvement_ratios(np.mean(DATA[data]()[0].astype(np.float64) ** 2, axis=0))
    return [{"data": data, "ridge ratio": ridge, "lasso ratio": lasso}]


def simulated_units(norm: str, size: Size, seed: int) -> list[Unit]:
    """Quick: three sizes and four repeats; else five sizes and the paper's hundred repeats."""
    quick = size == Size.quick
    sizes = [1000, 3000, 10_000] if quick else [600, 1500, 4000, 10_000, 25_000]
    effort = _effort("simulated", quick)
    return [
        Unit(
            simulated,
            {"norm": norm, "alpha": alpha, "examples": examples, "repeats": repeats, **effort},
            cost=1 + examples / 1000,
        )
        for alpha in ALPHAS
        for examples in sizes
        for repeats in _batches(1000 * seed, quick)
    ]


def real_units(data: str, norm: str, size: Size, seed: int) -> list[Unit]:
    """Likewise; each repeat is a split."""
    quick, largest = size == Size.quick, LARGEST[data]
    sizes = [largest // 16, largest // 4, largest] if quick else [largest >> halvings for halvings in range(4, -1, -1)]
    effort = _effort(data, quick)
    return [
        Unit(
            real,
            {"data": data, "norm": norm, "examples": examples, "repeats": repeats, "seed": seed, **effort},
            cost=2 + examples / 1000,
        )
        for examples in sizes
        for repeats in _batches(0, quick)
    ]


def _effort(data: str, quick: bool) -> dict[str, Any]:
    """Folds, how many repeats of a batch have the further learners, and up to how many examples each of them runs."""
    slow = QUICK_UP_TO[data] if quick else (ALL, ALL)
    up_to = dict.fromkeys(QUICKER, ALL) | dict(zip(SLOW, slow, strict=True))
    return {"n_folds": 3 if quick else 10, "n_further": 1, "up_to": up_to}


def _batches(first: int, quick: bool) -> list[list[int]]:
    repeats, batch = (4, 4) if quick else (100, 10)
    return [list(range(first + start, first + start + batch)) for start in range(0, repeats, batch)]


def _compared(data: str, norm: str, n_folds: int) -> Comparison:
    return Comparison(norm, BUDGETS[data, norm], STEPS[data, norm], RADII[data, norm], n_folds)


def _rows(
    compared: Comparison,
    task: Task,
    settings: Any,
    repeat: int,
    up_to: dict[str, int],
    panel: dict[str, float | str],
) -> Rows:
    errors = compared.published_errors(task, settings, repeat) | compared.full_information_errors(task, repeat)
    further = [name for name, examples in up_to.items() if len(task.y) <= examples]
    errors |= compared.further_errors(task, further, repeat)
    seen = len(task.y) * compared.budget
    return [
        {**panel, "attributes": seen, "learner": learner, "repeat": repeat, "error": error}
        for learner, error in errors.items()
    ]


def _test_error(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float) -> float:
    """The squared error relative to that of zero weights."""
    return float(np.mean((X @ w + b - y) ** 2) / np.mean(y**2))
