"""The factor model of a pilot reproduces how attributes go together, and fills in missing cells."""

import numpy as np

from keyhole.planning.worlds.attributes import best_factor_model, drawn_completion
from keyhole.planning.worlds.columns import standardised_columns
from planning.populations import population


def implied(model):
    W = model.loadings[:-1]
    return W @ W.T + np.diag(model.noise[:-1])


def test_correlations_of_the_model_are_those_of_the_pilot():
    X, y = population(200, 1)
    scores = standardised_columns(X)["values"]
    model = best_factor_model(scores, (y - y.mean()) / y.std(), 0)
    np.testing.assert_allclose(implied(model), np.corrcoef(X.T), atol=0.1)


def test_independent_attributes_have_nothing_in_common():
    rng = np.random.default_rng(2)
    scores = standardised_columns(rng.normal(size=(60, 10)))["values"]
    assert not best_factor_model(scores, rng.normal(size=60), 0).loadings.any()


def test_drawn_cells_follow_the_others_of_their_row():
    X, y = population(300, 3)
    scores, labels = standardised_columns(X)["values"], (y - y.mean()) / y.std()
    partial = scores.copy()
    partial[::2, 0] = np.nan
    model = best_factor_model(partial, labels, 0)
    filled = drawn_completion(partial, labels, model, np.random.default_rng(0))
    np.testing.assert_array_equal(filled[1::2], scores[1::2])
    assert not np.isnan(filled).any()
    drawn = np.corrcoef(filled[::2, 0], scores[::2, 1])[0, 1]
    assert abs(drawn - np.corrcoef(scores[:, 0], scores[:, 1])[0, 1]) < 0.15
