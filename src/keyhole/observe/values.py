"""One revealed value as a number, by the kind of its attribute; and which values say that a cell is missing.

A number is itself. Yes and no are 1 and 0. A choice is its position among the choices, and a date the number of days
since 1 January 1970. None, NaN, and what pandas and polars use in their place say that the cell is missing.
"""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Any

import numpy as np

from ..common.warn import warn_user
from ..common.wording import listed
from .attributes import Attribute

# From here on neighbouring whole numbers may be the same floating-point number.
LARGEST_WHOLE = 2**53
CHOICES_SHOWN = 10
YES_OR_NO = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}
MISSING_TEXTS = frozenset({"", "nan", "none", "na", "n/a", "<na>", "null", "nat"})
A_DAY = 86_400_000_000.0  # microseconds


def is_missing(value: Any) -> bool:
    """Whether a value says that its cell is missing: None, NaN, pandas' NA and NaT.

    >>> [is_missing(value) for value in (None, float("nan"), np.datetime64("NaT"), 0.0, "NaN", float("inf"))]
    [True, True, True, False, False, False]
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def text_is_missing(text: str) -> bool:
    """Whether the text of a cell in a file says that it is missing.

    >>> text_is_missing("NA"), text_is_missing(" "), text_is_missing("tall")
    (True, True, False)
    """
    return text.strip().lower() in MISSING_TEXTS


def as_number(attribute: Attribute, value: Any) -> float:
    """A value that is not missing as a number; TypeError or ValueError if it is none of its attribute's kind.

    >>> as_number(Attribute("colour", kind="choice", choices=("red", "blue")), "blue")
    1.0
    >>> as_number(Attribute("since", kind="date"), "1970-01-03")
    2.0
    """
    if attribute.kind == "number":
        if isinstance(value, np.datetime64 | datetime.date):
            raise ValueError("a date is no number")
        return float(value)
    if attribute.kind == "yes/no":
        return YES_OR_NO[str(value).strip().lower()]
    if attribute.kind == "date":
        return days(value)
    found = positions(attribute.choices)
    text = str(value)
    if text not in found and isinstance(value, float | np.floating) and value.is_integer():
        text = str(int(value))
    return found[text]


@lru_cache(maxsize=1024)
def positions(choices: tuple[str, ...]) -> dict[str, float]:
    """The number of each choice."""
    return {choice: float(at) for at, choice in enumerate(choices)}


def days(value: Any) -> float:
    """Days since 1 January 1970, of a date in whatever type and resolution, or of the text of one in ISO format."""
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value.strip())
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    if not isinstance(value, np.datetime64 | datetime.date):
        raise TypeError(f"{type(value).__name__} is no date")
    return float(np.datetime64(value).astype("datetime64[us]").astype(np.int64)) / A_DAY


def wanted(attribute: Attribute) -> str:
    """What a value of an attribute must be, for messages."""
    if attribute.kind == "yes/no":
        return "yes or no, True or False, 1 or 0"
    if attribute.kind == "choice":
        return f"one of the choices {listed(attribute.choices, CHOICES_SHOWN)}"
    if attribute.kind == "date":
        return "a date, as 2024-05-31"
    if np.isfinite(attribute.low) or np.isfinite(attribute.high):
        return f"a finite number from {attribute.low:g} to {attribute.high:g}"
    return "a finite number"


def warn_of_large(name: str) -> None:
    """Warn that an attribute has whole numbers that no floating-point number equals."""
    warn_user(
        f"attribute {name!r} has whole numbers beyond 2**53, of which the last digits are lost; if they are names of"
        " examples or of groups, leave the attribute out"
    )
