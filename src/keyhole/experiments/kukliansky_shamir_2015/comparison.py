"""Learners at an equal number of revealed attributes, which is the x axis of Kukliansky and Shamir's figures.

A learner with ``budget`` attributes of m examples is compared with one that has every attribute of m budget / d. The
published learners are tuned as in the paper, by cross-validation on whole rows, and also run untuned, with settings
fixed in advance; the rivals and Keyhole's own learner choose what they need within what they paid for. Ridge and Lasso
with every attribute solve the paper's problem, offline and online: raw rows, no intercept, settings by
cross-validation on the rows that they have.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...online import AELR, AERR, DDAELR, DDAERR
from ..shared import online_descent
from ..shared.protocol import FIXED, Split, chosen_in_words, folds, grid, tuned
from ..shared.reference_lines import IMPUTATION, OWN, imputation, own, rivals
from ..shared.rows import in_words
from ..shared.sweeps import Sweep

PLAIN = {"ridge": AERR, "lasso": AELR}
DEPENDENT = {"ridge": DDAERR, "lasso": DDAELR}
FULL_INFORMATION = {"ridge": "ridge", "lasso": "Lasso"}
UNTUNED = ", untuned"
RIDGE_PENALTIES = np.logspace(-6, 4, 21)
FEWEST_ROWS = 5


class Problem(NamedTuple):
    """Rows to learn from, their second moments (prior knowledge, as in the paper), and the error of weights with an
    intercept; of any predictions where there are test rows."""

    X: np.ndarray
    y: np.ndarray
    moments: np.ndarray
    error: Callable[[np.ndarray, float], float]
    error_of_predictions: Callable[[Callable[[np.ndarray], np.ndarray]], float] | None = None


class Result(NamedTuple):
    """The error of a learner, and its settings in words."""

    error: float
    settings: str = ""


class Comparison(NamedTuple):
    """What is compared: "ridge" or "lasso", the budget, and the grids of the tuning, under the budget and online.

    In the first phase of a two-phased learner further steps and radii are tried, if there are any.
    """

    norm: str
    budget: int
    steps: Sequence[float]
    radii: Sequence[float]
    online_radii: Sequence[float]
    n_folds: int
    further_warmup_steps: Sequence[float] = ()
    further_warmup_radii: Sequence[float] = ()

    def tried(self) -> dict[str, Sequence[float]]:
        """The values of each setting under the budget, in increasing order."""
        return {
            "step_size": sorted(self.steps),
            "radius": sorted(self.radii),
            "warmup_step_size": sorted([*self.steps, *self.further_warmup_steps]),
            "warmup_radius": sorted([*self.radii, *self.further_warmup_radii]),
        }

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
        tried = self.tried()
        points = grid(step_size=tried["step_size"], radius=tried["radius"])
        first_points = grid(step_size=tried["warmup_step_size"], radius=tried["warmup_radius"])
        split = Split(problem.X, problem.y, problem.X[:0], problem.y[:0])
        learners = self.published(problem)
        plain, phased = PLAIN[self.norm].__name__, f"Two-Phased {DEPENDENT[self.norm].__name__}"
        m1 = max(len(problem.y) // 10, self.n_folds)
        few = split._replace(X=split.X[:m1], y=split.y[:m1])
        first = tuned(learners[plain], first_points, few, self.n_folds, seed)
        settled = {"warmup_step_size": first["step_size"], "warmup_radius": first["radius"]}
        found = {}
        for name, make in learners.items():
            choices = [point | settled for point in points] if name == phased else points
            found[name] = tuned(make, choices, split, self.n_folds, seed)
        return found

    def published_results(self, problem: Problem, settings: dict[str, dict[str, Any]], seed: int) -> dict[str, Result]:
        """Results of the published learners, with these settings and untuned."""
        d, found = problem.X.shape[1], {}
        for name, make in self.published(problem).items():
            sweep = Sweep([make(random_state=seed, **settings[name])], d).learn(problem.X, problem.y)
            points = grid(**{key: self.tried()[key] for key in settings[name]})
            found[name] = Result(_error(problem, sweep.learners[0]), chosen_in_words(settings[name], points))
        for kind in (PLAIN[self.norm], DEPENDENT[self.norm]):
            settled: dict[str, Any] = dict(FIXED[kind.__name__])
            name = kind.__name__
            if kind in DEPENDENT.values():
                name, settled["n_expected"] = f"Two-Phased {name}", len(problem.y)
            learner = kind(self.budget, random_state=seed, **settled)
            error = _error(problem, Sweep([learner], d).learn(problem.X, problem.y).learners[0])
            found[name + UNTUNED] = Result(error, in_words(FIXED[kind.__name__]))
        return found

    def full_information_results(self, problem: Problem) -> dict[str, Result]:
        """Ridge or Lasso, offline and online, on as many whole rows as have equally many attributes."""
        n_rows = len(problem.y) * self.budget // problem.X.shape[1]
        if n_rows < FEWEST_ROWS:
            return {}
        X, y = problem.X[:n_rows].astype(np.float64), np.asarray(problem.y[:n_rows], dtype=np.float64)
        name, n_folds = FULL_INFORMATION[self.norm], min(self.n_folds, n_rows)
        offline = _offline(self.norm, n_folds).fit(X, y)
        chosen = online_descent.tuned(self.norm, X, y, self.online_radii, folds(n_rows, n_folds))
        streamed = problem.error(online_descent.learned(self.norm, X, y, chosen), 0.0)
        penalties = grid(penalty=list(RIDGE_PENALTIES) if self.norm == "ridge" else list(offline.alphas_))
        settings = grid(step=online_descent.STEPS[self.norm], radius=self.online_radii)
        return {
            name: Result(_error(problem, offline), chosen_in_words({"penalty": offline.alpha_}, penalties)),
            f"online {name}": Result(streamed, chosen_in_words(chosen._asdict(), settings)),
        }

    def reference_results(self, problem: Problem, names: list[str], seed: int) -> dict[str, Result]:
        """Results of Keyhole's own learner and of rivals, by their names; they are not tuned.

        The weights of Keyhole's own learner are those of mapped values, so it is judged by its predictions; where only
        the error of weights is known, it has the values as they are.
        """
        learners = {OWN: own(self.budget, seed), **rivals(self.budget, seed)}
        learners[IMPUTATION] = imputation(self.budget, seed)
        by_predictions = problem.error_of_predictions
        if by_predictions is None:
            learners[OWN].set_params(values="raw")
        found = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the rivals warn that they have few rows
            for name in names:
                fitted = learners[name].fit(problem.X, problem.y)
                found[name] = Result(by_predictions(fitted.predict) if by_predictions else _error(problem, fitted))
        return found


def _error(problem: Problem, fitted: Any) -> float:
    return problem.error(np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0]))


def _offline(norm: str, n_folds: int) -> Any:
    """Ridge or Lasso without an intercept, as the paper's problem is, with its penalty by cross-validation."""
    from sklearn.linear_model import LassoCV, RidgeCV

    if norm == "ridge":
        return RidgeCV(RIDGE_PENALTIES, fit_intercept=False)
    return LassoCV(cv=n_folds, alphas=40, eps=1e-4, max_iter=5000, tol=1e-2, fit_intercept=False)
