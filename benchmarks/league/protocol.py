"""What is measured: tables, splits and budgets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keyhole.datasets import league_table, league_tables

TABLES = tuple(league_tables())
DEVELOPMENT = ("ames", "boston", "chicago", "genes", "lending", "loanapp", "meats", "nhefs", "visits")
OTHERS = tuple(name for name in TABLES if name not in DEVELOPMENT)
BUDGETS = ("2", "4", "eighth")  # "eighth": an eighth of the attributes
FEW = 4  # attributes of a prediction from few
FIRST_SPLIT = 100  # smaller numbers are for development
SMALL, SPLITS, SPLITS_OF_SMALL = 1000, 10, 40  # a table with fewer rows than SMALL has more splits
LEAST_TEST = 40  # rows


class Split(NamedTuple):
    """Training rows and labels, test rows and labels."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def split_of(table: str, split: int) -> Split:
    """A fifth of the rows is for testing, and at least 40."""
    X, y, _ = league_table(table)
    order = np.random.default_rng(split).permutation(len(y))
    test, train = np.split(order, [max(LEAST_TEST, len(y) // 5)])
    return Split(X[train], y[train], X[test], y[test])


def splits_of(n_examples: int, wanted: int | None = None) -> range:
    """The numbers of the splits of a table, or of as many as are wanted."""
    n = wanted or (SPLITS_OF_SMALL if n_examples < SMALL else SPLITS)
    return range(FIRST_SPLIT, FIRST_SPLIT + n)


def attributes_of(budget: str, n_attributes: int) -> int:
    """A budget as a number of attributes of a table."""
    return max(1, n_attributes // 8) if budget == "eighth" else min(int(budget), n_attributes)
