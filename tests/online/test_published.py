"""What the papers claim and we measured, in a form quick enough to run each time."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import kukliansky_shamir, mnist_pair


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


@pytest.fixture(scope="module")
def threes_and_fives():
    try:
        X, y = mnist_pair(3, 5)
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    order = np.random.default_rng(0).permutation(len(y))
    test, train = np.split(order, [len(y) // 10])
    return X[train], y[train], X[test], y[test]


@pytest.mark.parametrize(
    ("learner", "limit"),
    [
        (kh.AER(4, radius=4.0), 0.75),
        (kh.AELR(4, radius=4.0, step_size=1e-3), 0.60),
        (kh.DDAELR(5, radius=3.0), 0.58),
        (kh.AERR(57, radius=0.4), 0.36),
        (kh.DDAERR(57, radius=0.4), 0.33),
        (kh.Baseline(4, radius=3.0), 0.98),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, kh.AERR | kh.AELR | kh.AER | kh.Baseline) else "",
)
def test_mnist_threes_and_fives(threes_and_fives, learner, limit):
    """Test squared error with running scales, mean over draws; predicting the mean scores 1."""
    X_train, y_train, X_test, y_test = threes_and_fives
    errors = [
        np.mean((learner.set_params(random_state=seed).fit(X_train, y_train).predict(X_test) - y_test) ** 2)
        for seed in range(4)
    ]
    assert np.mean(errors) <= limit
