"""Names and numbers as they stand in other people's tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...common.wording import listed
from ...errors import BadValue

# What spreadsheets, R and pandas write into an empty cell.
EMPTY = {"", "na", "n/a", "nan", "none", "null", "<na>"}
SHOWN_NAMES = 5


def plain_id(value: Any) -> str:
    """The name of an object, attribute or worker as text: 7, 7.0 and '7' are the same.

    >>> plain_id(7.0)
    '7'
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


def as_numbers(values: np.ndarray, place: Callable[..., str]) -> np.ndarray:
    """Numbers from any array; an empty cell (see ``EMPTY``) is NaN, other text is refused with its place."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        pass
    out = np.empty(values.shape)
    for at, value in np.ndenumerate(values):
        try:
            out[at] = np.nan if str(value).strip().lower() in EMPTY else float(value)
        except (TypeError, ValueError):
            raise BadValue(f"{place(*at)}: {str(value)!r} is not a number") from None
    return out


def named(noun: str, names: Sequence[str]) -> str:
    """A noun, in the plural if there are several names, and the first few names.

    >>> named("worker", ["w1", "w2"])
    "workers 'w1', 'w2'"
    """
    return f"{noun}{'s' if len(names) > 1 else ''} {listed(names, SHOWN_NAMES)}"
