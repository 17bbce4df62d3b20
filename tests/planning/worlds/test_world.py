"""Worlds resemble the population that a pilot came from, and know their own moments."""

import numpy as np
import pytest

from keyhole.planning.pilot import read_pilot
from keyhole.planning.worlds.labels import LabelModel
from keyhole.planning.worlds.world import World, draw_worlds
from planning.populations import population


def a_world(share):
    rng = np.random.default_rng(0)
    loadings, own = rng.normal(size=(5, 2)), np.full(5, 0.5)
    return World(loadings, own, LabelModel("values", rng.normal(size=5), 2.0), share)


@pytest.mark.parametrize("share", [None, 0.3], ids=["number", "two classes"])
def test_moments_of_what_is_drawn(share):
    world, rng = a_world(share), np.random.default_rng(1)
    study = world.draw(60_000, rng)
    covariance = world.loadings @ world.loadings.T + np.diag(world.own)
    np.testing.assert_allclose(np.cov(study.values.T), covariance, atol=0.15)
    columns = np.column_stack([study.values, np.ones(len(study.labels))])
    linear = columns @ np.linalg.lstsq(columns, study.labels, rcond=None)[0]
    variance = study.labels.var()
    assert np.mean((study.labels - linear) ** 2) / variance == pytest.approx(world.noise_share, rel=0.03)
    # The expected label and its variance are what labels say.
    assert np.mean((study.labels - study.expected) ** 2) == pytest.approx(study.variance.mean(), rel=0.03)
    assert study.expected.var() + study.variance.mean() == pytest.approx(variance, rel=0.03)
    if share is not None:
        assert study.variance.mean() < 0.9 * world.noise_share  # bounded predictions err less than linear ones
        assert np.mean(study.labels == study.labels.max()) == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("hole", [0.0, 0.4], ids=["complete", "partial"])
def test_shares_of_noise_contain_the_true_one(hole):
    X, y = population(80, 5)
    truth, labels = population(20_000, 6)
    columns = np.column_stack([truth, np.ones(len(labels))])
    rest = labels - columns @ np.linalg.lstsq(columns, labels, rcond=None)[0]
    X[np.random.default_rng(0).random(X.shape) < hole] = np.nan
    shares = [world.noise_share for world in draw_worlds(read_pilot(X, y), 24, np.random.default_rng(0))]
    assert min(shares) < rest.var() / labels.var() < max(shares)


def test_two_labels_make_two_classes_and_the_same_seed_the_same_worlds():
    X, y = population(60, 7)
    pilot = read_pilot(X, (y > 0.5) * 1.0)
    first, second = (draw_worlds(pilot, 4, np.random.default_rng(3)) for _ in range(2))
    assert {world.share for world in first} == {float(np.mean(y > 0.5))}
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.label.weights, other.label.weights)
    drawn = first[0].draw(100, np.random.default_rng(0))
    assert len(np.unique(drawn.labels)) == 2
