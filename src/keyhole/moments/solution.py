"""What a family is fitted to, and what a fit ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..observe.cells import Cells
from ..observe.sources import CSRSource
from ..observe.tables import linear_predictions, whole_tables
from .policy.policy import Policy
from .standard.joint import JointMoments, raw_predictor
from .standard.scales import Scales, scales_of
from .standard.values import RAW, Values, learned_values

if TYPE_CHECKING:
    from .families.family import Family

# The largest share of missing cells with which rows count as almost complete. Of 60 rows of 40 independent attributes,
# with 10 and 15% of the cells missing, ridge regression on filled rows gave 0.38 and 0.44 times the mean's error, and
# the families that it takes the place of 0.79 and 0.76.
MOST_GAPS = 0.15


class Training(NamedTuple):
    """The cells of the columns; the labels as numbers, a row per example; the number of columns; the policy that
    drew the cells (None: the table was partial already, or the budget pays for every attribute); the seed; the most
    attributes that a prediction may need, if that is limited; the cells as they were revealed; the values that make
    columns of them; the maps that each attribute's values may have; and how many columns each attribute has, None where
    it is one; whether attributes share a unit; and the labels of examples of which nothing was revealed."""

    cells: Cells
    labels: np.ndarray
    n_attributes: int
    policy: Policy | None
    seed: int
    sparsity: int | None = None
    revealed: Cells | None = None
    values: Values = RAW
    allowed: np.ndarray | None = None
    n_columns: np.ndarray | None = None
    common_unit: bool = False
    other_labels: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        return self.cells.n_examples

    def scales(self, **settings: float) -> Scales:
        """The scales of the columns and of the labels."""
        d, others = self.n_attributes, self.other_labels
        return scales_of(self.values, self.cells, self.labels, d, self.common_unit, others, **settings)

    @property
    def cells_per_row(self) -> float:
        return len(self.cells.values) / self.n_rows

    @property
    def complete(self) -> bool:
        """Whether every cell was revealed."""
        return len(self.cells.values) == self.n_rows * self.n_attributes

    @property
    def almost_complete(self) -> bool:
        """Whether every cell was asked for, and few of them are missing, of no attribute more than half."""
        cells, d = self.as_revealed, self.n_attributes if self.n_columns is None else len(self.n_columns)
        asked = len(cells.values) + len(cells.missing_rows) == self.n_rows * d or self.policy is None
        times = np.bincount(cells.attributes, minlength=d)
        return asked and times.sum() >= (1.0 - MOST_GAPS) * self.n_rows * d and 2 * times.min() >= self.n_rows

    def with_values(self, allowed: np.ndarray | None) -> Training:
        """With columns whose values are learned from these rows; None: every attribute as it is."""
        revealed = self.as_revealed
        values = RAW if allowed is None else learned_values(revealed, self.labels, allowed)
        if self.n_columns is not None:
            values = values._replace(n_columns=self.n_columns)
        return self._replace(cells=values.of_cells(revealed), revealed=revealed, values=values, allowed=allowed)

    @property
    def attribute_of(self) -> np.ndarray:
        """The attribute of each column."""
        return self.values.attribute_of(self.n_attributes)

    @property
    def as_revealed(self) -> Cells:
        """The cells of the attributes."""
        return self.cells if self.revealed is None else self.revealed

    def where(self, keep: np.ndarray) -> Training:
        """Some of the rows, by a mask; the values of the columns are learned from these rows alone."""
        revealed = self.as_revealed
        some = self._replace(cells=revealed.rows_of(keep), labels=self.labels[keep], revealed=None)
        return some.with_values(self.allowed)

    def at_most(self, n_rows: int) -> Training:
        """So many of the rows, drawn at random; all of them where there are no more."""
        return self if self.n_rows <= n_rows else self.where(self.sample(n_rows))

    def sample(self, n_rows: int) -> np.ndarray:
        """A mask of so many rows, drawn at random."""
        return np.random.default_rng(self.seed).permutation(self.n_rows) < n_rows


class Solution(NamedTuple):
    """Joint moments of standardised values; a predictor of each label for raw values, coefficients (L, d) and
    intercepts (L,); the usefulness of each attribute to a policy; the family, what it was compared with, the solution
    that it was derived from, if any, and the families that were averaged, each with its weight."""

    joint: JointMoments
    scales: Scales
    coef: np.ndarray
    intercept: np.ndarray
    usefulness: np.ndarray
    family: Family
    candidates: list[dict[str, Any]]
    start: Solution | None = None
    members: tuple[tuple[Family, float], ...] = ()

    def predictions(self, source: Any) -> np.ndarray:
        """Of the first label, for the whole rows of a source, held within the labels seen."""
        values, coef, intercept = self.scales.values, self.coef[0], float(self.intercept[0])
        if values.is_raw:
            return self.scales.held(linear_predictions(source, coef, intercept))
        if isinstance(source, CSRSource) and not values.has_choices:  # only stored cells differ from a row of zeros
            at, rows = source.table.indices, np.repeat(np.arange(source.n_examples), np.diff(source.table.indptr))
            zero = values.mapped(np.arange(len(coef)), np.zeros(len(coef)))
            beyond = values.mapped(at, source.table.data.astype(np.float64)) - zero[at]
            added = np.bincount(rows, beyond * coef[at], minlength=source.n_examples)
            return self.scales.held(intercept + coef @ zero + added)
        parts = [values.of_table(table) @ coef for table in whole_tables(source)]
        return self.scales.held(intercept + np.concatenate([np.empty(0), *parts]))

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
