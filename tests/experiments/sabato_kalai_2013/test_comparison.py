"""Reference lines and learners with every cell have a loss at every budget."""

from __future__ import annotations

import numpy as np

from keyhole.experiments.sabato_kalai_2013 import comparison
from keyhole.experiments.sabato_kalai_2013.splits import FACES
from keyhole.experiments.shared.reference_lines import FULL


def test_reference_lines_have_a_loss_at_every_budget():
    shared = {"data": FACES, "budgets": [4, 8], "split": 0, "label": "age"}
    for learner in ("KeyholeRegressor", "complete rows", "screened panel", "multiple imputation"):
        rows = comparison.compared_reference(learner=learner, **shared)
        assert [row["budget"] for row in rows] == [4, 8]
        assert all(np.isfinite(row["loss"]) for row in rows)
    rows = comparison.compared_reference(learner=comparison.FULL_INFORMATION, n_folds=4, **shared)
    assert [row["learner"] for row in rows] == [name for name in FULL for _ in range(2)]
