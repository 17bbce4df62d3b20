"""Ridge regression of the rivals against the normal equations."""

import numpy as np
import pytest

from keyhole.common.penalties import RIDGE_PENALTIES
from keyhole.rivals.ridge import check_alphas, ridge

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4)) * [1.0, 10.0, 0.1, 3.0] + 5.0
Y = X @ [1.0, 0.2, -3.0, 0.0] + 2.0 + 0.1 * RNG.normal(size=60)


def test_one_penalty_is_the_solution_of_the_normal_equations():
    coef, intercept = ridge(X, Y, np.array([7.0]), scaled=False)
    Z = X - X.mean(axis=0)
    np.testing.assert_allclose(coef, np.linalg.solve(Z.T @ Z + 7 * np.eye(4), Z.T @ (Y - Y.mean())))
    assert intercept == pytest.approx(Y.mean() - X.mean(axis=0) @ coef)


def test_the_penalty_has_the_smallest_leave_one_out_error():
    alphas = np.array([0.01, 1.0, 100.0, 1e4])
    errors = []
    for alpha in alphas:
        left_out = []
        for t in range(60):
            rows = np.arange(60) != t
            coef, intercept = ridge(X[rows], Y[rows], np.array([alpha]), scaled=False)
            left_out.append((X[t] @ coef + intercept - Y[t]) ** 2)
        errors.append(np.mean(left_out))
    best = alphas[np.argmin(errors)]
    np.testing.assert_allclose(ridge(X, Y, alphas, scaled=False)[0], ridge(X, Y, np.array([best]), scaled=False)[0])


def test_units_do_not_matter_and_a_constant_attribute_has_no_coefficient():
    units = np.array([1.0, 1000.0, 1.0, 1e-3])
    coef, intercept = ridge(X, Y, RIDGE_PENALTIES)
    in_units, same_intercept = ridge(X * units, Y, RIDGE_PENALTIES)
    np.testing.assert_allclose(in_units * units, coef, rtol=1e-8)
    assert same_intercept == pytest.approx(intercept)
    assert ridge(np.column_stack([X, np.full(60, 7.0)]), Y, RIDGE_PENALTIES)[0][4] == 0.0


def test_penalties():
    np.testing.assert_array_equal(check_alphas("CompleteRows", None), RIDGE_PENALTIES)
    np.testing.assert_array_equal(check_alphas("CompleteRows", 2), [2.0])
    for wrong in ([], [-1.0], [np.nan], [[1.0]]):
        with pytest.raises(ValueError, match="CompleteRows needs one or more penalties, finite numbers above 0"):
            check_alphas("CompleteRows", wrong)
