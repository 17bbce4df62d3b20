"""Random numbers that live in the state: xoshiro256++ (Blackman and Vigna 2021) on an array of four uint64.

The generator is a plain array, so a learner's state can be saved, restored and replayed, and compiled
loops and single steps draw the very same numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

_UNIT = 2.0**-53


def new_generator(seed: int) -> np.ndarray:
    """A generator seeded through splitmix64, so that nearby seeds give unrelated streams."""
    mask = (1 << 64) - 1
    words, state = [], int(seed) & mask
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        words.append(z ^ (z >> 31))
    return np.array(words, dtype=np.uint64)


@njit(cache=True, nogil=True)
def _rotate(x, k):
    return (x << uint64(k)) | (x >> uint64(64 - k))


@njit(cache=True, nogil=True)
def next_uint64(rng):
    """The next 64 random bits."""
    result = _rotate(rng[0] + rng[3], 23) + rng[0]
    shifted = rng[1] << uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = _rotate(rng[3], 45)
    return result


@njit(cache=True, nogil=True)
def uniform(rng):
    """A float in [0, 1) with 53 random bits."""
    return np.float64(next_uint64(rng) >> uint64(11)) * _UNIT


@njit(cache=True, nogil=True)
def below(rng, n):
    """An integer in [0, n); the bias of the multiplication is below n / 2**53."""
    return np.int64(uniform(rng) * n)
