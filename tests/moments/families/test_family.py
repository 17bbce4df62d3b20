"""What every family promises: it can be fitted, fitted again to other rows, and resumed in its own scales."""

import numpy as np
import pytest

from keyhole.moments.families.family import Family, Role
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import correlated, training, with_holes


def fitted(family, iterations=30):
    """A family, fitted to rows that suit it."""
    X, y = correlated(300)
    table = X if family.name == "ridge" else with_holes(X, 5)
    if family.shows_fixed_set:
        table[::2] = np.where(np.arange(12) < 5, X[::2], np.nan)
    data = training(table, y, sparsity=3 if family.role is Role.SPARSE else None)
    start = FAMILIES["factors"].fit(data, iterations) if family.role in (Role.ALTERNATIVE, Role.SPARSE) else None
    return family.fit(data, iterations, start), data


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_fit_has_a_predictor_and_says_which_family_it_is(family):
    solution, data = fitted(family)
    assert solution.family is family
    assert solution.coef.shape == (1, 12)
    assert solution.usefulness.shape == (12,)
    assert np.isfinite(solution.coef).all()
    weights = np.where(solution.scales.scale > 0, solution.joint.weights(), 0.0)
    np.testing.assert_allclose(
        solution.coef[0] * solution.scales.scale, weights[0] * solution.scales.label_scale, atol=1e-12
    )
    assert family.learns == bool(solution.coef.any())
    if family.selects_attributes:
        assert np.count_nonzero(solution.coef) <= data.sparsity


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_fitted_again_to_its_own_rows_it_stays_and_to_others_it_follows_them(family):
    solution, data = fitted(family)
    same = family.refit(solution, data, 30)
    np.testing.assert_allclose(same.coef, solution.coef, rtol=1e-7, atol=1e-10)
    half = family.refit(solution, data.where(np.arange(300) < 150), 30)
    assert half.family is family
    np.testing.assert_allclose(half.scales.label_mean, data.labels[:150].mean(axis=0), atol=0.2)
    assert family.learns == bool(np.abs(half.coef - solution.coef).max() > 0)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_resumed_with_its_own_rows_it_stays_near_and_keeps_its_scales(family):
    solution, data = fitted(family, 200)
    rows = standardised_rows(data.cells, data.labels, solution.scales)
    near = family.resume(solution, rows, 30)
    assert near.scales is solution.scales
    X, _ = correlated(300)
    # The noise that was added out of caution is taken back by the iterations, so a predictor moves a little.
    assert np.var(X @ (near.coef - solution.coef)[0]) <= 0.02 * np.var(X @ solution.coef[0])
    assert near.intercept[0] == pytest.approx(solution.intercept[0], abs=0.1)


def test_a_settled_family_alone_says_where_it_applies():
    X, y = correlated(50)
    for family in FAMILIES.values():
        if family.role is not Role.SETTLED:
            assert not family.applies(training(X, y))


def test_a_family_without_its_three_fits_cannot_be_made():
    class Unfinished(Family):
        name = "unfinished"
        role = Role.START

        def fit(self, data, max_iterations, start=None):
            return start

    with pytest.raises(TypeError, match="abstract method"):
        Unfinished()
