"""Attributes of two values have the stated probabilities, moments and excess."""

import numpy as np
import pytest

from keyhole.datasets import TwoValued, kukliansky_shamir, three_signs
from keyhole.datasets.two_valued import Values


@pytest.mark.parametrize("stream", [kukliansky_shamir(200_000, 6, -1, random_state=0), three_signs(200_000, 0)])
def test_excess_is_the_expected_one(stream):
    coef = stream.coef + np.linspace(-0.3, 0.5, stream.n_attributes)
    X = stream.X.astype(float)
    losses = (X @ coef + 0.1 - stream.y) ** 2
    assert stream.excess(stream.coef) == 0
    assert abs(losses.mean() - stream.excess(coef, 0.1)) < 5 * losses.std() / np.sqrt(len(losses))
    np.testing.assert_allclose(stream.moments, np.mean(X**2, axis=0), atol=5 * 0.5 / np.sqrt(len(X)))


def test_values_have_their_probabilities():
    values = Values(np.array([0.0, -1.0]), np.array([2.0, 3.0]), np.array([0.25, 0.9]))
    stream = TwoValued(100_000, values, np.ones(2), seed=3)
    assert set(np.unique(stream.X[:, 0])) == {0.0, 2.0}
    np.testing.assert_allclose(np.mean(values.high == stream.X, axis=0), values.probability, atol=5 * 0.5 / 316)
    np.testing.assert_allclose(stream.X.mean(axis=0), stream.means, atol=5 * 2 / 316)
