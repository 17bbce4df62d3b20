"""Which attributes may be asked together: what one requires, pairs that are forbidden, and a fair choice among them.

An attribute and what it requires are one order for the design, a bundle. For half of the examples, by a draw that
depends on nothing but the seed and the number of the example, the attribute is left out, so that what it requires is
also seen alone. Of a forbidden pair one is left out, each for half of the examples. So every ask keeps to the rules,
and the inclusion probabilities are those of the design without what was left out: exact, since the draw knows no value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..errors import StudyError
from ..observe.attributes import Attribute
from .money import PriceList, amount


class Constraints(NamedTuple):
    """By numbers of attributes: what each requires, directly or not, and the pairs that are forbidden."""

    requires: tuple[tuple[int, ...], ...]
    forbidden: tuple[tuple[int, int], ...]

    def left_out(
        self, rng: np.random.Generator, unavailable: Iterable[int], known: Iterable[int] = ()
    ) -> tuple[int, ...]:
        """What an example is not asked for, in ascending order: what is unavailable or known, and what the rules leave
        out. An attribute that is known is there for those that require it."""
        there, out = set(known), set(unavailable)
        out -= there
        for attribute, needed in enumerate(self.requires):
            coin = bool(needed) and rng.random() < 0.5  # drawn whether or not it matters, so that draws stay apart
            if (coin and not there.issuperset(needed)) or out.intersection(needed):
                out.add(attribute)
        for one, other in self.forbidden:
            first = rng.random() < 0.5
            if not {one, other} & (out | there):
                out.add(one if first else other)
        while True:
            more = {a for a, needed in enumerate(self.requires) if a not in out and out.intersection(needed)}
            if not more:
                return tuple(sorted(out | there))
            out |= more


def constraints_of(attributes: Sequence[Attribute], forbidden: Iterable[Sequence[str]]) -> Constraints:
    """The rules by number; contradictions are refused."""
    numbers = {a.name: i for i, a in enumerate(attributes)}
    direct = [[_number(numbers, name, f"attribute {a.name!r} requires") for name in a.requires] for a in attributes]
    requires = []
    for i, a in enumerate(attributes):
        needed: set[int] = set()
        new = set(direct[i])
        while new - needed:
            needed |= new
            new = {j for k in needed for j in direct[k]}
        if i in needed:
            raise StudyError(f"attribute {a.name!r} requires itself, through {', '.join(map(repr, a.requires))}")
        if a.free and any(not attributes[j].free for j in needed):
            raise StudyError(f"attribute {a.name!r} is free and so always asked for, but requires one that is not free")
        requires.append(tuple(sorted(j for j in needed if not attributes[j].free)))
    pairs = []
    for pair in forbidden:
        if isinstance(forbidden, str) or isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise StudyError(f"forbidden: {pair!r:.80} is no pair of two different names, as 'mri' and 'ct' are")
        one, other = (_number(numbers, name, f"forbidden: {tuple(pair)!r} has") for name in pair)
        if attributes[one].free or attributes[other].free:
            raise StudyError(f"forbidden: {pair!r} has a free attribute, which is always asked for")
        together = {*requires[one], one} & {*requires[other], other}
        if one in together or other in together or _same_bundle(attributes[one], attributes[other]):
            raise StudyError(f"forbidden: {pair!r} are ordered together, as a bundle or since one requires the other")
        pairs.append((one, other))
    return Constraints(tuple(requires), tuple(pairs))


def for_the_design(attributes: Sequence[Attribute], constraints: Constraints) -> list[Attribute]:
    """The attributes as a learner is to see them: each with what it requires as one bundle, at their price together."""
    group = list(range(len(attributes)))

    def join(one: int, other: int) -> None:
        old, new = group[other], group[one]
        for k, g in enumerate(group):
            if g == old:
                group[k] = new

    for i, a in enumerate(attributes):
        for j in constraints.requires[i]:
            join(i, j)
        for j in range(i):
            if _same_bundle(a, attributes[j]) and not a.free and not attributes[j].free:
                join(i, j)
    prices, described = PriceList(attributes), []
    for i, a in enumerate(attributes):
        members = [k for k, g in enumerate(group) if g == group[i]]
        if a.free or len(members) == 1:
            described.append(dataclasses.replace(a, requires=(), bundle=None))
            continue
        price = amount(prices.price(members))
        described.append(dataclasses.replace(a, requires=(), cost=price, bundle=_order_of(attributes, members)))
    return described


def _order_of(attributes: Sequence[Attribute], members: Sequence[int]) -> str:
    """What warnings call an order: by its bundle, or by all of its names; different for different orders."""
    inside = {attributes[k].bundle for k in members}
    bundle = inside.pop() if len(inside) == 1 else None
    return bundle if bundle is not None else " with ".join(attributes[k].name for k in members)


def _same_bundle(one: Attribute, other: Attribute) -> bool:
    return one.bundle is not None and one.bundle == other.bundle


def _number(numbers: dict[str, int], name: str, what: str) -> int:
    if name not in numbers:
        raise StudyError(f"{what} {name!r}, which is no attribute of the study")
    return numbers[name]
