"""What may become of one cell, of one label and of one example: the rules that every store and every replay follow.

A cell begins as *asked*, or with a found *value*. A *value* that is told again is the same fact; another one makes a
*conflict*, which a correction ends. A cell may be *not obtainable*, or *cancelled* with its ask; a value that comes
later is a fact all the same. A label begins as *none*. Nothing is overwritten: each change is an event of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import StudyError

ASKED, VALUE, NOT_OBTAINABLE, CANCELLED, CONFLICT, NONE = (
    "asked",
    "value",
    "not obtainable",
    "cancelled",
    "conflict",
    "none",
)
FINAL = (VALUE, NOT_OBTAINABLE, CANCELLED)
# Kinds of events. Those of a label end with "label".
TELLS = {VALUE: VALUE, NOT_OBTAINABLE: NOT_OBTAINABLE, CONFLICT: CONFLICT, "corrected": VALUE, CANCELLED: CANCELLED}
LABEL = "label"


class Fact(NamedTuple):
    """A value as a number, with its text where it is a choice, a date or a class; or that it is not obtainable."""

    number: float | None = None
    text: str | None = None
    reason: str | None = None  # of what is not obtainable

    @property
    def is_value(self) -> bool:
        return self.reason is None

    def same_as(self, number: float | None, text: str | None) -> bool:
        """Whether this value is the one that is stored."""
        return self.number == number and (self.number is not None or self.text == text)


def kind_of_event(state: str, stored: Fact, told: Fact, where: str) -> str | None:
    """The kind of event that a told fact is, given the state of its cell or label; None where nothing is new.

    >>> kind_of_event("asked", Fact(), Fact(7.0), "x")
    'value'
    >>> kind_of_event("value", Fact(7.0), Fact(7.0), "x") is None
    True
    >>> kind_of_event("value", Fact(7.0), Fact(8.0), "x")
    'conflict'
    """
    if told.is_value:
        if state in (VALUE, CONFLICT):
            return None if told.same_as(stored.number, stored.text) else CONFLICT
        return VALUE
    if state in (VALUE, CONFLICT):
        raise StudyError(
            f"{where}: a value was told before, so it was obtainable; correct it if that was an error. Nothing was"
            " recorded"
        )
    return None if state == NOT_OBTAINABLE else NOT_OBTAINABLE


def is_done(states: Iterable[str]) -> bool:
    """Whether nothing is awaited any more of the drawn cells with these states."""
    return ASKED not in states


def is_learnable(drawn: Iterable[str], found: Iterable[str], label_state: str) -> bool:
    """Whether an example can be learned from: its label and at least one value are there, and nothing is awaited or in
    conflict among the cells that were drawn for it."""
    drawn = list(drawn)
    return label_state == VALUE and all(s in FINAL for s in drawn) and VALUE in [*drawn, *found]


def is_charged(state: str, charged_when_missing: bool) -> bool:
    """Whether a drawn cell is paid for, or money is reserved for it."""
    return state in (ASKED, VALUE, CONFLICT) or (state == NOT_OBTAINABLE and charged_when_missing)
