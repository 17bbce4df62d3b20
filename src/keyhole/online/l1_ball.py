"""Weights in an l1 ball with exact Euclidean projection, in O(log d) a change.

A weight is w_i = sign_i * scale * (height_i - water) while height_i > water, and 0 below it. Shrinking all
weights changes the scale; projecting raises the water until sum |w_i| is the radius. Only weights that the
water reaches are touched, and each must have been raised before, so the work is O(log d) amortised per
changed weight. One tree holds, for the weights above water, their number, the sum of their heights (their
|w| add up to scale * (sum - water * number), so the tree also draws in proportion to |w|) and the lowest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

SIGN, HEIGHT, SUM, SINCE_SCALE, SINCE_WATER = range(5)
TOTAL, NUMBER, LOWEST = range(3)
SCALE, WATER, SCALE_CLOCK, WATER_CLOCK = range(4)


class Ball(NamedTuple):
    """``weights`` has a row per attribute: sign, height, settled sum and the clocks when it was settled.

    The clocks are the sums over steps of scale and of scale * water: what the average needs.
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
    sign, height, settled, since_scale, since_water = ball.weights.T
    scale_clock, water_clock = ball.numbers[SCALE_CLOCK], ball.numbers[WATER_CLOCK]
    running = sign * (height * (scale_clock - since_scale) - (water_clock - since_water))
    return (settled + running) / max(steps, 1.0)


@njit(cache=True, nogil=True)
def tick(ball):
    """Count the present weights in the average."""
    ball.numbers[SCALE_CLOCK] += ball.numbers[SCALE]
    ball.numbers[WATER_CLOCK] += ball.numbers[SCALE] * ball.numbers[WATER]


@njit(cache=True, nogil=True)
def norm(ball):
    """sum |w_i|."""
    return ball.numbers[SCALE] * max(ball.tree[1, TOTAL] - ball.numbers[WATER] * ball.tree[1, NUMBER], 0.0)


@njit(cache=True, nogil=True)
def weight_of(ball, i):
    """w_i."""
    row = ball.weights[i]
    return row[SIGN] * ball.numbers[SCALE] * (row[HEIGHT] - ball.numbers[WATER])


@njit(cache=True, nogil=True)
def draw(ball, u):
    """The attribute at fraction u of the total of |w|, which must be positive."""
    tree, water = ball.tree, ball.numbers[WATER]
    half = len(tree) // 2
    left = u * (tree[1, TOTAL] - water * tree[1, NUMBER])
    node = 1
    while node < half:
        node *= 2
        here = tree[node, TOTAL] - water * tree[node, NUMBER]
        if tree[node, NUMBER] == 0.0 or (left >= here and tree[node + 1, NUMBER] > 0.0):
            left -= here
            node += 1
    return node - half


@njit(cache=True, nogil=True)
def shrink(ball, factor):
    """Multiply all weights by a factor above 0."""
    ball.numbers[SCALE] *= factor


@njit(cache=True, nogil=True)
def add(ball, i, change):
    """Add to one weight."""
    value = weight_of(ball, i) + change
    _settle(ball, i)
    row = ball.weights[i]
    row[SIGN] = np.sign(value)
    row[HEIGHT] = ball.numbers[WATER] + abs(value) / ball.numbers[SCALE]
    _place(ball, i)


@njit(cache=True, nogil=True)
def project(ball, radius):
    """The nearest weights with sum |w_i| <= radius."""
    if norm(ball) <= radius:
        return
    numbers, tree = ball.numbers, ball.tree
    depth = radius / numbers[SCALE]
    while True:
        water = (tree[1, TOTAL] - depth) / tree[1, NUMBER]
        if tree[1, LOWEST] > water:
            break
        i = _lowest(tree)
        _settle(ball, i)
        ball.weights[i, SIGN] = 0.0
        _place(ball, i)
    numbers[WATER] = max(water, numbers[WATER])


@njit(cache=True, nogil=True)
def _settle(ball, i):
    row, numbers = ball.weights[i], ball.numbers
    lasted = row[HEIGHT] * (numbers[SCALE_CLOCK] - row[SINCE_SCALE])
    row[SUM] += row[SIGN] * (lasted - (numbers[WATER_CLOCK] - row[SINCE_WATER]))
    row[SINCE_SCALE] = numbers[SCALE_CLOCK]
    row[SINCE_WATER] = numbers[WATER_CLOCK]


@njit(cache=True, nogil=True)
def _place(ball, i):
    """Bring the tree in line with a weight's row."""
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
def _lowest(tree):
    """The attribute of the lowest height above water."""
    half = len(tree) // 2
    node = 1
    while node < half:
        node *= 2
        if tree[node + 1, LOWEST] < tree[node, LOWEST]:
            node += 1
    return node - half
