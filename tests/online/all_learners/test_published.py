"""What the papers claim and we measured, in a form quick enough to run each time."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import mnist_pair


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
