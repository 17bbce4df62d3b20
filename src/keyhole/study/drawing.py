"""What is asked of an example: a function of the seed, the number of the example, and the design.

The generator of an example is made from these numbers alone, so a draw can be repeated, and does not depend on who asks
or when.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence

import numpy as np

from ..observe.attributes import Attribute
from ..sampling import Panels, new_generator
from .constraints import Constraints
from .money import PriceList
from .store.base import Candidate, DesignRecord, Draw, NothingToAsk

MOST_KEPT = 256  # designs in memory


class Drawer:
    """Draws for one study; the designs in use are kept, since they never change."""

    def __init__(self, seed: int, attributes: Sequence[Attribute], constraints: Constraints) -> None:
        self.seed, self.attributes, self.constraints = seed, attributes, constraints
        self.prices = PriceList(attributes)
        self._panels: dict[tuple[int, tuple[int, ...]], Panels | None] = {}

    def draw(self, candidate: Candidate, unavailable: Sequence[int] = ()) -> Draw:
        """The attributes of an example, with their inclusion probabilities."""
        excluded = self.excluded(candidate.number, unavailable, candidate.known)
        panels = self.panels(candidate.design, excluded, candidate.read_design)
        if panels is None:
            attributes = np.setdiff1d(np.arange(len(self.attributes)), np.array(excluded, dtype=np.int64))
            probabilities = np.ones(len(attributes))
        else:
            generator = new_generator(_hashed(self.seed, candidate.number, candidate.design))
            attributes, probabilities = panels.draw(generator)
        if not len(attributes):
            raise NothingToAsk(
                f"example {candidate.name!r}: nothing can be asked; every attribute is unavailable or known already"
            )
        numbers = tuple(int(i) for i in attributes)
        price = self.prices.price(numbers)
        return Draw(numbers, tuple(float(p) for p in probabilities), candidate.design, excluded, price)

    def excluded(self, number: int, unavailable: Sequence[int], known: Sequence[int]) -> tuple[int, ...]:
        """What is not asked of an example: what is unavailable or known, and what the constraints leave out of it."""
        rng = np.random.default_rng((self.seed, number))
        return self.constraints.left_out(rng, unavailable, known)

    def panels(self, number: int, excluded: tuple[int, ...], read: Callable[[int], DesignRecord]) -> Panels | None:
        """A design without some attributes; None where everything else is asked for."""
        key = number, excluded
        if key not in self._panels:
            if excluded:
                whole = self.panels(number, (), read)
                found = None if whole is None else whole.without(np.array(excluded, dtype=np.int64))
            else:
                found = panels_of(read(number).arrays)
            if len(self._panels) >= MOST_KEPT:  # what is known or unavailable may differ from example to example
                self._panels.clear()
            self._panels[key] = found
        return self._panels[key]


def panels_of(stored: bytes | None) -> Panels | None:
    """A design from its stored arrays."""
    if stored is None:
        return None
    with np.load(io.BytesIO(stored), allow_pickle=False) as arrays:
        return Panels.from_arrays({name: arrays[name] for name in arrays.files})


def bytes_of(panels: Panels) -> bytes:
    """A design as bytes, from which it is made again exactly."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **panels.arrays())
    return buffer.getvalue()


def _hashed(*numbers: int) -> int:
    """One number of 64 bits from several."""
    text = ":".join(map(str, numbers)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
