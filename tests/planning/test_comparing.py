"""Intervals of errors, and designs that cannot be told apart."""

import numpy as np
import pytest

from keyhole.planning.comparing import compared, interval
from keyhole.planning.designs import KEYHOLE, ROWS, Design

DESIGNS = [Design(KEYHOLE, 100, spend, spend, 400) for spend in (2.0, 8.0, 32.0)] + [Design(ROWS, 12, 32.0, 32, 384)]


def test_an_interval_contains_what_it_should():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(400):
        found = interval(np.exp(0.2 * rng.normal(size=16)), model_error=0.0)
        inside += found.low < np.exp(0.2 * rng.normal()) < found.high
    assert inside / 400 == pytest.approx(0.9, abs=0.04)


def test_an_interval_of_tiny_errors_ends_where_any_distribution_would():
    errors = np.array([1e-7, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.3])
    found = interval(errors)
    deviation = np.sqrt(errors.var(ddof=1) * (1 + 1 / 8) + (0.05 * errors.mean()) ** 2)
    assert found.high == pytest.approx(errors.mean() + np.sqrt(19) * deviation)  # P(above) <= 1 / (1 + 19)
    assert found.low < found.error < found.high < 1
    usual = np.exp(0.5 * np.random.default_rng(0).normal(size=16))
    logs = np.log(usual)
    width = 1.7531 * np.sqrt(logs.var(ddof=1) * (1 + 1 / 16) + 0.05**2)  # Student's t with 15 degrees of freedom
    assert interval(usual).high == pytest.approx(np.exp(logs.mean() + width), rel=1e-4)


def test_a_design_that_is_worse_in_every_world_is_told_apart():
    rng = np.random.default_rng(1)
    level = np.exp(0.3 * rng.normal(size=(16, 1)))  # worlds differ much, designs within a world little
    ratios = np.array([1.3, 1.0, 1.2, 1.01]) * np.exp(0.01 * rng.normal(size=(16, 4)))
    found = compared(0.3 * level * ratios, DESIGNS)
    assert found.best == found.recommended == 1
    assert found.alike == [3]
    np.testing.assert_allclose(found.ratio, [1.3, 1, 1.2, 1.01], rtol=0.02)
    assert (found.low[[0, 2]] > 1).all()


def test_of_almost_equal_designs_the_middle_layout_is_recommended():
    errors = np.tile([0.31, 0.305, 0.30, 0.30], (8, 1))
    found = compared(errors, DESIGNS)
    assert found.best in (2, 3)
    assert found.recommended == 1
    errors[:, 1] = 0.4
    assert compared(errors, DESIGNS).recommended == 2  # as far from the middle as the first, and better
