"""What was published, and what this package promises beyond it: defaults only."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import blogfeedback, murata_suzuki

SEEDS = range(5)
EARLY, LATE = 40_000, 90_000


@pytest.fixture(scope="module")
def figure_1():
    """Excess over the true parameter on the data of Murata and Suzuki, at 40,000 and 90,000 examples, by seed."""
    learners = {
        "Hybrid": lambda seed: kh.Hybrid(50, 25, random_state=seed),
        "Exploration": lambda seed: kh.Exploration(50, 25, random_state=seed),
        "DualAveraging": lambda seed: kh.DualAveraging(50, 25, random_state=seed),
        "Dantzig": lambda seed: kh.Dantzig(50, 25, random_state=seed),
    }
    found, supports = {}, []
    for seed in SEEDS:
        stream = murata_suzuki(LATE, random_state=seed)
        X, y = stream.table(), stream.labels()
        for name, make in learners.items():
            if name == "Dantzig" and seed > 0:  # its programs take seconds
                continue
            learner = make(seed).fit(X[:EARLY], y[:EARLY])
            early = stream.excess(learner.coef_, learner.intercept_)
            learner.partial_fit(X[EARLY:], y[EARLY:])
            found.setdefault(name, []).append((early, stream.excess(learner.coef_, learner.intercept_)))
            if name == "Hybrid":
                supports.append(set(learner.support_) == set(range(25)))
    return {name: np.mean(rows, axis=0) for name, rows in found.items()}, supports


def test_hybrid_and_exploration_on_the_data_of_the_paper(figure_1):
    excess, supports = figure_1
    assert excess["Hybrid"][0] <= 0.01
    assert excess["Hybrid"][1] <= 0.005
    assert excess["Exploration"][1] <= 0.05
    assert sum(supports) >= 4


def test_order_of_figure_1(figure_1):
    excess, _ = figure_1
    late = {name: values[1] for name, values in excess.items()}
    assert late["Hybrid"] < late["Exploration"] < min(late["DualAveraging"], late["Dantzig"])


@pytest.fixture(scope="module")
def posts():
    try:
        return blogfeedback()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


def test_blogfeedback(posts):
    """Log labels, scaled within the budget of 20, defaults only: none diverges, and Hybrid is no worse."""
    learners = [kh.Hybrid, kh.Exploration, kh.DualAveraging, kh.Dantzig]
    errors = np.empty((len(learners), len(SEEDS)))
    for seed in SEEDS:
        order = np.random.default_rng(seed).permutation(len(posts.y))
        X, y = posts.X[order], posts.y[order]
        for row, learner in zip(errors, learners, strict=True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted = learner(20, 10, random_state=seed).fit(X, y)
            row[seed] = np.mean((fitted.predict(posts.X_test) - posts.y_test) ** 2)
            assert fitted.observed_.max_per_example <= 20
    means = errors.mean(axis=1)
    assert means[0] <= 0.80
    assert means[0] == means.min()
    assert errors.max() < np.mean((posts.y_test - posts.y.mean()) ** 2), "all beat the mean label, with every seed"
