"""Hard tables, by every way to learn: a model with a warning that names the attributes, or a clear error."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.describe.data_warnings import attributes_left_out, data_warnings, duplicated, related_to_label
from keyhole.observe.cells import Cells
from moments.conftest import cells_of, correlated, training


def fit(learner, X, y):
    return learner.fit(X, y)


def partial_fit(learner, X, y):
    for start in range(0, len(y), 60):
        learner.partial_fit(X[start : start + 60], y[start : start + 60])
    return learner


def ask_and_tell(learner, X, y):
    learner.start(X.shape[1])
    for t in range(len(y)):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    return learner


WAYS = pytest.mark.parametrize("way", [fit, partial_fit, ask_and_tell])
BUDGETS = pytest.mark.parametrize("budget", [None, 4])


def with_holes(X, y):
    """A table of objects, in which None says that a cell could not be had."""
    X = X.astype(object)
    X[:, 4] = None
    return X, y


def with_a_constant(X, y):
    return np.column_stack([X, np.full(len(y), 3.0)]), y


def with_duplicates(X, y):
    return np.column_stack([X, X[:, 0], X[:, 0]]), y


def with_one_label(X, y):
    return X, np.full(len(y), 0.1)


def with_few_rows(X, y):
    return np.random.default_rng(0).normal(size=(60, 80)), y[:60]


@WAYS
@BUDGETS
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    ("hard", "message", "worst"),
    [
        (with_holes, "no cell was revealed of 'x4': the coefficient is 0", 0.8),
        (with_a_constant, "all revealed cells have the same value in 'x12': the coefficient is 0", 0.8),
        (with_duplicates, "two of these attributes were revealed together, they were equal: 'x0', 'x12', 'x13'", 0.8),
        (with_one_label, "the predictor is the mean label, since all labels are equal", None),
        (with_few_rows, "60 examples for 80 attributes, so coefficients are strongly shrunk towards 0", -0.2),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_hard_tables(way, budget, fit_intercept, hard, message, worst):
    X, y = hard(*correlated(200))
    learner = kh.KeyholeRegressor(budget, fit_intercept=fit_intercept, random_state=0)
    if hard is with_a_constant and not fit_intercept:
        assert way(learner, X, y).coef_[12] != 0.0  # it is of use then, and no warning is due
    elif way is fit:  # which solves the model at its end
        with pytest.warns(UserWarning, match=message):
            way(learner, X, y)
    else:
        way(learner, X, y)
        with pytest.warns(UserWarning, match=message):
            learner.coef_  # noqa: B018
    assert np.isfinite(learner.coef_).all()
    assert np.isfinite(learner.intercept_)
    if hard is with_one_label and fit_intercept:
        np.testing.assert_allclose(learner.predict(X), 0.1)
    if worst is not None:
        X = np.where(X == None, 0.0, X).astype(float)  # noqa: E711
        assert learner.score(X, y) > worst


def test_a_missing_cell_is_asked_for_and_not_paid_for_and_the_example_is_kept():
    X, y = with_holes(*correlated(200))
    with pytest.warns(UserWarning, match="no cell was revealed of 'x4'"):
        learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    assert learner.n_skipped_ == 0
    assert learner.observed_.n_examples == learner.cells_.n_examples == 200
    missing = np.sum(learner.cells_.missing_attributes == 4)
    assert missing == len(learner.cells_.missing_attributes) > 0
    assert learner.observed_.per_attribute[4] == 0
    assert learner.observed_.cost == len(learner.cells_.values) == 4 * 200 - missing


@WAYS
@BUDGETS
@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_values_and_labels_are_refused_by_place(way, budget, bad):
    X, y = correlated(200)
    X[:, 2] = bad
    with pytest.raises(kh.BadValue, match="attribute 'x2': infinity was revealed; it must be a finite number"):
        way(kh.KeyholeRegressor(budget, random_state=0), X, y)
    X, y = correlated(200)
    y[150] = bad
    with pytest.raises(ValueError, match="infinity"):
        way(kh.KeyholeRegressor(budget, random_state=0), X, y)


@WAYS
@BUDGETS
def test_labels_that_cannot_be_squared_are_refused(way, budget):
    X, y = correlated(200)
    with pytest.raises(ValueError, match="too large to be squared; take another unit"):
        way(kh.KeyholeRegressor(budget, random_state=0), X, 1e300 * y)


@BUDGETS
@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_huge_and_tiny_attributes_are_as_good_as_any(budget, factor):
    X, y = correlated(200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner = kh.KeyholeRegressor(budget, random_state=0).fit(X * factor, y)
        assert learner.score(X * factor, y) > 0.8


@BUDGETS
@pytest.mark.parametrize("n", [1, 2, 3])
def test_hardly_any_rows(budget, n):
    X, y = correlated(n)
    with pytest.warns(UserWarning, match=f"{n} examples for 12 attributes"):
        learner = kh.KeyholeRegressor(budget, random_state=0).fit(X, y)
    assert np.isfinite(learner.coef_).all()


def test_a_plain_table_gives_no_warning():
    X, y = correlated(200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for budget in (None, 4):
            kh.KeyholeRegressor(budget, random_state=0).fit(X, y).predict(X)
        holes = np.where(np.random.default_rng(0).random(X.shape) < 0.4, np.nan, X)
        kh.KeyholeRegressor().fit(holes, y).predict(X)


def test_duplicates_need_more_than_common_values():
    """Answers from 1 to 5, mostly 3, are often equal at random; scores from 0 to 99 are not."""
    rng = np.random.default_rng(0)
    seen = rng.random((300, 40)) < 0.2
    for values, wanted in (
        (rng.choice(5, p=[0.1, 0.1, 0.6, 0.1, 0.1], size=(300, 40)), []),
        (None, [[3, 30], [5, 31]]),
    ):
        X = rng.integers(100, size=(300, 40)) * (rng.random((300, 40)) < 0.7) if values is None else values
        if wanted:
            X[:, 30], X[:, 31] = X[:, 3], X[:, 5]
        found = duplicated(cells_of(np.where(seen, X, np.nan), np.zeros(300)), 40)
        assert [list(group) for group in found] == wanted


def labels_of_kind(rng, kind, n):
    return {
        "normal": lambda: rng.normal(size=n),
        "long tails": lambda: np.exp(2.0 * rng.normal(size=n)),
        "two classes": lambda: (rng.random(n) < 0.5) * 1.0,
        "a rare class": lambda: (rng.random(n) < 0.05) * 1.0,
    }[kind]()


@pytest.mark.parametrize("kind", ["normal", "long tails", "two classes", "a rare class"])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_no_alarm_where_cells_are_missing_at_random(kind, rate):
    """300 tables of 30 attributes: 3 false alarms are expected; more than 9 have a probability below 0.1%."""
    rng, alarms = np.random.default_rng(7), 0
    for _ in range(300):
        y = labels_of_kind(rng, kind, 400)
        cells = Cells()
        cells._places = np.array(np.nonzero(rng.random((400, 30)) > rate))
        cells._values = np.zeros(cells._places.shape[1])
        cells._n_cells, cells.n_examples = cells._places.shape[1], 400
        alarms += bool(related_to_label(cells, y[:, None], 30))
    assert alarms <= 9


@pytest.mark.parametrize("kind", ["normal", "long tails", "two classes"])
def test_an_alarm_where_the_label_decides(kind):
    X, _ = correlated(600)
    rng = np.random.default_rng(0)
    y = labels_of_kind(rng, kind, 600)
    holes = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    high = y > np.median(y) if kind != "two classes" else y == 1
    holes[:, 7] = np.where(rng.random(600) < np.where(high, 0.6, 0.2), np.nan, X[:, 7])
    present = ~np.isnan(holes[:, 7])
    means = f"{y[present].mean():.3g} where it is present, {y[~present].mean():.3g} where it is missing"
    with pytest.warns(UserWarning, match=f"in 1 of 12 attributes: 'x7' .mean label {means}"):
        kh.KeyholeRegressor(random_state=0).fit(holes, y)


def test_no_alarm_under_a_budget():
    """What was not asked for is missing by the learner's own draws, even while labels drift."""
    X, y = correlated(400)
    y = y + np.linspace(0, 10, 400)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "KeyholeRegressor: missing cells are related")
        kh.KeyholeRegressor(3, random_state=0).fit(X, y).predict(X)


def test_every_attribute_that_takes_no_part_is_left_out_for_one_reason():
    X, y = correlated(300)
    holes = X.copy()
    holes[:, 0] = np.nan
    holes[:, 1] = 3.0
    holes[:, 2] = 0.0
    holes[0, 2] = 1.0
    holes[1::2, 3] = np.nan
    with pytest.warns(UserWarning, match="no cell was revealed of 'x0'"):
        learner = kh.KeyholeRegressor(random_state=0).fit(holes, y)
    left_out = attributes_left_out(learner._solution(), learner.cells_)
    assert [part.tolist() for part in left_out] == [[0], [1], [2]]


def test_attributes_that_a_family_left_out_on_purpose_are_no_warning():
    X, y = correlated(300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner = kh.KeyholeRegressor(4, sparsity=2, random_state=0).fit(X, y)
    assert all(len(part) == 0 for part in attributes_left_out(learner._solution(), learner.cells_))


def test_a_plain_table_has_no_sentence_and_a_short_one_has():
    X, y = correlated(200)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    named = [kh.Attribute(f"test {i}") for i in range(12)]
    assert data_warnings(learner._solution(), training(X, y), named, missing_by_itself=True) == []
    (sentence,) = data_warnings(learner._solution(), training(X[:5], y[:5]), named, missing_by_itself=True)
    assert sentence == "there are 5 examples for 12 attributes, so coefficients are strongly shrunk towards 0"
