"""Values of every kind as numbers."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from keyhole import Attribute
from keyhole.observe.values import as_number, days, is_missing, text_is_missing, wanted, warn_of_large

YES, COLOUR = Attribute("yes", kind="yes/no"), Attribute("colour", kind="choice", choices=("red", "blue", "3"))


@pytest.mark.parametrize("value", [None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT, Decimal("nan")])
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, np.inf, "", "NaN", False, np.datetime64("2020"), [1, 2], np.array([1, 2])])
def test_not_missing(value):
    assert not is_missing(value)


def test_texts_that_say_that_a_cell_is_missing():
    assert all(map(text_is_missing, ["", " ", "NaN", "nan", "NA", "N/A", "None", "null", "NULL", "<NA>", "NaT"]))
    assert not any(map(text_is_missing, ["0", "no", "inf", "unknown"]))


@pytest.mark.parametrize(
    ("value", "number"),
    [(True, 1), (np.True_, 1), (False, 0), ("yes", 1), ("No", 0), (1, 1), (0.0, 0), ("TRUE", 1), (np.int8(1), 1)],
)
def test_yes_or_no(value, number):
    assert as_number(YES, value) == number


@pytest.mark.parametrize(("value", "number"), [("red", 0), ("blue", 1), (np.str_("blue"), 1), (3, 2), (3.0, 2)])
def test_choices_are_positions(value, number):
    assert as_number(COLOUR, value) == number


def test_the_same_date_in_every_type_and_resolution():
    half = 18262.5
    noon = datetime.datetime(2020, 1, 1, 12)
    berlin = pd.Timestamp("2020-01-01 13:00", tz="Europe/Berlin")
    given = [noon, pd.Timestamp(noon), berlin, "2020-01-01T12:00", noon.replace(tzinfo=datetime.UTC)]
    given += [
        np.datetime64("2020-01-01T12").astype(f"datetime64[{unit}]") for unit in ("h", "m", "s", "ms", "us", "ns")
    ]
    assert [days(value) for value in given] == [half] * len(given)
    for value in (datetime.date(2020, 1, 1), np.datetime64("2020-01-01"), np.datetime64("2020"), "2020-01-01"):
        assert days(value) == 18262.0
    assert days("1969-12-31") == -1.0


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        (YES, 2),
        (YES, "maybe"),
        (COLOUR, "green"),
        (COLOUR, 1.5),
        (Attribute("since", kind="date"), 5.0),
        (Attribute("since", kind="date"), "yesterday"),
        (Attribute("age"), datetime.date(2020, 1, 1)),
        (Attribute("age"), np.datetime64("2020-01-01")),
        (Attribute("age"), "tall"),
    ],
)
def test_values_of_another_kind(attribute, value):
    with pytest.raises((TypeError, ValueError, KeyError)):
        as_number(attribute, value)


def test_what_is_wanted_is_said():
    assert wanted(YES) == "yes or no, True or False, 1 or 0"
    assert wanted(COLOUR) == "one of the choices 'red', 'blue', '3'"
    assert wanted(Attribute("since", kind="date")) == "a date, as 2024-05-31"
    assert wanted(Attribute("age", low=0)) == "a finite number from 0 to inf"


def test_the_warning_names_the_attribute():
    with pytest.warns(UserWarning, match=r"attribute 'id' has whole numbers beyond 2\*\*53"):
        warn_of_large("id")
