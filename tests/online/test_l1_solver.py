"""A quadratic loss over an l1 ball against scikit-learn's Lasso and against the corners of the ball."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from keyhole.online.l1_solver import MOST_ITERATIONS, minimise_in_l1_ball, project_to_l1_ball
from online.all_learners.reference import project


def test_solution_is_that_of_the_lasso_with_the_same_norm():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = X @ np.array([2.0, -1.0, 0.5] + [0.0] * 9) + rng.normal(size=300)
    A, b = X.T @ X / 300, X.T @ y / 300
    for alpha in (0.05, 0.3, 1.0):
        lasso = Lasso(alpha=alpha, fit_intercept=False, tol=1e-12).fit(X, y).coef_
        w = minimise_in_l1_ball(A, b, np.abs(lasso).sum(), 2 * np.linalg.eigvalsh(A).max(), gap=1e-10).weights
        np.testing.assert_allclose(w, lasso, atol=1e-4)


def test_a_linear_loss_has_its_minimum_in_a_corner():
    w = minimise_in_l1_ball(np.zeros((3, 3)), np.array([0.5, -2.0, 1.0]), 1.5, 0.0).weights
    np.testing.assert_allclose(w, [0.0, -1.5, 0.0], atol=1e-9)
    assert not minimise_in_l1_ball(np.zeros((3, 3)), np.zeros(3), 1.5, 0.0).weights.any()


def test_weights_that_are_not_certified_come_with_a_warning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 40)) * np.logspace(-2, 0, 40)
    A, b = X.T @ X / 50, X.T @ X[:, 0] / 50
    steepest = 2 * np.linalg.eigvalsh(A).max()
    wanted = r"radius 2 are not certified: after 3 iterations the duality gap is \d.*asked for. Give a larger max_iter"
    with pytest.warns(UserWarning, match=wanted):
        assert minimise_in_l1_ball(A, b, 2.0, steepest, gap=1e-9, most_iterations=3).n_iter == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 3 < minimise_in_l1_ball(A, b, 2.0, steepest, gap=1e-5).n_iter < MOST_ITERATIONS


@pytest.mark.parametrize("radius", [0.1, 1.0, 100.0])
def test_projection(radius):
    v = np.random.default_rng(2).normal(size=20)
    np.testing.assert_allclose(project_to_l1_ball(v, radius), project(v, radius), atol=1e-12)
