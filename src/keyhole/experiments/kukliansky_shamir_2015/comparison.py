"""Learners at an equal number of revealed attributes, which is the x axis of Kukliansky and Shamir's figures.

A learner with ``budget`` attributes of m examples is compared with one that has every attribute of m budget / d. The
published learners are tuned as in the paper, by cross-validation on whole rows, and also run untuned, with settings
fixed in advance; the rivals and Keyhole's own learner choose what they need within what they paid for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...online import AELR, AERR, DDAELR, DDAERR
from ..shared.full_information import online
from ..shared.protocol import FIXED, Split, folds, grid, tuned
from ..shared.reference_lines import imputation, own, rivals
from ..shared.sweeps import Sweep

PLAIN = {"ridge": AERR, "lasso": AELR}
DEPENDENT = {"ridge": DDAERR, "lasso": DDAELR}
FULL_INFORMATION = {"ridge": "ridge", "lasso": "Lasso"}
PENALTY = {"ridge": "l2", "lasso": "l1"}
UNTUNED = ", untuned"
# For the online learners, whose steps are these shares of one over the mean squared norm of x.
STEP_SHARES, PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0), (1e-4, 1e-2)
FEWEST_ROWS = 5
Predictor = tuple[np.ndarray, float]


class Problem(NamedTuple):
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

    def published(self, problem: Problem) -> dict[str, Callable[..., Any]]:
        """The paper's learners under the budget, as its experiments have them (Section 5).

        As printed but for an even split with the improved inner product; the second phase of the two-phased learner
        starts from the average of the first, which is a tenth of the examples, and is averaged alone.
        """
        plain, dependent, m = PLAIN[self.norm], DEPENDENT[self.norm], len(problem.y)
        name, form = dependent.__name__, {**dependent.printed_parameters, "draws": "even"}

        def known(**settings: Any) -> Any:
            return dependent(self.budget, moments=problem.moments, **form, **settings)

        def two_phased(**settings: Any) -> Any:
            return dependent(self.budget, n_expected=m, **form, **settings)

        return {
            plain.__name__: partial(plain, self.budget, **{**plain.printed_parameters, "draws": "even"}),
            name: known,
            f"Two-Phased {name}": two_phased,
        }

    def tune(self, problem: Problem, seed: int) -> dict[str, dict[str, Any]]:
        """Step and radius of each published learner by cross-validation on whole rows.

        A two-phased learner has both for each phase: those of the first are the best of AERR (AELR) on the examples of
        this phase, and with these the best of the second are found.
        """
        points = grid(step_size=self.steps, radius=self.radii)
        split = Split(problem.X, problem.y, problem.X[:0], problem.y[:0])
        learners = self.published(problem)
        plain, phased = PLAIN[self.norm].__name__, f"Two-Phased {DEPENDENT[self.norm].__name__}"
        m1 = max(len(problem.y) // 10, self.n_folds)
        first = tuned(learners[plain], points, split._replace(X=split.X[:m1], y=split.y[:m1]), self.n_folds, seed)
        settled = {"warmup_step_size": first["step_size"], "warmup_radius": first["radius"]}
        found = {}
        for name, make in learners.items():
            choices = [point | settled for point in points] if name == phased else points
            found[name] = tuned(make, choices, split, self.n_folds, seed)
        return found

    def published_errors(self, problem: Problem, settings: dict[str, dict[str, Any]], seed: int) -> dict[str, float]:
        """Errors of the published learners, with these settings and untuned."""
        d, found = problem.X.shape[1], {}
        for name, make in self.published(problem).items():
            sweep = Sweep([make(random_state=seed, **settings[name])], d).learn(problem.X, problem.y)
            found[name] = _error(problem, sweep.learners[0])
        for kind in (PLAIN[self.norm], DEPENDENT[self.norm]):
            settled: dict[str, Any] = dict(FIXED[kind.__name__])
            name = kind.__name__
            if kind in DEPENDENT.values():
                name, settled["n_expected"] = f"Two-Phased {name}", len(problem.y)
            learner = kind(self.budget, random_state=seed, **settled)
            found[name + UNTUNED] = _error(problem, Sweep([learner], d).learn(problem.X, problem.y).learners[0])
        return found

    def full_information_errors(self, problem: Problem, seed: int) -> dict[str, float]:
        """Ridge or Lasso, offline and online, on as many whole rows as have equally many attributes."""
        n_rows = len(problem.y) * self.budget // problem.X.shape[1]
        if n_rows < FEWEST_ROWS:
            return {}
        X, y = problem.X[:n_rows].astype(np.float64), problem.y[:n_rows]
        name = FULL_INFORMATION[self.norm]
        offline = _offline(self.norm, min(self.n_folds, n_rows)).fit(X, y)
        streamed = _best_online(PENALTY[self.norm], X, y, min(self.n_folds, n_rows), seed)
        return {name: _error(problem, offline), f"online {name}": problem.error(*streamed)}

    def reference_errors(self, problem: Problem, names: list[str], seed: int) -> dict[str, float]:
        """Errors of Keyhole's own learner and of rivals, by their names; they are not tuned."""
        learners = {"KeyholeRegressor": own(self.budget, seed), **rivals(self.budget, seed)}
        learners["multiple imputation"] = imputation(self.budget, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the rivals warn that they have few rows
            return {name: _error(problem, learners[name].fit(problem.X, problem.y)) for name in names}


def _error(problem: Problem, fitted: Any) -> float:
    return problem.error(np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0]))


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
