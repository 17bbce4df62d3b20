"""Judgments from long tables: order, names, workers, and the place of what is wrong."""

import numpy as np
import pytest

from keyhole.errors import BadValue
from keyhole.judgments.data.from_long import from_long


def test_uneven_cells_and_numeric_names():
    table = from_long([1, 1, 2.0, "2", 1], ["a", "a", "a", "b", "b"], [1, 2, 3, 4, ""])
    assert (table.objects, table.attributes) == (["1", "2"], ["a", "b"])
    np.testing.assert_array_equal(table.counts, [[2, 0], [1, 1]])
    np.testing.assert_array_equal(table.values[0, 0], [1, 2])


def test_workers_stand_beside_their_judgments():
    table = from_long(["o", "o", "p", "o"], ["a", "b", "a", "a"], [1, 2, 3, 4], ["v", "v", "w", "w"])
    assert table.workers == ("v", "w")
    np.testing.assert_array_equal(table.values[:, 0], [[1, 4], [3, np.nan]])
    np.testing.assert_array_equal(table.worker[:, 0], [[0, 1], [1, -1]])


def test_an_empty_value_is_no_judgment_and_needs_no_name():
    assert from_long(["o", None], ["a", None], [1, None]).counts.tolist() == [[1]]


def test_what_is_wrong_is_named_with_its_place():
    def place(row):
        return f"line {row + 2}"

    with pytest.raises(BadValue, match="line 3, column 'value': 'tall' is not a number"):
        from_long(["o", "o"], ["a", "a"], [1, "tall"], place=place)
    with pytest.raises(BadValue, match="row 1, column 'value': inf is not a finite number"):
        from_long(["o", "o"], ["a", "a"], [1, "inf"])
    with pytest.raises(BadValue, match="line 3, column 'object': the cell is empty; every judgment needs its object"):
        from_long(["o", ""], ["a", "a"], [1, 2], place=place)
    with pytest.raises(BadValue, match="line 2, column 'worker': the cell is empty"):
        from_long(["o"], ["a"], [1], [float("nan")], place=place)
    with pytest.raises(BadValue, match="the table has no judgment"):
        from_long(["o"], ["a"], [""])
