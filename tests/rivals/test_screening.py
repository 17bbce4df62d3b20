"""The selection of a panel against plain correlations and plain least squares."""

import numpy as np
import pytest

from keyhole.observe.cells import Cells
from keyhole.rivals.screening import best_panel, correlations, forward_selection


def collected(rows):
    cells = Cells()
    for attributes, values, label in rows:
        cells.append(np.array(attributes), np.array(values), label)
    return cells


def test_correlations_are_those_over_the_revealing_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)), rng.normal(size=60)
    X[:, 4] = 0.1
    seen = [np.sort(rng.choice(4, 2, replace=False)) for _ in range(60)]
    cells = collected([([*s, 4], [*X[t, s], 0.1], y[t]) for t, s in enumerate(seen)])
    found = correlations(cells, 6)
    for i in range(4):
        rows = [t for t in range(60) if i in seen[t]]
        expected = np.corrcoef(X[rows, i], y[rows])[0, 1] * len(rows) / (len(rows) + 10)
        assert found[i] == pytest.approx(expected)
    assert found[4] == found[5] == 0.0, "constant, and never seen"


def test_one_label_only_leaves_no_choice_to_rounding():
    cells = collected([([0, 1], [0.1 * t, 0.3], 0.1) for t in range(20)])
    assert not correlations(cells, 2).any()


def test_forward_selection_equals_plain_least_squares_search():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(500, 8)) @ rng.normal(size=(8, 8))
    y = Z @ rng.normal(size=8) + rng.normal(size=500)
    Z, y = (Z - Z.mean(0)) / Z.std(0), (y - y.mean()) / y.std()
    chosen: list[int] = []
    for _ in range(3):
        left = {
            j: np.sum((y - Z[:, [*chosen, j]] @ np.linalg.lstsq(Z[:, [*chosen, j]], y, rcond=None)[0]) ** 2)
            for j in range(8)
            if j not in chosen
        }
        chosen.append(min(left, key=left.__getitem__))
    assert forward_selection(Z.T @ Z / 500, Z.T @ y / 500, 3).tolist() == chosen
    assert sorted(forward_selection(np.ones((4, 4)), np.array([0.1, 0.4, 0.2, 0.3]), 3)) == [1, 2, 3]


def test_very_many_candidates():
    rng = np.random.default_rng(0)
    d = 3000
    cells = Cells()
    for _ in range(2000):
        row = rng.normal(size=d)
        seen = rng.choice(d, 150, replace=False)
        cells.append(seen, row[seen], row[7] * 5 + row[2999] * 5 + rng.normal())
    assert sorted(best_panel(cells, d, np.arange(d), 2)) == [7, 2999]
