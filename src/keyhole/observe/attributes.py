"""What is known of an attribute besides its values: its name, its price, and what a value may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..common.parameters import ParameterError, is_whole
from ..common.wording import listed

KINDS = ("number", "yes/no", "choice", "date")
# Whether a missing cell is paid for unless its attribute says otherwise.
CHARGED_WHEN_MISSING = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column of a table: its name, its cost, and which values it may have.

    Parameters
    ----------
    name : str
        The name of the attribute.
    cost : float, default=1.0
        What it costs to reveal the attribute of one example.
    free : bool, default=False
        Whether the attribute (age, site) costs nothing and is always revealed.
    bundle : str, default=None
        The name of a bundle (one blood draw). The attributes of one bundle are paid for once, however many of them are
        revealed: their cost is the largest of the bundle.
    unit : str, default=None
        The unit of its values.
    kind : {"number", "yes/no", "choice", "date"}, default="number"
        The kind of its values. Yes and no are 1 and 0 (True, False, "yes" and "no" are taken as well); a date is the
        number of days since 1 January 1970; a choice is one of ``choices``, is revealed as one cell, and is kept as the
        position among them.
    low : float, default=-inf
        The smallest value of a number; a smaller one is refused when it is revealed.
    high : float, default=inf
        The largest value of a number; a larger one is refused when it is revealed.
    choices : tuple of str, default=()
        The values of an attribute of the kind "choice"; another value is refused when it is revealed.
    requires : tuple of str, default=()
        The names of attributes without which this one cannot be revealed: a ``Study`` asks for them with it. Learners
        by themselves do not look at it.
    charged_when_missing : bool, default=False
        Whether the attribute is paid for where its value is missing: a test that was made and failed is, one that was
        not made is not.

    Examples
    --------
    >>> Attribute("glucose", cost=3, unit="mmol/l", low=0).cost
    3
    """

    name: str
    cost: float = 1.0
    free: bool = False
    bundle: str | None = None
    unit: str | None = None
    kind: str = "number"
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    charged_when_missing: bool = CHARGED_WHEN_MISSING

    def __post_init__(self) -> None:
        if isinstance(self.choices, str):
            raise ValueError(f"attribute {self.name!r}: choices={self.choices!r} must be several texts, not one")
        if isinstance(self.requires, str):
            raise ValueError(f"attribute {self.name!r}: requires={self.requires!r} must be several names, not one text")
        object.__setattr__(self, "choices", tuple(str(choice) for choice in self.choices))
        object.__setattr__(self, "requires", tuple(str(name) for name in self.requires))
        if not (math.isfinite(self.cost) and self.cost >= 0):
            raise ValueError(f"attribute {self.name!r}: cost={self.cost!r} must be a finite number, 0 or more")
        if self.kind not in KINDS:
            kinds = ", ".join(map(repr, KINDS))
            raise ValueError(f"attribute {self.name!r}: kind={self.kind!r} must be one of {kinds}")
        if not self.low <= self.high:
            raise ValueError(f"attribute {self.name!r}: low={self.low!r} must not exceed high={self.high!r}")
        if self.kind != "number" and (self.low, self.high) != (-math.inf, math.inf):
            raise ValueError(f"attribute {self.name!r}: low and high are given for kind='number', and only for it")
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"attribute {self.name!r}: choices are given for kind='choice', and only for it")
        if len(set(self.choices)) < len(self.choices):
            raise ValueError(f"attribute {self.name!r}: choices={self.choices!r} must differ")


class PlainAttributes(Sequence[Attribute]):
    """Attributes that have a name and nothing else, made when looked at: a wide table must cost nothing."""

    def __init__(self, n: int, names: Sequence[str] | None = None) -> None:
        if n < 0:
            raise ValueError(f"{n} attributes: the number of attributes is 0 or more")
        self.n, self.names = n, names

    def __len__(self) -> int:
        return self.n

    @overload
    def __getitem__(self, at: int) -> Attribute: ...
    @overload
    def __getitem__(self, at: slice) -> list[Attribute]: ...
    def __getitem__(self, at: int | slice) -> Attribute | list[Attribute]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(self.n))]
        if not -self.n <= at < self.n:
            raise IndexError(at)
        at = int(at) % self.n
        return Attribute(str(self.names[at]) if self.names is not None else f"x{at}")


class Prices:
    """What revealing a set of attributes of one example costs: free ones nothing, a bundle once."""

    def __init__(self, attributes: Iterable[Attribute]) -> None:
        attributes = list(attributes)
        self.free = np.array([a.free for a in attributes], dtype=bool)
        self.cost = np.array([0.0 if a.free else float(a.cost) for a in attributes])
        self.low = np.array([a.low for a in attributes])
        self.high = np.array([a.high for a in attributes])
        numbers: dict[str, int] = {}
        self.bundle = np.array(
            [-1 if a.bundle is None else numbers.setdefault(a.bundle, len(numbers)) for a in attributes],
            dtype=np.int64,
        )
        for b in range(len(numbers)):
            inside = self.bundle == b
            self.cost[inside] = self.cost[inside].max()

    def total(self, attributes: np.ndarray) -> float:
        """The price of revealing these distinct attributes of one example."""
        bundle, cost = self.bundle[attributes], self.cost[attributes]
        alone = cost[bundle < 0].sum()
        _, first = np.unique(bundle[bundle >= 0], return_index=True)
        return float(alone + cost[bundle >= 0][first].sum())


def has_unit_prices(attributes: Sequence[Attribute]) -> bool:
    """Whether every attribute costs 1 and is in no bundle."""
    return isinstance(attributes, PlainAttributes) or all(
        a.cost == 1 and not a.free and a.bundle is None for a in attributes
    )


def is_plain(attributes: Sequence[Attribute]) -> bool:
    """Whether every attribute costs 1, is in no bundle and takes any number."""
    return isinstance(attributes, PlainAttributes) or all(a == Attribute(a.name, unit=a.unit) for a in attributes)


def has_kind_number(attributes: Sequence[Attribute]) -> bool:
    """Whether every attribute is of the kind "number"."""
    return isinstance(attributes, PlainAttributes) or all(a.kind == "number" for a in attributes)


def charged(attributes: Sequence[Attribute], some: np.ndarray) -> np.ndarray:
    """Which of some attributes are paid for where their values are missing, as a mask."""
    if isinstance(attributes, PlainAttributes):
        return np.full(len(some), CHARGED_WHEN_MISSING)
    return np.array([attributes[int(i)].charged_when_missing for i in some], dtype=bool)


def attribute_numbers(attributes: Sequence[Attribute], some: Iterable[Any], parameter: str) -> np.ndarray:
    """The numbers of attributes that are given by name or by number, each once."""
    by_name: dict[str, int] = {}
    found: list[int] = []
    for one in some:
        if is_whole(one):
            at = int(one) if 0 <= one < len(attributes) else -1
        else:
            by_name = by_name or {attribute.name: i for i, attribute in enumerate(attributes)}
            at = by_name.get(one, -1) if isinstance(one, str) else -1
        if at < 0:
            known = listed([attributes[i].name for i in range(min(len(attributes), 11))], 10)
            raise ParameterError(parameter, f"there is no attribute {one!r} among {len(attributes)}: {known}")
        if at in found:
            raise ParameterError(parameter, f"attribute {attributes[at].name!r} is there twice")
        found.append(at)
    return np.array(found, dtype=np.int64)
