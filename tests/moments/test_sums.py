"""Sums that cannot be those of any rows are refused, with the attribute; sums of rows never are."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.sums import check_sums

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 3)) * [1.0, 1e6, 1e-6] + [0.0, 1e9, 0.0]
Y = X @ [1.0, 1e-6, 1e6] + RNG.normal(size=50)


def sums(**changed):
    given = {"XtX": X.T @ X, "Xty": X.T @ Y, "yty": float(Y @ Y), "n_rows": 50, "sum_X": X.sum(0), "sum_y": Y.sum()}
    return given | changed


def with_entry(array, place, value):
    array = np.array(array)
    array[place] = value
    return array


def test_sums_of_rows_are_possible():
    check_sums(**sums())
    table = np.column_stack([np.ones(50), X[:, 0], 2 * X[:, 0], np.zeros(50)])
    kh.moments_from_sums(table.T @ table, table.T @ Y, Y @ Y, 50, sum_X=table.sum(0), sum_y=Y.sum())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"XtX": with_entry(X.T @ X, (2, 2), -1.0)},
            r"XtX\[2, 2\] is -1: .* needs a sum of squares, which is 0 or more",
        ),
        ({"yty": -2.0}, "yty is -2: .* needs a sum of squares"),
        (
            {"XtX": with_entry(X.T @ X, (0, 2), 1e-3)},
            r"XtX is not symmetric: XtX\[0, 2\] is 0.001 .*attributes 0 and 2",
        ),
        (
            {"Xty": with_entry(X.T @ Y, 1, 1e30)},
            r"Xty\[1\] is 1e\+30, and its size is at most .*not sums over the same",
        ),
        ({"n_rows": 20}, r"sum_X\[1\] is .* times n_rows = 20"),
        ({"sum_y": 1e9}, r"sum_y is 1e\+09, and its size is at most"),
        ({"Xty": with_entry(X.T @ Y, 1, np.nan)}, r"Xty\[1\] is nan: .* needs finite numbers"),
        ({"XtX": with_entry(X.T @ X, (1, 0), np.inf)}, r"XtX\[1, 0\] is inf"),
        ({"yty": np.nan}, "yty is nan"),
        ({"sum_X": None}, "sum_y=.* without sum_X: moments_from_sums needs both sums, or none"),
    ],
)
def test_impossible_sums_are_refused_by_place(changed, message):
    with pytest.raises(ValueError, match=message):
        kh.moments_from_sums(**sums(**changed))


def test_products_beyond_the_squares_are_refused():
    wrong = X.T @ X
    wrong[0, 2] = wrong[2, 0] = 1.0
    with pytest.raises(ValueError, match=r"XtX\[0, 2\] is 1, and its size is at most .* the root of XtX\[0, 0\] = "):
        kh.moments_from_sums(**sums(XtX=wrong))
