"""A pilot: the first rows of a study, complete or partial, from which a plan is made."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..common.parameters import ParameterError
from ..common.warn import warn_user
from ..common.wording import counted, listed
from ..moments.policy.offers import with_costs
from ..observe.attributes import Attribute, Prices, has_unit_prices
from ..observe.tables import check_labels
from .reading import read_numbers
from .settings import LEAST_PILOT, ROUNDING, SMALL_PILOT

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
    drop = [drop] if isinstance(drop, str) else drop
    if isinstance(label, str) and label in drop:
        raise ParameterError("drop", "this is the column to predict, and cannot be left out", label)
    values, labels, attributes = read_numbers(table, label, drop)
    missing = np.isnan(labels)
    check_labels(np.where(missing, 0.0, labels), len(values), OWNER)
    known = [label, *drop] if isinstance(label, str) else drop
    pilot = Pilot(values[~missing], labels[~missing], _with_costs(attributes, costs, known))
    _check(pilot, int(missing.sum()))
    if missing.any():
        which = f"{missing.sum():,} of {counted(len(labels), 'example')} of the pilot"
        what = "has no label and is left out" if missing.sum() == 1 else "have no label and are left out"
        warn_user(f"{which} {what}")
    _warn_of_copies(pilot)
    return pilot


def _has(names: list[str]) -> str:
    return f"there are {listed(names, 10)}"


def _with_costs(attributes: list[Attribute], costs: Any, left_out: Sequence[str]) -> list[Attribute]:
    """Attributes with their costs, all of numbers now; costs of columns that are left out are of no interest."""
    given = list(costs) if isinstance(costs, list | tuple) else []
    if given and all(isinstance(one, Attribute) for one in given):
        attributes = _with_descriptions(attributes, [one for one in given if one.name not in left_out])
    else:
        if isinstance(costs, Mapping):
            costs = {name: cost for name, cost in costs.items() if name not in left_out}
        attributes = list(with_costs(OWNER, attributes, costs))
    # Simulated values may lie beyond those that are allowed, and are not yes or no.
    return [dataclasses.replace(one, kind="number", choices=(), low=-math.inf, high=math.inf) for one in attributes]


def _with_descriptions(attributes: list[Attribute], described: list[Attribute]) -> list[Attribute]:
    by_name = {one.name: one for one in described}
    unknown = [name for name in by_name if name not in {one.name for one in attributes}]
    if unknown:
        raise ParameterError("costs", f"no attribute is called {unknown[0]!r}; {_has([a.name for a in attributes])}")
    return [by_name.get(one.name, one) for one in attributes]


def _check(pilot: Pilot, without_label: int) -> None:
    n, labels = pilot.n_examples, pilot.labels
    if n < LEAST_PILOT:
        labelled = " with a label" if without_label else ""
        raise ParameterError(
            "pilot",
            f"it has {counted(n, 'example')}{labelled}; a plan needs at least {LEAST_PILOT}, and better {SMALL_PILOT}"
            " or more",
        )
    if np.ptp(labels) == 0:
        raise ParameterError("label", f"all {n} labels of the pilot are {labels[0]:g}; a plan needs labels that vary")
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


def _warn_of_copies(pilot: Pilot) -> None:
    """Warn of attributes that equal the label, but for another unit, in all examples that show them."""
    copies = []
    for one, values in zip(pilot.attributes, pilot.values.T, strict=True):
        present = ~np.isnan(values)
        x, y = values[present], pilot.labels[present]
        if len(x) < LEAST_PILOT or np.ptp(x) == 0 or np.ptp(y) == 0:
            continue
        if abs(np.corrcoef(x, y)[0, 1]) > 1 - ROUNDING:
            copies.append(one.name)
    if copies:
        have = "has" if len(copies) == 1 else "have"
        warn_user(
            f"{listed(copies, 10)} {have} a correlation of 1 or -1 with the label in the pilot, up to rounding; what is"
            " computed from the label, or known only with it, should be left out of a plan"
        )
