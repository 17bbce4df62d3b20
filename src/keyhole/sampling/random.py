"""Random numbers from a generator that is part of a learner's state: xoshiro256++ on an array of four uint64.

The generator is a plain array, so a learner's state can be saved, restored and replayed, and compiled loops and single
steps draw exactly the same numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

_UNIT = 2.0**-53


def new_generator(seed: int) -> np.ndarray:
    """Make a random generator.

    Parameters
    ----------
    seed : int
        The seed. It is expanded by splitmix64, so that neighbouring seeds give unrelated streams.

    Returns
    -------
    ndarray of uint64 of shape (4,)
        The state of the generator (xoshiro256++), which every draw advances in place.

    References
    ----------
    Blackman, D. and Vigna, S. (2021). Scrambled linear pseudorandom number generators. ACM Transactions on
    Mathematical Software, 47(4), 1-32.

    Examples
    --------
    >>> from keyhole.sampling import new_generator, uniform
    >>> rng = new_generator(0)
    >>> round(uniform(rng), 4), round(uniform(rng), 4)
    (0.3246, 0.3822)
    """
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
def _rotate(x: int, k: int) -> int:
    return (x << uint64(k)) | (x >> uint64(64 - k))


@njit(cache=True, nogil=True)
def next_uint64(rng: np.ndarray) -> int:
    """Draw 64 random bits.

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.

    Returns
    -------
    int
        A whole number from 0 to 2**64 - 1.

    Examples
    --------
    >>> from keyhole.sampling import new_generator, next_uint64
    >>> int(next_uint64(new_generator(0)))
    5987356902031041503
    """
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
def uniform(rng: np.ndarray) -> float:
    """Draw a number uniformly from [0, 1).

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.

    Returns
    -------
    float
        A number in [0, 1) with 53 random bits.

    Examples
    --------
    >>> from keyhole.sampling import new_generator, uniform
    >>> round(uniform(new_generator(7)), 4)
    0.0554
    """
    return np.float64(next_uint64(rng) >> uint64(11)) * _UNIT


@njit(cache=True, nogil=True)
def below(rng: np.ndarray, n: int) -> np.int64:
    """Draw a whole number uniformly from 0, ..., n - 1.

    Parameters
    ----------
    rng : ndarray of uint64 of shape (4,)
        The random generator, see ``new_generator``; it is advanced.
    n : int
        The number of outcomes, at least 1.

    Returns
    -------
    int
        A whole number; its probabilities differ from 1 / n by less than n / 2**53 of it.

    Examples
    --------
    >>> from keyhole.sampling import below, new_generator
    >>> rng = new_generator(0)
    >>> [int(below(rng, 6)) for _ in range(5)]
    [1, 2, 2, 0, 2]
    """
    return np.int64(uniform(rng) * n)
