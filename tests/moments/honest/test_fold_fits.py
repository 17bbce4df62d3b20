"""Fits without each fold of the rows, and the cells of rows in the values that were learned without them."""

import numpy as np
import pandas as pd
import pytest

import keyhole as kh
from keyhole.moments.honest.folds import folds_by_design
from keyhole.moments.honest.settings import FOLDS, LEAST_ROWS_HELD_OUT
from keyhole.moments.settings import MAX_ITERATIONS
from moments.conftest import correlated


@pytest.mark.parametrize("budget", [None, 4])
def test_each_fit_is_that_of_the_other_rows(budget):
    X, y = correlated(150)
    learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    data, solution, found = learner._training(), learner._solution(), learner._fold_fits()
    np.testing.assert_array_equal(found.fold, folds_by_design(learner.cells_.designs, learner.seed_))
    assert len(found.fits) == FOLDS
    for f, fit in enumerate(found.fits):
        start = solution if budget is None else solution.start
        again = start.family.refit(start, data.where(found.fold != f), MAX_ITERATIONS)
        np.testing.assert_allclose(fit.joint.loadings, again.joint.loadings, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(fit.scales.mean, again.scales.mean, rtol=1e-12)
        # Nothing of the fold itself has a part in it: neither its labels, nor the values of its cells.
        np.testing.assert_allclose(fit.scales.label_mean[0], y[found.fold != f].mean())
        if not fit.scales.values.is_raw:
            np.testing.assert_array_equal(fit.scales.values.heights, data.where(found.fold != f).values.heights)


def test_a_fold_changes_nothing_of_the_fit_without_it():
    X, y = correlated(150)
    plain = kh.KeyholeRegressor(random_state=0).fit(X, y)
    fold = plain._fold_fits().fold
    changed = kh.KeyholeRegressor(random_state=0).fit(
        np.where(fold[:, None] == 2, X**3, X), np.where(fold == 2, 0.0, y)
    )
    one, other = (learner._fold_fits().fits[2] for learner in (plain, changed))
    np.testing.assert_array_equal(one.coef, other.coef)
    np.testing.assert_array_equal(one.intercept, other.intercept)


def test_cells_have_the_values_that_were_learned_without_their_row():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.lognormal(size=300), "b": rng.normal(size=300)})
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], size=300))
    y = np.log(frame["a"]) + (frame["colour"] == "red") + 0.1 * rng.normal(size=300)
    learner = kh.KeyholeRegressor(2, random_state=0).fit(frame, y)
    fits, cells = learner._fold_fits(), learner.cells_
    found = fits.columns(cells)
    at = 0
    for place, (row, i, value) in enumerate(zip(cells.rows, cells.attributes, cells.values, strict=True)):
        wanted = np.full((1, 3), np.nan)
        wanted[0, i] = value
        wanted = fits.fits[fits.fold[row]].scales.values.of_table(wanted)[0]
        columns = np.flatnonzero(~np.isnan(wanted))
        assert len(columns) == (3 if i == 2 else 1)
        inside = slice(at, at + len(columns))
        np.testing.assert_array_equal(fits.places(cells, np.array([place])), np.arange(inside.start, inside.stop))
        np.testing.assert_array_equal(found.attributes[inside], columns)
        np.testing.assert_allclose(found.values[inside], wanted[columns], rtol=1e-12)
        at += len(columns)
    assert at == len(found.values)


def test_too_few_rows_and_nothing_learned_have_no_fits():
    X, y = correlated(LEAST_ROWS_HELD_OUT)
    with pytest.warns(UserWarning, match="examples for 12 attributes"):
        few = kh.KeyholeRegressor(random_state=0).fit(X[:-1], y[:-1])
    assert few._fold_fits().fits == []
    with pytest.warns(UserWarning, match="examples for 12 attributes"):
        enough = kh.KeyholeRegressor(random_state=0).fit(X, y)
    assert len(enough._fold_fits().fits) == FOLDS
    X, _ = correlated(60)
    with pytest.warns(UserWarning, match="all labels are equal"):
        equal = kh.KeyholeRegressor(4, random_state=0).fit(X, np.ones(60))
    found = equal._fold_fits()
    assert (found.fits, found.fold.tolist()) == ([], [0] * 60)
