"""Rows of which some cells are missing, in groups that know the same attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...observe.attributes import has_kind_number
from ...observe.reveal import bad_value, reveal
from ...observe.sources import ArraySource, CSRSource
from ...observe.tables import CELLS_AT_ONCE
from ..policy.policy import ask_of


def tables_with_gaps(source: Any) -> Iterator[np.ndarray]:
    """The rows of a source as floats, some at a time, with NaN for a cell that is missing."""
    n, d = source.n_examples, len(source.attributes)
    step = max(CELLS_AT_ONCE // max(d, 1), 1)
    everything = ask_of(np.arange(d), np.ones(d))
    for start in range(0, n, step):
        rows = range(start, min(start + step, n))
        plain = has_kind_number(source.attributes)
        if isinstance(source, CSRSource) and plain:
            table = np.array([source.read(t, everything.attributes) for t in rows], dtype=np.float64)
        elif isinstance(source, ArraySource) and source.table is not None and plain:
            table = source.table[rows.start : rows.stop].astype(np.float64)
        else:
            table = np.array([reveal(source, t, everything, absent=True) for t in rows])
        wrong = np.argwhere(np.isinf(table))
        if len(wrong):
            t, i = (int(place) for place in wrong[0])
            raise bad_value(source, f"example {start + t}", i, table[t, i])
        yield table


def by_pattern(present: np.ndarray, used: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each number of known attributes: the rows, the distinct subsets, and which of these each row has."""
    packed = np.packbits(present, axis=1)
    _, first, pattern = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    pattern, sizes = pattern.ravel(), present[first].sum(axis=1)
    for k in np.unique(sizes):
        group = np.flatnonzero(sizes == k)
        rows = np.flatnonzero(sizes[pattern] == k)
        S = np.array([used[present[t]] for t in first[group]], dtype=np.int64).reshape(len(group), k)
        yield rows, S, np.searchsorted(group, pattern[rows])


def rows_alike(rows: np.ndarray, table: np.ndarray, missing: np.ndarray) -> list[np.ndarray]:
    """The rows in groups with the same known attributes, and the same that could not be had."""
    state = np.packbits(np.hstack([~np.isnan(table[rows]), missing[rows]]), axis=1)
    _, group = np.unique(state, axis=0, return_inverse=True)
    return [rows[group.ravel() == g] for g in range(group.max() + 1)]
