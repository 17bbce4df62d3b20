"""Bounds are as printed."""

from __future__ import annotations

import numpy as np
import pytest

from keyhole.planning import bound_formulas as bounds


def test_bounds_as_printed():
    d, m, k, B = 64, 10_000, 4, 2.0
    assert bounds.aerr(d, m, k, B) == pytest.approx(16 * np.sqrt(128 / 40_000))
    assert bounds.aelr(d, m, k, B) == pytest.approx(16 * np.sqrt(640 * np.log(128) / 40_000))
    even = np.full(d, 1 / d)
    assert bounds.ddaerr(even, m, k, B) == pytest.approx(16 / 100 * np.sqrt(d / k + 1))
    assert bounds.ddaelr(np.ones(d), m, k, B) == pytest.approx(16 * np.sqrt(5 * np.log(128) * (d + k) / 40_000))
    assert bounds.aer(d, m, k, B) == pytest.approx(64 * 3 * 2 / 2 * np.sqrt(np.log(m) / m))
    assert bounds.baseline(d, m, k, B, 0.1) == pytest.approx(128**2 / 4 * np.sqrt(np.log(640) / m))
    assert bounds.examples_needed(96, 4, 0.01) == 12.5


def test_two_phases_cost_at_most_the_uniform_bound_and_pay_off_in_the_end():
    moments = np.arange(1, 65.0) ** -2 / 2
    for m in (1000, 10**6, 10**12):
        m1, m2 = m // 10, m - m // 10
        assert bounds.two_phased_ddaerr(moments, m1, m2, 4, 1.0, 0.1) <= 4 / np.sqrt(m2) * np.sqrt(6 * 64 / 4)
    known = bounds.ddaerr(moments, 9 * 10**13, 4, 1.0)
    assert bounds.two_phased_ddaerr(moments, 10**13, 9 * 10**13, 4, 1.0, 0.1) == pytest.approx(4 * known, rel=0.01)
    known = bounds.ddaelr(moments, 9 * 10**13, 4, 1.0)
    assert bounds.two_phased_ddaelr(moments, 10**13, 9 * 10**13, 4, 1.0, 0.1) <= 4.01 * known
