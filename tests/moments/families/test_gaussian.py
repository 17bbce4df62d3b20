"""Mean and covariance of a few columns with gaps: least squares where there are none, the likeliest where there are."""

import numpy as np

from keyhole.moments.families import gaussian as module
from keyhole.moments.families.gaussian import gaussian


def test_without_gaps_it_is_mean_and_covariance():
    table = np.random.default_rng(0).normal(size=(4000, 3)) @ np.array([[1.0, 0.5, 0], [0, 1, 0.3], [0, 0, 1]])
    mean, covariance = gaussian(table)
    np.testing.assert_allclose(mean, table.mean(axis=0), atol=1e-3)
    np.testing.assert_allclose(covariance, np.cov(table.T, bias=True), atol=2e-3)


def test_without_gaps_its_weights_are_those_of_least_squares():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 3)) @ rng.normal(size=(3, 3))
    y = X @ [0.5, -0.3, 0.2] + 0.5 * rng.normal(size=2000)
    table = np.column_stack([X, y])
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    _, covariance = gaussian(table)
    weights = np.linalg.solve(covariance[:3, :3], covariance[:3, 3])
    np.testing.assert_allclose(weights, np.linalg.lstsq(table[:, :3], table[:, 3], rcond=None)[0], atol=5e-3)


def test_with_gaps_it_finds_the_maximum_of_the_likelihood():
    """The gradient of the observed likelihood, by differences, is that of the prior alone: next to nothing."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(600, 3)) @ np.array([[1.0, 0.8, 0.2], [0, 0.6, 0.3], [0, 0, 1]])
    table[rng.random(table.shape) < 0.4] = np.nan

    def likelihood(mean, covariance):
        total = 0.0
        for row in table:
            seen = ~np.isnan(row)
            if seen.any():
                inside, away = covariance[np.ix_(seen, seen)], row[seen] - mean[seen]
                total -= 0.5 * (np.linalg.slogdet(inside)[1] + away @ np.linalg.solve(inside, away))
        return total / len(table)

    mean, covariance = gaussian(table)
    best = likelihood(mean, covariance)
    for i in range(3):
        for step in (-0.05, 0.05):
            moved = mean.copy()
            moved[i] += step
            assert likelihood(moved, covariance) < best
            for j in range(i + 1):
                other = covariance.copy()
                other[i, j] += step
                other[j, i] = other[i, j]
                assert likelihood(mean, other) < best


def test_of_many_sets_of_revealed_columns_the_largest_are_used(monkeypatch):
    table = np.random.default_rng(0).normal(size=(400, 2))
    table[:100, 0] = np.nan
    table[:100, 1] += 50.0
    monkeypatch.setattr(module, "GAUSSIAN_SETS", 1)
    mean, _ = gaussian(table)
    np.testing.assert_allclose(mean, table[100:].mean(axis=0), atol=5e-3)
