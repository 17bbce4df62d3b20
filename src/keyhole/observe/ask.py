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
    """Which attributes to reveal, and what each draw of them is for.

    ``attributes`` are distinct: each is revealed and paid for once. A policy that draws with replacement
    may mean one attribute several times; the draws are ``slots`` (positions in ``attributes``) with their
    ``roles`` and ``weights``. ``probabilities`` are the inclusion probabilities of ``attributes`` at asking
    time (empty in a compiled pass, which keeps no ledger). ``notes`` is what else a learner must remember.
    """

    attributes: np.ndarray
    probabilities: np.ndarray
    slots: np.ndarray
    roles: np.ndarray
    weights: np.ndarray
    notes: np.ndarray


@njit(cache=True, nogil=True)
def ask_for(drawn, roles, weights, marks):
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
    return Ask(attributes[:count], nothing, slots, roles, weights, nothing)


@njit(cache=True, nogil=True)
def with_probabilities(ask, probabilities):
    """The same ask with its inclusion probabilities."""
    return Ask(ask.attributes, probabilities, ask.slots, ask.roles, ask.weights, ask.notes)
