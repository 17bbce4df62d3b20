"""What can be bought of an example within a budget: offers of one or more attributes, each with its cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from ...common.parameters import ParameterError, check_budget, check_positive
from ...common.warn import warn_user
from ...common.wording import listed
from ...observe.attributes import Attribute, Prices, has_unit_prices

SHOWN = 10  # names in a warning
ROUNDING = 1e-3  # costs that differ by less than this part are meant to be equal


class Offers(NamedTuple):
    """The attributes of offer o are ``members[first[o]]`` to ``members[first[o + 1] - 1]``, for ``cost[o]`` together.

    ``free`` attributes cost nothing, and are always revealed. ``limit`` is the budget. Where all offers have
    ``equal_costs``, a cost is 1 and the limit a number of offers.
    """

    free: np.ndarray
    members: np.ndarray
    first: np.ndarray
    cost: np.ndarray
    limit: float
    equal_costs: bool

    @property
    def pay_for_all(self) -> bool:
        """Whether the limit pays for every offer."""
        return float(self.cost.sum()) <= self.limit * (1 + 1e-12)

    def some(self, numbers: np.ndarray) -> Offers:
        """Some of the offers, by their numbers in ascending order."""
        length = np.diff(self.first)
        inside = np.repeat(np.isin(np.arange(len(length)), numbers), length)
        first = np.concatenate([[0], np.cumsum(length[numbers])])
        return self._replace(members=self.members[inside], first=first, cost=self.cost[numbers])

    def in_units(self) -> tuple[Offers, float]:
        """The same with costs of 1 where all are equal, and the price of one unit of them."""
        unit = float(self.cost[0])
        if not (self.cost == unit).all():
            return self, 1.0
        limit = min(int(self.limit / unit * (1 + 1e-12)), len(self.cost))
        return self._replace(cost=np.ones(len(self.cost)), limit=limit, equal_costs=True), unit

    def containing(self, attributes: np.ndarray) -> np.ndarray:
        """The offers that contain some of the attributes."""
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
            near = get_close_matches(str(unknown[0]), sorted(names), n=1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            known = listed([a.name for a in attributes], 10)
            raise ParameterError("costs", f"no attribute is called {unknown[0]!r}{guess}; there are {known}")
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


def offers_within(owner: str, attributes: Sequence[Attribute], budget: Any) -> Offers | None:
    """None where the budget pays for everything; an offer that costs more than it is left out, with a warning."""
    found = every_offer(owner, attributes, budget)
    return None if found is None or found[0].pay_for_all else found[0]


def every_offer(owner: str, attributes: Sequence[Attribute], budget: Any = None) -> tuple[Offers, float] | None:
    """The offers that a budget can afford (None: all), and the price of one unit of their costs; None where everything
    is free."""
    d = len(attributes)
    if has_unit_prices(attributes):
        if budget is not None:
            check_budget(owner, budget, 1, d)
        offers = Offers(
            free=np.empty(0, dtype=np.int64),
            members=np.arange(d),
            first=np.arange(d + 1),
            cost=np.ones(d),
            limit=d if budget is None else int(budget),
            equal_costs=True,
        )
        return offers, 1.0
    prices = Prices(attributes)
    paid = np.flatnonzero(prices.cost > 0)
    if not len(paid):
        return None
    # A bundle has the number that comes after those of all attributes.
    number = np.where(prices.bundle >= 0, d + prices.bundle, np.arange(d))[paid]
    order = np.argsort(number, kind="stable")
    _, first = np.unique(number[order], return_index=True)
    members, cost = paid[order], prices.cost[paid[order]][first]
    first = np.append(first, len(members))
    if budget is None:
        budget = float(cost.sum())
    else:
        if (cost == 1).all():
            check_budget(owner, budget, 1, len(cost))
        check_positive(owner, "budget", budget)
    affordable = cost <= budget * (1 + 1e-12)
    if not affordable.all():
        _warn_of_unaffordable(owner, attributes, budget, members[first[:-1]], cost, affordable)
        members = members[np.repeat(affordable, np.diff(first))]
        first = np.concatenate([[0], np.cumsum(np.diff(first)[affordable])])
        cost = cost[affordable]
    free = np.flatnonzero(prices.cost == 0)
    offers, unit = Offers(free, members, first, cost, float(budget), False).in_units()
    if not offers.equal_costs:
        _warn_of_rounding(owner, float(offers.limit), cost)
    warn_of_pairs(owner, attributes, offers, float(offers.limit), f"the budget of {budget:g}")
    return offers, unit


def offer_name(attributes: Sequence[Attribute], offers: Offers, number: int) -> str:
    """What an offer is, an attribute or a bundle, and its name."""
    return _named(attributes[int(offers.members[offers.first[number]])])


def _named(attribute: Attribute) -> str:
    return f"attribute {attribute.name!r}" if attribute.bundle is None else f"bundle {attribute.bundle!r}"


def _warn_of_unaffordable(
    owner: str,
    attributes: Sequence[Attribute],
    budget: float,
    first_member: np.ndarray,
    cost: np.ndarray,
    affordable: np.ndarray,
) -> None:
    """Warn of offers that cost more than the budget; an error where all of them do."""
    at = int(np.argmin(affordable))
    which = f"{_named(attributes[int(first_member[at])])} costs {cost[at]:g}"
    if not affordable.any():
        raise ValueError(f"budget={budget!r}: {owner} can afford no attribute; {which}")
    others = int(np.sum(~affordable)) - 1
    more = f" {others} more cost too much as well." if others else ""
    warn_user(f"{owner}: {which}, more than the budget of {budget:g}, so it is never revealed and never used.{more}")


def _warn_of_rounding(owner: str, budget: float, cost: np.ndarray) -> None:
    """Warn where many subsets of offers of almost equal cost are only just above the budget."""
    total = np.concatenate([[0.0], np.cumsum(np.sort(cost))])
    fitting = np.searchsorted(total, total[:-1] + budget * (1 + 1e-12), side="right") - 1
    begin = np.flatnonzero(fitting + 1 < len(total))
    needed = total[fitting[begin] + 1] - total[begin]  # for one more of the offers that come next in cost
    almost = needed[needed <= (1.0 + ROUNDING) * budget]
    if len(almost) > len(cost) / 4:
        warn_user(
            f"{owner}: many attributes or bundles cost almost the same, and a budget of {almost.max():.10g} would pay"
            f" for one more of them per example than the budget of {budget:g}. With {budget:g} the cheaper ones are"
            " asked for far more often, and little is learned of the others."
        )


def warn_of_pairs(
    owner: str,
    attributes: Sequence[Attribute],
    offers: Offers,
    limit: float,
    limit_in_words: str,
    who_shows_both: str = "No example shows both",
) -> None:
    """Warn of pairs of offers that cost more together than one example may."""
    cost = offers.cost
    if np.sort(cost)[-2:].sum() <= limit * (1 + 1e-12) or len(cost) == 1:
        return
    one, two = np.nonzero(np.triu(np.add.outer(cost, cost) > limit * (1 + 1e-12), 1))
    name = [attributes[i].bundle or attributes[i].name for i in offers.members[offers.first[:-1]].tolist()]
    shown = ", ".join(f"{name[a]!r} with {name[b]!r}" for a, b in zip(one[:SHOWN], two[:SHOWN], strict=True))
    more = f" and {len(one) - SHOWN} more" if len(one) > SHOWN else ""
    n, every = len(one), len(cost) * (len(cost) - 1) // 2
    warn_user(
        f"{owner}: {n} of {every} pairs of attributes or bundles cost more together than {limit_in_words}:"
        f" {shown}{more}. {who_shows_both}, so that their covariance follows from the model and from other pairs."
        " Where that is so for more than half of the pairs of attributes that the predictor uses, its risk cannot be"
        " estimated."
    )
