"""Names, numbers and lists as they stand in other people's tables, and as they are told in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import BadValue

# What spreadsheets, R and pandas write where there is nothing.
NOTHING = {"", "na", "n/a", "nan", "none", "null", "<na>"}


def plain_id(value: Any) -> str:
    """The name of an object, attribute or worker as text: 7, 7.0 and '7' are the same."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


def as_numbers(values: np.ndarray, place: Callable[..., str]) -> np.ndarray:
    """Numbers from any array; nothing (see ``NOTHING``) is NaN, other text is refused with its place."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        pass
    out = np.empty(values.shape)
    for at, value in np.ndenumerate(values):
        try:
            out[at] = np.nan if str(value).strip().lower() in NOTHING else float(value)
        except (TypeError, ValueError):
            raise BadValue(f"{place(*at)}: {str(value)!r} is not a number") from None
    return out


def named(what: str, names: Sequence[str]) -> str:
    return f"{what}{'s' if len(names) > 1 else ''} {listed(names)}"


def listed(names: Sequence[str], shown: int = 5) -> str:
    text = ", ".join(repr(name) for name in names[:shown])
    return text + (f" and {len(names) - shown} more" if len(names) > shown else "")
