"""Draws from the posterior of weights and noise agree with what generated the labels."""

import numpy as np
import pytest

from keyhole.planning.worlds.labels import Posterior


def posterior(weights, noise, n=150, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, len(weights)))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    y = Z @ weights + np.sqrt(noise) * rng.normal(size=n)
    return Posterior({"values": Z}, y / y.std(), {"values": np.eye(len(weights))}, rng), y.std()


def test_probabilities_add_up():
    found, _ = posterior(np.full(8, 0.3), 0.3)
    assert found.probabilities.sum() == pytest.approx(1)
    assert 0 <= found.sparse_share <= 1


@pytest.mark.parametrize("weights", [np.full(8, 0.3), np.eye(8)[2]], ids=["dense", "sparse"])
def test_draws_are_around_the_truth(weights):
    found, scale = posterior(weights, 0.3)
    rng = np.random.default_rng(1)
    draws = [found.draw(rng) for _ in range(200)]
    mean = np.mean([one.weights for one in draws], axis=0) * scale
    np.testing.assert_allclose(mean, weights, atol=0.12)
    assert np.mean([one.noise for one in draws]) * scale**2 == pytest.approx(0.3, rel=0.25)


def test_the_posterior_covers_the_noise():
    inside = 0
    for seed in range(20):
        found, scale = posterior(np.full(6, 0.4), 0.5, n=60, seed=seed)
        rng = np.random.default_rng(seed)
        noise = np.array([found.draw(rng).noise for _ in range(100)]) * scale**2
        inside += np.quantile(noise, 0.05) < 0.5 < np.quantile(noise, 0.95)
    assert inside >= 15  # of 20, at 90% each


def test_which_attributes_matter_decides_between_few_and_many():
    assert posterior(np.eye(20)[3], 0.5)[0].sparse_share > 0.9
    assert posterior(np.full(20, 0.25), 0.2)[0].sparse_share < 0.1
