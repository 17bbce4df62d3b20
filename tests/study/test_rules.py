"""What may become of a cell, a label and an example."""

from __future__ import annotations

import pytest

from keyhole.errors import StudyError
from keyhole.study.rules import (
    ASKED,
    CANCELLED,
    CONFLICT,
    NONE,
    NOT_OBTAINABLE,
    VALUE,
    Fact,
    is_charged,
    is_done,
    is_learnable,
    kind_of_event,
)

SEVEN, EIGHT, NOT_THERE = Fact(7.0), Fact(8.0), Fact(reason="the sample was lost")


@pytest.mark.parametrize(
    ("state", "told", "kind"),
    [
        (NONE, SEVEN, VALUE),
        (ASKED, SEVEN, VALUE),
        (ASKED, NOT_THERE, NOT_OBTAINABLE),
        (VALUE, SEVEN, None),
        (VALUE, EIGHT, CONFLICT),
        (CONFLICT, SEVEN, None),
        (CONFLICT, EIGHT, CONFLICT),
        (NOT_OBTAINABLE, NOT_THERE, None),
        (NOT_OBTAINABLE, SEVEN, VALUE),
        (CANCELLED, SEVEN, VALUE),
        (CANCELLED, NOT_THERE, NOT_OBTAINABLE),
    ],
)
def test_every_state_and_every_fact(state, told, kind):
    stored = SEVEN if state in (VALUE, CONFLICT) else Fact()
    assert kind_of_event(state, stored, told, "x") == kind


@pytest.mark.parametrize("state", [VALUE, CONFLICT])
def test_what_has_a_value_was_obtainable(state):
    with pytest.raises(StudyError, match="example 'p', attribute 'a': a value was told before"):
        kind_of_event(state, SEVEN, NOT_THERE, "example 'p', attribute 'a'")


def test_classes_are_compared_by_their_names():
    assert Fact(text="ill").same_as(None, "ill")
    assert not Fact(text="ill").same_as(None, "well")
    assert Fact(2.0, "blue").same_as(2.0, "blue")
    assert not Fact(2.0).same_as(None, None)


def test_an_example_is_learned_from_when_nothing_is_awaited():
    assert is_learnable([VALUE, NOT_OBTAINABLE, CANCELLED], [], VALUE)
    assert is_learnable([NOT_OBTAINABLE], [VALUE], VALUE)
    assert not is_learnable([VALUE, ASKED], [], VALUE)
    assert not is_learnable([VALUE, CONFLICT], [], VALUE)
    assert not is_learnable([VALUE], [], NONE)
    assert not is_learnable([VALUE], [], CONFLICT)
    assert not is_learnable([NOT_OBTAINABLE], [], VALUE)
    assert is_done([VALUE, CONFLICT])
    assert not is_done([VALUE, ASKED])


def test_only_what_is_cancelled_or_not_obtainable_is_not_charged():
    charged = [is_charged(state, False) for state in (ASKED, VALUE, CONFLICT, NOT_OBTAINABLE, CANCELLED)]
    assert charged == [True, True, True, False, False]
    assert is_charged(NOT_OBTAINABLE, True)
    assert not is_charged(CANCELLED, True)
