"""Repeats as an array, judgments aggregated by them, and the judgments that are missing."""

import warnings

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import MissingJudgments, as_judgments
from keyhole.judgments.core.repeats import aggregated, missing_judgments, repeats_as_array


def test_repeats_may_be_named():
    np.testing.assert_array_equal(repeats_as_array({"b": 3}, ["a", "b"]), [0, 3])
    np.testing.assert_array_equal(repeats_as_array((2.0, 0.0), ["a", "b"]), [2, 0])


@pytest.mark.parametrize(
    ("repeats", "message"),
    [
        ([1], r"repeats: it has shape \(1,\); it must be one whole number for each of 2 attributes"),
        ([1, -1], "repeats: that of attribute 'x1' is -1"),
        ([0.5, 1], "repeats: that of attribute 'x0' is 0.5"),
        ({"tall": 1}, "repeats: there is no judgment of 'tall'; the attributes are 'x0', 'x1'"),
    ],
)
def test_wrong_repeats_are_refused(repeats, message):
    with pytest.raises(ParameterError, match=message):
        repeats_as_array(repeats, ["x0", "x1"])


@pytest.mark.parametrize(("aggregate", "reduce"), [("mean", np.mean), ("median", np.median)])
def test_the_first_judgments_are_aggregated(aggregate, reduce):
    values = np.random.default_rng(0).normal(size=(5, 3, 4))
    features = aggregated(as_judgments(values), np.array([3, 0, 4]), aggregate)
    np.testing.assert_allclose(features, np.column_stack([reduce(values[:, 0, :3], 1), reduce(values[:, 2], 1)]))


def test_cells_with_too_few_judgments_are_aggregated_over_those_they_have():
    values = np.array([[[1.0, 3.0, 8.0]], [[4.0, np.nan, np.nan]]])
    with pytest.warns(MissingJudgments, match="2 judgments are missing in 1 cells of 1 objects"):
        np.testing.assert_array_equal(aggregated(as_judgments(values), np.array([3]), "mean"), [[4.0], [4.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        aggregated(as_judgments(values), np.array([1]), "mean")


def test_an_empty_cell_is_refused():
    values = np.array([[[1.0], [2.0]], [[4.0], [np.nan]]])
    with pytest.raises(
        BadValue, match=r"object '1' has no judgment of attribute 'x1', but needs 1 \(1 cells are empty\)"
    ):
        aggregated(as_judgments(values), np.array([0, 1]), "mean")


def test_missing_judgments_are_listed_cell_by_cell():
    values = np.array([[[1.0, 2.0], [1.0, np.nan]], [[4.0, 1.0], [2.0, 3.0]]])
    table = missing_judgments(as_judgments(values), np.array([2, 3]))
    assert list(table.rows()) == [("0", "x1", 1, 3, 2), ("1", "x1", 2, 3, 1)]
    assert missing_judgments(as_judgments(values), np.array([1, 1])).n_rows == 0
