"""Repaired estimates are positive semidefinite, nearest, and unchanged where no repair is needed."""

import numpy as np
import pytest

from keyhole.judgments.core.estimated_moments import estimate
from keyhole.judgments.core.repair import make_psd, repaired, unit_of


def test_repair_is_psd_nearest_and_idle_when_not_needed():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 6))
    a = a + a.T
    repaired = make_psd(a, np.ones(6))
    assert np.linalg.eigvalsh(repaired)[0] >= -1e-12
    distance = np.linalg.norm(repaired - a)
    for _ in range(200):
        root = np.linalg.cholesky(repaired + 1e-9 * np.eye(6)) + 0.05 * rng.normal(size=(6, 6))
        assert np.linalg.norm(root @ root.T - a) >= distance - 1e-6
    good = a @ a.T
    assert make_psd(good, np.ones(6)) is good


def test_the_joint_repair_keeps_the_label_and_makes_b_a_covariance(random_instance):
    values, y = random_instance(5, d=4, m=30, k=2)
    values[np.random.default_rng(2).random(values.shape[:2]) < 0.2] = np.nan
    found = estimate(values, y, list("abcd"))
    whole = repaired(found, found.deviation)
    joint = np.block([[whole.sigma, whole.b[:, None]], [whole.b[None, :], np.array([[whole.label_variance]])]])
    assert whole.label_variance == found.label_variance
    assert np.linalg.eigvalsh(joint)[0] >= -1e-12 * np.trace(joint)


def test_complete_judgments_keep_b(random_instance):
    values, y = random_instance(3, d=6, m=10, k=2)
    moments = estimate(values, y, list("abcdef"))
    whole = repaired(moments, moments.deviation)
    assert np.linalg.eigvalsh(moments.sigma)[0] < 0 <= np.linalg.eigvalsh(whole.sigma)[0] + 1e-12 * whole.sigma.max()
    np.testing.assert_array_equal(whole.b, moments.b)


def test_the_repair_in_deviations_does_not_depend_on_units():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(4, 4))
    a, scale = a + a.T, np.array([1.0, 1000.0, 0.01, 3.0])
    plain = make_psd(a, np.ones(4))
    np.testing.assert_allclose(make_psd(a * np.outer(scale, scale), scale), plain * np.outer(scale, scale), rtol=1e-9)


@pytest.mark.parametrize("scaling", ["deviation", "none"])
def test_units_of_the_repair(scaling, random_instance):
    values, y = random_instance(1, d=3, m=20, k=2)
    moments = estimate(values, y, list("abc"))
    expected = values.mean(axis=2).std(axis=0) if scaling == "deviation" else np.ones(3)
    np.testing.assert_allclose(unit_of(moments, scaling), expected)
