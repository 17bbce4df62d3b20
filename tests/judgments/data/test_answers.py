"""Answers of crowd platforms as numbers."""

import pytest

from keyhole.errors import BadValue
from keyhole.judgments.data.answers import as_name_set, number_of


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        (3, 3.0),
        (" 2.5 ", 2.5),
        ("Yes", 1.0),
        ("off", 0.0),
        (True, 1.0),
        ({"label": "no"}, 0.0),
        ({"yes": False, "no": True}, 0.0),
    ],
)
def test_answers_that_are_numbers(answer, number):
    assert number_of(answer, None, "line 2") == number


def test_choices_come_before_yes_and_no():
    assert number_of("yes", {"yes": 10}, "line 2") == 10.0
    assert number_of({"label": "tall"}, {"tall": 2}, "line 2") == 2.0


@pytest.mark.parametrize("answer", ["tall", {"yes": True, "no": True}, None])
def test_other_answers_are_refused_with_their_place(answer):
    with pytest.raises(
        BadValue, match=r"line 2: .* is not a number; if it stands for one, give that number in choices"
    ):
        number_of(answer, {"short": 0}, "line 2")


def test_attributes_to_read_are_a_name_or_any_iterable():
    assert as_name_set(None) is None
    assert as_name_set("ab") == {"ab"}
    assert as_name_set(name for name in ["a", "b"]) == {"a", "b"}
