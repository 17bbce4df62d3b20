"""Fits without each fold of the rows."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.fold_fits import cross_fit
from keyhole.moments.honest.folds import random_folds
from keyhole.moments.honest.settings import FOLDS, LEAST_ROWS_HELD_OUT
from moments.conftest import correlated


@pytest.mark.parametrize("budget", [None, 4])
def test_each_fit_is_that_of_the_other_rows(budget):
    X, y = correlated(150)
    learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    data, solution = learner._training(), learner._solution()
    found = cross_fit(solution, data, 20)
    np.testing.assert_array_equal(found.fold, random_folds(150, learner.seed_))
    assert len(found.fits) == FOLDS
    for f, (joint, scales) in enumerate(found.fits):
        again = solution.family.refit(solution, data.where(found.fold != f), 20)
        np.testing.assert_array_equal(joint.loadings, again.joint.loadings)
        np.testing.assert_array_equal(scales.mean, again.scales.mean)
        # Nothing of the fold itself has a part in it.
        np.testing.assert_allclose(scales.label_mean[0], y[found.fold != f].mean())


def test_too_few_rows_and_nothing_learned_have_no_fits():
    X, y = correlated(LEAST_ROWS_HELD_OUT)
    with pytest.warns(UserWarning, match="examples for 12 attributes"):
        few = kh.KeyholeRegressor(random_state=0).fit(X[:-1], y[:-1])
    assert cross_fit(few._solution(), few._training(), 20).fits == []
    with pytest.warns(UserWarning, match="examples for 12 attributes"):
        enough = kh.KeyholeRegressor(random_state=0).fit(X, y)
    assert len(cross_fit(enough._solution(), enough._training(), 20).fits) == FOLDS
    X, _ = correlated(60)
    with pytest.warns(UserWarning, match="all labels are equal"):
        equal = kh.KeyholeRegressor(4, random_state=0).fit(X, np.ones(60))
    found = cross_fit(equal._solution(), equal._training(), 20)
    assert (found.fits, found.fold.tolist()) == ([], [0] * 60)
