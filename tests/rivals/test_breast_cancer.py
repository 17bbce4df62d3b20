"""Breast cancer, 455 training rows, 4 of 30 tests: the rivals are as strong as they should be."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from keyhole.rivals import CompleteRows, ImputeThenRidge, ScreenedPanel

X, LABELS = load_breast_cancer(return_X_y=True)
Y = 2.0 * LABELS - 1.0


def errors(make, splits=20):
    """Test squared error for each split; the mean label has about 0.93."""
    found = []
    for seed in range(splits):
        train, test = train_test_split(np.arange(len(Y)), test_size=114, random_state=seed)
        rival = make(seed).fit(X[train], Y[train])
        found.append(np.mean((rival.predict(X[test]) - Y[test]) ** 2))
    return np.array(found)


def test_whole_rows_and_panel():
    full = errors(lambda seed: CompleteRows(30))
    rows = errors(lambda seed: CompleteRows(4))
    panel = errors(lambda seed: ScreenedPanel(4, random_state=seed))
    assert 0.23 < full.mean() < 0.27
    assert 0.28 < rows.mean() < 0.36
    assert 0.28 < panel.mean() < 0.34
    assert np.mean(panel - full) > 0.03, "a seventh of the cells cannot do as well as all of them"


def test_imputation():
    error = errors(lambda seed: ImputeThenRidge(4, 1, random_state=seed), splits=3)
    assert 0.27 < error.mean() < 0.42
