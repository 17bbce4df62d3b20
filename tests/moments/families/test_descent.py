"""The descent family against a plain pass over the rows."""

import numpy as np

from keyhole.moments.families.descent import Descent
from keyhole.moments.families.settings import RADIUS
from moments.conftest import plain_products, random_rows, some_start


def test_it_is_the_plain_pass():
    start, rows = some_start(), random_rows(2, 30, 6, 1, 4)
    counts = plain_products(start, rows)[1]
    rates = np.maximum(counts, 1) / 30
    w, total, squares = np.zeros(6), np.zeros(6), 0.0
    for t, label in enumerate(rows.labels[:, 0] - start.label_mean[0]):
        inside = slice(rows.start[t], rows.start[t + 1] - 1)
        seen = rows.columns[inside]
        x = np.zeros(6)
        x[seen] = rows.values[inside] - start.mean[seen]
        gradient = (np.outer(x, x) / rates) @ w - label * x / np.diag(rates)
        squares += gradient @ gradient
        w = w - RADIUS / np.sqrt(2 * squares) * gradient
        w /= max(np.linalg.norm(w) / RADIUS, 1.0)
        total += w
    np.testing.assert_allclose(Descent().moments(start, rows).weights()[0], total / 30, atol=1e-10)


def test_rows_without_cells_change_nothing():
    start, rows = some_start(), random_rows(2, 10, 6, 0, 0)
    np.testing.assert_allclose(Descent().moments(start, rows).weights(), 0.0, atol=1e-12)
