"""Rows that show all that the predictors use, against a count by hand, and where they are too few."""

import numpy as np

from keyhole.moments.honest.exact_rows import exact_rows, is_much_better_known
from keyhole.moments.honest.fold_fits import FoldFits
from keyhole.moments.honest.settings import LEAST_EXACT_ROWS
from moments.conftest import fitted


def test_rows_that_show_every_attribute_with_a_weight():
    learner = fitted(budget=4, sparsity=2)
    fits, data = learner._fold_fits(), learner._training()
    used = {int(i) for fit in fits.fits for i in np.flatnonzero(fit.coef[0])}
    cells = learner.cells_
    shown = [used <= set(cells.attributes[cells.rows == t].tolist()) for t in range(cells.n_examples)]
    assert sum(shown) >= LEAST_EXACT_ROWS
    assert exact_rows(fits, data).tolist() == shown


def test_too_few_rows_are_none():
    learner = fitted(budget=4)  # every attribute has a weight, and no row shows all
    assert not exact_rows(learner._fold_fits(), learner._training()).any()
    assert not exact_rows(FoldFits(np.zeros(800, dtype=int), []), learner._training()).any()


def test_an_estimate_is_preferred_only_where_its_error_is_far_smaller():
    assert is_much_better_known(0.1, 0.3)
    assert not is_much_better_known(0.1, 0.12)
