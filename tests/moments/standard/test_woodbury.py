"""Systems with a covariance of factors and noise, against a dense solve."""

import numpy as np
import pytest

from keyhole.moments.standard.woodbury import solve_by_factors, solve_by_smaller

SOLVERS = pytest.mark.parametrize("solve", [solve_by_factors, solve_by_smaller])


def system(k, r, stack=()):
    rng = np.random.default_rng(0)
    return rng.normal(size=(*stack, k, r)), rng.uniform(0.1, 2.0, size=(*stack, k)), rng.normal(size=(*stack, k, 2))


def dense(W, noise, right):
    return np.linalg.solve(W @ W.T + np.diag(noise), right)


@SOLVERS
@pytest.mark.parametrize(("k", "r"), [(9, 3), (3, 9), (4, 4), (5, 0), (1, 1)])
def test_one_system_is_the_dense_one(solve, k, r):
    W, noise, right = system(k, r)
    np.testing.assert_allclose(solve(W, noise, right), dense(W, noise, right), rtol=1e-10, atol=1e-12)


@SOLVERS
@pytest.mark.parametrize(("k", "r"), [(9, 3), (3, 9), (0, 2)])
def test_a_stack_of_systems_is_solved_one_by_one(solve, k, r):
    W, noise, right = system(k, r, (4,))
    found = solve(W, noise, right)
    assert found.shape == (4, k, 2)
    for one, *parts in zip(found, W, noise, right, strict=True):
        np.testing.assert_allclose(one, dense(*parts), rtol=1e-10, atol=1e-12)
