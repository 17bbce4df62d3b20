"""Learners keep the budget, rivals cost no more, and errors have a standard error."""

import numpy as np
import pytest

from keyhole.demo import models


def test_learners_keep_the_budget_and_rivals_cost_no_more(shown):
    for data in models.data_sets():
        d = data.X.shape[1]
        for row in shown[0][data.name]:
            if row.kind == models.LEARNER:
                assert row.largest <= models.BUDGET
            if row.kind != models.REFERENCE:
                assert 0 < row.share <= models.BUDGET / d


def test_the_standard_error_is_that_of_the_mean():
    errors = [0.2, 0.4, 0.9]
    row = models.Row("AER", models.LEARNER, dict, errors=errors)
    assert row.error == pytest.approx(0.5)
    assert row.standard_error == pytest.approx(np.std(errors, ddof=1) / np.sqrt(3))
    assert models.Row("AER", models.LEARNER, dict, errors=[0.2]).standard_error == 0.0


def test_the_mean_label_reveals_nothing_and_full_information_everything():
    data = models.data_sets()[1]
    rows = [models.named(models.rows(), name) for name in (models.MEAN, models.FULL)]
    for row in rows:
        models.assess(row, data, split=0)
    assert [(row.share, row.largest) for row in rows] == [(0.0, 0), (1.0, data.X.shape[1])]
