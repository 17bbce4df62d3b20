"""The chain over sets of attributes finds what matters, and its likelihood is that of the textbook."""

import numpy as np
import pytest

from keyhole.planning.worlds.sparse_labels import background, sparse_choices


def example(n=60, d=12):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(n, d))
    Z -= Z.mean(axis=0)
    y = Z[:, 3] - Z[:, 7] + 0.5 * rng.normal(size=n)
    return Z, y - y.mean(), rng


def test_the_set_with_the_largest_probability_is_the_true_one():
    Z, y, rng = example()
    choices = sparse_choices(background("values", Z, np.eye(12), 0.0), y, rng)
    assert max(choices, key=lambda one: one.log).some == (3, 7)


@pytest.mark.parametrize("odds", [0.0, 1.0])
def test_ratios_of_likelihoods_are_those_of_a_normal_model(odds):
    """With a noise of unknown size, up to what all sets of one size share."""
    Z, y, rng = example()
    root = np.eye(12) / np.sqrt(12)
    choices = [one for one in sparse_choices(background("values", Z, root, odds), y, rng) if len(one.some) == 2][:6]

    def expected(one):
        some = Z[:, list(one.some)]
        K = np.eye(60) + one.ratio / 2 * some @ some.T + odds * (Z @ root) @ (Z @ root).T
        return -0.5 * np.linalg.slogdet(K)[1] - 0.5 * 59 * np.log(y @ np.linalg.solve(K, y))

    shifts = [one.log - expected(one) for one in choices]
    np.testing.assert_allclose(shifts, shifts[0], atol=1e-6)


def test_draws_with_a_background_have_weights_everywhere():
    Z, y, rng = example()
    best = max(sparse_choices(background("values", Z, np.eye(12) / 4, 1.0), y, rng), key=lambda one: one.log)
    weights, noise = best.draw(y, rng)
    assert (weights != 0).all()
    assert noise > 0
    best = max(sparse_choices(background("values", Z, np.eye(12) / 4, 0.0), y, rng), key=lambda one: one.log)
    assert np.count_nonzero(best.draw(y, rng)[0]) == len(best.some)
