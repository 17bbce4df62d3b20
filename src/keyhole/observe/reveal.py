"""The only place where data is read.

``reveal`` serves every source, one example at a time; ``reveal_row`` is the same for compiled loops over
arrays and CSR matrices. Both check values as they come, never the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from ..errors import BadValue, NotRevealed
from ..sampling.panels import Panels
from .ask import Ask
from .attributes import PlainAttributes
from .ledger import Ledger
from .meter import CELLS, EXAMPLES, LARGEST, LOOKS, Meter

OVER_BUDGET = -2
FINE = -1


def reveal(
    source: Any,
    example: int,
    ask: Ask,
    meter: Meter | None = None,
    ledger: Ledger | None = None,
    number: int | None = None,
    absent: bool = False,
    design: Panels | None = None,
) -> np.ndarray:
    """The values of ``ask.attributes`` of an example, metered, checked and recorded.

    Raises ``BudgetExceeded`` before anything is read, ``NotRevealed`` when a value could not be had and
    ``BadValue`` when one is not a finite number within its attribute's bounds; in all three cases nothing is
    counted or recorded. ``number`` is the example's number in the ledger, when its source counts anew, and ``design``
    what drew the ask, for its chances of two attributes together. With ``absent`` a cell that is not there (None, NaN)
    is no error: it comes back as NaN, costs nothing and is not
    recorded.
    """
    attributes = ask.attributes
    if meter is not None:
        meter.allow(example, attributes)
    raw = source.read(example, attributes)
    if isinstance(raw, Mapping) or not hasattr(raw, "__len__") or len(raw) != len(attributes):
        got = f"{len(raw)} values" if isinstance(raw, Sequence | np.ndarray) else f"{type(raw).__name__}"
        raise BadValue(f"example {example}: the source returned {got}, not {len(attributes)} values as asked for")
    there = _there(raw) if absent else np.ones(len(attributes), dtype=bool)
    values = np.full(len(attributes), np.nan)
    values[there] = as_numbers(source, example, attributes[there], _pick(raw, there))
    if meter is not None:
        meter.charge(example, attributes[there], looks=len(ask.slots) - int(np.sum(~there)))
    if ledger is not None:
        costs = 1.0 if meter is None or meter.prices is None else meter.prices.cost[attributes[there]]
        told = (attributes[there], values[there], ask.probabilities[there], costs)
        ledger.record(example if number is None else number, *told, design)
    return values


def _there(raw: Any) -> np.ndarray:
    return np.array(
        [value is not None and not (isinstance(value, float | np.floating) and value != value) for value in raw]
    )


def _pick(raw: Any, there: np.ndarray) -> Any:
    """The values that are there; the source's own array when all are."""
    if there.all():
        return raw
    return (
        raw[there] if isinstance(raw, np.ndarray) else [value for value, here in zip(raw, there, strict=True) if here]
    )


def as_numbers(source: Any, example: int, attributes: np.ndarray, raw: Any) -> np.ndarray:
    """Values of some attributes of an example as checked floats."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "fiub":
        values = raw.astype(np.float64)
    else:
        values = np.empty(len(raw))
        for r, value in enumerate(raw):
            if value is None:
                name = source.attributes[int(attributes[r])].name
                raise NotRevealed(f"example {example}, attribute {name!r}: the value could not be had")
            try:
                values[r] = value
            except (TypeError, ValueError):
                raise bad_value(source, example, int(attributes[r]), value) from None
    wrong = ~np.isfinite(values)
    if not isinstance(source.attributes, PlainAttributes):
        described = [source.attributes[int(i)] for i in attributes]
        outside = [not a.low <= value <= a.high for a, value in zip(described, values, strict=True)]
        wrong |= np.array(outside, dtype=bool)
    if wrong.any():
        r = int(np.argmax(wrong))
        raise bad_value(source, example, int(attributes[r]), raw[r])
    return values


def bad_value(source: Any, example: int, attribute: int, value: Any) -> BadValue:
    """The error for a value that cannot be used, with its place."""
    described = source.attributes[attribute]
    wanted = "a finite number"
    if np.isfinite(described.low) or np.isfinite(described.high):
        wanted += f" from {described.low:g} to {described.high:g}"
    shown = repr(value.item() if isinstance(value, np.generic) else value)
    kind = {"nan": "NaN", "inf": "infinity", "-inf": "infinity"}.get(shown, shown)
    if kind == "NaN":
        wanted += " (None says that a value could not be had)"
    return BadValue(f"example {example}, attribute {described.name!r}: {kind} was revealed; it must be {wanted}")


@njit(cache=True, nogil=True)
def reveal_row(cells, example, ask, counts, limit):
    """The values asked for, and FINE, OVER_BUDGET or the position of a value that is not finite."""
    n = len(ask.attributes)
    values = np.empty(n)
    if limit >= 0 and n > limit:
        return values, OVER_BUDGET
    for r in range(n):
        values[r] = read_cell(cells, example, ask.attributes[r])
    for r in range(n):
        if not np.isfinite(values[r]):
            return values, r
        counts.per_attribute[ask.attributes[r]] += 1
    counts.tally[EXAMPLES] += 1
    counts.tally[LOOKS] += len(ask.slots)
    counts.tally[CELLS] += n
    counts.tally[LARGEST] = max(counts.tally[LARGEST], n)
    return values, FINE


def read_cell(cells, example, attribute):
    """One cell of an array or a CSR matrix; exists in compiled code only."""


@overload(read_cell)
def _read_cell(cells, example, attribute):
    if isinstance(cells, types.Array):
        return lambda cells, example, attribute: cells[example, attribute]

    def read_csr_cell(cells, example, attribute):
        low, high = cells.indptr[example], cells.indptr[example + 1]
        while low < high:
            middle = (low + high) // 2
            if cells.indices[middle] < attribute:
                low = middle + 1
            else:
                high = middle
        found = low < cells.indptr[example + 1] and cells.indices[low] == attribute
        return cells.data[low] if found else cells.data.dtype.type(0)

    return read_csr_cell
