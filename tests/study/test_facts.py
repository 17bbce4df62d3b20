"""Told values and labels as facts."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import keyhole as kh
from keyhole.errors import BadValue, StudyError
from keyhole.study.facts import FactChecker
from keyhole.study.rules import Fact

CHECK = FactChecker(
    [
        kh.Attribute("iron", unit="µmol/l", low=0, high=100),
        kh.Attribute("smoker", kind="yes/no"),
        kh.Attribute("colour", kind="choice", choices=("red", "blue")),
        kh.Attribute("since", kind="date"),
    ],
    None,
    False,
)


@pytest.mark.parametrize(
    ("name", "value", "fact"),
    [
        ("iron", 14, Fact(14.0)),
        ("iron", np.float32(0.5), Fact(0.5)),
        ("iron", (14.2, "µmol/l"), Fact(14.2)),
        ("iron", "14.2", Fact(14.2)),
        ("smoker", "yes", Fact(1.0)),
        ("smoker", False, Fact(0.0)),
        ("colour", "blue", Fact(1.0, "blue")),
        ("since", "1970-01-03", Fact(2.0, "1970-01-03")),
        ("since", datetime.datetime(1970, 1, 1, 12), Fact(0.5, "1970-01-01T12:00:00")),
    ],
)
def test_values_of_every_kind(name, value, fact):
    assert CHECK.facts("ask 1", {name: value}, {}) == {CHECK.numbers[name]: fact}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("iron", 140, r"ask 1, attribute 'iron': 140 was told; it must be a finite number from 0 to 100"),
        ("iron", float("inf"), "inf was told; it must be a finite number"),
        ("iron", None, "'iron': None is no value; leave it out until it is there, or say why"),
        ("iron", " ", "'iron': ' ' is no value"),
        ("iron", True, "True is yes or no"),
        ("iron", (14.2, "mg/dl"), "it was told in 'mg/dl', and in this study it is in 'µmol/l'"),
        ("smoker", (1, "packs"), "it has no unit"),
        ("iron", (1, 2, 3), "neither a value nor"),
        ("smoker", "sometimes", "yes or no"),
        ("colour", "green", "one of the choices 'red', 'blue'"),
        ("since", "soon", "a date"),
    ],
)
def test_wrong_values_are_named(name, value, message):
    with pytest.raises(BadValue, match=message):
        CHECK.facts("ask 1", {name: value}, {})


def test_unknown_names_get_a_suggestion():
    with pytest.raises(StudyError, match=r"no attribute 'irn' \(did you mean 'iron'\?\)"):
        CHECK.facts("ask 1", {"irn": 1}, {})


def test_what_is_not_obtainable_needs_a_reason_and_no_value():
    assert CHECK.facts("x", {}, {"iron": " lost "}) == {0: Fact(reason="lost")}
    with pytest.raises(StudyError, match="say in words why"):
        CHECK.facts("x", {}, {"iron": ""})
    with pytest.raises(StudyError, match="has a value, and is not obtainable as well"):
        CHECK.facts("x", {"iron": 1}, {"iron": "lost"})
    with pytest.raises(StudyError, match="must be a dict"):
        CHECK.facts("x", [1, 2], {})


def test_labels_are_numbers_or_classes():
    assert CHECK.label("x", "1.5") == Fact(1.5)
    for wrong in ("ill", float("inf"), float("nan"), ""):
        with pytest.raises(BadValue, match="label"):
            CHECK.label("x", wrong)
    classes = FactChecker(CHECK.attributes, ["ill", "well"], True)
    assert classes.label("x", "ill") == Fact(text="ill")
    with pytest.raises(BadValue, match="'sick' is no class; the classes are 'ill', 'well'"):
        classes.label("x", "sick")
    assert FactChecker(CHECK.attributes, None, True).label("x", np.int64(1)) == Fact(text="1")
