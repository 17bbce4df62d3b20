"""DDAERR against AERR: better where second moments differ, the same where they are equal."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import kukliansky_shamir


def relative_errors(learners, alpha, seed):
    data = kukliansky_shamir(12_000, alpha=alpha, random_state=seed)
    train, test = slice(2000, None), slice(2000)
    zero = np.mean(data.y[test] ** 2)
    errors = []
    for learner in learners:
        if isinstance(learner, kh.DDAERR):
            learner.set_params(moments=data.moments)
        learner.set_params(scaling="none", random_state=seed).fit(data.X[train], data.y[train])
        errors.append(np.mean((learner.predict(data.X[test]) - data.y[test]) ** 2) / zero)
    return errors


@pytest.mark.parametrize("alpha", [-1, -2])
def test_ddaerr_beats_aerr_where_moments_differ(alpha):
    """Kukliansky and Shamir 2015, Figure 1 (c) and (d): paired over seeds, each at its best radius."""
    learners = [kh.AERR(5, radius=2.0), kh.DDAERR(5, radius=4.0)]
    errors = np.array([relative_errors(learners, alpha, seed) for seed in range(5)])
    gain = errors[:, 0] - errors[:, 1]
    assert gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(len(gain)) > 0


def test_ddaerr_is_aerr_where_moments_are_equal():
    """Figure 1 (a): with the textbook's draws the two coincide, draw for draw."""
    data = kukliansky_shamir(3000, alpha=0, random_state=0)
    settings = {"budget": 5, "radius": 4.0, "scaling": "none", "draws": "textbook", "random_state": 0}
    plain = kh.AERR(**settings).fit(data.X, data.y)
    adapted = kh.DDAERR(moments=data.moments, **settings).fit(data.X, data.y)
    np.testing.assert_allclose(adapted.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
