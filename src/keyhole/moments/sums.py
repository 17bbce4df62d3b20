"""Whether sums over rows can be those of any rows, before moments are made of them.

The square of a sum of products is at most the product of two sums of squares (Cauchy and Schwarz), for two attributes,
for an attribute and the label, and for either and the ones whose sum of squares is the number of rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

OWNER = "moments_from_sums"
ROUNDING = 1e-8  # of a product of two roots of sums of squares


def check_sums(XtX: np.ndarray, Xty: np.ndarray, yty: float, n_rows: int, sum_X: np.ndarray, sum_y: float) -> None:
    """Raise for the first sum that is impossible, with the number of its attribute.

    >>> check_sums(np.array([[-4.0]]), np.array([9.0]), 9.0, 2, np.zeros(1), 0.0)
    Traceback (most recent call last):
        ...
    ValueError: XtX[0, 0] is -4: moments_from_sums needs a sum of squares, which is 0 or more
    """
    for name, given in (("XtX", XtX), ("Xty", Xty), ("yty", yty), ("sum_X", sum_X), ("sum_y", sum_y)):
        _check_finite(name, np.asarray(given))
    squares = np.diag(XtX)
    if (squares < 0).any():
        i = int(np.argmin(squares))
        raise ValueError(f"XtX[{i}, {i}] is {squares[i]:.6g}: {OWNER} needs a sum of squares, which is 0 or more")
    if yty < 0:
        raise ValueError(f"yty is {yty:.6g}: {OWNER} needs a sum of squares, which is 0 or more")
    root = np.sqrt(squares)
    apart = np.abs(XtX - XtX.T)
    if (apart > ROUNDING * np.outer(root, root)).any():
        i, j = (int(at) for at in np.unravel_index(np.argmax(apart), apart.shape))
        raise ValueError(
            f"XtX is not symmetric: XtX[{i}, {j}] is {XtX[i, j]:.6g} and XtX[{j}, {i}] is {XtX[j, i]:.6g}; both are the"
            f" sum of products of attributes {i} and {j}"
        )
    _check_products(
        "XtX",
        XtX,
        np.outer(root, root),
        lambda i, j: f"XtX[{i}, {i}] = {squares[i]:.6g} times XtX[{j}, {j}] = {squares[j]:.6g}",
    )
    _check_products(
        "Xty", Xty, root * np.sqrt(yty), lambda i: f"XtX[{i}, {i}] = {squares[i]:.6g} times yty = {yty:.6g}"
    )
    rows = np.sqrt(n_rows)
    _check_products("sum_X", sum_X, root * rows, lambda i: f"XtX[{i}, {i}] = {squares[i]:.6g} times n_rows = {n_rows}")
    _check_products(
        "sum_y", np.asarray(sum_y), np.asarray(np.sqrt(yty) * rows), lambda: f"yty = {yty:.6g} times n_rows = {n_rows}"
    )


def _check_finite(name: str, given: np.ndarray) -> None:
    if not np.isfinite(given).all():
        place = [int(at) for at in np.argwhere(~np.isfinite(given))[0]]
        raise ValueError(f"{name}{place or ''} is {given[tuple(place)]}: {OWNER} needs finite numbers")


def _check_products(name: str, given: np.ndarray, most: np.ndarray, why: Any) -> None:
    beyond = np.abs(given) - (1.0 + ROUNDING) * most
    if (beyond > 0).any():
        place = tuple(int(at) for at in np.unravel_index(np.argmax(beyond), beyond.shape))
        raise ValueError(
            f"{name}{list(place) or ''} is {given[place]:.6g}, and its size is at most {most[place]:.6g}, the root of"
            f" {why(*place)}: these are not sums over the same rows"
        )
