"""Online ridge and Lasso on whole rows are the plain algorithms, and what AERR and AELR do on average over draws."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.experiments.shared import online_descent
from keyhole.experiments.shared.online_descent import OnlineSettings, exponentiated_gradient, gradient_descent
from keyhole.experiments.shared.protocol import folds
from keyhole.experiments.shared.sweeps import Sweep


def rows(n=40, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] - 0.5 * X[:, 2] + 0.1 * rng.normal(size=n)


def plain_ridge(X, y, step, radius):
    w, before = np.zeros(X.shape[1]), []
    for row, label in zip(X, y, strict=True):
        before.append(w)
        w = w - step * (w @ row - label) * row
        w = w * min(1.0, radius / np.linalg.norm(w))
    return np.mean(before, axis=0)


def plain_lasso(X, y, step, radius):
    """Positive and negative weights that are multiplied, with their sum kept at the radius."""
    plus = minus = np.full(X.shape[1], radius / (2 * X.shape[1]))
    before = []
    for row, label in zip(X, y, strict=True):
        before.append(plus - minus)
        gradient = ((plus - minus) @ row - label) * row
        plus, minus = plus * np.exp(-step * gradient), minus * np.exp(step * gradient)
        factor = radius / (plus.sum() + minus.sum())
        plus, minus = factor * plus, factor * minus
    return np.mean(before, axis=0)


@pytest.mark.parametrize(("step", "radius"), [(0.2, 0.3), (0.05, 10.0)])
def test_kernels_equal_the_plain_versions(step, radius):
    X, y = rows()
    np.testing.assert_allclose(gradient_descent(X, y, step, radius), plain_ridge(X, y, step, radius), atol=1e-10)
    np.testing.assert_allclose(exponentiated_gradient(X, y, step, radius), plain_lasso(X, y, step, radius), atol=1e-10)


def test_a_long_step_of_the_lasso_does_not_overflow():
    X, y = rows()
    w = exponentiated_gradient(X, y, 1e4, 2.0)
    assert np.abs(w).sum() <= 2.0 * (1 + 1e-9)


@pytest.mark.parametrize(("kind", "descend"), [(kh.AERR, gradient_descent), (kh.AELR, exponentiated_gradient)])
def test_it_is_the_mean_over_draws_of_the_learner_under_a_budget(kind, descend):
    """Within four standard errors, over many seeds; with steps so short that nothing is clipped or projected."""
    X, y = rows(n=4, d=4)
    start = {"initial_weights": 1e-9} if kind is kh.AERR else {}
    learners = [kind(4, 5.0, 1e-3, scaling="none", random_state=seed, **start) for seed in range(2000)]
    found = np.array([learner.coef_ for learner in Sweep(learners, 4).learn(X, y).learners])
    wanted, error = descend(X, y, 1e-3, 5.0), found.std(axis=0) / np.sqrt(len(found))
    assert (error < 0.05 * np.abs(wanted).max()).all()
    assert (np.abs(found.mean(axis=0) - wanted) <= 4 * error).all()


@pytest.mark.parametrize("norm", ["ridge", "lasso"])
def test_settings_are_those_with_the_least_held_out_error(norm):
    X, y = rows()
    parts, radii = folds(len(y), 4), (0.1, 2.0)
    chosen = online_descent.tuned(norm, X, y, radii, parts)

    def held_out(settings):
        descend, errors = gradient_descent if norm == "ridge" else exponentiated_gradient, 0.0
        step = online_descent.step_size(norm, X, settings)
        for start, stop in parts:
            rest = np.r_[0:start, stop : len(y)]
            w = descend(X[rest], y[rest], step, settings.radius)
            errors += np.sum((X[start:stop] @ w - y[start:stop]) ** 2)
        return errors

    points = [OnlineSettings(step, radius) for step in online_descent.STEPS[norm] for radius in radii]
    assert held_out(chosen) == pytest.approx(min(map(held_out, points)))
    assert chosen.radius == 2.0  # the labels need more than a ball of radius 0.1


def test_steps_do_not_depend_on_the_unit_of_the_rows():
    X, y = rows()
    for norm in ("ridge", "lasso"):
        w = online_descent.learned(norm, X, y, OnlineSettings(0.3, 4.0))
        scaled = online_descent.learned(norm, 10 * X, y, OnlineSettings(0.3, 0.4))
        np.testing.assert_allclose(10 * scaled, w, atol=1e-10)
