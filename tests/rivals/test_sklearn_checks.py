"""The rivals through scikit-learn's own checks."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from keyhole.rivals import CompleteRows, ImputeThenRidge, ScreenedPanel

NOT_READ = "what was not paid for is not read, so a bad cell nobody asked for goes unnoticed"
EXPECTED = {"check_estimators_nan_inf": NOT_READ, "check_dtype_object": NOT_READ}


@pytest.mark.filterwarnings("ignore:.*predicts the mean label")
@parametrize_with_checks(
    [CompleteRows(1), ScreenedPanel(1, n_expected=20), ImputeThenRidge(1, 1, turns=1)],
    expected_failed_checks=lambda rival: EXPECTED,
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
