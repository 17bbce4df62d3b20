"""Ridge and Lasso on other pixels: the penalties are those of scikit-learn's, and verdicts follow the rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from experiments.helpers import drawn, experiment
from keyhole.experiments.cesa_bianchi_2010 import other_pixels
from keyhole.experiments.cesa_bianchi_2010.pixels import RAW, UNIT_NORM, treated
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_JUDGED
from keyhole.experiments.shared.mnist_curves import split_of

OTHER_PIXELS = experiment("cesa-bianchi-2010", "other-pixels")


@pytest.mark.usefixtures("few_images")
def test_errors_are_those_of_scikit_learn():
    rows = other_pixels.errors(UNIT_NORM, [3, 5], 0, 0, n_folds=2)
    data = treated(UNIT_NORM, split_of([3, 5], 0, 0))
    for row in rows[:2]:
        model = Ridge(alpha=row["penalty"] * len(data.y), fit_intercept=row["intercept"] == "with intercept")
        predicted = model.fit(data.X.astype(float), data.y).predict(data.X_test)
        assert row["error"] == pytest.approx(np.mean((predicted - data.y_test) ** 2), rel=1e-4)
    assert [claim.verdict for claim in OTHER_PIXELS.claims(rows)] == [NOT_JUDGED]
    drawn(OTHER_PIXELS, rows)


def test_verdicts_follow_the_rows():
    rows = [
        {"learner": learner, "pixels": pixels, "intercept": intercept, "pair": str(pair), "split": 0, "error": error,
         "wrong": 0.013, "penalty": 0.01}
        for learner in ("ridge", "Lasso")
        for pixels, error in ((RAW, 0.119), (UNIT_NORM, 0.095))
        for intercept in other_pixels.INTERCEPTS
        for pair in range(45)
    ]  # fmt: skip
    raw, unit_norm = OTHER_PIXELS.claims(rows)
    assert (raw.verdict, unit_norm.verdict) == (HOLDS, FAILS)
    assert (raw.about, unit_norm.about) == (THE_PAPER, OTHER_FORM)
    assert "+8.2%" in raw.why
    assert "-13.6%" in unit_norm.why
