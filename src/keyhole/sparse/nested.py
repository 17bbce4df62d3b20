"""Batches that are given for each update: a sequence per cycle of the batch of each update in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..common.parameters import is_whole


def is_nested(value: Any) -> bool:
    """Whether a schedule has a sequence in place of a number for some cycle."""
    return _is_sequence(value) and any(_is_sequence(entry) for entry in value)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def batch_of_each_update(owner: str, name: str, value: Any, updates_name: str, updates: np.ndarray) -> np.ndarray:
    """The batches as an array with a row per given cycle and a column per update; the last of a row fills it up.

    A number in place of a sequence holds for all updates of its cycle. ``updates`` are those of the cycles, whose last
    entry holds from then on, as does the last row.
    """
    rows = [_row(owner, f"{name}[{cycle}]", entry) for cycle, entry in enumerate(value)]
    for cycle in range(max(len(rows), len(updates))):
        at, number = min(cycle, len(rows) - 1), int(updates[min(cycle, len(updates) - 1)])
        if _is_sequence(value[at]) and len(rows[at]) != number:
            raise ValueError(
                f"{name}[{at}]={list(value[at])!r}: {owner} needs a batch for each update of a cycle, and"
                f" {updates_name} has {number} for cycle {cycle}"
            )
    longest = max(len(row) for row in rows)
    return np.array([row + row[-1:] * (longest - len(row)) for row in rows])


def _row(owner: str, place: str, entry: Any) -> list[float]:
    """The batches of a cycle."""
    if _is_sequence(entry):
        places = [f"{place}[{at}]" for at in range(len(entry))]
    else:
        entry, places = [entry], [place]
    if not places:
        raise ValueError(f"{place}={entry!r}: {owner} needs a whole number above 0, or a sequence of them")
    for one, its_place in zip(entry, places, strict=True):
        if not is_whole(one) or one < 1:
            raise ValueError(f"{its_place}={one!r}: {owner} needs whole numbers, 1 or more")
    return [float(one) for one in entry]
