"""Descriptions of columns, declared or by type."""

import pytest

from keyhole import Attribute
from keyhole.observe import PlainAttributes
from keyhole.observe.describing import ColumnType, described, in_order, matched_by_name

NUMBER, TEXT, DATE = ColumnType("number", "float64"), ColumnType(None, "str"), ColumnType("date", "datetime64")
CATEGORY = ColumnType("choice", "category", ("a", "b"))


def test_a_wide_table_of_numbers_costs_nothing():
    found = described(["a"] * 10_000, [NUMBER] * 10_000, [None] * 10_000, "ArraySource")
    assert isinstance(found, PlainAttributes)
    assert isinstance(in_order(None, 10**9), PlainAttributes)


def test_types_and_declarations_together():
    names = ["n", "c", "t", "d"]
    declared = [None, None, Attribute("t", kind="yes/no"), Attribute("d", kind="date", cost=2)]
    found = described(names, [NUMBER, CATEGORY, TEXT, DATE], declared, "FrameSource")
    assert [a.kind for a in found] == ["number", "choice", "yes/no", "date"]
    assert (found[1].choices, found[3].cost) == (("a", "b"), 2)


@pytest.mark.parametrize(
    ("column", "declared", "message"),
    [
        (
            TEXT,
            None,
            r"column 'x' has the type str, which is not of numbers: .* declare it by read_table\(..., attributes",
        ),
        (TEXT, Attribute("x", cost=3), "column 'x' has the type str"),
        (
            DATE,
            None,
            "column 'x' has the type datetime64: dates are taken where they are declared, .* leave the column out",
        ),
        (DATE, Attribute("x", kind="yes/no"), "dates are taken where they are declared"),
    ],
)
def test_what_must_be_declared(column, declared, message):
    with pytest.raises(ValueError, match=message):
        described(["x"], [column], [declared], "read_table")


def test_a_declared_choice_overrides_the_categories():
    more = Attribute("x", kind="choice", choices=("a", "b", "c"))
    assert described(["x"], [CATEGORY], [more], "FrameSource") == [more]


def test_descriptions_by_name_and_in_order():
    one = Attribute("b", cost=2)
    assert matched_by_name([one], ["a", "b"]) == [None, one]
    assert matched_by_name(None, ["a"]) == [None]
    with pytest.raises(ValueError, match="there is no column 'b'; there are 'a'"):
        matched_by_name([one], ["a"])
    with pytest.raises(ValueError, match="1 attributes are described, but the table has 2 columns"):
        in_order([one], 2)
