"""The linear programs of the Dantzig selector against scipy's linprog and by hand."""

import numpy as np
import pytest
from scipy.optimize import linprog

from keyhole.sparse.linear_program import nearest, smallest_within


def test_smallest_weights_within_a_bound():
    rng = np.random.default_rng(0)
    A, b, bound, d = rng.normal(size=(6, 6)), rng.normal(size=6), 0.3, 6
    A = A + A.T
    w = smallest_within(A, b, bound)
    assert np.abs(b - A @ w).max() <= bound + 1e-9
    both = np.vstack([np.hstack([A, -A]), np.hstack([-A, A])])
    plain = linprog(np.ones(2 * d), both, np.concatenate([b + bound, bound - b]), bounds=(0, None))
    assert np.abs(w).sum() == pytest.approx(plain.fun)


def test_the_nearest_weights():
    assert nearest(np.ones((4, 4)), np.array([1.0, -3.0, 0.0, 2.0])) == pytest.approx(2.5)
    assert smallest_within(np.ones((4, 4)), np.array([1.0, -3.0, 0.0, 2.0]), 2.4) is None
