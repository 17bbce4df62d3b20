"""What is known of an attribute besides its values: its name, its price, and what a value may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np


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
    kind : {"number", "choice"}, default="number"
        The kind of its values.
    low : float, default=-inf
        The smallest value; a smaller one is refused when it is revealed.
    high : float, default=inf
        The largest value; a larger one is refused when it is revealed.
    choices : tuple of str, default=()
        The values of an attribute of the kind "choice".

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

    def __post_init__(self) -> None:
        if not (math.isfinite(self.cost) and self.cost >= 0):
            raise ValueError(f"attribute {self.name!r}: cost={self.cost!r} must be a finite number, 0 or more")
        if self.kind not in ("number", "choice"):
            raise ValueError(f"attribute {self.name!r}: kind={self.kind!r} must be 'number' or 'choice'")
        if not self.low <= self.high:
            raise ValueError(f"attribute {self.name!r}: low={self.low!r} must not exceed high={self.high!r}")
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"attribute {self.name!r}: choices are given for kind='choice', and only for it")


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
