"""The estimates of x and of the error, from the draws of an ask."""

import numpy as np
import pytest

from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE, Ask
from keyhole.online.kernels.draw_distribution import moment_distribution
from keyhole.online.kernels.estimates import error_estimate, start_draws, x_estimate
from keyhole.sampling import new_generator

ASK = Ask(
    attributes=np.array([7, 3, 5]),
    probabilities=np.empty(0),
    slots=np.array([0, 1, 0, 2, 1]),
    roles=np.array([X_ESTIMATE, X_ESTIMATE, X_ESTIMATE, INNER_PRODUCT, INNER_PRODUCT]),
    weights=np.array([2.0, 4.0, 3.0, -1.5, 0.5]),
    notes=np.empty(0),
)
Z = np.array([0.1, 10.0, 2.0])


def test_estimates_of_an_ask_with_repeated_draws():
    np.testing.assert_allclose(x_estimate(ASK, Z), [(2 + 3) * 0.1, 4 * 10.0, 0.0])
    assert error_estimate(ASK, Z, 0.25) == pytest.approx(-1.5 * 2.0 + 0.5 * 10.0 - 0.25)


def test_draws_for_x_carry_their_inverse_probabilities():
    moments = np.array([1.0, 4.0, 9.0])
    distribution = moment_distribution(3, moments, 0.5, improved=True)
    drawn, roles, weights = start_draws(distribution, new_generator(0), 3, 50, 2)
    assert roles.tolist() == [X_ESTIMATE] * 50 + [INNER_PRODUCT] * 2
    q = np.sqrt(moments) / 6
    np.testing.assert_allclose(weights[:50], 1 / (50 * q[drawn[:50]]))
    assert set(drawn[:50]) == {0, 1, 2}
