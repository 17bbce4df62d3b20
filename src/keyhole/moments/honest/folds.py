"""Folds of rows for cross-validation, and the threads that work on them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from .settings import FOLDS

T = TypeVar("T")


def random_folds(n_rows: int, seed: int, folds: int = FOLDS) -> np.ndarray:
    """A fold for each row, at random, with an equal number of rows in each."""
    return np.random.default_rng(seed).permutation(n_rows) % folds


def folds_by_design(designs: np.ndarray, seed: int, folds: int = FOLDS) -> np.ndarray:
    """A fold for each row, at random, with an equal share of the rows of every design in each."""
    order = np.lexsort((np.random.default_rng(seed).random(len(designs)), designs))
    fold = np.empty(len(designs), dtype=np.int64)
    fold[order] = np.arange(len(designs)) % folds
    return fold


def for_each_fold(work: Callable[[int], T], folds: int = FOLDS) -> list[T]:
    """What ``work`` returns for each fold, computed in threads: compiled code releases the interpreter lock.

    Linear algebra has one thread meanwhile: several threads that share its pool get sums in an order that varies from
    run to run, and the last digits with it.
    """
    with _threads_of_blas().limit(limits=1, user_api="blas"), ThreadPoolExecutor(folds) as pool:
        return list(pool.map(work, range(folds)))


@lru_cache
def _threads_of_blas() -> ThreadpoolController:
    """Made once, since to look for the libraries takes 10 ms."""
    return ThreadpoolController()
