"""Estimated losses of held-out rows, fold by fold."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.fold_losses import FoldLosses, all_folds, held_out_losses, losses_of_fold
from keyhole.moments.honest.inclusion import ObservedRates, pair_inclusion, single_inclusion
from keyhole.moments.honest.losses import loss_model, row_losses
from keyhole.moments.honest.row_weights import row_weights
from keyhole.moments.honest.settings import FOLDS
from moments.conftest import cells_of, correlated, some_model


def test_losses_do_not_depend_on_how_many_rows_are_taken_at_once(monkeypatch):
    X, y = correlated(200)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    solution, pairs = learner._solution(), pair_inclusion(learner.cells_, learner.policy_, 12)
    model = loss_model(solution.coef[0], solution.intercept[0], solution.joint, solution.scales)
    whole = held_out_losses([model], learner.cells_, pairs)
    monkeypatch.setattr("keyhole.moments.honest.fold_losses.PAIRS_AT_ONCE", 100)
    np.testing.assert_allclose(held_out_losses([model], learner.cells_, pairs), whole, rtol=1e-12)


def test_where_every_cell_was_revealed_a_loss_is_the_squared_error():
    X, y = np.random.default_rng(0).normal(size=(2, 7)), np.array([0.3, -1.0])
    models = [some_model(0), some_model(1)]
    found = held_out_losses([loss_model(*model) for model in models], cells_of(X, y), None)
    for losses, (coef, intercept, *_) in zip(found, models, strict=True):
        np.testing.assert_allclose(losses, (y - X @ coef - intercept) ** 2)
    # With probabilities of 1 the estimate of partial rows is that, too.
    sure = ObservedRates(np.ones((7, 7)))
    np.testing.assert_allclose(held_out_losses([loss_model(*models[0])], cells_of(X, y), sure)[0], found[0])


@pytest.fixture
def partial():
    X, y = np.random.default_rng(0).normal(size=(12, 7)), np.random.default_rng(1).normal(size=12)
    X[np.random.default_rng(2).random(X.shape) < 0.4] = np.nan
    return cells_of(X, y)


def test_a_fold_has_losses_changes_and_the_weights_of_the_first_predictor(partial):
    model = some_model(4)[2:]
    predictors = np.random.default_rng(5).normal(size=(2, FOLDS, 8))
    pairs, inclusion = pair_inclusion(partial, None, 7), single_inclusion(partial, None, 7)
    found = losses_of_fold(4, predictors, model, partial, pairs, inclusion)
    assert found.losses.shape == found.changes.shape == (2, 12)
    probabilities = pairs.of_pairs(partial.row_starts, partial.attributes, partial.designs)

    def losses(vector):
        cells = partial.row_starts, partial.attributes, partial.values, partial.labels
        return row_losses(loss_model(vector[:-1], vector[-1], *model), *cells, probabilities)

    for m in range(2):
        # The step is that of the fold after the last, the first, from the mean of all.
        moved = predictors[m, 4] + predictors[m, 0] - predictors[m].mean(axis=0)
        np.testing.assert_allclose(found.losses[m], losses(predictors[m, 4]))
        np.testing.assert_allclose(found.changes[m], losses(moved) - losses(predictors[m, 4]), atol=1e-9)
    first = loss_model(predictors[0, 4, :-1], predictors[0, 4, -1], *model)
    np.testing.assert_allclose(found.weights, row_weights(first, inclusion, partial.labels, partial.designs))


def test_folds_are_put_together_by_their_rows_and_weighted_by_their_sizes():
    folds = np.array([1, 0, 1, 1])
    parts = [
        FoldLosses(np.array([[10.0]]), np.array([[1.0]]), np.array([1.0])),
        FoldLosses(np.array([[20.0, 30.0, 40.0]]), np.array([[2.0, 3.0, 4.0]]), np.array([0.5, 0.25, 0.25])),
    ]
    losses, changes, weights = all_folds(iter(parts), folds)
    assert losses.tolist() == [[20, 10, 30, 40]]
    assert changes.tolist() == [[2, 1, 3, 4]]
    assert weights.tolist() == [0.375, 0.25, 0.1875, 0.1875]
