"""Weights in an l1 ball with exact Euclidean projection, in O(log d) per change.

A weight is w_i = sign_i * scale * (height_i - threshold) where height_i > threshold, and 0 elsewhere. Shrinking all
weights changes the scale; the projection is soft thresholding, and raises the threshold until sum |w_i| is the radius.
It touches only weights that become 0, and each of them must have changed before, so the work is O(log d) per changed
weight, amortised. One tree holds, for the non-zero weights, their number, the sum of their heights (so that their |w|
add up to scale * (sum - threshold * number), and the tree also draws in proportion to |w|) and the lowest height.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

SIGN, HEIGHT, SUM, SINCE_SCALE, SINCE_THRESHOLD = range(5)
TOTAL, NUMBER, LOWEST = range(3)
SCALE, THRESHOLD, SCALE_CLOCK, THRESHOLD_CLOCK = range(4)


class Ball(NamedTuple):
    """``weights`` has a row per attribute: sign, height, settled sum and the clocks when it was settled.

    The clocks are the sums over steps of scale and of scale * threshold: what the average needs.
    """

    weights: np.ndarray
    tree: np.ndarray
    numbers: np.ndarray


def new_ball(n_attributes: int) -> Ball:
    """A ball with all weights 0."""
    tree = np.zeros((2 << max(n_attributes - 1, 0).bit_length(), 3))
    tree[:, LOWEST] = np.inf
    return Ball(np.zeros((n_attributes, 5)), tree, np.array([1.0, 0.0, 0.0, 0.0]))


def average(ball: Ball, steps: float) -> np.ndarray:
    """The mean of w over the steps so far; zero before the first."""
    sign, height, settled, since_scale, since_threshold = ball.weights.T
    scale_clock, threshold_clock = ball.numbers[SCALE_CLOCK], ball.numbers[THRESHOLD_CLOCK]
    running = sign * (height * (scale_clock - since_scale) - (threshold_clock - since_threshold))
    return (settled + running) / max(steps, 1.0)


@njit(cache=True, nogil=True)
def tick(ball: Ball) -> None:
    """Count the present weights in the average."""
    ball.numbers[SCALE_CLOCK] += ball.numbers[SCALE]
    ball.numbers[THRESHOLD_CLOCK] += ball.numbers[SCALE] * ball.numbers[THRESHOLD]


@njit(cache=True, nogil=True)
def norm(ball: Ball) -> float:
    """sum |w_i|."""
    return ball.numbers[SCALE] * max(ball.tree[1, TOTAL] - ball.numbers[THRESHOLD] * ball.tree[1, NUMBER], 0.0)


@njit(cache=True, nogil=True)
def weight_of(ball: Ball, i: int) -> float:
    """w_i."""
    row = ball.weights[i]
    return row[SIGN] * ball.numbers[SCALE] * (row[HEIGHT] - ball.numbers[THRESHOLD])


@njit(cache=True, nogil=True)
def sum_so_far(ball: Ball, i: int) -> float:
    """The sum of w_i over the steps that were counted."""
    row, numbers = ball.weights[i], ball.numbers
    lasted = row[HEIGHT] * (numbers[SCALE_CLOCK] - row[SINCE_SCALE])
    return row[SUM] + row[SIGN] * (lasted - (numbers[THRESHOLD_CLOCK] - row[SINCE_THRESHOLD]))


@njit(cache=True, nogil=True)
def draw(ball: Ball, u: float) -> int:
    """The attribute at fraction u of the total of |w|, which must be positive."""
    tree, threshold = ball.tree, ball.numbers[THRESHOLD]
    half = len(tree) // 2
    left = u * (tree[1, TOTAL] - threshold * tree[1, NUMBER])
    node = 1
    while node < half:
        node *= 2
        here = tree[node, TOTAL] - threshold * tree[node, NUMBER]
        if tree[node, NUMBER] == 0.0 or (left >= here and tree[node + 1, NUMBER] > 0.0):
            left -= here
            node += 1
    return node - half


@njit(cache=True, nogil=True)
def shrink(ball: Ball, factor: float) -> None:
    """Multiply all weights by a factor above 0."""
    ball.numbers[SCALE] *= factor


@njit(cache=True, nogil=True)
def add(ball: Ball, i: int, change: float) -> None:
    """Add to one weight."""
    value = weight_of(ball, i) + change
    _settle(ball, i)
    row = ball.weights[i]
    row[SIGN] = np.sign(value)
    row[HEIGHT] = ball.numbers[THRESHOLD] + abs(value) / ball.numbers[SCALE]
    _place(ball, i)


@njit(cache=True, nogil=True)
def project(ball: Ball, radius: float) -> None:
    """The nearest weights with sum |w_i| <= radius."""
    if norm(ball) <= radius:
        return
    numbers, tree = ball.numbers, ball.tree
    depth = radius / numbers[SCALE]
    while True:
        threshold = (tree[1, TOTAL] - depth) / tree[1, NUMBER]
        if tree[1, LOWEST] > threshold:
            break
        i = _lowest(tree)
        _settle(ball, i)
        ball.weights[i, SIGN] = 0.0
        _place(ball, i)
    numbers[THRESHOLD] = max(threshold, numbers[THRESHOLD])


@njit(cache=True, nogil=True)
def _settle(ball: Ball, i: int) -> None:
    """Bring the sum of one weight up to date; call it before its row changes."""
    row, numbers = ball.weights[i], ball.numbers
    row[SUM] = sum_so_far(ball, i)
    row[SINCE_SCALE] = numbers[SCALE_CLOCK]
    row[SINCE_THRESHOLD] = numbers[THRESHOLD_CLOCK]


@njit(cache=True, nogil=True)
def _place(ball: Ball, i: int) -> None:
    """Compute the tree's nodes above a weight from its row."""
    tree, row = ball.tree, ball.weights[i]
    node = len(tree) // 2 + i
    if row[SIGN] == 0.0:
        tree[node, TOTAL], tree[node, NUMBER], tree[node, LOWEST] = 0.0, 0.0, np.inf
    else:
        tree[node, TOTAL], tree[node, NUMBER], tree[node, LOWEST] = row[HEIGHT], 1.0, row[HEIGHT]
    node //= 2
    while node > 0:
        one, two = 2 * node, 2 * node + 1
        tree[node, TOTAL] = tree[one, TOTAL] + tree[two, TOTAL]
        tree[node, NUMBER] = tree[one, NUMBER] + tree[two, NUMBER]
        tree[node, LOWEST] = min(tree[one, LOWEST], tree[two, LOWEST])
        node //= 2


@njit(cache=True, nogil=True)
def _lowest(tree: np.ndarray) -> int:
    """The attribute of the lowest height above threshold."""
    half = len(tree) // 2
    node = 1
    while node < half:
        node *= 2
        if tree[node + 1, LOWEST] < tree[node, LOWEST]:
            node += 1
    return node - half
