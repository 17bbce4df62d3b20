"""Which attributes to reveal of an example: some always, others in units that a design draws.

A unit is one attribute, or a bundle of them that is bought together. The chance that two attributes come together
follows from the design: within a unit it is the unit's own, and what is always seen comes with everything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import cost_design, design
from .cost_design import CostDesign
from .design import Design


class Panels(NamedTuple):
    """The attributes of unit u are ``members[first[u]]`` to ``members[first[u + 1] - 1]``; ``always`` are in none.

    >>> drawn = design.new_design(np.full(3, 1 / 3))
    >>> panels = Panels(np.array([4]), np.array([0, 1, 2, 3]), np.array([0, 2, 3, 4]), drawn)
    >>> print(panels.joint(np.array([4, 0, 1])).round(2))  # 0 and 1 are a bundle
    [[1.   0.33 0.33]
     [0.33 0.33 0.33]
     [0.33 0.33 0.33]]
    """

    always: np.ndarray
    members: np.ndarray
    first: np.ndarray
    design: Design | CostDesign

    def draw(self, rng: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The attributes for an example, and the inclusion probability of each."""
        units = self.design.draw(rng)
        length = self.first[units + 1] - self.first[units]
        drawn = [self.members[self.first[u] : self.first[u + 1]] for u in units]
        chances = np.repeat(np.minimum(self.design.inclusion[units], 1.0), length)
        return np.concatenate([self.always, *drawn]), np.concatenate([np.ones(len(self.always)), chances])

    def joint(self, attributes: np.ndarray) -> np.ndarray:
        """pi_ij for all pairs of the given, different attributes, with pi_i on the diagonal."""
        order = np.argsort(self.members, kind="stable")
        place = np.searchsorted(self.members, attributes, sorter=order)
        place = order[np.minimum(place, len(order) - 1)]
        inside = self.members[place] == attributes
        known = inside | np.isin(attributes, self.always)
        if not known.all():
            raise ValueError(f"attribute {attributes[~known][0]} is never revealed by this design")
        joint = np.ones((len(attributes), len(attributes)))
        units, which = np.unique(np.searchsorted(self.first, place[inside], side="right") - 1, return_inverse=True)
        drawn = np.flatnonzero(inside)
        between = np.minimum(self.design.joint(units), 1.0)
        joint[np.ix_(drawn, drawn)] = between[np.ix_(which, which)]
        certain = np.flatnonzero(~inside)
        joint[np.ix_(certain, drawn)] = np.diag(between)[which]
        joint[np.ix_(drawn, certain)] = np.diag(between)[which][:, None]
        return joint

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is needed to make it again."""
        if isinstance(self.design, Design):
            cost, limit = np.empty(0, dtype=np.int64), self.design.size
        else:
            cost, limit = self.design.cost, self.design.within.shape[1] - 1
        parts = {"always": self.always, "members": self.members, "first": self.first}
        return parts | {"working": self.design.working, "cost": cost, "limit": np.array(limit)}

    @classmethod
    def from_arrays(cls, parts: dict[str, np.ndarray]) -> Panels:
        """What ``arrays`` wrote."""
        limit = int(parts["limit"])
        if len(parts["cost"]):
            made = cost_design.design_of_coins(parts["working"], parts["cost"], limit)
            return cls(parts["always"], parts["members"], parts["first"], made)
        return cls(parts["always"], parts["members"], parts["first"], design.design_of_coins(parts["working"], limit))
