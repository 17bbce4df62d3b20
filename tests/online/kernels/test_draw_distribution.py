"""The distribution of the draws for x: uniform, by given moments, or by estimated ones."""

import numpy as np
import pytest

from keyhole.online.kernels.draw_distribution import (
    count_squares,
    draw_attribute,
    draw_probability,
    estimated_moments,
    follow_moments,
    given_distribution,
    moment_distribution,
    moment_norm,
    uniform_distribution,
)
from keyhole.sampling import new_generator
from sampling.enumeration import assert_drawn_as

MOMENTS = np.array([0.25, 1.0, 4.0, 0.0])
GIVEN = np.array([0.5, 0.125, 0.25, 0.125])


def draws(distribution, d, n=20_000):
    rng = new_generator(0)
    return [draw_attribute(distribution, d, rng) for _ in range(n)]


def test_uniform_draws():
    distribution = uniform_distribution()
    assert_drawn_as(draws(distribution, 5), {(i,): 0.2 for i in range(5)})
    assert draw_probability(distribution, 5, 3) == 0.2


def test_draws_by_given_probabilities():
    distribution = given_distribution(GIVEN)
    assert_drawn_as(draws(distribution, 4), {(i,): GIVEN[i] for i in range(4)})
    assert [draw_probability(distribution, 4, i) for i in range(4)] == pytest.approx(GIVEN)


@pytest.mark.parametrize(("power", "q"), [(0.5, [0.5, 1.0, 2.0]), (1.0, [0.25, 1.0, 4.0])])
def test_draws_follow_a_power_of_the_given_moments(power, q):
    distribution = moment_distribution(4, MOMENTS, power, improved=True)
    q = np.array(q) / np.sum(q)
    assert_drawn_as(draws(distribution, 4), {(i,): q[i] for i in range(3)})
    assert [draw_probability(distribution, 4, i) for i in range(4)] == pytest.approx([*q, 0.0])
    np.testing.assert_allclose(distribution.root, np.sqrt(MOMENTS))


def test_draws_are_uniform_until_moments_are_estimated():
    distribution = moment_distribution(4, None, 0.5, improved=False)
    assert draw_probability(distribution, 4, 0) == 0.25
    follow_moments(distribution, MOMENTS, 0.5)
    assert draw_probability(distribution, 4, 2) == pytest.approx(2 / 3.5)
    assert len(distribution.root) == 0


def test_an_estimate_counts_five_more_cells_at_the_common_mean():
    distribution = moment_distribution(3, None, 0.5, improved=True)
    cells = [(0, 2.0), (0, 4.0), (1, 0.0), (0, 3.0), (1, 0.0)]
    for attribute, value in cells:
        count_squares(distribution, np.array([attribute]), np.array([value]))
    mean = np.mean([value**2 for _, value in cells])
    expected = [(4 + 16 + 9 + 5 * mean) / 8, 5 * mean / 7, mean]  # the last one was never drawn
    np.testing.assert_allclose(estimated_moments(distribution, 0.0, 5.0), expected)
    np.testing.assert_allclose(estimated_moments(distribution, 0.6, 5.0), np.array(expected) + 1.3)


def test_an_estimate_by_the_letter_is_the_plain_mean():
    distribution = moment_distribution(3, None, 0.5, improved=True)
    np.testing.assert_array_equal(estimated_moments(distribution, 0.0, 0.0), np.ones(3))  # nothing was seen
    for attribute, value in [(0, 2.0), (0, 4.0), (1, 0.0)]:
        count_squares(distribution, np.array([attribute]), np.array([value]))
    np.testing.assert_allclose(estimated_moments(distribution, 0.0, 0.0), [10.0, 0.0, 20 / 3])


def test_norms_of_the_bounds():
    assert moment_norm(MOMENTS, 0.5) == pytest.approx((0.5 + 1 + 2) ** 2)
    assert moment_norm(MOMENTS, 1.0) == pytest.approx(5.25)
