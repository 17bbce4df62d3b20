"""Judgments in memory: one array of objects, attributes and judgments, with names, and who gave each.

Every other module of the package works on a ``Judgments``; arrays, long tables and files become one here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import BadValue
from .columns import Columns
from .parsing import as_numbers, listed, named, plain_id


@dataclass(frozen=True)
class Judgments:
    """Values (objects, attributes, judgments), NaN where there is none, the present ones first in each cell.

    ``worker`` holds for each value the index of its worker in ``workers`` (-1 where there is no value); it
    is None when nobody recorded who judged.
    """

    values: np.ndarray
    objects: list[str]
    attributes: list[str]
    worker: np.ndarray | None = None
    workers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.objects), len(self.attributes))
        if self.values.ndim != 3 or self.values.shape[:2] != shape:
            raise ValueError(
                f"values of shape {self.values.shape} do not fit {shape[0]} objects and {shape[1]} attributes"
            )
        if self.worker is not None and self.worker.shape != self.values.shape:
            raise ValueError(f"worker has shape {self.worker.shape}; it must be that of values, {self.values.shape}")

    @property
    def counts(self) -> np.ndarray:
        """The number of judgments in each cell (objects, attributes)."""
        return (~np.isnan(self.values)).sum(axis=2)

    def keep_objects(self, chosen: Sequence[int] | np.ndarray) -> Judgments:
        """The objects at these positions, in this order, and no more positions than their judgments need."""
        chosen = np.asarray(chosen, dtype=np.int64)
        kept = replace(
            self,
            values=self.values[chosen],
            objects=[self.objects[i] for i in chosen],
            worker=None if self.worker is None else self.worker[chosen],
        )
        return kept.first(max(1, int(kept.counts.max(initial=0))))

    def first(self, k: int) -> Judgments:
        """The first k judgments of each cell."""
        worker = None if self.worker is None else self.worker[:, :, :k]
        return replace(self, values=self.values[:, :, :k], worker=worker)

    def without_workers(self, excluded: Sequence[str]) -> Judgments:
        """The same judgments less those of the named workers."""
        if isinstance(excluded, str):
            raise ValueError(f"excluded workers must be a list of names; got the text {excluded!r}")
        if self.worker is None:
            raise ValueError("workers cannot be excluded: these judgments have no worker column")
        codes = {name: code for code, name in enumerate(self.workers)}
        unknown = [name for name in map(plain_id, excluded) if name not in codes]
        if unknown:
            raise ValueError(f"no judgment is by {named('worker', unknown)}; known workers: {listed(self.workers)}")
        dropped = np.isin(self.worker, [codes[plain_id(name)] for name in excluded])
        return compact(replace(self, values=np.where(dropped, np.nan, self.values)))

    def to_long(self) -> Columns:
        """The long table: object, attribute, value, and worker where known."""
        at = np.argwhere(~np.isnan(self.values))
        table = Columns(
            object=[self.objects[i] for i in at[:, 0]],
            attribute=[self.attributes[a] for a in at[:, 1]],
            value=[float(x) for x in self.values[tuple(at.T)]],
        )
        if self.worker is not None:
            table["worker"] = [self.workers[w] for w in self.worker[tuple(at.T)]]
        return table


def from_array(values: Any, attributes: Sequence[str] | None = None) -> Judgments:
    """Judgments from an array (objects, attributes, judgments) with NaN where there is none."""
    values = np.asarray(values)
    if values.ndim != 3:
        raise ValueError(
            f"judgments must be an array (objects, attributes, judgments); got {values.ndim} dimensions, "
            f"shape {values.shape}. One judgment per cell is too few: at least 2 are needed somewhere"
        )
    m, d, _ = values.shape
    if not m or not d:
        raise BadValue(f"there are {m} objects and {d} attributes; at least one of each is needed")
    names = [f"x{a}" for a in range(d)] if attributes is None else [str(name) for name in attributes]
    if len(names) != d:
        raise ValueError(f"{len(names)} attribute names were given for {d} attributes")
    _refuse_repeated(names, "attribute")
    objects = [str(i) for i in range(m)]
    if values.dtype.kind not in "fiub":
        values = as_numbers(values, lambda i, a, j: f"object {i}, attribute {names[a]!r}, judgment {j}")
    values = values.astype(np.float64)
    if np.isinf(values).any():
        i, a, j = np.argwhere(np.isinf(values))[0]
        raise BadValue(
            f"judgment {j} of attribute {names[a]!r} of object {i} is {values[i, a, j]}; a judgment must be "
            "a finite number, or NaN where there is none"
        )
    return compact(Judgments(values, objects, names))


def from_long(
    objects: Any, attributes: Any, values: Any, workers: Any = None, place: Callable[[int], str] | None = None
) -> Judgments:
    """Judgments from the columns of a long table; objects and attributes keep their order of appearance.

    ``place(row)`` says where a row stands in the file it came from, for messages. An empty value is no
    judgment.
    """
    place = place or (lambda row: f"row {row}")
    numbers = as_numbers(np.asarray(values, dtype=object), lambda row: f"{place(row)}, column 'value'")
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise BadValue(f"{place(row)}, column 'value': {numbers[row]} is not a finite number")
    present = np.flatnonzero(~np.isnan(numbers))
    if not len(present):
        raise BadValue("the table holds no judgment at all")
    object_code, object_names = _codes(objects, present, "object", place)
    attribute_code, attribute_names = _codes(attributes, present, "attribute", place)
    d = len(attribute_names)
    cell = object_code * d + attribute_code
    order = np.argsort(cell, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(cell[order])) + 1]
    position = np.empty(len(present), dtype=np.int64)
    position[order] = np.arange(len(present)) - np.repeat(starts, np.diff(np.r_[starts, len(present)]))
    shape = (len(object_names), d, int(position.max()) + 1)
    array = np.full(shape, np.nan)
    array[object_code, attribute_code, position] = numbers[present]
    if workers is None:
        return Judgments(array, object_names, attribute_names)
    worker_code, worker_names = _codes(workers, present, "worker", place)
    who = np.full(shape, -1, dtype=np.int64)
    who[object_code, attribute_code, position] = worker_code
    return Judgments(array, object_names, attribute_names, who, tuple(worker_names))


def compact(judgments: Judgments) -> Judgments:
    """Move the present judgments of each cell to the front, in their order; drop positions nobody uses."""
    missing = np.isnan(judgments.values)
    in_front = bool((missing[:, :, 1:] >= missing[:, :, :-1]).all())
    if in_front and not missing[:, :, -1:].all():
        return judgments
    order = np.argsort(missing, axis=2, kind="stable")
    depth = max(1, int((~missing).sum(axis=2).max(initial=0)))
    values = np.take_along_axis(judgments.values, order, axis=2)[:, :, :depth]
    worker = judgments.worker
    if worker is not None:
        worker = np.take_along_axis(np.where(missing, -1, worker), order, axis=2)[:, :, :depth]
    return replace(judgments, values=values, worker=worker)


def _codes(column: Any, present: np.ndarray, what: str, place: Callable[[int], str]) -> tuple[np.ndarray, list[str]]:
    """Index of each present row's name, and the names in order of appearance."""
    codes: dict[str, int] = {}
    array = np.asarray(column, dtype=object)[present]
    out = np.empty(len(array), dtype=np.int64)
    for row, value in enumerate(array):
        name = plain_id(value)
        if name == "" or value is None or value != value:
            raise BadValue(f"{place(int(present[row]))}, column {what!r}: empty; every judgment needs its {what}")
        out[row] = codes.setdefault(name, len(codes))
    return out, list(codes)


def _refuse_repeated(names: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what} name {name!r} was given twice")
        seen.add(name)
