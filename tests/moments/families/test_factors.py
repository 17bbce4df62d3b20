"""The family of factors: how many there are, and how a fit is repeated and resumed."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV

import keyhole as kh
from keyhole.moments.factors import fit_factor_model, joint_moments_of
from keyhole.moments.families.factors import Factors, model_behind, rank_for
from keyhole.moments.families.settings import BASE_FACTORS, FACTORS_PER_CELL, MAX_FACTORS
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import correlated, random_joint, training, with_holes


def test_correlated_attributes_keep_the_factors():
    X, y = correlated(1500)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:1000], y[:1000])
    assert learner.family_ == "factors"
    full = RidgeCV(np.logspace(-3, 3, 13)).fit(X[:1000], y[:1000])
    assert learner.score(X[1000:], y[1000:]) > 0.9 * full.score(X[1000:], y[1000:])


@pytest.mark.parametrize(
    ("d", "cells", "rank"),
    [(1, 1, 1), (12, 4, 6), (100, 3, BASE_FACTORS + 3 * FACTORS_PER_CELL), (300, 90, MAX_FACTORS)],
)
def test_rows_that_show_more_cells_tell_more_factors_apart(d, cells, rank):
    X = with_holes(np.random.default_rng(0).normal(size=(5, d)), cells)
    assert rank_for(training(X, np.zeros(5))) == rank


def test_a_fit_is_that_of_the_factor_model_and_tells_its_iterations():
    X, y = correlated(200)
    data = training(with_holes(X, 4), y, seed=3)
    solution = Factors().fit(data, 15)
    rows = standardised_rows(data.cells, data.labels, solution.scales)
    model = fit_factor_model(rows, 6, 15, 3)
    np.testing.assert_array_equal(solution.joint.loadings, joint_moments_of(model, 1).loadings)
    (candidate,) = solution.candidates
    assert (candidate["rank"], candidate["iterations"], candidate["last_change"]) == (6, model.iterations, model.change)


def test_a_resumed_fit_goes_on_from_where_the_first_ended():
    joint = random_joint(0)
    model = model_behind(joint)
    assert (model.mean.shape, model.loadings.shape, model.noise.shape) == ((10,), (10, 3), (10,))
    np.testing.assert_array_equal(model.loadings[-1], joint.label_loadings[0])
    X, y = correlated(300)
    data = training(with_holes(X, 5), y)
    long, short = Factors().fit(data, 200), Factors().fit(data, 5)
    rows = standardised_rows(data.cells, data.labels, short.scales)
    resumed = Factors().resume(short, rows, 100)
    gap = [np.abs(one.coef - long.coef).max() for one in (short, resumed)]
    assert gap[1] < 0.5 * gap[0]
