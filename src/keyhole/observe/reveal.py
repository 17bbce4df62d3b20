"""The only place where training data is read.

``reveal`` serves every source, one example at a time; ``reveal_row`` is the same for compiled loops over
arrays and CSR matrices. Both check values as they come, never the table. Predictions read the rows that they are asked
for, either here or, for whole rows of a table, in ``tables.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from ..common.wording import listed
from ..errors import BadValue, NotRevealed
from ..sampling.panels import Panels
from .ask import Ask
from .attributes import PlainAttributes
from .ledger import Ledger
from .meter import CELLS, DRAWS, EXAMPLES, LARGEST, Counts, Meter

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
    place: str | None = None,
) -> np.ndarray:
    """Read the values of ``ask.attributes`` of an example, checked, metered and recorded.

    Parameters
    ----------
    source : Source
        Where the values come from.
    example : int
        The number of the example in the source.
    ask : Ask
        What to reveal.
    meter : Meter, default=None
        Counts what is revealed, and limits it.
    ledger : Ledger, default=None
        Records what is revealed.
    number : int, default=None
        The number of the example in the ledger, where its source counts anew. None: ``example``.
    absent : bool, default=False
        Whether a missing cell (None, NaN) is allowed: it is then returned as NaN, costs nothing and is not recorded.
    design : Panels, default=None
        The design that drew the ask, for the ledger.
    place : str, default=None
        What errors call the example. None: its number.

    Returns
    -------
    ndarray of shape (n_asked,)
        The values, in the order of ``ask.attributes``.

    Raises
    ------
    BudgetExceeded
        If revealing them would exceed the budget; nothing is read, counted or recorded.
    BadValue
        If a value is not a finite number within the bounds of its attribute; nothing is counted or recorded.
    NotRevealed
        If a value could not be had (None). The other values were revealed all the same: they are counted and recorded.

    Examples
    --------
    >>> import keyhole as kh
    >>> learner = kh.AERR(budget=2, random_state=0).start(3)
    >>> reveal(kh.ArraySource(np.ones((1, 3))), 0, learner.ask()).tolist()
    [1.0]
    """
    attributes, place = ask.attributes, place or f"example {example}"
    if meter is not None:
        meter.allow(example, attributes)
    raw = source.read(example, attributes)
    if isinstance(raw, Mapping) or not hasattr(raw, "__len__") or len(raw) != len(attributes):
        got = f"{len(raw)} values" if isinstance(raw, Sequence | np.ndarray) else f"{type(raw).__name__}"
        names = listed([source.attributes[int(i)].name for i in attributes], 10)
        raise BadValue(f"{place}: got {got}; {len(attributes)} are needed, one for each of {names}")
    present = _present(raw, nan_is_missing=absent)
    values = np.full(len(attributes), np.nan)
    values[present] = as_numbers(source, place, attributes[present], _pick(raw, present))
    if meter is not None:
        meter.charge(example, attributes[present], draws=int(np.sum(present[ask.slots])))
    if ledger is not None:
        costs = 1.0 if meter is None or meter.prices is None else meter.prices.cost[attributes[present]]
        revealed = (attributes[present], values[present], ask.probabilities[present], costs)
        ledger.record(example if number is None else number, *revealed, design)
    if not absent and not present.all():
        name = source.attributes[int(attributes[~present][0])].name
        raise NotRevealed(f"{place}, attribute {name!r}: the value could not be had")
    return values


def _present(raw: Any, nan_is_missing: bool) -> np.ndarray:
    """Which values are there: None is missing, and NaN where it is allowed to be."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "fiub":
        return ~np.isnan(raw) if nan_is_missing else np.ones(len(raw), dtype=bool)
    is_nan = [nan_is_missing and isinstance(value, float | np.floating) and value != value for value in raw]
    return np.array([value is not None and not nan for value, nan in zip(raw, is_nan, strict=True)], dtype=bool)


def _pick(raw: Any, present: np.ndarray) -> Any:
    """The values that are there; the source's own array when all are."""
    if present.all():
        return raw
    if isinstance(raw, np.ndarray):
        return raw[present]
    return [value for value, here in zip(raw, present, strict=True) if here]


def as_numbers(source: Any, place: str, attributes: np.ndarray, raw: Any) -> np.ndarray:
    """Values of some attributes of an example as checked floats; ``place`` is what errors call the example."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "fiub":
        values = raw.astype(np.float64)
    else:
        values = np.empty(len(raw))
        for r, value in enumerate(raw):
            if value is None:
                name = source.attributes[int(attributes[r])].name
                raise NotRevealed(f"{place}, attribute {name!r}: the value could not be had")
            try:
                values[r] = value
            except (TypeError, ValueError):
                raise bad_value(source, place, int(attributes[r]), value) from None
    wrong = ~np.isfinite(values)
    if not isinstance(source.attributes, PlainAttributes):
        described = [source.attributes[int(i)] for i in attributes]
        outside = [not a.low <= value <= a.high for a, value in zip(described, values, strict=True)]
        wrong |= np.array(outside, dtype=bool)
    if wrong.any():
        r = int(np.argmax(wrong))
        raise bad_value(source, place, int(attributes[r]), raw[r])
    return values


def bad_value(source: Any, place: str, attribute: int, value: Any) -> BadValue:
    """The error for a value that cannot be used, with its place."""
    described = source.attributes[attribute]
    wanted = "a finite number"
    if np.isfinite(described.low) or np.isfinite(described.high):
        wanted += f" from {described.low:g} to {described.high:g}"
    shown = repr(value.item() if isinstance(value, np.generic) else value)
    kind = {"nan": "NaN", "inf": "infinity", "-inf": "infinity"}.get(shown, shown)
    if kind == "NaN":
        wanted += " (None says that a value could not be had)"
    return BadValue(f"{place}, attribute {described.name!r}: {kind} was revealed; it must be {wanted}")


@njit(cache=True, nogil=True)
def reveal_row(table: Any, example: int, ask: Ask, counts: Counts, limit: int) -> tuple[np.ndarray, int]:
    """The values asked for, and FINE, OVER_BUDGET or the position of a value that is not finite."""
    n = len(ask.attributes)
    values = np.empty(n)
    if limit >= 0 and n > limit:
        return values, OVER_BUDGET
    for r in range(n):
        values[r] = read_cell(table, example, ask.attributes[r])
    for r in range(n):
        if not np.isfinite(values[r]):
            return values, r
        counts.per_attribute[ask.attributes[r]] += 1
    counts.tally[EXAMPLES] += 1
    counts.tally[DRAWS] += len(ask.slots)
    counts.tally[CELLS] += n
    counts.tally[LARGEST] = max(counts.tally[LARGEST], n)
    return values, FINE


def read_cell(table: Any, example: Any, attribute: Any) -> Any:
    """One cell of an array or a CSR matrix; exists in compiled code only."""


@overload(read_cell)
def _read_cell(table, example, attribute):  # type: ignore[no-untyped-def] # numba compares it with what it returns
    if isinstance(table, types.Array):
        return lambda table, example, attribute: table[example, attribute]

    def read_csr_cell(table, example, attribute):  # type: ignore[no-untyped-def]
        low, high = table.indptr[example], table.indptr[example + 1]
        while low < high:
            middle = (low + high) // 2
            if table.indices[middle] < attribute:
                low = middle + 1
            else:
                high = middle
        found = low < table.indptr[example + 1] and table.indices[low] == attribute
        return table.data[low] if found else table.data.dtype.type(0)

    return read_csr_cell
