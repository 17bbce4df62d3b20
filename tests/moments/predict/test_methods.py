"""Purchases for a prediction, one after another, as a user makes them."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import keyhole as kh
from keyhole.checks import RecordingSource
from keyhole.moments import MomentsPredictor
from keyhole.moments.predict.methods import BuyingRegressor
from moments.conftest import away_from_zero, bundled_attributes, moments_of, shared_factors

UNKNOWN = np.full(12, np.nan)


def test_a_path_reads_what_it_buys_and_follows_the_offers(learner):
    X, _ = shared_factors(30, seed=1)
    source = RecordingSource(X)
    path = learner.predict_path(source, 5)
    order = [offer.attributes for offer in learner.next_attributes(UNKNOWN, n=5)]
    assert path.bought == [order] * 30
    np.testing.assert_array_equal(source.read_cells.sum(axis=1), 5)
    assert (path.observed.distinct, path.observed.max_per_example) == (150, 5)
    np.testing.assert_array_equal(path.cost, np.tile(np.arange(6.0), (30, 1)))
    holes = np.full(X.shape, np.nan)
    for step in range(6):
        predicted, std = learner.predict(holes, return_std=True)
        np.testing.assert_allclose(path.predictions[:, step], predicted)
        np.testing.assert_allclose(path.std[:, step], std)
        if step < 5:
            holes[:, order[step]] = X[:, order[step]]


def test_a_path_goes_round_what_could_not_be_had(learner):
    X, _ = shared_factors(4, seed=1)
    order = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12)]
    X[0, order[1]] = np.nan
    X[1] = np.nan
    path = learner.predict_path(X, 3)
    assert path.bought[0] != path.bought[2] == path.bought[3]
    assert (order[1],) not in path.bought[0]
    assert len(path.bought[0]) == 3
    assert path.bought[1] == []
    assert path.cost[:, -1].tolist() == [3.0, 0.0, 3.0, 3.0]
    assert path.predictions[1, -1] == pytest.approx(learner.cells_.labels.mean())
    assert path.observed.distinct == 9


def test_a_path_keeps_to_the_cost_and_sees_what_is_free(bundled):
    X, _ = shared_factors(6, seed=1)
    path = bundled.predict_path(kh.observe.ArraySource(X, bundled_attributes()), 4)
    assert path.cost.max() <= 4
    assert path.observed.cost == path.cost[:, -1].sum()
    holes = np.full(X.shape, np.nan)
    holes[:, [5, 6]] = X[:, [5, 6]]
    np.testing.assert_allclose(path.predictions[:, 0], bundled.predict(holes))
    for bought in path.bought:
        assert all(len(some) in (1, 3) for some in bought)


def test_wrong_arguments(learner):
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        learner.next_attributes([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="n=0"):
        learner.next_attributes(UNKNOWN, n=0)
    with pytest.raises(ValueError, match="attribute 'x3' is -inf; it must be finite, or NaN if not known"):
        learner.next_attributes(np.where(np.arange(12) == 3, -np.inf, np.nan))
    for budget in (-1, np.inf, "five"):
        with pytest.raises(ValueError, match="prediction_budget"):
            learner.predict_path(np.zeros((1, 12)), budget)


def test_regressors_and_predictors_from_moments_share_it():
    X, y = away_from_zero()
    model = kh.fit_from_moments(**moments_of(X, y))
    assert isinstance(model, BuyingRegressor)
    offers = model.next_attributes(np.full(6, np.nan), n=6)
    path = model.predict_path(X[:3], 6)
    assert path.bought == [[offer.attributes for offer in offers]] * 3
    np.testing.assert_allclose(path.predictions[:, -1], model.predict(X[:3]))
    dearer = model.next_attributes(np.full(6, np.nan), costs=np.where(np.arange(6) == offers[0].attributes[0], 1e9, 1))
    assert dearer[0].attributes != offers[0].attributes


def test_nothing_is_bought_before_a_fit():
    for learner in (kh.KeyholeRegressor(3), MomentsPredictor()):
        with pytest.raises(NotFittedError):
            learner.next_attributes(UNKNOWN)
        with pytest.raises(NotFittedError):
            learner.predict_path(np.zeros((1, 12)), 2)
