"""Missing, unavailable and known cells of Keyhole's own learners: what is paid, kept, learned from and assessed.

These belong to ``base.py``, and are many enough for a file of their own.
"""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.inclusion import AVAILABLE_AT_RANDOM
from moments.conftest import costly_table, described, shared_factors

NAMES = [f"x{i}" for i in range(12)]
LEARNERS = pytest.mark.parametrize("make", [kh.KeyholeRegressor, kh.KeyholeClassifier])


def told(learner, X, y, unavailable=lambda t: (), known=lambda t: None):
    """A learner after asking and telling of every row."""
    for t, label in enumerate(y):
        ask = learner.ask(unavailable=unavailable(t), known=known(t))
        learner.tell(ask, X[t, ask.attributes], label)
    return learner


@LEARNERS
def test_what_was_told_beside_a_missing_value_is_learned_from(make):
    X, y = shared_factors(300)
    learner = make(4, random_state=0).start(12)
    for t in range(300):
        ask = learner.ask()
        values = [None if t % 2 and r == 0 else X[t, i] for r, i in enumerate(ask.attributes)]
        learner.tell(ask, values, y[t] if make is kh.KeyholeRegressor else bool(y[t] > 0))
    assert (learner.n_skipped_, learner.cells_.n_examples) == (0, 300)
    assert len(learner.cells_.values) == 300 * 4 - 150
    assert len(learner.cells_.missing_rows) == 150
    assert learner.observed_.distinct == 1200  # a missing cell was paid for
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
