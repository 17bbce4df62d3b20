"""The objective of known moments is exact, and the estimated one comes nearer with more objects."""

from __future__ import annotations

import numpy as np

from keyhole.experiments.theory import judgments


def test_the_objective_of_known_moments_is_exact():
    sigma, b = judgments.truth(correlated=True)
    values, y = judgments.population(400_000, True, np.random.default_rng(0))
    means = values.mean(axis=2)
    np.testing.assert_allclose(np.cov(means.T), sigma + np.eye(4) * judgments.NOISE / 2, atol=0.002)
    np.testing.assert_allclose(np.cov(means.T, y)[:4, 4], b, atol=0.002)
    assert np.abs(values).max() <= 1
    assert np.abs(y).max() <= 1
    assert sum(1 for _ in judgments.all_repeats()) == 209


def test_the_objective_is_nearer_with_more_objects():
    rows = [row for seed in range(4) for row in judgments.largest_error("full", [100, 3000], seed)]
    few, many = ([row["excess"] for row in rows if row["examples"] == m] for m in (100, 3000))
    assert max(many) < min(few)
