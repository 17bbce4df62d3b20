"""Errors are those of the learners, and learners with every cell have no more cells than the others."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.experiments.kukliansky_shamir_2015.comparison import Comparison, Problem
from keyhole.experiments.shared import online_descent


def test_errors_are_those_of_the_learners():
    stream = kh.datasets.kukliansky_shamir(800, alpha=-1, random_state=5)
    problem = Problem(stream.X, stream.y, stream.moments, stream.excess)
    compared = Comparison("ridge", 5, [1e-3], [4.0], [4.0], 2)
    settings = compared.tune(problem, 5)
    found = compared.published_results(problem, settings, 5)
    form = {"scaling": "none", "initial_weights": 1e-9}
    learner = kh.DDAERR(5, 4.0, 1e-3, moments=stream.moments, random_state=5, **form).fit(stream.X, stream.y)
    assert learner.observed_.max_per_example <= 5
    assert found["DDAERR"].error == pytest.approx(stream.excess(learner.coef_), rel=1e-9)
    assert found["DDAERR"].settings == "step_size 0.001, radius 4"
    untuned = kh.AERR(5, 0.5, random_state=5).fit(stream.X, stream.y)
    assert found["AERR, untuned"].error == pytest.approx(stream.excess(untuned.coef_, untuned.intercept_), rel=1e-9)


@pytest.mark.parametrize("norm", ["ridge", "lasso"])
def test_each_phase_is_tuned_and_run_as_in_the_paper(norm):
    stream = kh.datasets.kukliansky_shamir(1000, alpha=-2, norm=norm, random_state=5)
    problem = Problem(stream.X, stream.y, stream.moments, stream.excess)
    compared = Comparison(norm, 5, [1e-4, 1e-2], [2.0, 4.0], [4.0], 2)
    kind, plain = (kh.DDAERR, kh.AERR) if norm == "ridge" else (kh.DDAELR, kh.AELR)
    name = f"Two-Phased {kind.__name__}"
    settings = compared.tune(problem, 5)
    assert set(settings[name]) == {"step_size", "radius", "warmup_step_size", "warmup_radius"}
    few = problem._replace(X=stream.X[:100], y=stream.y[:100])
    alone = compared.tune(few, 5)[plain.__name__]
    first = settings[name]["warmup_step_size"], settings[name]["warmup_radius"]
    assert first == (alone["step_size"], alone["radius"])
    start = {"initial_weights": 1e-9} if norm == "ridge" else {}  # AELR starts from weights of 0
    learner = kind(5, scaling="none", n_expected=1000, phases="separate", random_state=5, **start, **settings[name])
    error = compared.published_results(problem, settings, 5)[name].error
    assert error == pytest.approx(stream.excess(learner.fit(stream.X, stream.y).coef_), rel=1e-9)


def test_full_information_sees_no_more_attributes():
    """8 whole rows of 500 attributes cost what 5 attributes of 800 examples do; fewer than 5 rows are too few."""
    stream = kh.datasets.kukliansky_shamir(800, alpha=-1, random_state=5)
    far = stream.X.copy()
    far[8:] = np.nan
    problem = Problem(far, stream.y, stream.moments, stream.excess)
    compared = Comparison("lasso", 5, [1e-3], [4.0], [10.0, 40.0], 2)
    found = compared.full_information_results(problem)
    assert set(found) == {"Lasso", "online Lasso"}
    assert all(np.isfinite(result.error) for result in found.values())
    few = problem._replace(X=far[:400], y=stream.y[:400])
    assert compared.full_information_results(few) == {}


@pytest.mark.parametrize("norm", ["ridge", "lasso"])
def test_with_every_cell_the_papers_problem_is_solved_on_raw_rows_without_intercept(norm):
    """Labels that are all 1 where x is 0 on average cannot be predicted: an intercept would."""
    X = np.random.default_rng(0).choice([-1.0, 1.0], size=(400, 5))
    problem = Problem(X, np.ones(400), np.ones(5), lambda w, b: float(b) if b else float(np.mean((X @ w - 1) ** 2)))
    compared = Comparison(norm, 5, [1e-3], [4.0], [0.1, 1.0], 2)
    found = compared.full_information_results(problem)
    assert all(result.error > 0.95 for result in found.values())
    online = found["online ridge" if norm == "ridge" else "online Lasso"].settings
    step, radius = (float(part.split()[1]) for part in online.split(", "))
    descend = online_descent.gradient_descent if norm == "ridge" else online_descent.exponentiated_gradient
    unit = 1 / 5 if norm == "ridge" else 1 / radius  # |x|^2 is 5, and the largest entry of x is 1 or -1
    w = descend(X, problem.y, step * unit, radius)
    assert list(found.values())[1].error == pytest.approx(problem.error(w, 0.0), rel=1e-9)


def test_keyholes_own_learner_is_judged_by_its_predictions_or_with_values_as_they_are():
    """The weights of mapped values say nothing about values as they are."""
    rng = np.random.default_rng(0)
    X = rng.lognormal(sigma=1.5, size=(400, 6))
    y = np.log(X[:, 0]) + 0.3 * rng.normal(size=400)
    tests = X[300:], y[300:]
    compared = Comparison("ridge", 3, [1e-3], [4.0], [4.0], 2)

    def of_weights(w, b):
        return float(np.mean((tests[0] @ w + b - tests[1]) ** 2))

    def of_predictions(predict):
        return float(np.mean((predict(tests[0]) - tests[1]) ** 2))

    problem = Problem(X[:300], y[:300], np.mean(X**2, axis=0), of_weights, of_predictions)
    own = kh.KeyholeRegressor(3, random_state=5).fit(problem.X, problem.y)
    found = compared.reference_results(problem, ["KeyholeRegressor"], 5)["KeyholeRegressor"]
    assert found.error == pytest.approx(of_predictions(own.predict))
    assert found.error < 0.5 < of_weights(own.coef_, own.intercept_)
    raw = kh.KeyholeRegressor(3, values="raw", random_state=5).fit(problem.X, problem.y)
    alone = problem._replace(error_of_predictions=None)
    found = compared.reference_results(alone, ["KeyholeRegressor"], 5)["KeyholeRegressor"]
    assert found.error == pytest.approx(of_weights(raw.coef_, raw.intercept_))


def test_the_first_phase_has_further_settings_and_an_end_of_a_grid_is_said():
    stream = kh.datasets.kukliansky_shamir(800, alpha=-1, random_state=5)
    problem = Problem(stream.X, stream.y, stream.moments, stream.excess)
    compared = Comparison("ridge", 5, [1e-3, 1e-9], [4.0], [4.0, 8.0], 2, [1e-2, 1e-10], [8.0])
    tried = compared.tried()
    assert (tried["step_size"], tried["warmup_step_size"]) == ([1e-9, 1e-3], [1e-10, 1e-9, 1e-3, 1e-2])
    settings = compared.tune(problem, 5)
    wide = Comparison("ridge", 5, tried["warmup_step_size"], tried["warmup_radius"], [4.0], 2)
    alone = wide.tune(problem._replace(X=stream.X[:80], y=stream.y[:80]), 5)["AERR"]
    phased = settings["Two-Phased DDAERR"]
    assert (phased["warmup_step_size"], phased["warmup_radius"]) == (alone["step_size"], alone["radius"])
    found = compared.published_results(problem, settings, 5)
    assert found["DDAERR"].settings == "step_size 0.001 (the largest that was tried), radius 4"
    assert found["AERR, untuned"].settings == "radius 0.5"  # fixed in advance: nothing was tried
    words = "; ".join(result.settings for result in compared.full_information_results(problem).values())
    assert "radius 4 (the smallest that was tried)" in words or "radius 8 (the largest that was tried)" in words
