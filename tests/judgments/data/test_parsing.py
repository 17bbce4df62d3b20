"""Names and numbers of other people's tables."""

import numpy as np
import pytest

from keyhole.errors import BadValue
from keyhole.judgments.data.parsing import as_numbers, named, plain_id


@pytest.mark.parametrize("value", [7, 7.0, np.float64(7), "7", " 7 "])
def test_numbers_and_text_name_the_same_object(value):
    assert plain_id(value) == "7"


def test_other_names_are_kept():
    assert [plain_id(value) for value in (7.5, "7.0", True)] == ["7.5", "7.0", "True"]


def test_empty_cells_are_unknown_numbers():
    values = np.array(["1.5", "", "NA", "n/a", None, " nan ", 2], dtype=object)
    np.testing.assert_array_equal(as_numbers(values, str), [1.5, np.nan, np.nan, np.nan, np.nan, np.nan, 2.0])


def test_other_text_is_refused_with_its_place():
    values = np.array([["1", "2"], ["3", "tall"]], dtype=object)
    with pytest.raises(BadValue, match="row 1, column 1: 'tall' is not a number"):
        as_numbers(values, lambda row, column: f"row {row}, column {column}")


def test_names_in_sentences():
    assert named("object", ["a"]) == "object 'a'"
    assert named("object", list("abcdefg")) == "objects 'a', 'b', 'c', 'd', 'e' and 2 more"
