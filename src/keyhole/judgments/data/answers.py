"""Answers of crowd platforms as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import BadValue

YES_AND_NO = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "on": 1.0, "off": 0.0}


def number_of(answer: Any, choices: Mapping[str, float] | None, place: str) -> float:
    """The number of an answer: itself, that of a choice, 1 or 0 for yes or no, or that of a crowd element's label.

    >>> number_of({"label": "yes"}, None, "line 2")
    1.0
    """
    if isinstance(answer, dict) and set(answer) == {"label"}:
        answer = answer["label"]
    if isinstance(answer, dict) and len(answer) and all(isinstance(v, bool) for v in answer.values()):
        chosen = [name for name, on in answer.items() if on]
        answer = chosen[0] if len(chosen) == 1 else answer
    text = str(answer).strip()
    if choices and text in choices:
        return float(choices[text])
    if text.lower() in YES_AND_NO:
        return YES_AND_NO[text.lower()]
    try:
        return float(text)
    except ValueError:
        raise BadValue(
            f"{place}: {answer!r} is not a number; if it stands for one, give that number in choices"
        ) from None


def as_name_set(attributes: Iterable[str] | None) -> set[str] | None:
    """The attributes to read, from any iterable of names or a single name; None for all."""
    return None if attributes is None else {attributes} if isinstance(attributes, str) else set(attributes)
