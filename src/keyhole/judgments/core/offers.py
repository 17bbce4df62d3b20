"""What can be bought and at what price: attributes one by one, or several on one screen as a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...common.parameters import is_whole
from ..data.parsing import listed
from .greedy import Offer


def make_offers(
    attributes: Sequence[str],
    costs: Any,
    bundles: Mapping[str, Sequence[str]] | None,
    max_repeats: int | None,
) -> list[Offer]:
    """One offer per bundle and per attribute outside bundles, in the order of their first attributes.

    ``costs`` is None (everything costs 1), a sequence with one cost per attribute, or a dict from the names
    of attributes and bundles to costs (all that is on offer must have one). A bundle is paid for once.
    """
    if max_repeats is not None and not (is_whole(max_repeats) and max_repeats >= 1):
        raise ValueError(f"max_repeats must be None or a whole number, 1 or more; got {max_repeats!r}")
    limit = np.inf if max_repeats is None else max_repeats
    at = {name: a for a, name in enumerate(attributes)}
    groups = {name: [name] for name in attributes}
    if bundles is not None and not isinstance(bundles, Mapping):
        raise ValueError(f"bundles must be a dict of names to lists of attributes; got {bundles!r}")
    for bundle, members in (bundles or {}).items():
        if bundle in at:
            raise ValueError(f"bundle {bundle!r} has the name of an attribute; call it something else")
        if isinstance(members, str) or not len(members):
            raise ValueError(f"bundle {bundle!r} must list its attributes; got {members!r}")
        for member in members:
            if member not in at:
                raise ValueError(
                    f"bundle {bundle!r} names the unknown attribute {member!r}; known: {listed(attributes)}"
                )
            if groups.pop(member, None) is None:
                raise ValueError(f"attribute {member!r} is in two bundles, or twice in {bundle!r}")
        groups[bundle] = list(members)
    price = _prices(attributes, costs, groups)
    offers = [
        Offer(name, np.sort([at[member] for member in members]), price[name], limit) for name, members in groups.items()
    ]
    return sorted(offers, key=lambda offer: offer.columns[0])


def _prices(attributes: Sequence[str], costs: Any, groups: dict[str, list[str]]) -> dict[str, float]:
    if costs is None:
        return dict.fromkeys(groups, 1.0)
    if not isinstance(costs, Mapping) and np.ndim(costs) != 1:
        raise ValueError(f"costs must be None, a dict or one number per attribute; got {costs!r}")
    if not isinstance(costs, Mapping):
        if len(costs) != len(attributes):
            raise ValueError(
                f"costs must be one number per attribute: {len(attributes)} attributes, {len(costs)} costs"
            )
        given = dict(zip(attributes, costs, strict=True))
        for bundle, members in groups.items():
            if len({given[member] for member in members}) > 1:
                raise ValueError(
                    f"the attributes of bundle {bundle!r} are paid for once, but have different costs "
                    f"{[given[member] for member in members]}; give a dict with one cost for {bundle!r}"
                )
            given[bundle] = given[members[0]]
        costs = {name: given[name] for name in groups}
    unknown = [str(name) for name in costs if name not in groups]
    if unknown:
        raise ValueError(f"costs name {listed(unknown)}, which nobody can buy; on offer are {listed(list(groups))}")
    price = {}
    for name, value in costs.items():
        try:
            price[name] = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"the cost of {name!r} is {value!r}; a cost must be a positive number") from None
        if not (np.isfinite(price[name]) and price[name] > 0):
            raise ValueError(f"the cost of {name!r} is {value}; a cost must be a positive number")
    lacking = [name for name in groups if name not in price]
    if lacking:
        raise ValueError(f"no cost is given for {listed(lacking)}; everything on offer needs one")
    return price
