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


def test_the_prediction_from_all_that_the_predictor_uses_is_that_of_whole_rows(learner):
    X, _ = spectra(500, seed=5)
    used = np.flatnonzero(learner.coef_)
    assert len(used) == 4
    offers = learner.next_attributes(np.full(X.shape[1], np.nan), n=10)
    assert sorted(i for offer in offers for i in offer.attributes) == used.tolist()  # others would change nothing
    few = np.full_like(X, np.nan)
    few[:, used] = X[:, used]
    np.testing.assert_allclose(learner.predict(few), learner.predict(X))
    path = learner.predict_path(X[:20], 6)
    assert (path.cost[:, -1] == 4).all()
    np.testing.assert_allclose(path.predictions[:, -1], learner.predict(X[:20]))


def test_one_that_could_not_be_had_has_another_in_its_place(learner):
    X, _ = spectra(20, seed=6)
    used = np.flatnonzero(learner.coef_)
    X[:, used[0]] = np.nan
    path = learner.predict_path(X, 4)
    bought = {i for one in path.bought[0] for i in one}
    assert set(used[1:].tolist()) < bought
    assert len(bought) == 4


def test_rows_that_show_the_whole_set_tell_the_risk(learner):
    X, y = spectra(3000, seed=7)
    true = np.mean((learner.predict(X) - y) ** 2)
    risk = learner.risk_interval_
    assert risk.standard_error < 0.1 * risk.label_variance
    assert abs(risk.estimate - true) < 4 * risk.standard_error + 0.2 * true
    _, std = learner.predict(X[:3], return_std=True)
    np.testing.assert_allclose(std, std[0])
    assert 0.5 * np.sqrt(true) < std[0] < 2.0 * np.sqrt(true)
