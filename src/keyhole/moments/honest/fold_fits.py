"""A solution, fitted again without each fold of the rows: held-out rows are predicted by these fits.

How much the fits differ from one another also tells how uncertain the model is, for any subset of attributes and
without one more cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.cells import Cells
from ..solution import Solution
from ..standard.values import RAW


class FoldFits(NamedTuple):
    """The ``fold`` of every row, and the solutions without each fold; none where rows are too few, or nothing was
    learned."""

    fold: np.ndarray
    fits: list[Solution]

    def columns(self, cells: Cells) -> Cells:
        """Revealed cells as cells of columns, each row with the values that were learned without it."""
        if all(fit.scales.values.is_raw for fit in self.fits):
            return cells
        values, of_cell = cells.values.copy(), self.fold[cells.rows]
        for f, fit in enumerate(self.fits):
            mine = of_cell == f
            values[mine] = fit.scales.values.mapped(cells.attributes[mine], values[mine])
        # The maps are done; what is left is the same without any fold: a column for each value of a choice.
        return RAW._replace(n_columns=self.fits[0].scales.values.n_columns).of_cells(cells.with_values(values))

    def places(self, cells: Cells, places: np.ndarray) -> np.ndarray:
        """The places that some revealed cells have among the cells of columns."""
        return self.fits[0].scales.values.expanded(cells.attributes, places) if self.fits else places
