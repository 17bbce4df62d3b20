"""Repeats, the number of judgments to take of each attribute: judgments aggregated by them, and those missing."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...errors import BadValue
from ..data.columns import Columns
from ..data.parsing import SHOWN_NAMES
from ..data.table import Judgments

MOST_NAMES = 10  # attributes shown where a name is not among them


class MissingJudgments(UserWarning):
    """Some cells have fewer judgments than the repeats require; the judgments that they have were used."""


def repeats_as_array(repeats: Any, attributes: Sequence[str]) -> np.ndarray:
    """One non-negative integer per attribute."""
    if isinstance(repeats, Mapping):
        unknown = [str(name) for name in repeats if name not in attributes]
        if unknown:
            raise ParameterError(
                "repeats",
                f"there is no judgment of {listed(unknown, SHOWN_NAMES)}; the attributes are"
                f" {listed(attributes, MOST_NAMES)}",
            )
        repeats = [repeats.get(name, 0) for name in attributes]
    array = np.asarray(repeats)
    if array.shape != (len(attributes),):
        raise ParameterError(
            "repeats",
            f"it has shape {array.shape}; it must be one whole number for each of {len(attributes)} attributes",
        )
    for name, value in zip(attributes, repeats, strict=True):
        if value != np.floor(value) or value < 0:
            raise ParameterError(
                "repeats", f"that of attribute {name!r} is {value}; it must be a whole number, 0 or more"
            )
    return array.astype(np.int64)


def aggregated(table: Judgments, repeats: np.ndarray, aggregate: str) -> np.ndarray:
    """The mean or median of the first r judgments of each chosen attribute (objects, chosen attributes)."""
    chosen = np.flatnonzero(repeats)
    have = table.counts[:, chosen]
    if (have == 0).any():
        i, c = np.argwhere(have == 0)[0]
        raise BadValue(
            f"object {table.objects[i]!r} has no judgment of attribute {table.attributes[chosen[c]]!r}, but "
            f"needs {repeats[chosen[c]]} ({(have == 0).sum()} cells are empty); missing_judgments(judgments) "
            "lists the judgments to collect"
        )
    short = np.maximum(repeats[chosen] - have, 0)
    if short.any():
        warnings.warn(
            f"{short.sum()} judgments are missing in {(short > 0).sum()} cells of "
            f"{(short > 0).any(axis=1).sum()} objects; the judgments that these cells have were used, so their means "
            "are noisier than planned. missing_judgments() lists the judgments to collect",
            MissingJudgments,
            stacklevel=3,
        )
    # The forms that look for NaN are many times slower.
    name = ("nan" if short.any() else "") + aggregate
    columns = [getattr(np, name)(table.values[:, a, : repeats[a]], axis=1) for a in chosen]
    return np.column_stack(columns) if columns else np.empty((len(table.objects), 0))


def missing_judgments(table: Judgments, repeats: np.ndarray) -> Columns:
    """The judgments to collect: object, attribute, how many there are, are needed, and are to be collected."""
    have = table.counts
    rows = [
        (
            table.objects[i],
            table.attributes[a],
            int(have[i, a]),
            int(repeats[a]),
            int(repeats[a] - have[i, a]),
        )
        for i, a in np.argwhere(have < repeats)
    ]
    return Columns.from_rows(("object", "attribute", "have", "need", "collect"), rows)
