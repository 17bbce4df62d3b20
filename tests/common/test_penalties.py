"""The one grid of ridge penalties spans from no effect to weights next to 0."""

import numpy as np

from keyhole.common.penalties import RIDGE_PENALTIES


def test_grid_is_even_on_the_logarithm_from_no_effect_to_weights_next_to_zero():
    assert len(RIDGE_PENALTIES) == 28
    np.testing.assert_allclose(np.diff(np.log10(RIDGE_PENALTIES)), 1 / 3)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    y = X @ np.ones(5)
    least_squares = np.linalg.solve(X.T @ X, X.T @ y)
    for penalty, share in ((RIDGE_PENALTIES[0], 1.0), (RIDGE_PENALTIES[-1], 0.0)):
        weights = np.linalg.solve(X.T @ X + penalty * np.eye(5), X.T @ y)
        np.testing.assert_allclose(weights, share * least_squares, atol=1e-3)
