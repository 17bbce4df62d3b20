"""Tables and labels are checked without reading a table, and whole rows are predicted a few at a time."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

import keyhole as kh
from keyhole.observe import ArraySource, CallableSource, PlainAttributes, as_source, tables
from keyhole.observe.tables import check_classes, check_labels, check_table, linear_predictions, record_names

X = np.random.default_rng(0).normal(size=(7, 3))


class Unread:
    """A source of which no cell may be read."""

    n_examples = 4

    def __init__(self, names):
        self.attributes = [kh.Attribute(name) for name in names]

    def read(self, example, attributes):
        raise AssertionError("nothing is to be read")


def test_a_table_is_checked_without_reading_it():
    estimator = BaseEstimator()
    source = check_table(estimator, Unread("abc"), reset=True)
    assert isinstance(source, Unread)
    assert (estimator.n_features_in_, list(estimator.feature_names_in_)) == (3, list("abc"))
    assert check_table(estimator, Unread("abc"), reset=False).n_examples == 4
    with pytest.raises(ValueError, match="X has 2 features, but BaseEstimator is expecting 3 features"):
        check_table(estimator, Unread("ab"), reset=False)
    with pytest.raises(ValueError, match="attribute 1 is 'c'; BaseEstimator was fitted with 'b' there"):
        check_table(estimator, Unread("acb"), reset=False)


def test_arrays_and_frames_are_checked_as_scikit_learn_does():
    estimator = BaseEstimator()
    check_table(estimator, pd.DataFrame(X, columns=list("abc")), reset=True)
    with pytest.raises(ValueError, match="feature names should match"):
        check_table(estimator, pd.DataFrame(X, columns=list("cab")), reset=False)
    with pytest.raises(ValueError, match="expecting 3 features"):
        check_table(estimator, X[:, :2], reset=False)
    for empty in (X[:0], X[:, :0]):
        with pytest.raises(ValueError, match="empty table: 0"):
            check_table(BaseEstimator(), empty, reset=True)


def test_plain_attributes_have_no_names_to_record():
    plain, named = BaseEstimator(), BaseEstimator()
    record_names(plain, PlainAttributes(5))
    record_names(named, PlainAttributes(2, ["age", "pulse"]))
    assert plain.n_features_in_ == 5
    assert not hasattr(plain, "feature_names_in_")
    assert list(named.feature_names_in_) == ["age", "pulse"]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1.0, 2.0], "2 labels for 3 examples: there must be one label per example"),
        ([1.0, np.nan, 2.0], "Input y contains NaN: label of example 1"),
        ([1.0, 2.0, -np.inf], "Input y contains infinity: label of example 2"),
        (["1", "tall", "2"], "label of example 1: 'tall' is not a number"),
        ([1.0, 1e200, 2.0], "label of example 1: 1e\\+200 is too large to be squared; take another unit"),
        (None, "requires y to be passed, but the target y is None"),
        (sparse.csr_array(np.ones((3, 1))), "y is a sparse matrix"),
        (np.array([1.0, 1j, 3.0], dtype=object), "label of example 1: '1j' is not a number"),
    ],
)
def test_wrong_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        check_labels(labels, 3)


def test_labels_become_floats():
    for given in ([1, 0, 1], np.array([True, False, True]), ["1", "0", "1e0"], pd.Series([1, 0, 1])):
        labels = check_labels(given, 3)
        assert (labels.dtype, labels.tolist()) == (np.float64, [1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (["a", None, "b"], r"Input y contains NaN: example 1 has no class \(None\)"),
        (np.array(["a", 1, "b"], dtype=object), "some classes are text and some are not"),
        ([0.5, 1.0, 2.0], "continuous"),
        (["a", "b"], "2 labels for 3 examples"),
    ],
)
def test_wrong_classes(classes, message):
    with pytest.raises(ValueError, match=message):
        check_classes(classes, 3, "Classifier")


def test_classes_keep_their_kind():
    assert check_classes(["b", "a", "b"], 3, "Classifier").tolist() == ["b", "a", "b"]
    assert check_classes([2, 1, 2], None, "Classifier").tolist() == [2, 1, 2]
    assert check_classes(np.array([2, 1], dtype=object), 2, "Classifier").dtype.kind == "i"


@pytest.mark.parametrize(
    "table",
    [X, np.asfortranarray(X), X.astype(object), sparse.csr_array(X), pd.DataFrame(X), X.tolist()],
    ids=["array", "by columns", "objects", "sparse", "frame", "lists"],
)
@pytest.mark.parametrize("at_once", [1, 6, 1000])
def test_predictions_of_every_table_are_the_product(table, at_once, monkeypatch):
    monkeypatch.setattr(tables, "CELLS_AT_ONCE", at_once)
    coef = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(linear_predictions(as_source(table), coef, 3.0), X @ coef + 3.0)


@pytest.mark.parametrize("table", [X, sparse.csr_array(X)], ids=["array", "sparse"])
def test_attributes_without_weight_are_neither_read_nor_counted(table):
    coef, meter = np.array([1.0, 0.0, 0.5]), kh.Meter(2, PlainAttributes(3))
    found = linear_predictions(as_source(table), coef, 0.0, np.array([0, 2]), meter)
    np.testing.assert_allclose(found, X @ coef)
    assert (meter.n_examples, meter.distinct, meter.per_attribute.tolist()) == (7, 14, [7, 0, 7])
    read = []
    source = CallableSource(lambda t, some: read.append(some.tolist()) or X[t, some], 7, 3)
    np.testing.assert_allclose(linear_predictions(source, coef, 0.0, np.array([0, 2])), X @ coef)
    assert read == [[0, 2]] * 7


def test_a_cell_that_spoils_a_prediction_is_named():
    table = X.copy()
    table[4, 1] = np.nan
    with pytest.raises(kh.NotRevealed, match="example 4, attribute 'x1': the value is missing, and this prediction"):
        linear_predictions(ArraySource(table), np.ones(3), 0.0)
    table[4, 1] = np.inf
    with pytest.raises(kh.BadValue, match="example 4, attribute 'x1': infinity"):
        linear_predictions(ArraySource(table), np.ones(3), 0.0)
    source = CallableSource(lambda t, some: [None if t == 2 else 1.0] * 3, 7, 3)
    with pytest.raises(kh.NotRevealed, match="example 2, attribute 'x0': the value is missing"):
        linear_predictions(source, np.ones(3), 0.0)
    with pytest.raises(ValueError, match="example 0: its values are so large that the prediction overflows"):
        linear_predictions(ArraySource(np.full((2, 3), 1e308)), np.full(3, 10.0), 0.0)


def test_names_must_differ():
    with pytest.raises(ValueError, match="'a' is the name of attributes 0 and 2; names must differ"):
        kh.AERR(2).start(["a", "b", "a"])
