"""Names of examples, numbers of asks and reasons, as people give them."""

from __future__ import annotations

from typing import Any

from ..common.parameters import is_number
from ..errors import StudyError
from .asks import StudyAsk


def example_name(name: Any) -> str:
    """The name of an example as text."""
    if isinstance(name, bool) or not (isinstance(name, str) or is_number(name)) or not str(name).strip():
        raise StudyError(f"{name!r} is no name of an example; give a text that is not empty, or a number")
    return str(name).strip()


def ask_number(ask: Any) -> int:
    """The number of an ask."""
    number = ask.id if isinstance(ask, StudyAsk) else ask
    if isinstance(number, bool) or not isinstance(number, int):
        raise StudyError(f"{ask!r:.80} is no ask; give what ask() returned, or its number")
    return number


def in_words(reason: Any) -> str:
    """A reason, which must not be empty."""
    if not isinstance(reason, str) or not reason.strip():
        raise StudyError(f"reason={reason!r}: say why, in words")
    return reason.strip()
