"""Schemas of what a learner observed: attributes, asks, cells, the meter, the ledger, designs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..observe.ask import Ask
from ..observe.attributes import Attribute, PlainAttributes
from ..observe.cells import Cells
from ..observe.ledger import COLUMNS, Ledger
from ..observe.meter import Meter
from ..sampling.panels import Panels
from .schema import Array, ListOf, Optional, Plain, Record, Schema, Store

WHOLE, NUMBER, TEXT = Plain(int), Plain(int, float), Plain(str)

ASK = Record(
    Ask,
    {
        "attributes": Array("int64", "asked"),
        "probabilities": Array("float64", "asked"),
        "slots": Array("int64", "draws"),
        "roles": Array("int64", "draws"),
        "weights": Array("float64", "draws"),
        "notes": Array("float64", None),
        "number": WHOLE,
    },
    check=lambda ask, store: _indices(ask.attributes, store) or _positions(ask.slots, len(ask.attributes)),
    own=("asked", "draws"),
)


def _indices(attributes: np.ndarray, store: Store) -> str:
    d = store.dimensions["d"]
    outside = (attributes < 0) | (attributes >= d)
    return f"attribute {attributes[outside][0]} does not exist among {d}" if outside.any() else ""


def _positions(slots: np.ndarray, n: int) -> str:
    return "a draw refers to no attribute" if ((slots < 0) | (slots >= n)).any() else ""


# Cells.


def _new_cells(
    rows: np.ndarray,
    attributes: np.ndarray,
    values: np.ndarray,
    labels: np.ndarray,
    designs: np.ndarray,
    given: np.ndarray | None = None,
    missing_rows: np.ndarray | None = None,
    missing_attributes: np.ndarray | None = None,
) -> Cells:
    cells = Cells()
    cells.n_examples, cells._n_cells = len(labels), len(values)
    cells._labels, cells._designs = _roomy(labels, 64), _roomy(designs, 64)
    cells._values = _roomy(values, 256)
    cells._places = np.stack([_roomy(rows, 256), _roomy(attributes, 256)])
    cells._given = _roomy(np.zeros(len(values), dtype=bool) if given is None else given, 256)
    if missing_rows is not None and missing_attributes is not None:
        cells._n_missing = len(missing_rows)
        cells._missing = np.stack([_roomy(missing_rows, 16), _roomy(missing_attributes, 16)])
    return cells


def _roomy(array: np.ndarray, least: int) -> np.ndarray:
    """An array that one may write to and that can be doubled, with the given beginning."""
    room = np.zeros(max(len(array), least), dtype=array.dtype)
    room[: len(array)] = array
    return room


def _wrong_cells(cells: Cells, store: Store) -> str:
    if len(cells.rows) and (np.diff(cells.rows) < 0).any():
        return "the rows of cells are not in order"
    if len(cells.rows) and not 0 <= cells.rows[0] <= cells.rows[-1] < cells.n_examples:
        return f"a cell belongs to no example of {cells.n_examples}"
    if ((cells.missing_rows < 0) | (cells.missing_rows >= cells.n_examples)).any():
        return f"a missing cell belongs to no example of {cells.n_examples}"
    return _indices(cells.attributes, store) or _indices(cells.missing_attributes, store)


CELLS = Record(
    _new_cells,
    {
        "rows": Array("int64", "cells"),
        "attributes": Array("int64", "cells"),
        "values": Array("float64", "cells"),
        "labels": Array("float64", "examples"),
        "designs": Array("int64", "examples"),
        "given": Array("bool", "cells"),
        "missing_rows": Array("int64", "missing"),
        "missing_attributes": Array("int64", "missing"),
    },
    check=_wrong_cells,
    own=("cells", "examples", "missing"),
    later=("given", "missing_rows", "missing_attributes"),
)

# Designs.


def _new_panels(**parts: np.ndarray) -> Panels:
    first, cost = parts["first"], parts["cost"]
    sound = len(first) > 0 and first[0] == 0 and first[-1] == len(parts["members"]) and (np.diff(first) > 0).all()
    if not sound or len(first) != len(parts["working"]) + 1 or len(cost) not in (0, len(parts["working"])):
        raise ValueError("a design does not fit its offers; the file is damaged")
    together = parts.get("together", first[:0])
    inside = (together >= 0).all() and (together < len(parts["working"])).all() and (np.diff(together) > 0).all()
    if not inside or not 0 <= float(parts.get("share", 0.0)) < 1:
        raise ValueError("the fixed set of a design does not fit its offers; the file is damaged")
    if not 0 <= float(parts.get("decay", 0.0)) < np.inf:
        raise ValueError("the decay of a design is not a number from 0 on; the file is damaged")
    return Panels.from_arrays(parts)


PANELS = Record(
    _new_panels,
    {
        "always": Array("int64", None),
        "members": Array("int64", "members"),
        "first": Array("int64", None),
        "working": Array("float64", "offers"),
        "cost": Array("int64", None),
        "limit": Array("int64"),
        "decay": Array("float64"),
        "together": Array("int64", None),
        "share": Array("float64"),
    },
    get=lambda panels: panels.arrays(),
    check=lambda panels, store: _indices(panels.members, store) or _indices(panels.always, store),
    own=("members", "offers"),
    later=("decay", "together", "share"),
)

# The ledger.


def _new_ledger(designs: list[Panels], reveals: int, **columns: np.ndarray) -> Ledger:
    ledger = Ledger()
    ledger.designs, ledger._reveals, ledger._length = designs, reveals, len(columns["order"])
    ledger._columns = {name: _roomy(columns[name], 1024) for name in COLUMNS}
    return ledger


def _ledger_parts(ledger: Ledger) -> dict[str, Any]:
    return {name: ledger[name] for name in COLUMNS} | {"designs": ledger.designs, "reveals": ledger._reveals}


LEDGER = Record(
    _new_ledger,
    {name: Array(np.dtype(kind).name, "entries") for name, kind in COLUMNS.items()}
    | {"designs": ListOf(PANELS), "reveals": WHOLE},
    get=_ledger_parts,
    own=("entries",),
)

# The meter.


def meter_schema(attributes: Sequence[Attribute]) -> Record:
    """The schema of a meter of these attributes."""

    def make(budget: float | None, cost: float, tally: np.ndarray, per_attribute: np.ndarray) -> Meter:
        meter = Meter(budget, attributes)
        meter.counts.tally[:], meter.counts.per_attribute[:] = tally, per_attribute
        meter._cost = cost
        return meter

    def parts(meter: Meter) -> dict[str, Any]:
        counts = {"tally": meter.counts.tally, "per_attribute": meter.per_attribute}
        return {"budget": meter.budget, "cost": meter._cost} | counts

    shape = {"tally": Array("int64", 4), "per_attribute": Array("int64", "d")}
    return Record(make, {"budget": Optional(NUMBER), "cost": Plain(float)} | shape, get=parts)


# Attributes.


class Attributes(Schema):
    """Names, and what else is described of each attribute; plain ones are written as their number and names."""

    def write(self, value: Any, store: Store) -> Any:
        if isinstance(value, PlainAttributes):
            names = None if value.names is None else [str(name) for name in value.names]
            return {"names": names, "described": None}
        usual = dataclasses.asdict(Attribute(""))
        described = [{k: v for k, v in dataclasses.asdict(one).items() if v != usual[k]} for one in value]
        return {"names": [one.name for one in value], "described": [_finite(one) for one in described]}

    def read(self, stored: Any, where: str, store: Store) -> Sequence[Attribute]:
        d = store.dimensions["d"]
        names, described = stored["names"], stored["described"]
        for part in (names, described):
            if part is not None and (not isinstance(part, list) or len(part) != d):
                raise ValueError(f"{where} has {part!r:.50}; there must be {d} of them, one for each attribute")
        if described is None:
            return PlainAttributes(d, names)
        try:
            pairs = zip(names, described, strict=True)
            return [Attribute(**{"name": str(name)} | _numbers(one)) for name, one in pairs]
        except TypeError as error:
            raise ValueError(f"{where}: {error}") from None


def _finite(one: dict[str, Any]) -> dict[str, Any]:
    return {k: str(v) if isinstance(v, float) and not np.isfinite(v) else v for k, v in one.items()}


def _numbers(one: dict[str, Any]) -> dict[str, Any]:
    """Bounds that were written as words, and texts as tuples."""
    read: dict[str, Any] = {k: float(v) if k in ("low", "high") else v for k, v in one.items()}
    return read | {k: tuple(read[k]) for k in ("choices", "requires") if k in read}
