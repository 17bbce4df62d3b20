"""Judgments from an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from ...errors import BadValue
from .parsing import as_numbers
from .table import Judgments, compact


def from_array(values: Any, attributes: Sequence[str] | None = None) -> Judgments:
    """Judgments from an array (objects, attributes, judgments) with NaN where there is none."""
    values = np.asarray(values)
    if values.ndim != 3:
        raise ParameterError(
            "judgments",
            f"the array has {values.ndim} dimensions, shape {values.shape}; it must have 3: objects, attributes and"
            " judgments (every attribute needs at least 2 judgments of some object)",
        )
    m, d, _ = values.shape
    if not m or not d:
        raise BadValue(f"judgments of {m} objects and {d} attributes: at least one of each is needed")
    names = _attribute_names(attributes, d)
    if values.dtype.kind not in "fiub":
        values = as_numbers(values, lambda i, a, j: f"object {i}, attribute {names[a]!r}, judgment {j}")
    values = values.astype(np.float64)
    if np.isinf(values).any():
        i, a, j = np.argwhere(np.isinf(values))[0]
        raise BadValue(
            f"object {i}, attribute {names[a]!r}, judgment {j}: {values[i, a, j]} is not a finite number; a judgment"
            " is a finite number, or NaN where there is none"
        )
    return compact(Judgments(values, [str(i) for i in range(m)], names))


def _attribute_names(attributes: Sequence[str] | None, d: int) -> list[str]:
    """The names as text, or x0, x1, ... where none are given."""
    if attributes is None:
        return [f"x{a}" for a in range(d)]
    names = [str(name) for name in attributes]
    if len(names) != d:
        raise ParameterError("attributes", f"{len(names)} names are given for an array of {d} attributes")
    repeated = [name for a, name in enumerate(names) if name in names[:a]]
    if repeated:
        raise ParameterError("attributes", f"the name {repeated[0]!r} is given twice; names must differ")
    return names
