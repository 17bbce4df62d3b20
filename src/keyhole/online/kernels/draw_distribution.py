"""The distribution by which attributes are drawn for the estimate of x: uniform, given, or following second moments.

AERR and AELR draw uniformly, or by any given probabilities q, which makes them GAERR and GAELR of Kukliansky and Shamir
(2015, Algorithms 1 and 3).
DDAERR and DDAELR draw the attributes of the x estimate with probabilities q that follow the second moments of the
attributes (Kukliansky and Shamir 2015, equation 2 and Lemma 4.3): q_i in proportion to E[x_i^2]^power, with power 1/2
for ridge and 1 for lasso. The attributes of the inner product are drawn with p_j in proportion to |w_j| sqrt(E[x_j^2]),
as in the paper's experiments, or (``improved=False``) as in its algorithms, without regard to the moments. The moments
are given, or estimated from the cells of a warm-up with uniform draws.

The paper leaves two cases open: an attribute that the warm-up never drew has no estimated moment, and an attribute
whose estimate is 0 would never be drawn again. So each estimate counts EXTRA_CELLS more cells, whose squares are the
mean of all squares seen. By the letter of the paper there are no more cells: an estimate of 0 stays, and only an
attribute that was never drawn has the mean of all squares seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...sampling import alias
from ...sampling.alias import AliasTable
from ...sampling.random import below

EXTRA_CELLS = 5.0  # chosen on MNIST 3 against 5, see docs/streaming.md


class DrawDistribution(NamedTuple):
    """How attributes are drawn for the estimate of x.

    ``on[0]`` is 0 while draws are uniform. ``table`` holds the probabilities q. ``root``, the square roots of the
    moments, is empty where they do not matter to the inner product. ``seen`` has the count and the sum of squares of
    each attribute, and is empty where moments are given. All but ``on`` are empty in learners that always draw
    uniformly.
    """

    on: np.ndarray
    table: AliasTable
    root: np.ndarray
    seen: np.ndarray


def uniform_distribution() -> DrawDistribution:
    """Uniform draws throughout."""
    nothing = AliasTable(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    return DrawDistribution(np.zeros(1, dtype=np.int64), nothing, np.empty(0), np.empty((0, 2)))


def given_distribution(q: np.ndarray) -> DrawDistribution:
    """Draws by given probabilities throughout; the draws of the inner product do not depend on them."""
    d = len(q)
    table = AliasTable(q, np.zeros(d), np.zeros(d, dtype=np.int64))
    alias.fill(table)
    return DrawDistribution(np.ones(1, dtype=np.int64), table, np.empty(0), np.empty((0, 2)))


def moment_distribution(
    n_attributes: int, moments: np.ndarray | None, power: float, improved: bool
) -> DrawDistribution:
    """Draws by the given second moments, or (None) by those that a warm-up will estimate."""
    d = n_attributes
    seen = np.zeros((d if moments is None else 0, 2))
    table = AliasTable(np.full(d, 1.0 / d), np.zeros(d), np.zeros(d, dtype=np.int64))
    distribution = DrawDistribution(np.zeros(1, dtype=np.int64), table, np.ones(d if improved else 0), seen)
    if moments is not None:
        follow_moments(distribution, np.asarray(moments, dtype=np.float64), power)
    return distribution


@njit(cache=True, nogil=True)
def follow_moments(distribution: DrawDistribution, moments: np.ndarray, power: float) -> None:
    """Draw by these second moments from now on."""
    q = moments**power
    distribution.table.probability[:] = q / q.sum()
    alias.fill(distribution.table)
    if len(distribution.root) > 0:
        distribution.root[:] = np.sqrt(moments)
    distribution.on[0] = 1


@njit(cache=True, nogil=True)
def moment_norm(moments: np.ndarray, power: float) -> float:
    """(sum of E[x_i^2]^power)^(1/power), which the bounds of DDAERR and DDAELR have in place of d."""
    return np.sum(moments**power) ** (1.0 / power)


@njit(cache=True, nogil=True)
def count_squares(distribution: DrawDistribution, attributes: np.ndarray, z: np.ndarray) -> None:
    """Add the cells of an example to the estimated moments, where moments are not given."""
    if len(distribution.seen) > 0:
        for r in range(len(attributes)):
            distribution.seen[attributes[r], 0] += 1.0
            distribution.seen[attributes[r], 1] += z[r] * z[r]


@njit(cache=True, nogil=True)
def estimated_moments(distribution: DrawDistribution, uncertainty: float, extra_cells: float) -> np.ndarray:
    """Second moments of the cells so far, plus 13/6 of the theorem's uncertainty."""
    count, squares = distribution.seen[:, 0], distribution.seen[:, 1]
    mean = squares.sum() / count.sum() if squares.sum() > 0.0 else 1.0
    A = np.full(len(count), mean)
    if squares.sum() + extra_cells > 0.0:  # otherwise nothing tells the attributes apart
        for i in range(len(count)):
            if count[i] + extra_cells > 0.0:
                A[i] = (squares[i] + extra_cells * mean) / (count[i] + extra_cells)
    return A + 13.0 / 6.0 * uncertainty


@njit(cache=True, nogil=True)
def draw_attribute(distribution: DrawDistribution, d: int, rng: np.ndarray) -> int:
    """An attribute for the x estimate."""
    return alias.draw(distribution.table, rng) if distribution.on[0] else below(rng, d)


@njit(cache=True, nogil=True)
def draw_probability(distribution: DrawDistribution, d: int, i: int) -> float:
    """The probability q_i that one such draw is attribute i."""
    return distribution.table.probability[i] if distribution.on[0] else 1.0 / d
