import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import keyhole as kh
from keyhole.checks import RecordingSource
from keyhole.observe import ArraySource, CallableSource, PlainAttributes, as_source
from keyhole.observe.reveal import FINE, OVER_BUDGET, reveal_row

X = np.arange(12.0).reshape(3, 4)


def ask_for(*attributes):
    chosen = np.array(attributes, dtype=np.int64)
    n = len(chosen)
    return kh.Ask(chosen, np.full(n, 0.5), np.arange(n), np.zeros(n, dtype=np.int64), np.ones(n), np.empty(0))


def test_values_come_in_the_order_asked_for():
    np.testing.assert_array_equal(kh.reveal(ArraySource(X), 1, ask_for(3, 0)), [7, 4])


def test_the_budget_is_checked_before_anything_is_read():
    source, meter = RecordingSource(X), kh.Meter(2, PlainAttributes(4))
    with pytest.raises(kh.BudgetExceeded, match="example 0: revealing x0, x1, x2 would bring its cost to 3"):
        kh.reveal(source, 0, ask_for(0, 1, 2), meter)
    assert not source.read_cells.any()
    assert meter.total == 0


@pytest.mark.parametrize(
    ("value", "shown"),
    [(np.inf, "infinity"), (-np.inf, "infinity"), ("tall", "'tall'"), (1 + 2j, "(1+2j)")],
)
def test_bad_values_name_example_and_attribute_and_count_nothing(value, shown):
    source = CallableSource(lambda *_: [1.0, value], 5, ["height", "weight"])
    meter, ledger = kh.Meter(2, source.attributes), kh.Ledger()
    with pytest.raises(kh.BadValue) as error:
        kh.reveal(source, 3, ask_for(0, 1), meter, ledger)
    assert str(error.value) == f"example 3, attribute 'weight': {shown} was revealed; it must be a finite number"
    assert meter.total == len(ledger) == 0


def test_bounds_of_an_attribute():
    source = CallableSource(lambda *_: [200], 5, [kh.Attribute("age", low=0, high=130)])
    with pytest.raises(kh.BadValue, match="200 was revealed; it must be a finite number from 0 to 130"):
        kh.reveal(source, 3, ask_for(0))


def test_a_source_that_raises_or_answers_wrongly():
    def broken(example, attributes):
        raise OSError("the instrument is off")

    with pytest.raises(OSError, match="the instrument is off"):
        kh.reveal(CallableSource(broken, 5, 2), 0, ask_for(0))
    with pytest.raises(kh.BadValue, match="example 0: got 1 values; 2 are needed"):
        kh.reveal(CallableSource(lambda *_: [1.0], 5, 2), 0, ask_for(0, 1))
    with pytest.raises(kh.BadValue, match="example 0: got float; 1 are needed"):
        kh.reveal(CallableSource(lambda *_: 1.0, 5, 2), 0, ask_for(0))


@pytest.mark.parametrize("nothing", [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")], ids=repr)
def test_every_kind_of_missing_value(nothing):
    with pytest.raises(kh.NotRevealed, match="example 2, attribute 'x1': the value is missing"):
        kh.reveal(CallableSource(lambda *_: [1.0, nothing], 5, 2), 2, ask_for(0, 1))


def some(charged):
    return [kh.Attribute(f"x{i}", charged_when_missing=charged) for i in range(4)]


@pytest.mark.parametrize("charged", [True, False])
def test_what_was_paid_beside_a_missing_value_and_for_it_is_counted_and_recorded(charged):
    source = CallableSource(lambda *_: [1.0, None, 3.0], 5, some(charged))
    meter, ledger = kh.Meter(3, source.attributes), kh.Ledger()
    with pytest.raises(kh.NotRevealed, match="attribute 'x1'"):
        kh.reveal(source, 2, ask_for(0, 1, 3), meter, ledger)
    assert (meter.n_examples, meter.distinct, meter.total, meter.cost) == (1, 2 + charged, 2 + charged, 2 + charged)
    assert meter.per_attribute.tolist() == [1, int(charged), 0, 1]
    assert ledger["attribute"].tolist() == ([0, 1, 3] if charged else [0, 3])
    np.testing.assert_array_equal(ledger["value"], [1.0, np.nan, 3.0] if charged else [1.0, 3.0])
    with pytest.raises(kh.NotRevealed, match="attribute 1 of example 2 is missing" if charged else "never revealed"):
        ledger.value(2, 1)
    with pytest.raises(kh.NotRevealed):
        kh.reveal(CallableSource(lambda *_: [None], 5, some(charged)), 4, ask_for(1), meter, ledger)
    assert (meter.n_examples, meter.distinct) == (2, 2 + 2 * charged)  # the example was asked about


@pytest.mark.parametrize(("charged", "draws"), [(True, 4), (False, 2)])
def test_draws_of_a_missing_value_are_counted_where_it_is_paid_for(charged, draws):
    source, meter = CallableSource(lambda *_: [1.0, None], 5, some(charged)[:2]), kh.Meter(2, PlainAttributes(2))
    ask = ask_for(0, 1)._replace(slots=np.array([0, 1, 1, 0]))
    with pytest.raises(kh.NotRevealed):
        kh.reveal(source, 0, ask, meter)
    assert (meter.distinct, meter.total) == (1 + charged, draws)


def test_a_bad_value_beside_one_that_could_not_be_had_is_the_error():
    source, meter = CallableSource(lambda *_: [None, np.inf], 5, 2), kh.Meter(2, PlainAttributes(2))
    with pytest.raises(kh.BadValue, match="attribute 'x1': infinity"):
        kh.reveal(source, 0, ask_for(0, 1), meter)
    assert meter.n_examples == 0


def test_missing_cells_that_are_allowed_come_as_nan_and_cost_nothing():
    for raw in ([1.0, None, np.nan], np.array([1.0, np.nan, np.nan])):
        source, meter = CallableSource(lambda *_, raw=raw: raw, 5, 3), kh.Meter(None, PlainAttributes(3))
        ledger = kh.Ledger()
        values = kh.reveal(source, 0, ask_for(0, 1, 2), meter, ledger, number=7, absent=True)
        np.testing.assert_array_equal(values, [1.0, np.nan, np.nan])
        assert (meter.cost, meter.per_attribute.tolist()) == (1.0, [1, 0, 0])
        assert ledger["example"].tolist() == [7]


@pytest.mark.parametrize("kind", ["array", "sparse"])
def test_a_compiled_row_is_that_of_reveal(kind):
    table = np.where(np.arange(12).reshape(3, 4) % 3, X, 0.0)
    source = as_source(sparse.csr_array(table) if kind == "sparse" else table)
    meter, counts = kh.Meter(3, PlainAttributes(4)), kh.Meter(3, PlainAttributes(4)).counts
    for example in range(3):
        for ask in (ask_for(2), ask_for(3, 0, 1)):
            values, failure = reveal_row(source.table, example, ask, counts, 3)
            assert failure == FINE
            np.testing.assert_array_equal(values, kh.reveal(source, example, ask, meter))
            meter.settle(example)
    np.testing.assert_array_equal(counts.tally, meter.counts.tally)
    np.testing.assert_array_equal(counts.per_attribute, meter.per_attribute)


def test_a_compiled_row_stops_at_the_budget_and_at_an_infinite_value():
    table, counts = X.copy(), kh.Meter(3, PlainAttributes(4)).counts
    table[1, 1:3] = np.nan, np.inf
    assert reveal_row(table, 0, ask_for(0, 1, 2), counts, 2)[1] == OVER_BUDGET
    assert reveal_row(table, 1, ask_for(0, 2), counts, 2)[1] == 1  # the position in the ask
    assert reveal_row(table, 1, ask_for(0, 1, 2), counts, 3)[1] == 2  # infinity is worse than a missing value
    assert counts.tally.tolist() == [0, 0, 0, 0]
    assert counts.per_attribute.tolist() == [0, 0, 0, 0]


def test_a_compiled_row_counts_what_was_paid_beside_a_missing_value_as_reveal_does():
    table, meter = X.copy(), kh.Meter(3, PlainAttributes(4))
    table[1, 2] = np.nan
    counts, ask = kh.Meter(3, PlainAttributes(4)).counts, ask_for(0, 2)._replace(slots=np.array([1, 0, 1]))
    values, failure = reveal_row(table, 1, ask, counts, 2)
    assert failure == 1
    np.testing.assert_array_equal(values, [4.0, np.nan])
    with pytest.raises(kh.NotRevealed):
        kh.reveal(ArraySource(table), 1, ask, meter)
    np.testing.assert_array_equal(counts.tally, meter.counts.tally)
    np.testing.assert_array_equal(counts.per_attribute, meter.per_attribute)


def test_costs_go_to_meter_and_ledger():
    attributes = [
        kh.Attribute("age", free=True),
        kh.Attribute("iron", cost=3, bundle="b"),
        kh.Attribute("fat", bundle="b"),
    ]
    source = CallableSource(lambda example, chosen: chosen * 1.0, 5, attributes)
    meter, ledger = kh.Meter(3, attributes), kh.Ledger()
    kh.reveal(source, 0, ask_for(0, 1), meter, ledger)
    assert (meter.cost, meter.distinct, meter.max_per_example) == (3, 2, 1)
    kh.reveal(source, 0, ask_for(2), meter, ledger)  # of a bundle that was paid for
    assert (meter.cost, meter.distinct, meter.max_per_example) == (3, 3, 2)
    np.testing.assert_array_equal(ledger["cost"], [0, 3, 3])
    assert meter.n_examples == 1
