"""The sparse learners through Keyhole's own checks and scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import keyhole as kh
from keyhole.checks import N_ATTRIBUTES, checks_for

START = np.where(np.isin(np.arange(N_ATTRIBUTES), [0, 5, 11]), 0.5, 0.0)
LEARNERS = [
    kh.Exploration(5, 2, batch_size=5),
    kh.Hybrid(5, 2, explore_batch=5),
    kh.Exploitation(3, START, batch_size=15),
    kh.Dantzig(5, 2, constant=0.01, shrink_to_mean=False),
    kh.DualAveraging(5, 2),
    kh.DualAveraging(5, 2, 2),
    kh.DualAveraging(5, 2, 3),
    kh.DualAveraging(6, 2, 5, threshold="growing"),
    kh.Hybrid(5, 2, explore_batch=5, scaling="none"),
    kh.Exploration(5, 2, n_expected=120),
    kh.Hybrid(5, 2, n_expected=120, shrink_to_mean=False),
]
# Coefficients in raw units are what Exploitation is given: another unit would need another start.
NEED_NO_UNITS = {kh.Exploitation: ("check_units_of_attributes", "check_units_of_labels", "check_attribute_order")}


@pytest.mark.filterwarnings("ignore:.*the step was halved")
@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{learner}-{check.__name__}")
        for learner in LEARNERS
        for check in checks_for(learner)
        if check.__name__ not in NEED_NO_UNITS.get(type(learner), ())
    ],
)
def test_keyhole_check(check):
    check()


def test_exploitation_in_other_units():
    """With the start given in them, other units of attributes and labels change no prediction."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, N_ATTRIBUTES))
    y = X @ START + rng.normal(size=300)
    factor = np.resize([1000.0, 1.0, 0.001], N_ATTRIBUTES)
    plain = kh.Exploitation(3, START, batch_size=15).fit(X, y)
    other = kh.Exploitation(3, 10 * START / factor, batch_size=15).fit(X * factor, 10 * y - 7)
    np.testing.assert_allclose((other.predict(X * factor) + 7) / 10, plain.predict(X), rtol=1e-8, atol=1e-8)


class ExploitationOfTheFirst(kh.Exploitation):
    """From a weight on the first attribute, so that it fits the tables of scikit-learn's checks."""

    def _given_weights(self, d):
        return np.eye(d)[0]


NOT_READ = "what was not paid for is not read, so a bad cell nobody asked for goes unnoticed"
THREE = "needs a budget of 3, and the table of this check has fewer attributes"
EXPECTED = {"check_estimators_nan_inf": NOT_READ, "check_dtype_object": NOT_READ}
EXPECTED_OF_DANTZIG = EXPECTED | dict.fromkeys(
    """
    check_estimators_overwrite_params check_estimators_fit_returns_self check_readonly_memmap_input
    check_fit_idempotent check_fit_check_is_fitted check_n_features_in check_estimators_partial_fit_n_features
    """.split(),
    THREE,
)


@pytest.mark.filterwarnings("ignore:.*the step was halved")
@parametrize_with_checks(
    [
        kh.Exploration(2, 1, batch_size=1),
        kh.Hybrid(2, 1, explore_batch=1, exploit_batch=2, explore_updates=1),
        ExploitationOfTheFirst(1, batch_size=2),
        kh.Dantzig(3, 1),
        kh.DualAveraging(2, 1),
    ],
    expected_failed_checks=lambda learner: EXPECTED_OF_DANTZIG if isinstance(learner, kh.Dantzig) else EXPECTED,
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
