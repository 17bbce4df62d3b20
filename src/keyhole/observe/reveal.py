"""The only place where training data is read.

``reveal`` serves every source, one example at a time; ``reveal_row`` is the same for compiled loops over
arrays and CSR matrices. Both check values as they come, never the table. Predictions read the rows that they are asked
for, either here or, for whole rows of a table, in ``tables.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from ..common.wording import listed
from ..errors import BadValue, NotRevealed
from ..sampling.panels import Panels
from .ask import Ask
from .attributes import CHARGED_WHEN_MISSING, PlainAttributes, charged
from .ledger import Ledger
from .meter import CELLS, DRAWS, EXAMPLES, LARGEST, Counts, Meter
from .values import LARGEST_WHOLE, as_number, is_missing, wanted, warn_of_large

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

    A missing cell (None, NaN) is paid for where its attribute has ``charged_when_missing=True``; one that is paid for
    is recorded with the value NaN.

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
        Whether cells are missing in the table itself: one that is missing is then returned as NaN, costs nothing and
        is not recorded.
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
        If a value is infinite, or none that its attribute may have; nothing is counted or recorded.
    NotRevealed
        If a value is missing, unless ``absent``. The others were revealed all the same, and are counted and recorded.

    Examples
    --------
    >>> import keyhole as kh
    >>> learner = kh.AERR(budget=2, random_state=0).start(3)
    >>> reveal(kh.ArraySource(np.ones((1, 3))), 0, learner.ask()).tolist()
    [1.0]
    """
    place = place or f"example {example}"
    values = look(source, example, ask, meter, ledger, number, absent, design, place)
    missing = np.isnan(values)
    if not absent and missing.any():
        name = source.attributes[int(ask.attributes[missing][0])].name
        raise NotRevealed(f"{place}, attribute {name!r}: the value is missing")
    return values


def look(
    source: Any,
    example: int,
    ask: Ask,
    meter: Meter | None,
    ledger: Ledger | None,
    number: int | None,
    missing_is_free: bool,
    design: Panels | None,
    place: str,
) -> np.ndarray:
    """As ``reveal``, with NaN for every missing cell; ``missing_is_free`` is whether none of these is paid for."""
    attributes = ask.attributes
    if meter is not None:
        meter.allow(example, attributes)
    raw = source.read(example, attributes)
    if isinstance(raw, str | Mapping) or not hasattr(raw, "__len__") or len(raw) != len(attributes):
        got = f"{len(raw)} values" if isinstance(raw, list | tuple | np.ndarray) else f"{type(raw).__name__}"
        names = listed([source.attributes[int(i)].name for i in attributes], 10)
        needed = f"{len(attributes)} are needed, one for each of {names}" if names else "none is asked for, so give []"
        raise BadValue(f"{place}: got {got}; {needed}")
    present = _present(raw)
    values = np.full(len(attributes), np.nan)
    values[present] = as_numbers(source, place, attributes[present], _pick(raw, present))
    paid = present
    if not missing_is_free and not present.all():
        paid = present | charged(source.attributes, attributes)
    if meter is not None:
        meter.charge(example, attributes[paid], draws=int(np.sum(paid[ask.slots])))
    if ledger is not None:
        costs = 1.0 if meter is None or meter.prices is None else meter.prices.cost[attributes[paid]]
        recorded = (attributes[paid], values[paid], ask.probabilities[paid], costs)
        ledger.record(example if number is None else number, *recorded, design)
    return values


def _present(raw: Any) -> np.ndarray:
    """Which values are not missing."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "fiub":
        return ~np.isnan(raw)
    return np.array([not is_missing(value) for value in raw], dtype=bool)


def _pick(raw: Any, present: np.ndarray) -> Any:
    """The values that are there; the source's own array when all are."""
    if present.all():
        return raw
    if isinstance(raw, np.ndarray):
        return raw[present]
    return [value for value, here in zip(raw, present, strict=True) if here]


def as_numbers(source: Any, place: str, attributes: np.ndarray, raw: Any) -> np.ndarray:
    """Values of some attributes of an example as checked floats; ``place`` is what errors call the example."""
    plain = isinstance(source.attributes, PlainAttributes)
    described = [] if plain else [source.attributes[int(i)] for i in attributes]
    if isinstance(raw, np.ndarray) and raw.dtype.kind in "fiub" and all(a.kind == "number" for a in described):
        values = raw.astype(np.float64)
        whole = np.full(len(values), raw.dtype.kind in "iu" and raw.dtype.itemsize == 8)
    else:
        values, whole = np.empty(len(raw)), np.zeros(len(raw), dtype=bool)
        for r, value in enumerate(raw):
            attribute = source.attributes[int(attributes[r])]
            if is_missing(value):
                raise NotRevealed(f"{place}, attribute {attribute.name!r}: the value is missing")
            try:
                values[r] = as_number(attribute, value)
            except (TypeError, ValueError, KeyError, OverflowError):
                raise bad_value(source, place, int(attributes[r]), value) from None
            whole[r] = attribute.kind == "number" and isinstance(value, int | np.integer)
    if np.isnan(values).any():
        name = source.attributes[int(attributes[int(np.argmax(np.isnan(values)))])].name
        raise NotRevealed(f"{place}, attribute {name!r}: the value is missing")
    wrong = np.isinf(values)
    if not plain:
        outside = [
            a.kind == "number" and not a.low <= value <= a.high for a, value in zip(described, values, strict=True)
        ]
        wrong |= np.array(outside, dtype=bool)
    if wrong.any():
        r = int(np.argmax(wrong))
        raise bad_value(source, place, int(attributes[r]), raw[r])
    for r in np.flatnonzero(whole & (np.abs(values) >= LARGEST_WHOLE)).tolist():
        warn_of_large(source.attributes[int(attributes[r])].name)
    return values


def bad_value(source: Any, place: str, attribute: int, value: Any) -> BadValue:
    """The error for a value that cannot be used, with its place."""
    described = source.attributes[attribute]
    shown = repr(value.item() if isinstance(value, np.generic) else value)
    kind = {"inf": "infinity", "-inf": "infinity"}.get(shown, shown)
    return BadValue(f"{place}, attribute {described.name!r}: {kind} was revealed; it must be {wanted(described)}")


@njit(cache=True, nogil=True)
def reveal_row(table: Any, example: int, ask: Ask, counts: Counts, limit: int) -> tuple[np.ndarray, int]:
    """The values asked for, and FINE, OVER_BUDGET or the position of a value that is infinite, or missing.

    Nothing is counted where a value is infinite. Of an example with a missing value everything that was paid for is: it
    is to be skipped.
    """
    n = len(ask.attributes)
    values = np.empty(n)
    if limit >= 0 and n > limit:
        return values, OVER_BUDGET
    missing = FINE
    for r in range(n):
        values[r] = read_cell(table, example, ask.attributes[r])
        if np.isinf(values[r]):
            return values, r
        if np.isnan(values[r]) and missing == FINE:
            missing = r
    paid = 0
    for r in range(n):
        if CHARGED_WHEN_MISSING or not np.isnan(values[r]):
            counts.per_attribute[ask.attributes[r]] += 1
            paid += 1
        if abs(values[r]) >= LARGEST_WHOLE:
            counts.large[0] = ask.attributes[r]
    counts.tally[EXAMPLES] += 1
    counts.tally[CELLS] += paid
    counts.tally[LARGEST] = max(counts.tally[LARGEST], paid)
    if missing == FINE or CHARGED_WHEN_MISSING:
        counts.tally[DRAWS] += len(ask.slots)
    else:
        for slot in ask.slots:
            counts.tally[DRAWS] += not np.isnan(values[slot])
    return values, missing


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
