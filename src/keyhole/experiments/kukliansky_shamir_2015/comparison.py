"""Learners at an equal number of attributes seen, which is the x axis of Kukliansky and Shamir's figures.

A learner that sees ``budget`` attributes of m examples stands beside one that sees every attribute of m budget / d. The
settings of the published learners are tuned as the paper does, by cross-validation on whole rows, and honestly, fixed
beforehand; the rivals and Keyhole's own learner choose what they need within what they paid for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...online import AELR, AERR, DDAELR, DDAERR
from ..full_information import online
from ..protocol import FIXED, Split, folds, grid, imputation, own, rivals, tuned
from ..sweeps import Sweep

PLAIN = {"ridge": AERR, "lasso": AELR}
DEPENDENT = {"ridge": DDAERR, "lasso": DDAELR}
FULL_INFORMATION = {"ridge": "ridge", "lasso": "Lasso"}
PENALTY = {"ridge": "l2", "lasso": "l1"}
UNTUNED = ", untuned"
# Of the online learners, whose steps are these shares of one over the mean squared norm of x.
STEP_SHARES, PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0), (1e-4, 1e-2)
FEWEST_ROWS = 5
Predictor = tuple[np.ndarray, float]


class Task(NamedTuple):
    """Rows to learn from, their second moments (prior knowledge, as in the paper), and the error of a predictor."""

    X: np.ndarray
    y: np.ndarray
    moments: np.ndarray
    error: Callable[[np.ndarray, float], float]


class Comparison(NamedTuple):
    """What is compared: "ridge" or "lasso", the budget, and the grid of the paper's tuning."""

    norm: str
    budget: int
    steps: list[float]
    radii: list[float]
    n_folds: int

    def published(self, task: Task) -> dict[str, Callable[..., Any]]:
        """The paper's budgeted learners, by the letter: no scaling."""
        plain, dependent, m = PLAIN[self.norm], DEPENDENT[self.norm], len(task.y)
        name = dependent.__name__

        def known(**settings: Any) -> Any:
            return dependent(self.budget, scaling="none", moments=task.moments, **settings)

        def two_phased(**settings: Any) -> Any:
            return dependent(self.budget, scaling="none", n_expected=m, **settings)

        return {
            plain.__name__: lambda **settings: plain(self.budget, scaling="none", **settings),
            name: known,
            f"Two-Phased {name}": two_phased,
        }

    def tune(self, task: Task, seed: int) -> dict[str, dict[str, Any]]:
        """Step and radius of each published learner by cross-validation on whole rows."""
        points = grid(step_size=self.steps, radius=self.radii)
        split = Split(task.X, task.y, task.X[:0], task.y[:0])
        return {name: tuned(make, points, split, self.n_folds, seed) for name, make in self.published(task).items()}

    def published_errors(self, task: Task, settings: dict[str, dict[str, Any]], seed: int) -> dict[str, float]:
        """Errors of the published learners, with these settings and untuned."""
        d, found = task.X.shape[1], {}
        for name, make in self.published(task).items():
            sweep = Sweep([make(random_state=seed, **settings[name])], d).learn(task.X, task.y)
            found[name] = _error(task, sweep.learners[0])
        for kind in (PLAIN[self.norm], DEPENDENT[self.norm]):
            settled: dict[str, Any] = dict(FIXED[kind.__name__])
            name = kind.__name__
            if kind in DEPENDENT.values():
                name, settled["n_expected"] = f"Two-Phased {name}", len(task.y)
            learner = kind(self.budget, random_state=seed, **settled)
            found[name + UNTUNED] = _error(task, Sweep([learner], d).learn(task.X, task.y).learners[0])
        return found

    def full_information_errors(self, task: Task, seed: int) -> dict[str, float]:
        """Ridge or Lasso, offline and online, on as many whole rows as have as many attributes."""
        n_rows = len(task.y) * self.budget // task.X.shape[1]
        if n_rows < FEWEST_ROWS:
            return {}
        X, y = task.X[:n_rows].astype(np.float64), task.y[:n_rows]
        name = FULL_INFORMATION[self.norm]
        offline = _offline(self.norm, min(self.n_folds, n_rows)).fit(X, y)
        streamed = _best_online(PENALTY[self.norm], X, y, min(self.n_folds, n_rows), seed)
        return {name: _error(task, offline), f"online {name}": task.error(*streamed)}

    def further_errors(self, task: Task, names: list[str], seed: int) -> dict[str, float]:
        """Those of Keyhole's own learner and the rivals that are named; nobody tunes them."""
        learners = {"KeyholeRegressor": own(self.budget, seed), **rivals(self.budget, seed)}
        learners["multiple imputation"] = imputation(self.budget, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # few rows: the rivals say so
            return {name: _error(task, learners[name].fit(task.X, task.y)) for name in names}


def _error(task: Task, fitted: Any) -> float:
    return task.error(np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0]))


def _offline(norm: str, n_folds: int) -> Any:
    from sklearn.linear_model import LassoCV, RidgeCV

    if norm == "ridge":
        return RidgeCV(np.logspace(-3, 4, 15))
    return LassoCV(cv=n_folds, alphas=30, max_iter=5000, tol=1e-2)


def _best_online(penalty: str, X: np.ndarray, y: np.ndarray, n_folds: int, seed: int) -> Predictor:
    """One pass of scikit-learn's averaged stochastic gradient descent; step and penalty by cross-validation."""
    largest = 1.0 / np.mean(np.sum(X**2, axis=1))
    settings = [(strength, share * largest) for strength in PENALTIES for share in STEP_SHARES]
    errors = np.zeros(len(settings))
    for start, stop in folds(len(y), n_folds):
        rest = np.r_[0:start, stop : len(y)]
        for at, (strength, step) in enumerate(settings):
            learner = online(penalty, strength, step, seed).partial_fit(X[rest], y[rest])
            errors[at] += np.sum((learner.predict(X[start:stop]) - y[start:stop]) ** 2)
    strength, step = settings[int(errors.argmin())]
    best = online(penalty, strength, step, seed).partial_fit(X, y)
    return best.coef_, float(best.intercept_[0])
