"""The radius of Baseline by cross-validation."""

import numpy as np
import pytest

from keyhole.online.cross_validation import RADII, Choice, Moments, chosen_radius, solutions


def exact(b, pairs=1e9):
    """Uncorrelated attributes with unit variance."""
    return Moments(np.eye(len(b)), np.asarray(b), pairs)


def test_with_exact_moments_the_predictor_is_the_best_one():
    half = exact([0.8, -0.3, 0.0])
    choice = chosen_radius((half, half), psd=True)
    weights = choice.multiple * solutions(half.A, half.b, (choice.radius,), True).weights[:, 0]
    np.testing.assert_allclose(weights, half.b, atol=0.02)


def test_halves_that_contradict_each_other_are_the_mean_label():
    assert chosen_radius((exact([0.8, 0.0]), exact([-0.8, 0.0])), psd=True) == Choice(1.0, 0.0)


def test_few_pairs_are_not_trusted():
    many, few = (chosen_radius((exact([0.2] * 4, m), exact([0.2] * 4, m)), psd=True) for m in (1e6, 20))
    assert many.multiple > 0
    assert few.multiple == 0


@pytest.mark.parametrize("psd", [True, False])
def test_solutions_are_in_their_balls_and_ignore_attributes_never_seen(psd):
    A, b = np.diag([1.0, 1.0, 0.0]), np.array([3.0, 1.0, 0.0])
    paths = solutions(A, b, RADII, psd).weights
    np.testing.assert_array_less(np.abs(paths).sum(axis=0), np.array(RADII) * (1 + 1e-9))
    assert not paths[2].any()
    np.testing.assert_allclose(paths[:, -1], [3.0, 1.0, 0.0], atol=1e-2)
