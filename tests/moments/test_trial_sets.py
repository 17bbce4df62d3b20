"""Several fixed sets of attributes, where these are almost copies of each other, as channels of a spectrum are."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.policy.settings import SETS_TRIED
from keyhole.moments.trial_sets import are_almost_copies, best_set, sets_tried
from moments.conftest import shared_factors


def spectra(n, seed=0, d=40):
    """Smooth curves that are almost proportional to each other; the label is in how they differ."""
    rng = np.random.default_rng(seed)
    at = np.linspace(0, 1, d)
    size, tilt, bend = 3 + rng.normal(size=n), 0.05 * rng.normal(size=n), 0.05 * rng.normal(size=n)
    X = size[:, None] * (1 + 0.2 * at) + tilt[:, None] * at + bend[:, None] * np.sin(6 * at)
    return X + 0.001 * rng.normal(size=(n, d)), 20 * bend + 0.1 * rng.normal(size=n)


@pytest.fixture(scope="module")
def learner():
    return kh.KeyholeRegressor(4, random_state=0).fit(*spectra(160))


def fixed_sets(learner):
    return [panels.fixed.tolist() for panels in learner.policy_.designs if panels.share > 0]


def test_of_spectra_three_sets_are_tried_and_the_best_is_kept(learner):
    *tried, kept = fixed_sets(learner)
    assert len(tried) == SETS_TRIED == len({tuple(one) for one in tried})
    assert kept in tried
    assert learner.policy_.starts == (0, 60, 80, 100, 120)
    assert learner.policy_.next_at == 0
    assert are_almost_copies(learner._training(), np.array(kept))


def test_the_best_set_has_the_least_error_of_new_rows(learner):
    X, y = spectra(2000, seed=1)
    errors = []
    for some in fixed_sets(learner)[:SETS_TRIED]:
        table = np.column_stack([np.ones(len(y)), X[:, some]])
        errors.append(np.mean((table @ np.linalg.lstsq(table, y, rcond=None)[0] - y) ** 2))
    assert fixed_sets(learner)[:SETS_TRIED][int(np.argmin(errors))] == fixed_sets(learner)[-1] or np.ptp(errors) < 0.05
    assert learner.score(X, y) > 0.8


def test_other_attributes_keep_the_first_set():
    X, y = shared_factors(300)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    tried = fixed_sets(learner)
    assert len({tuple(one) for one in tried}) == 1
    assert best_set(learner.policy_, learner._training()) is None
    assert len(sets_tried(learner.policy_)) <= 1


def test_fit_is_partial_fit_and_a_learner_that_was_saved_goes_on(tmp_path, learner):
    X, y = spectra(160)
    pieces = kh.KeyholeRegressor(4, random_state=0, n_expected=160).partial_fit(X[:90], y[:90])
    assert pieces.policy_.next_at == 100
    kh.save_model(pieces, tmp_path / "half.keyhole")
    for one in (pieces, kh.load_model(tmp_path / "half.keyhole")):
        one.partial_fit(X[90:], y[90:])
        assert fixed_sets(one) == fixed_sets(learner)
        np.testing.assert_array_equal(one.coef_, learner.coef_)


def test_inclusion_probabilities_are_those_of_the_mixture(learner):
    for panels in learner.policy_.designs[1:]:
        drawn = panels._replace(share=0.0).inclusion
        expected = (1 - panels.share) * drawn + panels.share * np.isin(np.arange(len(drawn)), panels.together)
        np.testing.assert_allclose(panels.inclusion, expected)


def test_channels_beyond_the_revealed_range_stay_linear(learner):
    """One channel that is held while its neighbour is not would change the prediction by far more than the label."""
    X, y = spectra(500, seed=2)
    far = np.flatnonzero(X.max(axis=1) > spectra(160)[0].max())
    assert len(far)
    inside = learner.predict(X)
    assert np.abs(inside[far] - y[far]).mean() < 3 * np.abs(inside - y).mean()


def test_free_attributes_and_a_small_budget_leave_no_set_to_try():
    X, y = spectra(160, d=12)
    attributes = [kh.Attribute(f"channel {i}", free=i < 2) for i in range(12)]
    learner = kh.KeyholeRegressor(2, random_state=0).fit(kh.ArraySource(X, attributes), y)
    assert learner.observed_.max_per_example <= 4
    assert learner.policy_.next_at == 0 or fixed_sets(learner)
