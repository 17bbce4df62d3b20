"""Intervals around predictions."""

import numpy as np
import pytest

from keyhole.moments.held_out import HeldOut
from keyhole.moments.intervals import half_widths

NOTHING = HeldOut(np.empty(0), np.empty(0), np.empty(0))
SHARES = np.array([0.01, 0.1, 0.33, 0.7, 0.95, 1.0])


def test_gaussian_labels_have_gaussian_intervals():
    labels = np.random.default_rng(0).normal(size=20_000)
    np.testing.assert_allclose(half_widths(SHARES, 0.9, labels, NOTHING), 1.645 * np.sqrt(SHARES), rtol=0.02)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_errors_of_two_valued_labels_are_covered(level):
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(50_000) < 0.4, 1.0, -1.0)
    labels = (labels - labels.mean()) / labels.std()
    for v in SHARES[:-1]:
        predicted = (1 - v) * labels + np.sqrt(v * (1 - v)) * rng.normal(size=len(labels))
        width = half_widths(np.array([v]), level, labels, NOTHING)[0]
        assert np.mean(np.abs(labels - predicted) <= width) == pytest.approx(level, abs=0.012)
    # With nothing known, the interval must reach to the rarer of the two.
    assert half_widths(np.ones(1), 0.9, labels, NOTHING)[0] == pytest.approx(np.abs(labels).max())


def test_held_out_rows_widen_but_never_narrow():
    labels, v = np.random.default_rng(0).normal(size=2000), np.full(2000, 0.5)
    plain = half_widths(v[:1], 0.9, labels, NOTHING)
    for factor, wanted in ((2.0, 2.0), (0.5, 1.0)):
        rows = HeldOut(np.zeros(2000), factor * np.sqrt(0.5) * labels, v)
        np.testing.assert_allclose(half_widths(v[:1], 0.9, labels, rows), wanted * plain, rtol=0.06)
