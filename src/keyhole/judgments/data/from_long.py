"""Judgments from a long table: one row per judgment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import BadValue
from .parsing import as_numbers, plain_id
from .table import Judgments


def from_long(
    objects: Any, attributes: Any, values: Any, workers: Any = None, place: Callable[[int], str] | None = None
) -> Judgments:
    """Judgments from the columns of a long table; objects and attributes keep their order of appearance.

    ``place(row)`` is the position of a row in the file it came from, for messages. An empty value is no judgment.
    """
    place = place or (lambda row: f"row {row}")
    numbers = as_numbers(np.asarray(values, dtype=object), lambda row: f"{place(row)}, column 'value'")
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise BadValue(f"{place(row)}, column 'value': {numbers[row]} is not a finite number")
    present = np.flatnonzero(~np.isnan(numbers))
    if not len(present):
        raise BadValue("the table has no judgment: its column 'value' is empty in every row")
    object_code, object_names = _codes(objects, present, "object", place)
    attribute_code, attribute_names = _codes(attributes, present, "attribute", place)
    position = _positions(object_code * len(attribute_names) + attribute_code)
    shape = (len(object_names), len(attribute_names), int(position.max()) + 1)
    array = np.full(shape, np.nan)
    array[object_code, attribute_code, position] = numbers[present]
    if workers is None:
        return Judgments(array, object_names, attribute_names)
    worker_code, worker_names = _codes(workers, present, "worker", place)
    worker = np.full(shape, -1, dtype=np.int64)
    worker[object_code, attribute_code, position] = worker_code
    return Judgments(array, object_names, attribute_names, worker, tuple(worker_names))


def _codes(column: Any, present: np.ndarray, name: str, place: Callable[[int], str]) -> tuple[np.ndarray, list[str]]:
    """The index of each present row's value, and the different values in order of appearance."""
    codes: dict[str, int] = {}
    array = np.asarray(column, dtype=object)[present]
    out = np.empty(len(array), dtype=np.int64)
    for row, value in enumerate(array):
        text = plain_id(value)
        if text == "" or value is None or value != value:
            raise BadValue(
                f"{place(int(present[row]))}, column {name!r}: the cell is empty; every judgment needs its {name}"
            )
        out[row] = codes.setdefault(text, len(codes))
    return out, list(codes)


def _positions(cell: np.ndarray) -> np.ndarray:
    """For each judgment, how many judgments of the same cell come before it."""
    order = np.argsort(cell, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(cell[order])) + 1]
    position = np.empty(len(cell), dtype=np.int64)
    position[order] = np.arange(len(cell)) - np.repeat(starts, np.diff(np.r_[starts, len(cell)]))
    return position
