"""Whatever a user holds (array, frame, file) as ``Judgments`` and labels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from .labels import align_labels, labels_by_object
from .readers import read_judgments, read_labels
from .table import Judgments, compact, from_array, from_long


def as_judgments(judgments: Any, attributes: list[str] | None = None) -> Judgments:
    """Judgments from an array, a ``Judgments``, a long table (pandas, polars, pyarrow, dict) or a file."""
    if isinstance(judgments, Judgments):
        return compact(judgments)
    if isinstance(judgments, str | os.PathLike):
        return read_judgments(judgments)
    names = column_names(judgments)
    if names is None:
        return from_array(judgments, attributes)
    require_columns(names, ("object", "attribute", "value"), "the table of judgments")
    workers = judgments["worker"] if "worker" in names else None
    return from_long(judgments["object"], judgments["attribute"], judgments["value"], workers)


def as_judgments_and_labels(judgments: Any, labels: Any) -> tuple[Judgments, np.ndarray]:
    """Both, with one label per object in the order of the objects."""
    table = as_judgments(judgments)
    if isinstance(labels, str | os.PathLike):
        labels = read_labels(labels)
    elif (names := column_names(labels)) is not None and {"object", "label"} <= set(names):
        labels = labels_by_object(labels["object"], labels["label"])
    is_array = isinstance(judgments, Judgments) or (
        column_names(judgments) is None and not isinstance(judgments, str | os.PathLike)
    )
    if is_array and not isinstance(judgments, Judgments) and not isinstance(labels, Mapping):
        labels = np.asarray(labels)  # a Series beside an array: its index names rows of some other table
    return table, align_labels(labels, table, positional=is_array)


def column_names(table: Any) -> list[str] | None:
    """The column names of a frame or dict of columns; None for anything else."""
    if isinstance(table, dict):
        return list(table)
    for name in ("column_names", "columns"):  # pyarrow; pandas and polars
        found = getattr(table, name, None)
        if found is not None and not callable(found):
            return [str(column) for column in found]
    return None


def require_columns(names: list[str], needed: tuple[str, ...], what: str) -> None:
    """Refuse a table that lacks a needed column, naming what it has."""
    lacking = [name for name in needed if name not in names]
    if lacking:
        raise ValueError(f"{what} needs the columns {list(needed)}; it has {names}, without {lacking}")
