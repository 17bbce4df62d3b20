"""Predictions from rows with holes, their spread, and risk_at."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes

import keyhole as kh
from moments.made import fitted, shared_factors, with_holes

HOLES = np.nan


@pytest.fixture(scope="module")
def learner():
    return fitted()


@pytest.fixture(scope="module")
def test_rows():
    return shared_factors(2800, seed=1)


def test_whole_rows_are_the_linear_predictor(learner, test_rows):
    X, _ = test_rows
    linear = X @ learner.coef_ + learner.intercept_
    np.testing.assert_array_equal(learner.predict(X), linear)
    np.testing.assert_array_equal(learner.predict(X, return_std=True)[0], linear)
    X = X[:10].copy()
    X[0, 0] = HOLES
    predicted = learner.predict(X)
    np.testing.assert_allclose(predicted[1:], linear[1:10], rtol=1e-12)
    assert predicted[0] != linear[0]


def test_an_attribute_without_weight_may_be_missing():
    X, y = shared_factors()
    X[:, 3] = 7.0
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    holes = X.copy()
    holes[:, 3] = HOLES
    np.testing.assert_allclose(learner.predict(holes), learner.predict(X), rtol=1e-12)


def test_a_row_with_nothing_gets_the_mean_and_the_spread_of_the_labels(learner):
    predicted, std = learner.predict(np.full((2, 12), HOLES), return_std=True)
    np.testing.assert_allclose(predicted, learner.cells_.labels.mean())
    np.testing.assert_allclose(std, learner.cells_.labels.std())


def test_every_subset_beats_the_mean_and_knows_its_error(learner, test_rows):
    X, y = test_rows
    errors = []
    for size in range(1, 13):
        holes = with_holes(X, size, size)
        predicted, std = learner.predict(holes, return_std=True)
        low, high = learner.predict_interval(holes).T
        errors.append(np.mean((predicted - y) ** 2))
        assert errors[-1] < np.mean((y - learner.cells_.labels.mean()) ** 2)
        assert np.mean((predicted - y) ** 2 / std**2) == pytest.approx(1.0, abs=0.25)
        assert 0.85 <= np.mean((low <= y) & (y <= high)) <= 0.95
    assert (np.diff(errors) < 0.05 * errors[0]).all()
    assert errors[-1] < 0.3 * errors[0]


def test_labels_that_follow_nothing_are_predicted_by_little_more_than_the_mean():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2600, 20)), rng.standard_t(4, size=2600)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:600], y[:600])
    of_mean = np.mean((y[600:] - y[:600].mean()) ** 2)
    for size in (1, 5, 10, 15):
        assert np.mean((learner.predict(with_holes(X[600:], size)) - y[600:]) ** 2) < 1.05 * of_mean


def test_units_do_not_matter(test_rows):
    X, y = shared_factors(400)
    factor = np.resize([1000.0, 1.0, 0.001], 12)
    holes = with_holes(test_rows[0][:50], 5)
    plain = kh.KeyholeRegressor(4, random_state=0).fit(X, y).predict(holes, return_std=True)
    other = kh.KeyholeRegressor(4, random_state=0).fit(X * factor, 1000 * y).predict(holes * factor, return_std=True)
    for one, two in zip(plain, other, strict=True):
        np.testing.assert_allclose(two, 1000 * one, rtol=1e-6)


def test_rows_alone_and_together_and_in_other_tables(learner, test_rows):
    pandas = pytest.importorskip("pandas")
    holes = np.vstack([with_holes(test_rows[0][:20], size) for size in range(13)])
    together, std = learner.predict(holes, return_std=True)
    alone = np.concatenate([learner.predict(row[None, :]) for row in holes])
    np.testing.assert_allclose(alone, together, rtol=1e-8, atol=1e-10)
    frame = pandas.DataFrame(holes, columns=[f"x{i}" for i in range(12)]).astype("Float64")
    by_frame = kh.KeyholeRegressor(4, random_state=0).fit(
        pandas.DataFrame(shared_factors(800)[0]).set_axis(frame.columns, axis=1), shared_factors(800)[1]
    )
    np.testing.assert_allclose(by_frame.predict(frame), together, rtol=1e-8, atol=1e-10)
    whole = sparse.csr_array(test_rows[0][:5])
    np.testing.assert_allclose(learner.predict(whole, return_std=True)[0], learner.predict(test_rows[0][:5]))
    assert (std > 0).all()


def test_infinity_is_refused_with_its_place(learner):
    holes = np.full((3, 12), HOLES)
    holes[2, 4] = np.inf
    with pytest.raises(kh.BadValue, match="example 2, attribute 'x4': infinity"):
        learner.predict(holes)


def test_every_cell_revealed(test_rows):
    X, y = load_diabetes(return_X_y=True)
    learner = kh.KeyholeRegressor().fit(X[:300], y[:300])
    assert learner.family_ == "ridge"
    holes = with_holes(X[300:], 6)
    predicted, std = learner.predict(holes, return_std=True)
    assert np.mean((predicted - y[300:]) ** 2) < 0.8 * np.var(y[300:])
    assert np.mean((predicted - y[300:]) ** 2 / std**2) == pytest.approx(1.0, abs=0.3)
    assert learner.risk_at(6).estimate < learner.risk_at(0).estimate


def test_risk_at_is_the_error_of_fresh_rows():
    X, y = shared_factors(4800)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:800], y[:800])
    cells, rng = learner.cells_, np.random.default_rng(0)
    assert learner.risk_at(0).estimate == pytest.approx(np.var(y[:800]), rel=0.01)
    for b in (1, 2, 4):
        risk = learner.risk_at(b)
        assert risk.n_examples == 800
        holes = np.full((4000, 12), HOLES)
        for t, row in enumerate(rng.integers(800, size=4000)):  # drawn as a training row's attributes were
            some = rng.permutation(cells.attributes[cells.rows == row])[:b]
            holes[t, some] = X[800 + t, some]
        error = np.mean((learner.predict(holes) - y[800:]) ** 2)
        assert abs(risk.estimate - error) < 3 * risk.standard_error
    with pytest.raises(ValueError, match="budget of 4"):
        learner.risk_at(5)
    with pytest.raises(ValueError, match="whole number"):
        learner.risk_at(1.5)


def test_risk_at_where_nothing_can_be_held_out():
    X, y = shared_factors(5)
    with pytest.raises(ValueError, match="the most that one revealed is 4"):
        kh.KeyholeRegressor(4, random_state=0).fit(X, y).risk_at(2)


def test_tables_from_which_little_can_be_learned_still_predict():
    X, y = shared_factors(40)
    for table, labels in ((X[:5], y[:5]), (X, np.full(40, 7.0)), (np.ones_like(X), y)):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(table, labels)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "KeyholeRegressor predicts the mean label")
            predicted, std = learner.predict(with_holes(X, 5), return_std=True)
            interval = learner.predict_interval(with_holes(X, 5))
        assert np.isfinite(predicted).all()
        assert np.isfinite(interval).all()
        assert (std >= 0).all()


def test_what_was_derived_follows_new_examples():
    X, y = shared_factors()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:400], y[:400])
    holes = with_holes(X[:5], 3)
    before = learner.predict(holes)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(learner)).predict(holes), before)
    learner.partial_fit(X[400:], y[400:])
    whole = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    np.testing.assert_array_equal(learner.predict(holes), whole.predict(holes))


@pytest.mark.parametrize("level", [0, 1, 90, "much"])
def test_wrong_levels(learner, level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        learner.predict_interval(np.zeros((1, 12)), level)


@pytest.mark.parametrize("n_examples", [0, 1])
def test_before_the_second_example_anything_is_possible(n_examples):
    learner = kh.KeyholeRegressor(1, random_state=0).start(4)
    for _ in range(n_examples):
        ask = learner.ask()
        learner.tell(ask, values=[0.3], label=2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predicted, std = learner.predict(np.full((1, 4), np.nan), return_std=True)
        interval = learner.predict_interval(np.zeros((1, 4)))
    assert predicted == [2.0 * n_examples]
    assert std == [np.inf]
    assert interval.tolist() == [[-np.inf, np.inf]]


@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_claimed_to_be_certain_where_little_is_left(seed):
    """Sums of squared correlations add up to more than 1 by chance here: the variance was said to be 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 60))
    y = X[:, :4] @ [2.0, -1.5, 1.0, 1.0] + 0.3 * rng.normal(size=3000)
    learner = kh.KeyholeRegressor(10, random_state=0).fit(X[:2000], y[:2000])
    predicted, deviation = learner.predict(X[2000:], return_std=True)
    assert 0.5 < np.mean((predicted - y[2000:]) ** 2) / np.mean(deviation**2) < 2.0
    low, high = learner.predict_interval(X[2000:]).T
    assert 0.85 < np.mean((low <= y[2000:]) & (y[2000:] <= high)) < 0.96


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_table_with_holes_and_few_rows_has_intervals():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1150, 20))
    y = X[:, :4] @ [2.0, -1.5, 1.0, 1.0] + 0.3 * rng.normal(size=1150)
    holes = np.where(np.random.default_rng(3).random(X.shape) < 0.6, np.nan, X)
    learner = kh.KeyholeRegressor(random_state=0).fit(holes[:150], y[:150])
    for table in (X[150:], holes[150:]):
        low, high = learner.predict_interval(table).T
        assert 0.8 < np.mean((low <= y[150:]) & (y[150:] <= high)) < 0.98


def test_risk_at_of_labels_that_are_all_alike_says_so():
    X = np.random.default_rng(0).normal(size=(100, 6))
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, np.ones(100))
    with (
        pytest.warns(UserWarning, match="labels are all alike"),
        pytest.raises(ValueError, match="nothing was learned"),
    ):
        learner.risk_at(1)
