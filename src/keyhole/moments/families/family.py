"""What a family is: a kind of model that the learner may keep.

A further family is one file beside this one, with a class that extends ``Family``, and one line in ``registry.py``.
Nothing else in the package knows a family by its name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import ClassVar

from ..solution import Solution, Training
from ..standard.rows import Rows


class Role(Enum):
    """When a family takes part in the selection."""

    SETTLED = "kept wherever it applies, without a comparison"
    START = "one of the two families that a fit starts from"
    ALTERNATIVE = "derived from the start, and averaged with it as far as held-out rows support it"
    SPARSE = "kept where predictions may need only a few attributes"


class Family(ABC):
    """A kind of model: how it is fitted, fitted again, and compared."""

    name: ClassVar[str]
    role: ClassVar[Role]
    #: Whether its predictor depends on the attributes; False of the mean label.
    learns: ClassVar[bool] = True
    #: Whether it leaves attributes out on purpose.
    selects_attributes: ClassVar[bool] = False
    #: Whether it learns from examples that show one fixed set of attributes.
    shows_fixed_set: ClassVar[bool] = False
    #: Whether its weights are posterior means, in which the sampling variance of the weights is counted already.
    weights_are_posterior_means: ClassVar[bool] = False
    #: The cost of comparing it: the most attributes with which it is tried.
    max_attributes: ClassVar[float] = float("inf")

    def applies(self, data: Training) -> bool:
        """Whether a settled family is the one to keep."""
        return False

    def applies_with_gaps(self, data: Training) -> bool:
        """Whether a settled family is what a fit starts from, where few cells are missing and held-out rows do not
        support factors."""
        return False

    @abstractmethod
    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        """Fit to revealed cells; an alternative, or a sparse predictor, is derived from the solution of a start."""

    @abstractmethod
    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        """Fit to other rows from nothing but these, with the choices of an earlier solution (rank, attributes)."""

    @abstractmethod
    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        """Fit to other rows, in the scales of an earlier solution and from where it ended."""


class Averageable(Family):
    """A family that can be averaged with a start, since its solution can be derived from the start's."""

    @abstractmethod
    def derived(self, start: Solution, rows: Rows) -> Solution:
        """From the solution of a start, and rows in the scales of the start."""
