"""What KeyholeRegressor and KeyholeClassifier share: fit solves, partial_fit and tell do not, and calls that fail."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

import keyhole as kh
from keyhole.moments import base
from keyhole.moments.honest.inclusion import AVAILABLE_AT_RANDOM
from moments.conftest import correlated, costly_table, described, shared_factors, with_holes

LEARNERS = pytest.mark.parametrize("make", [kh.KeyholeRegressor, kh.KeyholeClassifier])


def labels_for(make, y):
    return y if make is kh.KeyholeRegressor else y > 0


@pytest.fixture
def solved(monkeypatch):
    """How often a model was solved."""
    calls, plain = [], base.select

    def counted(*arguments):
        calls.append(arguments[0].n_rows)
        return plain(*arguments)

    monkeypatch.setattr(base, "select", counted)
    return calls


@LEARNERS
def test_fit_solves_the_model_once_and_at_its_end(make, solved):
    X, y = correlated(120)
    learner = make(4, random_state=0).fit(X, labels_for(make, y))
    assert solved == [120]
    learner.coef_, learner.family_, learner.predict(X), learner.summary(risk=False)
    assert solved == [120]


@LEARNERS
def test_partial_fit_and_tell_solve_when_the_model_is_wanted(make, solved):
    X, y = correlated(60)
    y = labels_for(make, y)
    learner = make(4, random_state=0).partial_fit(X[:40], y[:40])
    for t in range(40, 60):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    assert solved == []
    learner.predict(X)
    learner.predict(X)
    assert solved == [60]


@LEARNERS
def test_warnings_come_with_fit_and_are_not_repeated(make):
    X, _ = correlated(60)
    with pytest.warns(UserWarning, match="the predictor is the mean label, since all labels are equal"):
        learner = make(4, random_state=0).fit(X, np.ones(60, dtype=int))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.predict(X)
        learner.candidates_  # noqa: B018


def test_warnings_turned_into_errors_leave_the_learner_as_it_was():
    X, y = correlated(60)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    before = pickle.dumps(learner)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="all labels are equal"):
            learner.fit(X, np.ones(60))
    assert pickle.dumps(learner) == before


@LEARNERS
def test_a_failed_partial_fit_keeps_what_was_solved(make):
    X, y = correlated(60)
    y = labels_for(make, y)
    learner = make(4, random_state=0).fit(X, y)
    solution = learner._solution()
    broken = X.copy()
    broken[-1] = np.inf
    with pytest.raises(kh.BadValue):
        learner.partial_fit(broken, y)
    assert learner._solution() is solution
    assert learner.cells_.n_examples == 60
    learner.partial_fit(X, y)
    assert learner._solution() is not solution


def test_a_copy_that_learns_on_leaves_the_first_alone():
    X, y = correlated(80)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:60], y[:60])
    coef, twin = learner.coef_, pickle.loads(pickle.dumps(learner))
    twin.partial_fit(X[60:], y[60:])
    assert (learner.cells_.n_examples, twin.cells_.n_examples) == (60, 80)
    np.testing.assert_array_equal(learner.coef_, coef)


def test_missing_cells_are_taken_and_cost_nothing_without_a_budget_and_sklearn_is_told():
    X, y = correlated(60)
    for budget, free in ((None, True), (4, False)):
        learner = kh.KeyholeRegressor(budget)
        assert learner.takes_missing
        assert learner.missing_is_free is free
        assert get_tags(learner).input_tags.allow_nan
    learner = kh.KeyholeRegressor(random_state=0).fit(with_holes(X, 5), y)
    assert learner.policy_ is None
    ask = learner.ask()
    assert ask.attributes.tolist() == list(range(12))
    learner.tell(ask, [None, np.nan, *[0.5] * 10], 1.0)
    assert (learner.n_skipped_, learner.cells_.n_examples) == (0, 61)
    assert learner.observed_.distinct == 5 * 60 + 10


def test_free_attributes_are_a_mask_of_the_described_ones():
    X, y = costly_table(60)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(kh.observe.ArraySource(X, described()), y)
    assert np.flatnonzero(learner._free()).tolist() == [0]
    assert not kh.KeyholeRegressor(4, random_state=0).fit(X, y)._free().any()


@LEARNERS
def test_the_ledger_has_the_design_of_every_row(make):
    X, y = correlated(120)
    learner = make(4, keep_ledger=True, random_state=0).fit(X, labels_for(make, y))
    ledger = learner.ledger_
    assert len(ledger.designs) == len(learner.policy_.designs) > 1
    first = np.searchsorted(ledger["example"], np.arange(120))
    np.testing.assert_array_equal(ledger["design"][first], learner.cells_.designs)


@LEARNERS
def test_nothing_is_known_before_a_fit(make):
    learner, X = make(4), np.zeros((1, 12))
    names = ["coef_", "family_", "candidates_"]
    methods = [learner.summary, learner.plot_reveals, lambda: learner.predict(X)]
    if make is kh.KeyholeRegressor:
        names += ["risk_interval_", "coef_interval_"]
        methods += [learner.coef_interval, learner.plot_weights, learner.plot_risk, lambda: learner.risk_at(1)]
        methods += [lambda: learner.predict_interval(X)]
    else:
        methods += [lambda: learner.predict_proba(X), lambda: learner.decision_function(X), lambda: learner.error_at(1)]
    for name in names:
        with pytest.raises(NotFittedError):
            getattr(learner, name)
    for method in methods:
        with pytest.raises(NotFittedError):
            method()


@pytest.mark.filterwarnings("ignore:KeyholeRegressor. 120 examples would show")
@pytest.mark.parametrize(("d", "n_expected"), [(12, None), (300, 120)])
def test_an_interrupted_renewal_leaves_the_learner_as_it_was(d, n_expected, monkeypatch):
    X, y = correlated(80, d)
    learner, twin = (kh.KeyholeRegressor(4, n_expected=n_expected, random_state=0).start(d) for _ in range(2))
    renewal = learner.policy_.next_renewal
    for one in (learner, twin):
        for t in range(renewal):
            ask = one.ask()
            one.tell(ask, X[t, ask.attributes], y[t])

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("keyhole.moments.renewal.select_start", interrupt)
        with pytest.raises(KeyboardInterrupt):
            learner.ask()
    assert not learner.open_asks_
    assert learner.cells_.n_examples == learner.observed_.n_examples == renewal
    np.testing.assert_array_equal(learner.ask().attributes, twin.ask().attributes)
    assert len(learner.policy_.designs) == len(twin.policy_.designs) == 2


# The number of examples to come.


def in_three_ways(make, X, y, n_expected):
    """Learners by fit, by partial_fit in pieces, and by single asks."""
    whole, pieces, steps = (make(4, n_expected=n_expected, random_state=0) for _ in range(3))
    whole.fit(X, y)
    for start, stop in ((0, 1), (1, 50), (50, len(y))):
        pieces.partial_fit(X[start:stop], y[start:stop])
    steps.start(X.shape[1])
    for t in range(len(y)):
        ask = steps.ask()
        steps.tell(ask, X[t, ask.attributes], y[t])
    return whole, pieces, steps


@LEARNERS
@pytest.mark.parametrize(("d", "n_expected"), [(12, 150), (80, 150), (80, 400)])
@pytest.mark.filterwarnings("ignore:Keyhole")
def test_fit_partial_fit_and_ask_and_tell_agree_for_the_same_number_of_examples(make, d, n_expected):
    X, y = correlated(150, d)
    whole, *others = in_three_ways(make, X, labels_for(make, y), n_expected)
    assert whole.expected_examples_ == n_expected
    for other in others:
        assert other.expected_examples_ == n_expected
        np.testing.assert_array_equal(other.cells_.attributes, whole.cells_.attributes)
        np.testing.assert_array_equal(other.coef_, whole.coef_)
        assert other.values_ == whole.values_


def test_fit_expects_the_length_of_its_table_and_the_others_know_of_no_end():
    X, y = correlated(120, 200)
    warned = "120 examples would show each of 200 attributes fewer than 12 times, so 26 of them, drawn at random"
    with pytest.warns(UserWarning, match=warned):
        fitted = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match=warned):
        told = kh.KeyholeRegressor(4, n_expected=120, random_state=0).partial_fit(X, y)
    assert fitted.expected_examples_ == told.expected_examples_ == 120
    assert fitted.policy_.uniform_rows == 45  # three eighths
    assert np.sum(fitted.observed_.per_attribute > 0) == 26
    np.testing.assert_array_equal(fitted.cells_.attributes, told.cells_.attributes)
    anytime = kh.KeyholeRegressor(4, random_state=0).partial_fit(X, y)
    assert anytime.expected_examples_ is None
    assert anytime.policy_.uniform_rows == 600  # until every attribute was revealed 12 times
    assert np.sum(anytime.observed_.per_attribute > 0) > 150


def test_going_on_beyond_the_expected_number_is_no_error():
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(4, n_expected=60, random_state=0).partial_fit(X, y)
    assert learner.policy_.starts == (0, 22, 44, 88, 176)
    assert learner.score(X, y) > 0.8


@LEARNERS
@pytest.mark.parametrize("n_expected", [0, -3, 2.5, "many", True])
def test_wrong_numbers_of_examples(make, n_expected):
    message = f"n_expected={n_expected!r}: {make.__name__} needs None or a whole number of examples, 1 or more"
    with pytest.raises(ValueError, match=message):
        make(4, n_expected=n_expected).start(12)


# Bad input: one clear error, or a fallback that is stated.


def of_every_kind(make, rows, n=60):
    """The label of each row, as the learner takes it."""
    return np.linspace(-1.0, 1.0, n)[rows] if make is kh.KeyholeRegressor else (np.arange(n) % 2)[rows]


@LEARNERS
@pytest.mark.parametrize("budget", [4, None])
def test_a_label_with_one_value_one_row_and_constant_attributes_give_the_mean(make, budget):
    X, _ = correlated(60)
    same, one = (7.0, 3.0) if make is kh.KeyholeRegressor else ("seven", "three")
    for table, labels, why, wanted in (
        (X, np.full(60, same), "the predictor is the mean label, since all labels are equal", same),
        (X[:1], [one], "the predictor is the mean label, since all labels are equal", one),
        (np.ones_like(X), of_every_kind(make, slice(None)), "all revealed cells have the same value in 'x0'", 0.0),
    ):
        with pytest.warns(UserWarning, match=why):
            learner = make(budget, random_state=0).fit(table, labels)
        predicted = learner.predict(X[:3])
        if isinstance(wanted, str):
            assert predicted.tolist() == [wanted] * 3
        else:
            np.testing.assert_allclose(predicted.astype(float), wanted, atol=1e-12)
        assert not learner.coef_.any()
    with pytest.raises(ValueError, match="0 sample"):
        make(budget).fit(X[:0], [])


@LEARNERS
@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([f"patient {t}" for t in range(60)], "column 'new' has the type .*, which is not of numbers: make numbers"),
        (np.array(["red", "blue"] * 30), "declare it by FrameSource.*'choice', 'yes/no' or 'date'"),
        (pd.date_range("2020-01-01", periods=60), "column 'new' has the type datetime.*dates are taken where they are"),
    ],
)
def test_text_dates_and_choices_that_were_not_declared_are_refused_at_the_start(make, column, message):
    X, _ = correlated(60, 20)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(20)]).assign(new=column)
    for seed in range(3):  # whatever would have been drawn
        with pytest.raises(ValueError, match=message):
            make(1, random_state=seed).fit(frame, of_every_kind(make, slice(None)))


@LEARNERS
def test_infinity_counts_where_it_is_asked_for_and_nowhere_else(make):
    X, y = correlated(100)
    y = labels_for(make, y)
    plain = make(4, random_state=0).fit(X, y)
    read = np.zeros(X.shape, dtype=bool)
    read[plain.cells_.rows, plain.cells_.attributes] = True
    elsewhere = np.where(read, X, np.inf)
    np.testing.assert_array_equal(make(4, random_state=0).fit(elsewhere, y).coef_, plain.coef_)
    t, i = np.argwhere(read)[200]
    elsewhere[t, i] = -np.inf
    with pytest.raises(kh.BadValue, match=f"example {t}, attribute 'x{i}': infinity was revealed"):
        make(4, random_state=0).fit(elsewhere, y)


@LEARNERS
@pytest.mark.parametrize("budget", [6, None])
def test_a_column_of_enormous_values_and_a_single_one_do_no_harm(make, budget):
    X, y = shared_factors(300)
    y = labels_for(make, y)
    plain = make(budget, random_state=0).fit(X, y).score(X, y)
    column, single = X.copy(), X.copy()
    column[:, 3] *= 1e20
    single[7, 3] = 1e20
    assert make(budget, random_state=0).fit(column, y).score(column, y) == pytest.approx(plain, abs=1e-6)
    assert make(budget, random_state=0).fit(single, y).score(X, y) > plain - 0.05


# Missing, unavailable and known cells: what is paid, kept, learned from and assessed.

NAMES = [f"x{i}" for i in range(12)]


def told(learner, X, y, unavailable=lambda t: (), known=lambda t: None):
    """A learner after asking and telling of every row."""
    for t, label in enumerate(y):
        ask = learner.ask(unavailable=unavailable(t), known=known(t))
        learner.tell(ask, X[t, ask.attributes], label)
    return learner


@LEARNERS
@pytest.mark.parametrize(("charged", "paid"), [(True, 1200), (False, 1050)])
def test_what_was_told_beside_a_missing_value_is_learned_from(make, charged, paid):
    X, y = shared_factors(300)
    learner = make(4, random_state=0).start([kh.Attribute(name, charged_when_missing=charged) for name in NAMES])
    for t in range(300):
        ask = learner.ask()
        values = [None if t % 2 and r == 0 else X[t, i] for r, i in enumerate(ask.attributes)]
        learner.tell(ask, values, y[t] if make is kh.KeyholeRegressor else bool(y[t] > 0))
    assert (learner.n_skipped_, learner.cells_.n_examples) == (0, 300)
    assert len(learner.cells_.values) == 300 * 4 - 150
    assert len(learner.cells_.missing_rows) == 150
    assert learner.observed_.cost == paid
    assert learner.score(X, y if make is kh.KeyholeRegressor else y > 0) > 0.7


def test_a_cell_that_is_not_charged_when_missing():
    tests = [kh.Attribute(name, cost=2, charged_when_missing=False) for name in NAMES]
    learner = kh.KeyholeRegressor(4, random_state=0).start(tests)
    ask = learner.ask()
    learner.tell(ask, [None, 1.0], 0.5)
    assert (learner.observed_.cost, learner.observed_.distinct) == (2.0, 1)


def test_an_example_without_any_value_keeps_its_label():
    learner = kh.KeyholeRegressor(2, random_state=0).start(3)
    ask = learner.ask()
    learner.tell(ask, [None, np.nan], 7.0)
    with pytest.warns(UserWarning, match="mean label"):
        assert learner.predict(np.zeros((1, 3))) == [7.0]


def test_unavailable_attributes_are_never_asked_for():
    X, y = shared_factors(400)
    unavailable = lambda t: ([], ["x3"], [3, "x7"], np.arange(9))[t % 4]  # noqa: E731
    learner = kh.KeyholeRegressor(4, random_state=0).start(12)
    for t in range(400):
        ask = learner.ask(unavailable=unavailable(t))
        names = {f"x{i}" if isinstance(i, int | np.integer) else i for i in unavailable(t)}
        assert not names & {NAMES[i] for i in ask.attributes}
        assert len(ask.attributes) == (3 if t % 4 == 3 else 4)
        np.testing.assert_allclose(ask.probabilities, np.diag(learner._design_of(ask).joint(ask.attributes)))
        learner.tell(ask, X[t, ask.attributes], y[t])
    assert len(learner.policy_.designs) == 4 * len(learner.policy_.starts)
    assert learner.observed_.max_per_example == 4
    assert learner.score(X, y) > 0.7


def test_a_bundle_is_bought_for_what_is_left_of_it():
    X, _ = costly_table()
    learner = kh.KeyholeRegressor(4, keep_ledger=True, random_state=0).start(described())
    seen = set()
    for t in range(60):
        ask = learner.ask(unavailable=["a1", "a0"])  # of a bundle with a4, and free
        seen |= set(ask.attributes.tolist())
        learner.tell(ask, X[t, ask.attributes], float(t))
        np.testing.assert_allclose(np.diag(learner.ledger_.joint(t)), ask.probabilities)
    assert 4 in seen
    assert not seen & {0, 1}


@LEARNERS
def test_known_values_are_free_cells(make):
    X, y = shared_factors(300)
    labels = y if make is kh.KeyholeRegressor else y > 0
    known = lambda t: {"x2": X[t, 2], 5: X[t, 5]} if t % 3 == 0 else None  # noqa: E731
    learner = told(make(4, random_state=0).start(12), X, labels, known=known)
    assert learner.observed_.distinct == 1200
    assert learner.observed_.max_per_example == 4
    cells = learner.cells_
    assert (len(cells.values), cells.given.sum()) == (1400, 200)
    assert set(cells.attributes[cells.given].tolist()) == {2, 5}
    np.testing.assert_array_equal(X[cells.rows, cells.attributes], cells.values)
    risk = (learner.risk_at if make is kh.KeyholeRegressor else learner.error_at)(4)
    assert risk.n_examples == 300  # predicted from 4 drawn cells, and not from known ones
    assert learner._usual_number() == 4


def test_without_a_budget_known_and_unavailable_attributes_are_not_asked_for():
    learner = kh.KeyholeRegressor(random_state=0).start(4)
    ask = learner.ask(unavailable=[0], known={"x2": 1.5})
    np.testing.assert_array_equal(ask.attributes, [1, 3])
    learner.tell(ask, [0.5, None], 1.0)
    assert learner.observed_.cost == 1.0  # the table is partial: a missing cell costs nothing
    np.testing.assert_array_equal(learner.cells_.attributes, [1, 2])


def test_everything_may_be_known_or_unavailable():
    learner = kh.KeyholeRegressor(2, random_state=0).start(4)
    ask = learner.ask(unavailable=[0, 1], known={2: 1.0, 3: 2.0})
    assert len(ask.attributes) == 0
    learner.tell(ask, [], 1.0)
    assert (learner.observed_.cost, len(learner.cells_.values)) == (0.0, 2)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"unavailable": ["x99"]}, "unavailable: there is no attribute 'x99' among 12"),
        ({"unavailable": "x1"}, r"unavailable='x1': ask takes unavailable=\[name, ...\]"),
        ({"known": ["x1"]}, r"known=\['x1'\]: ask takes"),
        ({"known": {"x99": 1.0}}, "known: there is no attribute 'x99'"),
        ({"known": {"x1": np.inf}}, "ask number 0, known, attribute 'x1': infinity was revealed"),
        ({"known": {"x1": None}}, "ask number 0, known, attribute 'x1': the value is missing; leave it out of known"),
        ({"known": {"x1": 1.0}, "unavailable": ["x1"]}, "attribute 'x1' is both unavailable and known"),
    ],
)
def test_wrong_wishes_change_nothing(more, message):
    learner, other = (kh.KeyholeRegressor(4, random_state=0).start(12) for _ in range(2))
    with pytest.raises(ValueError, match=message):
        learner.ask(**more)
    assert (learner.n_asked_, learner.open_asks_) == (0, {})
    np.testing.assert_array_equal(learner.ask().attributes, other.ask().attributes)


@pytest.mark.parametrize("kind", ["missing", "unavailable", "known"])
def test_honest_risk_is_near_the_truth_where_availability_is_unrelated_to_values(kind):
    X, y = shared_factors(22_000)
    new, labels, X, y = X[1500:], y[1500:], X[:1500], y[:1500]
    rng, more = np.random.default_rng(1), {}
    if kind == "missing":
        X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    elif kind == "unavailable":
        more = {"unavailable": lambda t: [0, 1, 2] if t % 2 else []}
    else:
        more = {"known": lambda t: {4: X[t, 4], 7: X[t, 7]} if t % 2 else {}}
    learner = told(kh.KeyholeRegressor(4, random_state=0).start(12), X, y, **more)
    risk = learner.risk_interval_
    assert AVAILABLE_AT_RANDOM in risk.remark
    truth = np.mean((learner.predict(new) - labels) ** 2)
    assert abs(risk.estimate - truth) < 3 * risk.standard_error
    assert risk.standard_error < 0.5 * truth


def test_honest_risk_needs_examples_of_which_everything_used_could_be_drawn():
    X, y = shared_factors(200)
    learner = told(kh.KeyholeRegressor(4, random_state=0).start(12), X, y, known=lambda t: {4: X[t, 4]})
    risk = learner.risk_interval_
    assert np.isnan(risk.estimate)
    assert "could be drawn for 0 examples, and at least 20 are needed" in risk.remark
    assert "is a free attribute" in risk.remark


def test_honest_risk_assumes_nothing_where_every_drawn_cell_was_there():
    X, y = shared_factors(200)
    assert kh.KeyholeRegressor(4, random_state=0).fit(X, y).risk_interval_.remark == ""
