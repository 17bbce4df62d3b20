"""The data of the page on layouts: training rows and labels, test rows and labels, and how many cells a row may cost.

A split is a number: real tables are divided by it, and generated data are drawn by it. Splits from 200 on are reported;
smaller ones were used while the rule was developed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from keyhole.datasets import kukliansky_shamir, mnist_pair
from keyhole.datasets.files import find_file

FIRST_SPLIT = 200
TEST_ROWS = 4000  # of generated data


class Data(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


class DataSet(NamedTuple):
    """How the data of a split are made; the cells that a row may cost on average; how many splits are measured."""

    load: Callable[[int], Data]
    cells_per_row: int
    splits: int


def divided(X: np.ndarray, y: np.ndarray, split: int) -> Data:
    """A fifth of the rows is for testing."""
    order = np.random.default_rng(split).permutation(len(y))
    test, train = np.split(order, [len(y) // 5])
    return Data(X[train], y[train], X[test], y[test])


def digits(split: int) -> Data:
    X, y = load_digits(return_X_y=True)
    return divided(X, np.where(y % 2, 1.0, -1.0), split)


def cancer(split: int) -> Data:
    X, y = load_breast_cancer(return_X_y=True)
    return divided(X, y.astype(float), split)


def ct(split: int) -> Data:
    with np.load(find_file("ct_slice_fragment.npz", "682 rows of the CT slices of the UCI repository")) as stored:
        return divided(stored["X"].astype(float), stored["y"].astype(float), split)


def images(first: int, second: int) -> Callable[[int], Data]:
    return lambda split: divided(*mnist_pair(first, second), split)


def simulated(alpha: float) -> Callable[[int], Data]:
    """Of Kukliansky and Shamir 2015: independent attributes of 0 and 1, exact labels."""

    def load(split: int) -> Data:
        n = 20_000
        data = kukliansky_shamir(n + TEST_ROWS, 500, alpha, random_state=split)
        X, y = np.asarray(data.X, dtype=float), np.asarray(data.y, dtype=float)
        return Data(X[:n], y[:n], X[n:], y[n:])

    return load


def generated(
    draw: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]], n: int
) -> Callable[[int], Data]:
    def load(split: int) -> Data:
        X, y = draw(np.random.default_rng(split), n + TEST_ROWS)
        return Data(X[:n], y[:n], X[n:], y[n:])

    return load


def with_noise(signal: np.ndarray, rng: np.random.Generator, explained: float) -> np.ndarray:
    """Labels of which a share is explained by the signal."""
    return np.sqrt(explained) * signal / signal.std() + np.sqrt(1 - explained) * rng.normal(size=len(signal))


def factors(d: int, q: int, explained: float) -> Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]:
    """Attributes that show q factors, two thirds of their variance, and a label that depends on the factors."""

    def draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        h = rng.normal(size=(n, q))
        X = h @ rng.normal(size=(q, d)) / np.sqrt(q) + np.sqrt(0.5) * rng.normal(size=(n, d))
        return X, with_noise(h @ rng.normal(size=q), rng, explained)

    return draw


def weights(
    d: int, explained: float, common: float = 0.0, equal: bool = False
) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Attributes of which every two have the same correlation, each with its own weight for the label."""

    def draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = np.sqrt(common) * rng.normal(size=(n, 1)) + np.sqrt(1 - common) * rng.normal(size=(n, d))
        return X, with_noise(X @ (np.ones(d) if equal else rng.normal(size=d)), rng, explained)

    return draw


SETS = {
    **{f"MNIST 3 vs 5, {k} per image": DataSet(images(3, 5), k, n) for k, n in ((1, 20), (2, 5), (4, 5), (16, 5))},
    "CT fragment (384), 8 per row": DataSet(ct, 8, 198),
    "digits (64), 4 per row": DataSet(digits, 4, 80),
    "breast cancer (30), 4 per row": DataSet(cancer, 4, 40),
    "factors, noisy label (200), 4 per row": DataSet(generated(factors(200, 5, 0.4), 2000), 4, 24),
    "factors, R2 0.9 (100), 4 per row": DataSet(generated(factors(100, 8, 0.9), 2000), 4, 8),
    "factors, R2 0.95 (50), 4 per row": DataSet(generated(factors(50, 4, 0.95), 1000), 4, 24),
    "nearly exact label (17), 4 per row": DataSet(generated(weights(17, 0.995, 0.3), 580), 4, 200),
    "independent, R2 0.9 (40), 4 per row": DataSet(generated(weights(40, 0.9), 500), 4, 100),
    "independent, equal weights (500), 5 per row": DataSet(generated(weights(500, 1.0, equal=True), 20_000), 5, 3),
    **{
        f"Kukliansky-Shamir, alpha {alpha:g}, 5 per row": DataSet(simulated(alpha), 5, 3)
        for alpha in (0.0, -0.5, -1.0, -2.0)
    },
}
