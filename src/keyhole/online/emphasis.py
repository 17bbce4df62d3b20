"""Drawing some attributes more often than others: the distribution-dependent part of DDAERR and DDAELR.

The attributes of the x estimate are drawn with probabilities q that follow the second moments of the
attributes (Kukliansky and Shamir 2015, equation 2 and Lemma 4.3): q_i in proportion to E[x_i^2]^power, with
power 1/2 for ridge and 1 for lasso. The inner product is drawn with p_j in proportion to
|w_j| sqrt(E[x_j^2]), as in the paper's experiments, or (``improved=False``) as in its algorithms, without regard
to the moments. The moments are given, or estimated from the cells of a warm-up with uniform draws.

The paper leaves two gaps: an attribute that the warm-up never drew has no moment, and one whose estimate is 0
would never be drawn again. Both close when each estimate counts EXTRA more cells at the mean of all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ..sampling import alias
from ..sampling.alias import AliasTable
from ..sampling.random import below

EXTRA = 5.0


class Emphasis(NamedTuple):
    """``on[0]`` is 0 while draws are uniform. ``seen`` has the count and the sum of squares of each attribute,
    and is empty where moments are given; ``root``, the square roots of the moments, is empty where they do not
    matter to the inner product; all are empty in the learners that always draw uniformly.
    """

    on: np.ndarray
    table: AliasTable
    root: np.ndarray
    seen: np.ndarray


def no_emphasis() -> Emphasis:
    """Uniform draws for ever."""
    nothing = AliasTable(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    return Emphasis(np.zeros(1, dtype=np.int64), nothing, np.empty(0), np.empty((0, 2)))


def new_emphasis(n_attributes: int, moments: np.ndarray | None, power: float, improved: bool) -> Emphasis:
    """Emphasis by known second moments, or (None) by those that a warm-up will find."""
    d = n_attributes
    seen = np.zeros((d if moments is None else 0, 2))
    table = AliasTable(np.full(d, 1.0 / d), np.zeros(d), np.zeros(d, dtype=np.int64))
    emphasis = Emphasis(np.zeros(1, dtype=np.int64), table, np.ones(d if improved else 0), seen)
    if moments is not None:
        switch_on(emphasis, np.asarray(moments, dtype=np.float64), power)
    return emphasis


@njit(cache=True, nogil=True)
def switch_on(emphasis, moments, power):
    """Draw by these second moments from now on."""
    q = moments**power
    emphasis.table.probability[:] = q / q.sum()
    alias.fill(emphasis.table)
    if len(emphasis.root) > 0:
        emphasis.root[:] = np.sqrt(moments)
    emphasis.on[0] = 1


@njit(cache=True, nogil=True)
def moment_norm(moments, power):
    """(sum of E[x_i^2]^power)^(1/power): what stands for d in the bounds of DDAERR and DDAELR."""
    return np.sum(moments**power) ** (1.0 / power)


@njit(cache=True, nogil=True)
def count_squares(emphasis, attributes, z):
    """Add the cells of an example to the moments, where they are not given."""
    if len(emphasis.seen) > 0:
        for r in range(len(attributes)):
            emphasis.seen[attributes[r], 0] += 1.0
            emphasis.seen[attributes[r], 1] += z[r] * z[r]


@njit(cache=True, nogil=True)
def estimated_moments(emphasis, uncertainty):
    """Second moments of the cells so far, plus the theorem's 13/6 of an uncertainty."""
    count, squares = emphasis.seen[:, 0], emphasis.seen[:, 1]
    mean = squares.sum() / count.sum() if squares.sum() > 0.0 else 1.0
    return (squares + EXTRA * mean) / (count + EXTRA) + 13.0 / 6.0 * uncertainty


@njit(cache=True, nogil=True)
def draw_attribute(emphasis, d, rng):
    """An attribute for the x estimate."""
    return alias.draw(emphasis.table, rng) if emphasis.on[0] else below(rng, d)


@njit(cache=True, nogil=True)
def chance(emphasis, d, i):
    """The probability q_i of one such draw."""
    return emphasis.table.probability[i] if emphasis.on[0] else 1.0 / d
