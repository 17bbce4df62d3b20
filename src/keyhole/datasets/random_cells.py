"""Random numbers that depend on a seed, an example and an attribute alone, so that no table is held in memory."""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

_UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def _mixed(word):
    """The finaliser of splitmix64."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@njit(cache=True, nogil=True)
def _word(seed, example, attribute):
    word = _mixed(uint64(seed) * uint64(0x9E3779B97F4A7C15) + uint64(example))
    return _mixed(word + uint64(attribute + 1) * uint64(0xD1342543DE82EF95))


@njit(cache=True, nogil=True)
def uniform_cell(seed, example, attribute):
    """A number from 0 to 1, 1 excluded."""
    return np.float64(_word(seed, example, attribute) >> uint64(11)) * _UNIT


@njit(cache=True, nogil=True)
def normal_cell(seed, example, attribute):
    """A standard normal number (Box and Muller)."""
    word = _word(seed, example, attribute)
    other = _mixed(word + uint64(0x9E3779B97F4A7C15))
    radius = 1.0 - np.float64(word >> uint64(11)) * _UNIT
    angle = np.float64(other >> uint64(11)) * _UNIT
    return np.sqrt(-2.0 * np.log(radius)) * np.cos(2.0 * np.pi * angle)
