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
from .mnist_grids import BASELINE_RADII, EVEN, GRIDS, ONLINE_GRIDS, PRINTED, UNTUNED
from .protocol import (
    FIXED,
    Split,
    chosen_in_words,
    draw_seed,
    folds,
    grid,
    prefixes,
    random_split,
    squared_error,
    tuned,
    wrong_sign,
)
from .reference_lines import imputation, own, rivals
from .sweeps import Sweep

PATHS = {"ridge": (ridge_path, RIDGE_PENALTIES), "Lasso": (lasso_path_of, LASSO_PENALTIES)}


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
        make, chosen, points = _maker(name, budget), FIXED[kind], []
        if not name.endswith(UNTUNED):
            points = GRIDS[f"{name} {budget}"]
            chosen = tuned(make, points, data, n_folds, draws)
        settings = chosen_in_words(chosen, points)
        sweep, done = Sweep([make(random_state=draws, **chosen)], data.X.shape[1]), 0
        learner = sweep.learners[0]
        for examples in prefixes(len(data.y), n_prefixes):
            sweep.learn(data.X, data.y, done, examples)
            done = examples
            rows.append(_row(name, data, examples, learner.observed_.distinct, learner, split, settings))
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
        radius, points = FIXED["Baseline"]["radius"], []
        if not name.endswith(UNTUNED):
            points = grid(radius=BASELINE_RADII)
            errors = np.zeros(len(BASELINE_RADII))
            learner = make()
            sweep = Sweep([learner], data.X.shape[1])
            for start, stop in sweep.learn_others(data.X, data.y, folds(len(data.y), n_folds)):
                errors += _predictors(learner, BASELINE_RADII).errors(data.X[start:stop], data.y[start:stop])
            radius = BASELINE_RADII[int(errors.argmin())]
        learner, done, settings = make(radius=radius), 0, chosen_in_words({"radius": radius}, points)
        sweep = Sweep([learner], data.X.shape[1])
        for examples in prefixes(len(data.y), n_prefixes):
            sweep.learn(data.X, data.y, done, examples)
            done, predictor = examples, _predictors(learner, [radius])
            rows.append(_row(name, data, examples, learner.observed_.distinct, predictor, split, settings))
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
    for name in names:
        if name in PATHS:
            path, penalties = PATHS[name]
            best = penalties[int(errors[name].argmin())]
            settings = chosen_in_words({"penalty": best}, grid(penalty=penalties))
            for examples in lengths:
                predictor = path(moments_of(data.X[:examples], data.y[:examples]), [best])
                rows.append(_row(name, data, examples, examples * d, predictor, split, settings))
        else:
            penalty = "l2" if name == "online ridge" else "l1"
            points, draws = ONLINE_GRIDS[name], draw_seed(seed, split)
            tried = [(point["penalty"], point["step"]) for point in points]
            strength, step = tuned_online(penalty, data.X, data.y, parts, draws, tried)
            settings = chosen_in_words({"penalty": strength, "step": step}, points)
            learner, done = online_learner(penalty, strength, step, draws), 0
            for examples in lengths:
                learner.partial_fit(data.X[done:examples], data.y[done:examples])
                done = examples
                rows.append(_row(name, data, examples, examples * d, learner, split, settings))
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
            rows.append(_row(name, data, examples, model.observed_.distinct, model, split, ""))
    return rows


def _row(name: str, data: Split, examples: int, attributes: int, model: Any, split: int, settings: str) -> Row:
    predicted = model.predict(data.X_test)
    return {
        "learner": name,
        "split": split,
        "examples": examples,
        "attributes": attributes,
        "error": squared_error(predicted, data.y_test),
        "wrong": wrong_sign(predicted, data.y_test),
        "settings": settings,
    }
