"""Learning curves on two digits of MNIST: the tasks that two papers share.

Each function fits some learners to one split, with settings tuned as in the paper (cross-validation on whole training
rows) or, where the name of a learner ends in "untuned", fixed in advance. It returns a row per learner and prefix of
the training rows: the numbers of examples and of revealed attributes, the squared error and the share of wrong signs on
whole test rows. Learners whose names end in "as printed" follow their paper exactly, as ``as_printed`` makes them: raw
pixels, no intercept, a constant step or regularisation, for AERR and AELR all draws but one for x, and for Baseline a
matrix that is not positive semidefinite. "Even draws" is the same for AERR and AELR but for the division of the budget,
half for x and half for the inner product. The others centre and scale by running estimates from revealed cells, divide
the budget evenly, may take anytime steps (None in a grid), and clip negative eigenvalues.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ... import online
from ...datasets import mnist_pair
from ...observe.scales import unscale
from ..runner.paper import Row, Rows
from .full_information import (
    LASSO_PENALTIES,
    RIDGE_PENALTIES,
    Linear,
    cross_validated,
    lasso_path_of,
    moments_of,
    ridge_path,
    tuned_online,
)
from .full_information import online as online_learner
from .protocol import FIXED, Split, draw_seed, folds, grid, prefixes, random_split, squared_error, tuned, wrong_sign
from .reference_lines import imputation, own, rivals
from .rows import in_words
from .sweeps import Sweep

UNTUNED, PRINTED, EVEN = "untuned", "as printed", "even draws"
BASELINE_RADII = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)

# The grids of the papers' tuning, by learner and budget.
GRIDS: dict[str, list[dict[str, Any]]] = {
    "AER 4": grid(radius=(1.0, 2.0, 4.0, 8.0), reg=(None, 50.0, 100.0)),
    f"AER, {PRINTED} 4": grid(radius=(4.0, 8.0, 16.0), reg=(5.0, 10.0, 20.0, 50.0)),
    "AER 56": grid(radius=(4.0, 8.0, 16.0), reg=(None, 10.0, 30.0)),
    f"AER, {PRINTED} 56": grid(radius=(8.0, 16.0, 32.0), reg=(1.0, 3.0, 10.0, 30.0)),
    "AELR 4": grid(radius=(4.0, 8.0, 16.0), step_size=(None, 2.5e-4, 5e-4, 1e-3)),
    f"AELR, {PRINTED} 4": grid(radius=(2.0, 4.0, 8.0, 16.0, 32.0), step_size=(2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3)),
    f"AELR, {EVEN} 4": grid(radius=(4.0, 8.0, 16.0), step_size=(5e-4, 1e-3, 2e-3, 4e-3)),
    "AERR 56": grid(radius=(0.4, 0.8, 1.6), step_size=(None, 2e-5, 5e-5, 1e-4)),
    f"AERR, {PRINTED} 56": grid(radius=(0.5, 1.0, 1.5, 2.5), step_size=(2e-5, 3e-5, 5e-5, 7e-5, 1e-4, 2e-4)),
    f"AERR, {EVEN} 56": grid(radius=(1.0, 1.5, 2.5, 4.0), step_size=(5e-5, 1e-4, 2e-4, 4e-4)),
    "AESVR 56": grid(radius=(0.1, 0.2, 0.4), accuracy=(4.0, 8.0, 16.0)),
    f"AESVR, {PRINTED} 56": grid(radius=(0.8, 1.6), accuracy=(16.0, 32.0, 64.0), step_size=(3e-4, 1e-3)),
}


@lru_cache(maxsize=1)
def _pair(first: int, second: int) -> tuple[np.ndarray, np.ndarray]:
    return mnist_pair(first, second)


def split_of(pair: Sequence[int], split: int, seed: int) -> Split:
    """A random split of the images of two digits, a tenth of them for testing."""
    return random_split(*_pair(*pair), seed, split)


def streaming(
    names: Sequence[str], budget: int, pair: Sequence[int], split: int, seed: int, n_folds: int, n_prefixes: int
) -> Rows:
    """Task: streaming learners, by the names that figures show."""
    rows, data, draws = [], split_of(pair, split, seed), draw_seed(seed, split)
    for name in names:
        kind = name.split(",")[0]
        make, chosen = _maker(name, budget), FIXED[kind]
        if not name.endswith(UNTUNED):
            chosen = tuned(make, GRIDS[f"{name} {budget}"], data, n_folds, draws)
        sweep, done = Sweep([make(random_state=draws, **chosen)], data.X.shape[1]), 0
        learner = sweep.learners[0]
        for examples in prefixes(len(data.y), n_prefixes):
            sweep.learn(data.X, data.y, done, examples)
            done = examples
            rows.append(_row(name, data, examples, learner.observed_.distinct, learner, split, chosen))
    return rows


def _maker(name: str, budget: int) -> Callable[..., Any]:
    """A function that makes the learner of this name from the settings of a grid."""
    kind, _, form = name.partition(", ")
    learner_class = getattr(online, kind)
    if form == PRINTED:
        return partial(learner_class.as_printed, budget)
    if form == EVEN:
        return partial(learner_class, budget, **(learner_class.printed_parameters | {"draws": "even"}))
    return partial(learner_class, budget)


def baseline(
    names: Sequence[str], budget: int, pair: Sequence[int], split: int, seed: int, n_folds: int, n_prefixes: int
) -> Rows:
    """Task: Baseline, whose draws do not depend on the radius, so that one pass serves all radii."""
    rows, data, draws = [], split_of(pair, split, seed), draw_seed(seed, split)
    for name in names:
        make = partial(_maker(name, budget), random_state=draws)
        radius = FIXED["Baseline"]["radius"]
        if not name.endswith(UNTUNED):
            errors = np.zeros(len(BASELINE_RADII))
            learner = make()
            sweep = Sweep([learner], data.X.shape[1])
            for start, stop in sweep.learn_others(data.X, data.y, folds(len(data.y), n_folds)):
                errors += _predictors(learner, BASELINE_RADII).errors(data.X[start:stop], data.y[start:stop])
            radius = BASELINE_RADII[int(errors.argmin())]
        learner, done = make(radius=radius), 0
        sweep = Sweep([learner], data.X.shape[1])
        for examples in prefixes(len(data.y), n_prefixes):
            sweep.learn(data.X, data.y, done, examples)
            done, predictor = examples, _predictors(learner, [radius])
            rows.append(_row(name, data, examples, learner.observed_.distinct, predictor, split, {"radius": radius}))
    return rows


def _predictors(learner: online.Baseline, radii: Sequence[float]) -> Linear:
    linear = [unscale(learner.state_.scales, weights) for weights in learner.path(radii).T]
    return Linear(np.column_stack([coef for coef, _ in linear]), np.array([intercept for _, intercept in linear]))


def full_information(
    names: Sequence[str], budget: int, pair: Sequence[int], split: int, seed: int, n_folds: int, n_prefixes: int
) -> Rows:
    """Task: ridge and Lasso on whole rows; also on as many of them as cost no more than a prefix under the budget."""
    rows, data = [], split_of(pair, split, seed)
    n, d = data.X.shape
    parts = folds(n, n_folds)
    lengths = prefixes(n, n_prefixes)
    if n_prefixes > 1:
        lengths = sorted({*lengths, *(max(budget * length // d, 2) for length in lengths)})
    _, errors = cross_validated(data.X, data.y, parts)
    penalties = {
        "ridge": RIDGE_PENALTIES[int(errors["ridge"].argmin())],
        "Lasso": LASSO_PENALTIES[int(errors["Lasso"].argmin())],
    }
    for name in names:
        if name in penalties:
            path, chosen = ridge_path if name == "ridge" else lasso_path_of, {"penalty": penalties[name]}
            for examples in lengths:
                predictor = path(moments_of(data.X[:examples], data.y[:examples]), [penalties[name]])
                rows.append(_row(name, data, examples, examples * d, predictor, split, chosen))
        else:
            penalty = "l2" if name == "online ridge" else "l1"
            strength, step = tuned_online(penalty, data.X, data.y, parts, draw_seed(seed, split))
            learner, done = online_learner(penalty, strength, step, draw_seed(seed, split)), 0
            for examples in lengths:
                learner.partial_fit(data.X[done:examples], data.y[done:examples])
                done, chosen = examples, {"penalty": strength, "step": step}
                rows.append(_row(name, data, examples, examples * d, learner, split, chosen))
    return rows


def reference_lines(
    names: Sequence[str], budget: int, pair: Sequence[int], split: int, seed: int, lengths: int | list[int]
) -> Rows:
    """Task: KeyholeRegressor and the rivals.

    ``lengths`` is the number of doubling prefixes, or a list of whole numbers k, for the first 1/k of all rows.
    """
    rows, data, draws = [], split_of(pair, split, seed), draw_seed(seed, split)
    n = len(data.y)
    known = {"KeyholeRegressor": own, "multiple imputation": imputation}
    for name in names:
        for examples in prefixes(n, lengths) if isinstance(lengths, int) else [n // part for part in lengths]:
            model = known[name](budget, draws) if name in known else rivals(budget, draws)[name]
            if budget * examples < 2 * data.X.shape[1] and name == "complete rows":
                continue  # the budget does not pay for two whole rows
            model.fit(data.X[:examples], data.y[:examples])
            rows.append(_row(name, data, examples, model.observed_.distinct, model, split, {}))
    return rows


def _row(
    name: str, data: Split, examples: int, attributes: int, model: Any, split: int, settings: dict[str, Any]
) -> Row:
    predicted = model.predict(data.X_test)
    return {
        "learner": name,
        "split": split,
        "examples": examples,
        "attributes": attributes,
        "error": squared_error(predicted, data.y_test),
        "wrong": wrong_sign(predicted, data.y_test),
        "settings": in_words(settings),
    }
