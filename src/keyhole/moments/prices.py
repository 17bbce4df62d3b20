"""What is on offer at a budget: units of one or more attributes, each with its price."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..common.parameters import check_budget, check_positive
from ..observe.attributes import Attribute, Prices, has_unit_prices


class Units(NamedTuple):
    """The attributes of unit u are ``members[first[u]]`` to ``members[first[u + 1] - 1]``, for ``cost[u]`` together.

    ``always`` cost nothing. ``limit`` is the budget. Where all units are ``alike`` in price, a cost is 1 and the limit
    a number of units.
    """

    always: np.ndarray
    members: np.ndarray
    first: np.ndarray
    cost: np.ndarray
    limit: float
    alike: bool

    def of(self, attributes: np.ndarray) -> np.ndarray:
        """The units that some attributes are in."""
        which = np.repeat(np.arange(len(self.cost)), np.diff(self.first))
        return np.unique(which[np.isin(self.members, attributes)])


def with_costs(owner: str, attributes: Sequence[Attribute], costs: Any) -> Sequence[Attribute]:
    """Attributes with other costs, given as an array or by name; a cost of 0 makes one free."""
    if costs is None:
        return attributes
    if isinstance(costs, Mapping):
        names = {a.name for a in attributes}
        unknown = [name for name in costs if name not in names]
        if unknown:
            raise ValueError(f"costs: no attribute is called {unknown[0]!r}; there are {', '.join(sorted(names)[:10])}")
        given = [costs.get(a.name) for a in attributes]
    else:
        given = list(np.asarray(costs, dtype=object).ravel())
        if len(given) != len(attributes):
            raise ValueError(f"costs: {owner} needs one for each of {len(attributes)} attributes; got {len(given)}")
    described = []
    for a, cost in zip(attributes, given, strict=True):
        try:
            number = None if cost is None else float(cost)
        except (TypeError, ValueError):
            raise ValueError(f"costs: {cost!r} for attribute {a.name!r} is not a number") from None
        described.append(a if number is None else dataclasses.replace(a, cost=number, free=number == 0))
    return described


def units_on_offer(owner: str, attributes: Sequence[Attribute], budget: Any) -> Units | None:
    """None where the budget takes everything; what it can never take is left out, with a warning."""
    d = len(attributes)
    if has_unit_prices(attributes):
        check_budget(owner, budget, 1, d)
        nothing = np.empty(0, dtype=np.int64)
        units = Units(nothing, np.arange(d), np.arange(d + 1), np.ones(d), int(budget), True)
        return None if budget == d else units
    prices = Prices(attributes)
    paid = np.flatnonzero(prices.cost > 0)
    if not len(paid):
        return None
    # A bundle has the number that comes after those of all attributes.
    unit = np.where(prices.bundle >= 0, d + prices.bundle, np.arange(d))[paid]
    order = np.argsort(unit, kind="stable")
    _, first = np.unique(unit[order], return_index=True)
    members, cost = paid[order], prices.cost[paid[order]][first]
    if (cost == 1).all():
        check_budget(owner, budget, 1, len(cost))
    check_positive(owner, "budget", budget)
    first = np.append(first, len(members))
    fits = cost <= budget * (1 + 1e-12)
    if not fits.all():
        dear = int(np.argmin(fits))
        which = f"attribute {attributes[int(members[first[dear]])].name!r} costs {cost[dear]:g}"
        if not fits.any():
            raise ValueError(f"budget={budget!r}: {owner} can afford nothing; {which}")
        others = f" and {np.sum(~fits) - 1} other(s) cost too much too" if np.sum(~fits) > 1 else ""
        warnings.warn(
            f"{which}, more than the budget of {budget:g}{others}: never revealed, and never used", stacklevel=2
        )
        members = members[np.repeat(fits, np.diff(first))]
        first = np.concatenate([[0], np.cumsum(np.diff(first)[fits])])
        cost = cost[fits]
    elif cost.sum() <= budget * (1 + 1e-12):
        return None
    always = np.flatnonzero(prices.cost == 0)
    if (cost == cost[0]).all():
        number = min(int(budget / cost[0] * (1 + 1e-12)), len(cost))
        return Units(always, members, first, np.ones(len(cost)), number, True)
    return Units(always, members, first, cost, float(budget), False)
