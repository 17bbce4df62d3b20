"""Judgments from arrays: shapes, names and values are checked."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments.data.from_array import from_array


def test_arrays_keep_their_present_judgments_first():
    values = np.array([[[np.nan, 1.0, 2.0]], [[3.0, np.nan, 4.0]]])
    table = from_array(values)
    np.testing.assert_array_equal(table.values, [[[1.0, 2.0]], [[3.0, 4.0]]])
    assert (table.objects, table.attributes, table.worker) == (["0", "1"], ["x0"], None)


def test_whole_numbers_and_text_become_numbers():
    assert from_array(np.ones((1, 1, 2), dtype=int)).values.dtype == np.float64
    np.testing.assert_array_equal(from_array([[["1", "2"], ["", "3"]]]).values, [[[1, 2], [3, np.nan]]])


def test_arrays_of_the_wrong_shape_or_value():
    with pytest.raises(ParameterError, match=r"judgments: the array has 2 dimensions, shape \(5, 3\); it must have 3"):
        from_array(np.ones((5, 3)))
    values = np.ones((5, 3, 2))
    values[2, 1, 0] = np.inf
    with pytest.raises(BadValue, match="object 2, attribute 'x1', judgment 0: inf is not a finite number"):
        from_array(values)
    with pytest.raises(BadValue, match="object 0, attribute 'x1', judgment 0: 'tall' is not a number"):
        from_array(np.array([[["1", "2"], ["tall", "3"]]]))


@pytest.mark.parametrize("shape", [(0, 2, 2), (5, 0, 2)])
def test_there_must_be_objects_and_attributes(shape):
    with pytest.raises(BadValue, match=f"judgments of {shape[0]} objects and {shape[1]} attributes"):
        from_array(np.zeros(shape))


def test_names_of_attributes():
    assert from_array(np.ones((2, 2, 2)), ["tall", 7]).attributes == ["tall", "7"]
    with pytest.raises(ParameterError, match="attributes: 1 names are given for an array of 2 attributes"):
        from_array(np.ones((2, 2, 2)), ["tall"])
    with pytest.raises(ParameterError, match="attributes: the name 'tall' is given twice"):
        from_array(np.ones((2, 2, 2)), ["tall", "tall"])
