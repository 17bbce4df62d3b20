"""What the demo compares: two data sets, the learners and their rivals under one budget, and two references."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ..moments import KeyholeRegressor
from ..online import AELR, AER, AERR, DDAELR, DDAERR, Baseline
from ..rivals import CompleteRows, ScreenedPanel

BUDGET = 4
L2_RADIUS, L1_RADIUS, BASELINE_RADIUS = 0.5, 2.0, 1.0
FULL, MEAN, ROWS = "full information", "the mean label", "complete rows"
LEARNER, LAID_OUT, RIVAL, REFERENCE = "learner", "laid out", "rival", "reference"


@dataclass
class DataSet:
    """A table with labels -1 and +1, its name, and the question that the labels answer."""

    name: str
    question: str
    X: np.ndarray
    y: np.ndarray


@dataclass
class Row:
    """One line of the demo's table: a model, its test error in each split, and how many cells it revealed.

    Parameters
    ----------
    name : str
        The name of the model.
    kind : str
        "learner", "laid out" (a learner with one total for all examples), "rival" or "reference".
    make : callable
        A new model, from a seed.
    errors : list of float
        The test squared error in each split.
    shares : list of float
        The share of all training cells that were revealed in each split.
    largest : int
        The largest number of attributes that were revealed of any one example.
    model : object
        The model as fitted to the last split.
    """

    name: str
    kind: str
    make: Callable[[int], Any]
    errors: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    largest: int = 0
    model: Any = None

    @property
    def error(self) -> float:
        """The mean test error over splits."""
        return float(np.mean(self.errors))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean over splits (0 for a single split)."""
        n = len(self.errors)
        return float(np.std(self.errors, ddof=1) / np.sqrt(n)) if n > 1 else 0.0

    @property
    def share(self) -> float:
        """The mean share of revealed cells over splits."""
        return float(np.mean(self.shares))


def data_sets() -> list[DataSet]:
    """The two built-in data sets."""
    digits, cancer = load_digits(), load_breast_cancer()
    odd, benign = np.where(digits.target % 2, 1.0, -1.0), np.where(cancer.target, 1.0, -1.0)
    return [
        DataSet("digits", "is the digit odd?", digits.data, odd),
        DataSet("breast cancer", "is the tumour benign?", cancer.data, benign),
    ]


def rows() -> list[Row]:
    """All models, not fitted yet; AESVR, which needs a budget of 7, and the slow ImputeThenRidge are left out."""
    ridge = lambda _: make_pipeline(StandardScaler(), RidgeCV(np.logspace(-2, 4, 13)))  # noqa: E731
    return [
        Row("KeyholeRegressor", LEARNER, lambda seed: KeyholeRegressor(BUDGET, random_state=seed)),
        Row("Keyhole, one total", LAID_OUT, lambda seed: KeyholeRegressor(random_state=seed)),
        Row("AER", LEARNER, lambda seed: AER(BUDGET, L1_RADIUS, random_state=seed)),
        Row("Baseline", LEARNER, lambda seed: Baseline(BUDGET, BASELINE_RADIUS, random_state=seed)),
        Row("AERR", LEARNER, lambda seed: AERR(BUDGET, L2_RADIUS, random_state=seed)),
        Row("AELR", LEARNER, lambda seed: AELR(BUDGET, L1_RADIUS, random_state=seed)),
        Row("DDAERR", LEARNER, lambda seed: DDAERR(BUDGET, L2_RADIUS, random_state=seed)),
        Row("DDAELR", LEARNER, lambda seed: DDAELR(BUDGET, L1_RADIUS, random_state=seed)),
        Row(ROWS, RIVAL, lambda seed: CompleteRows(BUDGET, random_state=seed)),
        Row("screened panel", RIVAL, lambda seed: ScreenedPanel(BUDGET, random_state=seed)),
        Row(FULL, REFERENCE, ridge),
        Row(MEAN, REFERENCE, lambda _: DummyRegressor()),
    ]


def assess(row: Row, data: DataSet, split: int) -> None:
    """Fit a model to the training rows of a random split, and add its test error and revealed cells to its row."""
    X, X_test, y, y_test = train_test_split(data.X, data.y, test_size=0.3, stratify=data.y, random_state=split)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "KeyholeRegressor: ")  # of pixels that are never lit
        row.model = row.make(split)
        if row.kind == LAID_OUT:
            row.model.set_params(total=BUDGET * len(X))
        row.model.fit(X, y)
        predicted = row.model.predict(X_test)
    row.errors.append(float(np.mean((predicted - y_test) ** 2)))
    cells, largest = {FULL: (X.size, X.shape[1]), MEAN: (0, 0)}.get(row.name, (None, 0))
    if cells is None:
        cells, largest = row.model.observed_.distinct, row.model.observed_.max_per_example
    row.shares.append(cells / X.size)
    row.largest = max(row.largest, largest)


def named(rows: list[Row], name: str) -> Row:
    """The row of that name."""
    return next(row for row in rows if row.name == name)


def best(rows: list[Row], kind: str) -> Row:
    """The first row of a kind: the best of it, if rows are ordered by their errors."""
    return next(row for row in rows if row.kind == kind)
