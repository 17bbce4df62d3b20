"""Conformance checks that every learner of Keyhole passes, and that one's own learner can be put through.

    for check in checks_for(MyLearner(budget=4)):
        check()

Each check makes its own data, works on a clone, and raises AssertionError with what went wrong.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone, is_classifier

from .errors import BadValue
from .observe import ArraySource, Attribute, CallableSource, PlainAttributes
from .saving import load_model, save_model
from .saving.model_file import ESTIMATORS

N_EXAMPLES, N_ATTRIBUTES = 120, 12
# A total, and the number of examples that are expected; more come.
TOTAL, N_EXPECTED = 50, 60


def checks_for(learner: Any) -> Iterator[Callable[[], None]]:
    """The checks that apply to a learner, each bound to it and named."""
    checks = [
        check_budget_is_kept,
        check_reads_only_what_it_asked_for,
        check_same_seed_same_answer,
        check_fit_is_partial_fit_is_ask_and_tell,
        check_all_sources_agree,
        check_pickle_in_mid_stream,
        check_asks_stay_open_until_told,
        check_bad_value_changes_nothing,
        check_missing_values,
        check_what_was_paid_is_counted,
        check_label_that_comes_later,
        check_ledger,
        check_attribute_order,
    ]
    if "total" in learner.get_params():
        checks.append(check_total_is_never_exceeded)
    if type(learner) is ESTIMATORS.get(type(learner).__name__):
        checks.append(check_save_and_load)
    if getattr(learner, "scaling", "running") != "none":
        checks += [
            check_units_of_attributes,
            check_names_of_classes if is_classifier(learner) else check_units_of_labels,
        ]
    for check in checks:
        bound = partial(check, learner)
        bound.__name__ = check.__name__  # type: ignore[attr-defined]
        yield bound


def example_table(seed: int = 0, n: int = N_EXAMPLES) -> tuple[np.ndarray, np.ndarray]:
    """A small regression with attributes of very different kinds and units."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, N_ATTRIBUTES)) * np.logspace(-2, 2, N_ATTRIBUTES) + rng.normal(size=N_ATTRIBUTES)
    X[:, 1] = rng.random(n) < 0.1
    X[:, 2] = 3.0
    y = X @ (rng.normal(size=N_ATTRIBUTES) / np.logspace(-2, 2, N_ATTRIBUTES)) + 0.1 * rng.normal(size=n) + 5.0
    return X, y


class RecordingSource:
    """An array that notes which cells were read."""

    def __init__(self, X: np.ndarray) -> None:
        self.X, self.n_examples = X, len(X)
        self.attributes = PlainAttributes(X.shape[1])
        self.read_cells = np.zeros(X.shape, dtype=bool)

    def read(self, example: int, attributes: np.ndarray) -> np.ndarray:
        self.read_cells[example, attributes] = True
        return self.X[example, attributes]


def check_budget_is_kept(learner: Any) -> None:
    """No example shows more than the budget (on average, where that is the learner's promise)."""
    X, y = _table(learner, n=2000)
    source = RecordingSource(X)
    learner = _fresh(learner).fit(source, y)
    observed = learner.observed_
    per_example = source.read_cells.sum(axis=1)
    if getattr(learner, "hard_budget", True):
        assert per_example.max() <= learner.budget, f"an example showed {per_example.max()} of {learner.budget}"
    spread = 3 * per_example.std() / np.sqrt(len(y))
    assert per_example.mean() <= learner.budget + spread, f"{per_example.mean()} cells per example on average"
    assert observed.max_per_example == per_example.max()
    assert observed.distinct == per_example.sum() == observed.cost
    np.testing.assert_array_equal(observed.per_attribute, source.read_cells.sum(axis=0))


def check_reads_only_what_it_asked_for(learner: Any) -> None:
    """A fit on an array where all cells but the asked-for ones are infinite learns the very same."""
    X, y = _table(learner)
    source = RecordingSource(X)
    told = _fresh(learner).fit(source, y)
    poisoned = np.where(source.read_cells, X, np.inf)
    _assert_same(told, _fresh(learner).fit(poisoned, y))


def check_same_seed_same_answer(learner: Any) -> None:
    """Identical input gives identical results, and another seed draws otherwise (if anything is drawn)."""
    X, y = _table(learner)
    _assert_same(_fresh(learner).fit(X, y), _fresh(learner).fit(X, y))
    if not getattr(learner, "draws_at_random", True):
        return
    one, other = (_fresh(learner, seed).fit(X, y) for seed in (0, 1))
    same_draws = np.array_equal(one.observed_.per_attribute, other.observed_.per_attribute)
    assert not (same_draws and np.array_equal(one.coef_, other.coef_)), "the seed changes nothing"


def check_fit_is_partial_fit_is_ask_and_tell(learner: Any) -> None:
    """One pass, pieces of any size, and single steps by hand are the same."""
    X, y = _table(learner)
    whole = _fresh(learner).fit(X, y)
    pieces = _fresh(learner)
    for start, stop in [(0, 1), (1, 2), (2, 50), (50, len(y))]:
        pieces.partial_fit(X[start:stop], y[start:stop])
    by_hand = _fresh(learner).start(N_ATTRIBUTES)
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    _assert_same(whole, pieces)
    _assert_same(whole, by_hand)


def check_total_is_never_exceeded(learner: Any) -> None:
    """Where more examples come than expected, one pass, pieces and single steps reveal the same cells, no more than the
    total pays for, open asks included; ``ask`` returns None when it is spent."""
    X, y = _table(learner)
    whole, pieces, by_hand, late = (_fresh(learner).set_params(total=TOTAL, n_expected=N_EXPECTED) for _ in range(4))
    whole.fit(X, y)
    for rows in np.split(np.arange(len(y)), [1, 10, 70]):
        pieces.partial_fit(X[rows], y[rows])
    assert whole.observed_.cost <= TOTAL, f"fit spent {whole.observed_.cost} of total={TOTAL}"
    _assert_same(whole, pieces)
    for one, most_open in ((by_hand, 1), (late, 7)):
        one.start(N_ATTRIBUTES)
        is_open: list[tuple[int, Any]] = []
        for t in range(len(y)):
            ask = one.ask()
            if ask is None:
                break
            is_open.append((t, ask))
            reserved = sum(len(each.attributes) for _, each in is_open)
            assert one.observed_.cost + reserved <= TOTAL, f"{reserved} cells of open asks exceed total={TOTAL}"
            if len(is_open) == most_open:
                _tell_row(one, *is_open.pop(t % most_open), X, y)
        assert ask is None, f"{len(y)} asks, and the total was not spent"
        for t, each in is_open:
            _tell_row(one, t, each, X, y)
        assert one.observed_.cost <= TOTAL, f"{one.observed_.cost} of total={TOTAL} was spent"
    np.testing.assert_array_equal(by_hand.observed_.per_attribute, whole.observed_.per_attribute)


def check_all_sources_agree(learner: Any) -> None:
    """Arrays in either order, read-only, sparse and a callable give the same model."""
    X, y = _table(learner)
    X = X.astype(np.float32)
    whole = _fresh(learner).fit(X, y)
    frozen = X.copy()
    frozen.setflags(write=False)
    by_call = CallableSource(lambda example, attributes: X[example, attributes], len(X), N_ATTRIBUTES)
    for table in (np.asfortranarray(X), frozen, sparse.csr_array(X), by_call):
        _assert_same(whole, _fresh(learner).fit(table, y))
    np.testing.assert_allclose(_predicted(whole, sparse.csr_array(X)), _predicted(whole, X), rtol=1e-5)


def check_pickle_in_mid_stream(learner: Any) -> None:
    """A learner that was pickled half-way goes on as if nothing had happened."""
    X, y = _table(learner)
    whole = _fresh(learner).partial_fit(X, y)  # fit would tell each of them another number of examples
    half = _fresh(learner).partial_fit(X[:60], y[:60])
    _assert_same(whole, pickle.loads(pickle.dumps(half)).partial_fit(X[60:], y[60:]))


def check_save_and_load(learner: Any) -> None:
    """A learner that was saved half-way, with an ask still open, and loaded goes on as if nothing had happened."""
    X, y = _table(learner)
    half = _fresh(learner).set_params(keep_ledger=True).fit(X[:60], y[:60])
    number = half.ask().number
    with tempfile.TemporaryDirectory() as folder:
        save_model(half, Path(folder) / "model")
        loaded = load_model(Path(folder) / "model")
    assert type(loaded) is type(half), f"a {type(loaded).__name__} was loaded"
    np.testing.assert_array_equal(_predicted(loaded, X), _predicted(half, X))
    for one in (half, loaded):
        ask = one.open_asks_[number]
        one.tell(ask, X[60, ask.attributes], y[60])
        one.partial_fit(X[61:], y[61:])
    _assert_same(half, loaded)
    for column in ("order", "example", "attribute", "value", "probability"):
        np.testing.assert_array_equal(loaded.ledger_[column], half.ledger_[column])


def check_asks_stay_open_until_told(learner: Any) -> None:
    """Asks are numbered; one is open until it is told or forgotten, and is told once; a table registers none."""
    X, y = _table(learner)
    learner = _fresh(learner).fit(X, y)
    assert not learner.open_asks_, "fit left an ask open"
    first, second, third = (learner.ask() for _ in range(3))
    assert list(learner.open_asks_) == [first.number, second.number, third.number]
    learner.tell(second, X[0, second.attributes], y[0])
    learner.forget(third)
    assert list(learner.open_asks_) == [first.number]
    for closed in (second, third):
        try:
            learner.tell(closed, X[0, closed.attributes], y[0])
        except ValueError as error:
            assert str(closed.number) in str(error), f"the message does not name the ask: {error}"
        else:
            raise AssertionError("an ask that is not open was told")
    learner.tell(first, X[0, first.attributes], y[0])
    assert not learner.open_asks_


def check_bad_value_changes_nothing(learner: Any) -> None:
    """An infinite value that is revealed stops the call, is named, and leaves the learner as it was."""
    X, y = _table(learner)
    learner = _fresh(learner).fit(X[:60], y[:60])
    before = pickle.dumps(learner)
    broken = np.full((30, N_ATTRIBUTES), np.inf)
    for rows in (slice(0, 1), slice(0, 30)):
        try:
            learner.partial_fit(broken[rows], y[60:90][rows])
        except BadValue as error:
            assert "example" in str(error), f"the message does not name the example: {error}"
            assert "attribute" in str(error), f"the message does not name the attribute: {error}"
        else:
            raise AssertionError("infinity was revealed and not refused")
        assert pickle.dumps(learner) == before, "a failed partial_fit changed the learner"
    try:
        learner.fit(broken, y[60:90])
    except BadValue:
        pass
    assert pickle.dumps(learner) == before, "a failed fit changed the learner"


def check_missing_values(learner: Any) -> None:
    """NaN and None say the same: the other values are learned from, or the example is skipped; a table and single
    steps agree."""
    X, y = _table(learner)
    gaps = X.copy()
    gaps[::3, ::2] = np.nan
    whole, by_hand = _fresh(learner).fit(gaps, y), _fresh(learner).start(N_ATTRIBUTES)
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, [None if np.isnan(x) else x for x in gaps[t, ask.attributes]], y[t])
    _assert_same(whole, by_hand)
    assert whole.n_skipped_ == by_hand.n_skipped_
    assert whole.observed_.n_examples == len(y), "an example was not counted"
    assert (whole.n_skipped_ == 0) == learner.takes_missing, f"{whole.n_skipped_} examples were skipped"
    if not learner.takes_missing:
        coef, ask = whole.coef_.copy(), whole.ask()
        whole.tell(ask, [None] * len(ask.attributes), y[0])
        np.testing.assert_array_equal(whole.coef_, coef)


def check_what_was_paid_is_counted(learner: Any) -> None:
    """A missing value was paid for where its attribute says so, and the values beside it always."""
    X, y = _table(learner)
    for charged in (True, False):
        attributes = [Attribute(f"x{i}", charged_when_missing=charged) for i in range(N_ATTRIBUTES)]
        one = _fresh(learner).set_params(keep_ledger=True).fit(ArraySource(X, attributes), y)
        ask = max((one.ask() for _ in range(N_EXAMPLES)), key=lambda each: len(each.attributes))
        before, entries, paid = one.observed_.distinct, len(one.ledger_), len(ask.attributes) - (not charged)
        one.tell(ask, [None, *X[0, ask.attributes[1:]]], y[0])
        assert one.n_skipped_ == (not learner.takes_missing)
        assert one.observed_.distinct - before == paid
        assert len(one.ledger_) - entries == paid


def check_label_that_comes_later(learner: Any) -> None:
    """Values that are told without a label are counted, and learned from when the label is told."""
    X, y = _table(learner)
    one, other = (_fresh(learner).fit(X[:60], y[:60]) for _ in range(2))
    ask, same = one.ask(), other.ask()
    coef = np.array(one.coef_)
    one.tell(ask, X[60, ask.attributes])
    np.testing.assert_array_equal(one.coef_, coef)
    assert one.observed_.distinct == other.observed_.distinct + len(ask.attributes)
    assert list(one.open_asks_) == [ask.number], "an ask without a label is open"
    one.tell(ask, label=y[60])
    other.tell(same, X[60, same.attributes], y[60])
    assert not one.open_asks_
    _assert_same(one, other)


def check_ledger(learner: Any) -> None:
    """With a ledger the model is the same, and the ledger has every cell with a probability in (0, 1]."""
    X, y = _table(learner)
    source = RecordingSource(X)
    with_ledger = _fresh(learner).set_params(keep_ledger=True).fit(source, y)
    _assert_same(_fresh(learner).fit(X, y), with_ledger)
    ledger = with_ledger.ledger_
    assert len(ledger) == with_ledger.observed_.distinct
    np.testing.assert_array_equal(ledger["value"], X[ledger["example"], ledger["attribute"]])
    assert ((ledger["probability"] > 0) & (ledger["probability"] <= 1)).all()


def check_attribute_order(learner: Any) -> None:
    """The order of the attributes does not matter to the error, on average over seeds."""
    X, y = _table(learner, n=400)
    order = np.random.default_rng(0).permutation(N_ATTRIBUTES)
    errors = np.array([[_error(_fresh(learner, seed).fit(Z, y), Z, y) for seed in range(8)] for Z in (X, X[:, order])])
    spread = np.sqrt(errors.var(axis=1, ddof=1).sum() / errors.shape[1])
    difference = abs(np.subtract(*errors.mean(axis=1)))
    assert difference <= 5 * spread + 1e-9, f"reordering changed the error by {difference}, noise is {spread}"


def check_units_of_attributes(learner: Any) -> None:
    """Multiplying attributes by 1,000 or 0.001, and moving their zero, changes no choice and no prediction."""
    X, y = _table(learner)
    factor = np.resize([1000.0, 1.0, 0.001], N_ATTRIBUTES)
    plain, other = _fresh(learner).fit(X, y), _fresh(learner).fit(X * factor, y)
    np.testing.assert_array_equal(plain.observed_.per_attribute, other.observed_.per_attribute)
    np.testing.assert_allclose(_predicted(other, X * factor), _predicted(plain, X), rtol=1e-8, atol=1e-8)


def check_units_of_labels(learner: Any) -> None:
    """Predictions follow the units and the zero of the labels."""
    X, y = _table(learner)
    plain, other = _fresh(learner).fit(X, y), _fresh(learner).fit(X, 1000 * y - 7)
    np.testing.assert_allclose((other.predict(X) + 7) / 1000, plain.predict(X), rtol=1e-8, atol=1e-8)


def check_names_of_classes(learner: Any) -> None:
    """What classes are called, in the same order, changes no probability."""
    X, y = _table(learner)
    plain, other = _fresh(learner).fit(X, y), _fresh(learner).fit(X, np.searchsorted(np.unique(y), y))
    np.testing.assert_array_equal(_predicted(other, X), _predicted(plain, X))
    np.testing.assert_array_equal(plain.classes_[other.predict(X)], plain.predict(X))


def _table(learner: Any, n: int = N_EXAMPLES) -> tuple[np.ndarray, np.ndarray]:
    """The example table, with three classes by the size of the label where the learner is a classifier."""
    X, y = example_table(n=n)
    return X, np.array(["low", "middle", "high"])[np.digitize(y, np.quantile(y, [0.3, 0.6]))] if is_classifier(
        learner
    ) else y


def _tell_row(learner: Any, t: int, ask: Any, X: np.ndarray, y: np.ndarray) -> None:
    learner.tell(ask, X[t, ask.attributes], y[t])


def _predicted(learner: Any, X: Any) -> np.ndarray:
    return learner.predict_proba(X) if is_classifier(learner) else learner.predict(X)


def _error(learner: Any, X: Any, y: np.ndarray) -> float:
    return float(np.mean(learner.predict(X) != y if is_classifier(learner) else (learner.predict(X) - y) ** 2))


def _fresh(learner: Any, seed: int = 0) -> Any:
    return clone(learner).set_params(random_state=seed)


def _assert_same(one: Any, other: Any) -> None:
    np.testing.assert_array_equal(one.coef_, other.coef_)
    np.testing.assert_array_equal(one.intercept_, other.intercept_)
    assert one.observed_.distinct == other.observed_.distinct
    assert one.observed_.total == other.observed_.total
    np.testing.assert_array_equal(one.observed_.per_attribute, other.observed_.per_attribute)
