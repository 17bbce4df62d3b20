"""Which attributes to reveal of an example: some of them always, the others in offers that a design draws.

An offer is one attribute, or a bundle of attributes that is bought together. The probability that two attributes are
revealed together follows from the design: for two attributes of one offer it is the offer's own inclusion probability,
and with an attribute that is always revealed it is the other attribute's.

A share of the examples may be shown one fixed set of offers instead, always the same: a regression on these attributes
then has complete rows. The inclusion probabilities are those of the mixture, so every pair that the design can draw
keeps a positive one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import cost_design, design
from .cost_design import CostDesign
from .design import Design
from .random import uniform


class Panels(NamedTuple):
    """A design over offers, and the attributes of each offer.

    Parameters
    ----------
    always : ndarray of int64
        Attributes that are revealed of every example and belong to no offer.
    members : ndarray of int64
        The attributes of all offers, one offer after the other.
    first : ndarray of int64 of shape (n_offers + 1,)
        Where the attributes of each offer begin in ``members``, and last where they end.
    design : Design or CostDesign
        The design that draws the offers.
    together : ndarray of int64
        The offers that a share of the examples reveals together, instead of those that the design draws.
    share : float
        The probability of that.

    Examples
    --------
    Attribute 4 is always revealed, attributes 0 and 1 are a bundle, and one of three offers is drawn:

    >>> import numpy as np
    >>> from keyhole.sampling import Panels, new_design
    >>> design = new_design(np.full(3, 1 / 3))
    >>> panels = Panels(np.array([4]), np.array([0, 1, 2, 3]), np.array([0, 2, 3, 4]), design)
    >>> print(panels.joint(np.array([4, 0, 1])).round(2))
    [[1.   0.33 0.33]
     [0.33 0.33 0.33]
     [0.33 0.33 0.33]]
    """

    always: np.ndarray
    members: np.ndarray
    first: np.ndarray
    design: Design | CostDesign
    together: np.ndarray = np.empty(0, dtype=np.int64)
    share: float = 0.0

    @property
    def fixed(self) -> np.ndarray:
        """The attributes of the fixed set."""
        parts = [self.members[self.first[u] : self.first[u + 1]] for u in self.together]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    @property
    def inclusion(self) -> np.ndarray:
        """The inclusion probability of each offer."""
        drawn = np.minimum(self.design.inclusion, 1.0)
        return self._mixed(drawn, self._in_fixed_set(np.arange(len(drawn)))) if self.share else drawn

    def draw(self, rng: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Draw the attributes to reveal of one example.

        Parameters
        ----------
        rng : ndarray of uint64 of shape (4,)
            The random generator, see ``new_generator``; it is advanced.

        Returns
        -------
        attributes : ndarray of int64
            The attributes that are always revealed, then those of the offers that were drawn.
        probabilities : ndarray
            The inclusion probability of each of them.
        """
        fixed = self.share > 0 and uniform(rng) < self.share
        offers = self.together
        if not fixed:
            offers = self.design.draw(rng) if len(self.members) else np.empty(0, dtype=np.int64)
        length = self.first[offers + 1] - self.first[offers]
        drawn = [self.members[self.first[u] : self.first[u + 1]] for u in offers]
        inclusion = np.repeat(self._inclusion_of(offers), length)
        return np.concatenate([self.always, *drawn]), np.concatenate([np.ones(len(self.always)), inclusion])

    def joint(self, attributes: np.ndarray) -> np.ndarray:
        """Compute the second-order inclusion probabilities of some attributes.

        Parameters
        ----------
        attributes : ndarray of int64 of shape (n,)
            Different attributes.

        Returns
        -------
        ndarray of shape (n, n)
            The probability that both of two attributes are revealed, with pi_i on the diagonal.

        Raises
        ------
        ValueError
            If an attribute is neither in an offer nor always revealed.
        """
        if not len(self.members):
            inside = np.isin(attributes, self.always)
            if not inside.all():
                raise ValueError(f"attribute {attributes[~inside][0]} is never revealed by this design")
            return np.ones((len(attributes), len(attributes)))
        order = np.argsort(self.members, kind="stable")
        place = np.searchsorted(self.members, attributes, sorter=order)
        place = order[np.minimum(place, len(order) - 1)]
        inside = self.members[place] == attributes
        revealed = inside | np.isin(attributes, self.always)
        if not revealed.all():
            raise ValueError(f"attribute {attributes[~revealed][0]} is never revealed by this design")
        joint = np.ones((len(attributes), len(attributes)))
        offers, which = np.unique(np.searchsorted(self.first, place[inside], side="right") - 1, return_inverse=True)
        drawn = np.flatnonzero(inside)
        between = np.minimum(self.design.joint(offers), 1.0)
        if self.share:
            fixed = self._in_fixed_set(offers)
            between = self._mixed(between, np.outer(fixed, fixed))
        joint[np.ix_(drawn, drawn)] = between[np.ix_(which, which)]
        certain = np.flatnonzero(~inside)
        joint[np.ix_(certain, drawn)] = np.diag(between)[which]
        joint[np.ix_(drawn, certain)] = np.diag(between)[which][:, None]
        return joint

    def _inclusion_of(self, offers: np.ndarray) -> np.ndarray:
        drawn = np.minimum(self.design.inclusion[offers], 1.0)
        return self._mixed(drawn, self._in_fixed_set(offers)) if self.share else drawn

    def _in_fixed_set(self, offers: np.ndarray) -> np.ndarray:
        return np.isin(offers, self.together)

    def _mixed(self, drawn: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        return (1.0 - self.share) * drawn + self.share * fixed

    def without(self, attributes: np.ndarray) -> Panels:
        """Condition the design on some attributes not being revealed.

        An offer is left out if all of its attributes are; of another, the other attributes are revealed. A fixed set
        that has one of the attributes is not revealed.

        Parameters
        ----------
        attributes : ndarray of int64
            Attributes that cannot, or need not, be revealed.

        Returns
        -------
        Panels
            The design over the other attributes. A fixed number of offers stays the same, unless fewer are left; then
            all of these are revealed.

        Examples
        --------
        >>> import numpy as np
        >>> from keyhole.sampling import Panels, new_design
        >>> panels = Panels(np.array([4]), np.arange(4), np.arange(5), new_design(np.array([0.9, 0.5, 0.4, 0.2])))
        >>> rest = panels.without(np.array([1, 4]))
        >>> print(rest.members, rest.design.inclusion.round(4))
        [0 2 3] [0.9601 0.6914 0.3485]
        """
        length = np.diff(self.first)
        left = ~np.isin(self.members, attributes)
        count = np.add.reduceat(left, self.first[:-1], dtype=np.int64) if len(length) else length
        kept = count > 0
        first = np.concatenate([[0], np.cumsum(count[kept])])
        always = self.always[~np.isin(self.always, attributes)]
        rest = Panels(always, self.members[left], first, self.design.among(np.flatnonzero(kept)))
        if not self.share or (count < length)[self.together].any():
            return rest
        return rest._replace(together=(np.cumsum(kept) - 1)[self.together], share=self.share)

    def arrays(self) -> dict[str, np.ndarray]:
        """Write the design as named arrays.

        Returns
        -------
        dict of str to ndarray
            What ``from_arrays`` makes the same design of.
        """
        if isinstance(self.design, Design):
            cost, limit, decay = np.empty(0, dtype=np.int64), self.design.size, 0.0
        else:
            cost, limit, decay = self.design.cost, self.design.within.shape[1] - 1, self.design.decay
        parts = {"always": self.always, "members": self.members, "first": self.first}
        drawn = {"working": self.design.working, "cost": cost, "limit": np.array(limit), "decay": np.array(decay)}
        return parts | drawn | {"together": self.together, "share": np.array(self.share)}

    @classmethod
    def from_arrays(cls, parts: dict[str, np.ndarray]) -> Panels:
        """Make a design of its named arrays.

        Parameters
        ----------
        parts : dict of str to ndarray
            What ``arrays`` returned.

        Returns
        -------
        Panels
            A design that draws the same attributes from the same generator.
        """
        limit = int(parts["limit"])
        made: Design | CostDesign
        if len(parts["cost"]):
            decay = float(parts.get("decay", 0.0))  # designs of earlier versions have none
            made = cost_design.design_of(parts["working"], parts["cost"], limit, decay)
        else:
            made = design.design_of(parts["working"], limit)
        panels = cls(parts["always"], parts["members"], parts["first"], made)
        if "together" not in parts:  # designs of earlier versions show no fixed set
            return panels
        return panels._replace(together=parts["together"], share=float(parts["share"]))
