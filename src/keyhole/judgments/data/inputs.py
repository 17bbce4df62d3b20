"""Whatever a user has (array, frame, file) as ``Judgments`` and labels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from .from_array import from_array
from .from_long import from_long
from .labels import align_labels, labels_by_object
from .readers import NEEDED, read_judgments, read_labels
from .table import Judgments, compact


def as_judgments(judgments: Any, attributes: list[str] | None = None) -> Judgments:
    """Make judgments of an array, a long table or a file.

    Parameters
    ----------
    judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
        An array with NaN where there is no judgment; or a long table (pandas, polars, pyarrow, dict of columns) with
        the columns object, attribute, value and, where it is known, worker; or a file for ``read_judgments``.
    attributes : list of str, optional
        Names of the attributes of an array; x0, x1, ... by default.

    Returns
    -------
    Judgments
        The judgments, those of each cell in front.

    Raises
    ------
    BadValue
        If a value is not a finite number, or there is no judgment.
    ParameterError
        If an array does not have 3 dimensions, or a table lacks a column.

    Examples
    --------
    >>> from keyhole.judgments import as_judgments
    >>> long = {"object": [1, 1, 2], "attribute": ["tall", "tall", "tall"], "value": [3, 5, 4]}
    >>> as_judgments(long).values
    array([[[ 3.,  5.]],
    <BLANKLINE>
           [[ 4., nan]]])
    """
    if isinstance(judgments, Judgments):
        return compact(judgments)
    if isinstance(judgments, str | os.PathLike):
        return read_judgments(judgments)
    names = column_names(judgments)
    if names is None:
        return from_array(judgments, attributes)
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        raise ParameterError(
            "judgments", f"a long table needs the columns {list(NEEDED)}; this one has {names}, without {lacking}"
        )
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
        columns = getattr(table, name, None)
        if columns is not None and not callable(columns):
            return [str(column) for column in columns]
    return None
