"""Offers: what can be bought and at what cost, attributes one by one or several on one screen as a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...common.parameters import ParameterError, check_whole, is_number
from ...common.wording import listed
from ..data.parsing import SHOWN_NAMES

OWNER = "MultiSelector"


class Offer(NamedTuple):
    """What can be bought in one purchase, and bought again: a judgment of each of its columns, for one cost."""

    name: str
    columns: np.ndarray
    cost: float
    limit: float  # how often it may be bought


def make_offers(
    attributes: Sequence[str],
    costs: Any,
    bundles: Mapping[str, Sequence[str]] | None,
    max_repeats: int | None,
) -> list[Offer]:
    """One offer per bundle and per attribute outside bundles, in the order of their first attributes.

    ``costs`` is None (every offer costs 1), a sequence with one cost per attribute, or a dict from the names
    of all offers to costs. A bundle is paid for once.
    """
    if max_repeats is not None:
        check_whole(OWNER, "max_repeats", max_repeats, 1)
    limit = np.inf if max_repeats is None else max_repeats
    members = _members_of_offers(attributes, bundles)
    cost = _cost_of_offers(attributes, costs, members)
    at = {name: a for a, name in enumerate(attributes)}
    offers = [
        Offer(name, np.sort([at[member] for member in inside]), cost[name], limit) for name, inside in members.items()
    ]
    return sorted(offers, key=lambda offer: offer.columns[0])


def _members_of_offers(attributes: Sequence[str], bundles: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
    """The attributes of each offer, by the offer's name."""
    members = {name: [name] for name in attributes}
    if bundles is not None and not isinstance(bundles, Mapping):
        raise ParameterError("bundles", f"{OWNER} needs a dict of names to lists of attributes", bundles)
    for bundle, inside in (bundles or {}).items():
        if bundle in attributes:
            raise ParameterError("bundles", f"bundle {bundle!r} has the name of an attribute; give it another name")
        if isinstance(inside, str) or not len(inside):
            raise ParameterError("bundles", f"bundle {bundle!r} is {inside!r}; it must be a list of attributes")
        for attribute in inside:
            if attribute not in attributes:
                raise ParameterError(
                    "bundles",
                    f"bundle {bundle!r} names the unknown attribute {attribute!r}; the attributes are"
                    f" {listed(attributes, SHOWN_NAMES)}",
                )
            if members.pop(attribute, None) is None:
                raise ParameterError(
                    "bundles", f"attribute {attribute!r} is in two bundles, or twice in bundle {bundle!r}"
                )
        members[bundle] = list(inside)
    return members


def _cost_of_offers(attributes: Sequence[str], costs: Any, members: dict[str, list[str]]) -> dict[str, float]:
    if costs is None:
        return dict.fromkeys(members, 1.0)
    if not isinstance(costs, Mapping):
        costs = _costs_by_name(attributes, costs, members)
    unknown = [str(name) for name in costs if name not in members]
    if unknown:
        raise ParameterError(
            "costs",
            f"a cost is given for {listed(unknown, SHOWN_NAMES)}, which is not an offer; the offers are"
            f" {listed(list(members), SHOWN_NAMES)}",
        )
    for name, cost in costs.items():
        if not is_number(cost) or not cost > 0:
            raise ParameterError("costs", f"the cost of {name!r} is {cost!r}; a cost must be a finite number above 0")
    lacking = [name for name in members if name not in costs]
    if lacking:
        raise ParameterError("costs", f"no cost is given for {listed(lacking, SHOWN_NAMES)}; every offer needs one")
    return {name: float(cost) for name, cost in costs.items()}


def _costs_by_name(attributes: Sequence[str], costs: Any, members: dict[str, list[str]]) -> dict[str, Any]:
    """One cost per attribute as a dict from offers to costs; a bundle takes the one cost of its attributes."""
    if np.ndim(costs) != 1:
        raise ParameterError("costs", f"{OWNER} needs None, a dict, or one number per attribute", costs)
    if len(costs) != len(attributes):
        raise ParameterError(
            "costs", f"{len(costs)} costs are given for {len(attributes)} attributes; there must be one per attribute"
        )
    given = dict(zip(attributes, costs, strict=True))
    for bundle, inside in members.items():
        different = [given[attribute] for attribute in inside]
        if len(set(different)) > 1:
            raise ParameterError(
                "costs",
                f"the attributes of bundle {bundle!r} are paid for once, but have different costs {different}; give a"
                f" dict with one cost for {bundle!r}",
            )
    return {name: given[inside[0]] for name, inside in members.items()}
