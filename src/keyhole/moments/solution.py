"""What a family is fitted to, and what a fit ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..observe.cells import Cells
from .policy.policy import Policy
from .standard.joint import JointMoments, raw_predictor
from .standard.scales import Scales

if TYPE_CHECKING:
    from .families.family import Family


class Training(NamedTuple):
    """The revealed cells; the labels as numbers, a row per example; the number of attributes; the policy that drew the
    cells (None: the table was partial already, or the budget pays for every attribute); the seed; and the most
    attributes that a prediction may need, if that is limited."""

    cells: Cells
    labels: np.ndarray
    n_attributes: int
    policy: Policy | None
    seed: int
    sparsity: int | None = None

    @property
    def n_rows(self) -> int:
        return self.cells.n_examples

    @property
    def cells_per_row(self) -> float:
        return len(self.cells.values) / self.n_rows

    @property
    def complete(self) -> bool:
        """Whether every cell was revealed."""
        return len(self.cells.values) == self.n_rows * self.n_attributes

    def where(self, keep: np.ndarray) -> Training:
        """Some of the rows, by a mask."""
        return self._replace(cells=self.cells.rows_of(keep), labels=self.labels[keep])

    def at_most(self, n_rows: int) -> Training:
        """So many of the rows, drawn at random; all of them where there are no more."""
        return self if self.n_rows <= n_rows else self.where(self.sample(n_rows))

    def sample(self, n_rows: int) -> np.ndarray:
        """A mask of so many rows, drawn at random."""
        return np.random.default_rng(self.seed).permutation(self.n_rows) < n_rows


class Solution(NamedTuple):
    """Joint moments of standardised values; a predictor of each label for raw values, coefficients (L, d) and
    intercepts (L,); the usefulness of each attribute to a policy; the family, what it was compared with, and the
    solution that it was derived from, if any."""

    joint: JointMoments
    scales: Scales
    coef: np.ndarray
    intercept: np.ndarray
    usefulness: np.ndarray
    family: Family
    candidates: list[dict[str, Any]]
    start: Solution | None = None

    def with_moments(self, joint: JointMoments, scales: Scales) -> Solution:
        """Other moments, with the predictor that follows from them."""
        coef, intercept = raw_predictor(joint, joint.weights(), scales)
        return self._replace(joint=joint, scales=scales, coef=coef, intercept=intercept)


def solution_of(
    joint: JointMoments, scales: Scales, family: Family, candidates: list[dict[str, Any]], start: Solution | None = None
) -> Solution:
    """The predictor that joint moments imply; an attribute is as useful as the root of its squared weights."""
    weights = np.where(scales.scale > 0, joint.weights(), 0.0)
    coef, intercept = raw_predictor(joint, weights, scales)
    return Solution(
        joint=joint,
        scales=scales,
        coef=coef,
        intercept=intercept,
        usefulness=np.sqrt(np.sum(weights**2, axis=0)),
        family=family,
        candidates=candidates,
        start=start,
    )


def candidate(family: Family, kept: bool, why: str, **details: Any) -> dict[str, Any]:
    """What ``candidates_`` says of a family: whether it was kept, and why."""
    return {"family": family.name, **details, "kept": kept, "why": why}


def not_kept(candidates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same candidates after another family took the place of the one that was kept."""
    return [one | {"kept": False} for one in candidates]
