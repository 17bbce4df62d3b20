"""DDAELR against AELR: the same where second moments are equal, better where they differ."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import kukliansky_shamir


def test_ddaelr_is_aelr_where_moments_are_equal():
    """With the textbook's draws the two coincide, draw for draw."""
    data = kukliansky_shamir(3000, alpha=0, norm="lasso", random_state=0)
    settings = {"budget": 5, "radius": 20.0, "scaling": "none", "draws": "textbook", "random_state": 0}
    plain = kh.AELR(**settings).fit(data.X, data.y)
    adapted = kh.DDAELR(moments=data.moments, **settings).fit(data.X, data.y)
    np.testing.assert_allclose(adapted.coef_, plain.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("alpha", [-1, -2])
def test_ddaelr_beats_aelr_where_moments_differ(alpha):
    gains = []
    for seed in range(5):
        data = kukliansky_shamir(12_000, alpha=alpha, norm="lasso", random_state=seed)
        train, test = slice(2000, None), slice(2000)
        settings = {"budget": 5, "radius": 20.0, "scaling": "none", "random_state": seed}
        learners = kh.AELR(**settings), kh.DDAELR(moments=data.moments, **settings)
        errors = [
            np.mean((learner.fit(data.X[train], data.y[train]).predict(data.X[test]) - data.y[test]) ** 2)
            for learner in learners
        ]
        gains.append((errors[0] - errors[1]) / np.mean(data.y[test] ** 2))
    assert np.mean(gains) > 2 * np.std(gains, ddof=1) / np.sqrt(len(gains)) > 0
