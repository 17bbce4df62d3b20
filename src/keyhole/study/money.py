"""Money as whole millionths, so that sums are exact; and what a set of attributes of one example costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import StudyError
from ..observe.attributes import Attribute

UNIT = 1_000_000


def millionths(amount: float, what: str) -> int:
    """An amount as a whole number of millionths.

    >>> millionths(2.5, "the cost of 'iron'")
    2500000
    """
    whole = round(amount * UNIT)
    if abs(whole - amount * UNIT) > 1e-6 * max(1.0, abs(whole) * 1e-6):
        raise StudyError(f"{what} is {amount!r}; amounts have at most six digits after the point")
    return whole


def amount(whole: int) -> float:
    """Millionths as an amount."""
    return whole / UNIT


class PriceList:
    """What attributes of one example cost together: free ones nothing, a bundle once."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._cost = [0 if a.free else millionths(a.cost, f"the cost of {a.name!r}") for a in attributes]
        self._bundle = [a.bundle for a in attributes]
        self._of_bundle: dict[str, int] = {}
        for cost, bundle in zip(self._cost, self._bundle, strict=True):
            if bundle is not None:
                self._of_bundle[bundle] = max(cost, self._of_bundle.get(bundle, 0))

    def price(self, attributes: Iterable[int]) -> int:
        """The price of these distinct attributes of one example, in millionths."""
        total, bundles = 0, set()
        for i in attributes:
            bundle = self._bundle[i]
            if bundle is None:
                total += self._cost[i]
            elif self._cost[i]:
                bundles.add(bundle)
        return total + sum(self._of_bundle[bundle] for bundle in bundles)

    def each(self, attribute: int) -> int:
        """The price of one attribute alone; of an attribute in a bundle, that of the bundle."""
        return self.price([attribute])
