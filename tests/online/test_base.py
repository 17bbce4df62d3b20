"""The base of the streaming learners: the weights stay in a ball, whose radius is a positive number."""

import numpy as np
import pytest

import keyhole as kh

X = np.random.default_rng(0).normal(size=(300, 9))
LEARNERS = [(kh.AER, 1), (kh.Baseline, 1), (kh.AERR, 2), (kh.AELR, 1), (kh.AESVR, 2), (kh.DDAERR, 2), (kh.DDAELR, 1)]


@pytest.mark.parametrize(("learner", "norm"), LEARNERS, ids=lambda value: getattr(value, "__name__", ""))
def test_learned_weights_are_in_the_ball(learner, norm):
    fitted = learner(8, radius=0.05, scaling="none", random_state=0).fit(X, 3 * X[:, 0])
    assert 0 < np.linalg.norm(fitted.coef_, norm) <= 0.05 * (1 + 1e-9)


@pytest.mark.parametrize("radius", [0, -1.0, np.inf, np.nan, "1", None, True])
@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_radius_is_a_finite_number_above_0(learner, radius):
    with pytest.raises(ValueError, match=rf"radius=.*: {learner.__name__} needs a finite number above 0"):
        learner(8, radius=radius).start(9)
