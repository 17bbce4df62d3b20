"""What a policy wants to see of one example, with all that is needed to learn from the answer later.

An ``Ask`` carries its own weights, because answers may come late, in batches and out of order, when the
learner has moved on. It is a NamedTuple of arrays, so that compiled loops and Python share one type.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

X_ESTIMATE = 0
INNER_PRODUCT = 1


class Ask(NamedTuple):
    """Which attributes to reveal of an example, and what each draw of them is for.

    A policy that draws with replacement may draw one attribute several times; it is revealed and paid for once.

    Parameters
    ----------
    attributes : ndarray of int
        The column numbers to reveal, all different.
    probabilities : ndarray of float
        The inclusion probability of each attribute at asking time; empty in a compiled pass, which keeps no ledger.
    slots : ndarray of int
        For each draw, the position in ``attributes`` of the attribute that was drawn.
    roles : ndarray of int
        What each draw is for: 0 for an estimate of the example, 1 for an estimate of an inner product.
    weights : ndarray of float
        The weight of each draw at asking time.
    notes : ndarray of float
        What else the learner must remember until the values come.
    number : int
        The number of the ask, by which its learner knows it; -1 in a compiled pass, which registers no ask.

    Examples
    --------
    >>> import keyhole as kh
    >>> learner = kh.AERR(budget=2, random_state=0).start(["age", "pulse", "iron"])
    >>> learner.ask().number, learner.ask().number
    (0, 1)
    """

    attributes: np.ndarray
    probabilities: np.ndarray
    slots: np.ndarray
    roles: np.ndarray
    weights: np.ndarray
    notes: np.ndarray
    number: int = -1


@njit(cache=True, nogil=True)
def ask_for(drawn: np.ndarray, roles: np.ndarray, weights: np.ndarray, marks: np.ndarray) -> Ask:
    """The Ask of some draws. ``marks`` holds -1 for every attribute and is left so."""
    attributes = np.empty(len(drawn), dtype=np.int64)
    slots = np.empty(len(drawn), dtype=np.int64)
    count = 0
    for r in range(len(drawn)):
        i = drawn[r]
        if marks[i] < 0:
            marks[i] = count
            attributes[count] = i
            count += 1
        slots[r] = marks[i]
    for r in range(count):
        marks[attributes[r]] = -1
    nothing = np.empty(0)
    return Ask(attributes[:count], nothing, slots, roles, weights, nothing, -1)


@njit(cache=True, nogil=True)
def with_probabilities(ask: Ask, probabilities: np.ndarray) -> Ask:
    """The same ask with its inclusion probabilities."""
    return Ask(ask.attributes, probabilities, ask.slots, ask.roles, ask.weights, ask.notes, ask.number)
