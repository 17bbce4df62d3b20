"""A pilot: the first rows of a study, complete or partial, from which a plan is made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..common.parameters import ParameterError
from ..common.warn import warn_user
from ..common.wording import counted, listed
from ..moments.policy.offers import with_costs
from ..moments.predict.partial_rows import tables_with_gaps
from ..observe.attributes import Attribute, Prices, has_unit_prices
from ..observe.describing import refuse_choices
from ..observe.files import read_table
from ..observe.sources import Source, as_source
from ..observe.tables import check_labels
from .settings import LEAST_PILOT, SMALL_PILOT

OWNER = "plan"


class Pilot(NamedTuple):
    """The values of the attributes with NaN for missing cells, the labels, and the attributes with their costs."""

    values: np.ndarray
    labels: np.ndarray
    attributes: list[Attribute]

    @property
    def n_examples(self) -> int:
        return len(self.labels)

    @property
    def n_attributes(self) -> int:
        return self.values.shape[1]

    @property
    def complete(self) -> bool:
        return not np.isnan(self.values).any()

    @property
    def unit_costs(self) -> bool:
        return has_unit_prices(self.attributes)

    @property
    def prices(self) -> Prices:
        return Prices(self.attributes)

    @property
    def row_price(self) -> float:
        """The cost of all attributes of one example."""
        return self.prices.total(np.arange(self.n_attributes))


def read_pilot(table: Any, label: Any, costs: Any = None, drop: Sequence[str] = ()) -> Pilot:
    """A pilot from an array, a frame, a source or the path of a file.

    ``label`` is the name of a column, or the labels themselves. ``costs`` are numbers, a dict by name, or
    descriptions of attributes, which may have bundles.
    """
    if label is None:
        raise ParameterError("label", "a plan needs the name of the column to predict, or an array of labels", label)
    if not isinstance(label, str) and np.ndim(label) == 0:
        raise ParameterError("label", "give the name of a column as text, or an array with a label per example", label)
    described, drop = _described(costs), [drop] if isinstance(drop, str) else drop
    if isinstance(label, str) and label in drop:
        raise ParameterError("drop", "this is the column to predict, and cannot be left out", label)
    if isinstance(table, str | Path):
        if not isinstance(label, str):
            raise ParameterError("label", "with a file, it is the name of the column to predict", label)
        source: Any = read_table(table, label=label, drop=drop)
        labels = source.labels
    else:
        source, labels = _split(table, label, drop)
    refuse_choices("a plan", source.attributes, "leave the attribute out")
    values = np.concatenate(list(tables_with_gaps(source)))
    attributes = list(source.attributes)
    if described is not None:
        attributes = _with_descriptions(attributes, described)
    else:
        attributes = list(with_costs(OWNER, attributes, costs))
    pilot = Pilot(values, check_labels(labels, len(values), OWNER), attributes)
    _check(pilot)
    return pilot


def _split(table: Any, label: Any, drop: Sequence[str]) -> tuple[Any, Any]:
    """The source of the attributes, and the labels."""
    if isinstance(table, Source):
        if isinstance(label, str):
            raise ParameterError("label", "with a source of attributes, give an array of labels", label)
        return table, label
    if hasattr(table, "columns"):
        names = [str(name) for name in table.columns]
        named = [label] if isinstance(label, str) else []
        for name in [*named, *drop]:
            if name not in names:
                raise ParameterError(
                    "label" if name == label else "drop", f"there is no such column; {_has(names)}", name
                )
        if named and names.count(label) > 1:
            raise ParameterError("label", f"{names.count(label)} columns have this name; each needs its own", label)
        labels = table[table.columns[names.index(label)]].to_numpy() if named else label
        keep = [column for column in table.columns if str(column) not in {*named, *drop}]
        return as_source(table[keep]), labels
    if isinstance(label, str):
        raise ParameterError("label", "an array has no names of columns; give the labels as a second array", label)
    return as_source(table), label


def _has(names: list[str]) -> str:
    return f"there are {listed(names, 10)}"


def _described(costs: Any) -> list[Attribute] | None:
    given = list(costs) if isinstance(costs, list | tuple) else []
    return given if given and all(isinstance(one, Attribute) for one in given) else None


def _with_descriptions(attributes: list[Attribute], described: list[Attribute]) -> list[Attribute]:
    by_name = {one.name: one for one in described}
    unknown = [name for name in by_name if name not in {one.name for one in attributes}]
    if unknown:
        raise ParameterError("costs", f"no attribute is called {unknown[0]!r}; {_has([a.name for a in attributes])}")
    return [by_name.get(one.name, one) for one in attributes]


def _check(pilot: Pilot) -> None:
    n, labels = pilot.n_examples, pilot.labels
    if n < LEAST_PILOT:
        raise ParameterError(
            "pilot",
            f"it has {counted(n, 'example')}; a plan needs at least {LEAST_PILOT}, and better {SMALL_PILOT} or more",
        )
    if np.ptp(labels) == 0:
        raise ParameterError(
            "label", f"all {n} labels of the pilot are {labels[0]:g}; a plan needs a pilot with different labels"
        )
    value, most = max(((v, int(np.sum(labels == v))) for v in np.unique(labels)), key=lambda pair: pair[1])
    if n - most < 3:
        raise ParameterError(
            "label", f"{most} of {n} labels of the pilot are {value:g}; a plan needs at least 3 examples with others"
        )
    if not pilot.n_attributes:
        raise ParameterError("pilot", "it has no attribute; a plan needs at least one column beside the label")
    present = np.sum(~np.isnan(pilot.values), axis=0)
    few = [one.name for one, count in zip(pilot.attributes, present, strict=True) if count < 3]
    if few:
        raise ParameterError(
            "pilot", f"fewer than 3 examples show {listed(few)}; leave such attributes out, or test them in the pilot"
        )
    if not (np.nanmax(pilot.values, axis=0) > np.nanmin(pilot.values, axis=0)).any():
        raise ParameterError("pilot", "no attribute has different values; a plan needs at least one that varies")
    if pilot.row_price <= 0:
        raise ParameterError("costs", "every attribute is free, so there is nothing to plan; at least one needs a cost")
    if n < SMALL_PILOT:
        warn_user(f"the pilot has {n} examples; with fewer than {SMALL_PILOT} the intervals of a plan are wide")
