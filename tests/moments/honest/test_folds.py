"""Folds of rows, and the threads that work on them."""

import threading
import time

import numpy as np
import pytest

from keyhole.moments.honest.folds import folds_by_design, for_each_fold, random_folds
from keyhole.moments.honest.settings import FOLDS


def test_random_folds_are_of_equal_size_and_follow_from_the_seed():
    fold = random_folds(23, 0)
    assert sorted(np.bincount(fold)) == [4, 4, 5, 5, 5]
    np.testing.assert_array_equal(fold, random_folds(23, 0))
    assert not np.array_equal(fold, random_folds(23, 1))
    assert np.bincount(random_folds(10, 0, 3)).tolist() == [4, 3, 3]


def test_folds_share_every_design_alike():
    designs = np.repeat([0, 1, 2], [40, 40, 81])
    folds = folds_by_design(designs, 0)
    counts = np.array([np.bincount(folds[designs == b], minlength=FOLDS) for b in range(3)])
    assert counts.max(axis=1).tolist() == [8, 8, 17]
    assert counts.min(axis=1).tolist() == [8, 8, 16]


def test_folds_by_design_follow_the_rows_and_not_their_order():
    designs = np.random.default_rng(0).integers(3, size=101)
    folds = folds_by_design(designs, 5)
    counts = np.array([np.bincount(folds[designs == b], minlength=FOLDS) for b in range(3)])
    assert (counts.max(axis=1) - counts.min(axis=1)).max() <= 1
    np.testing.assert_array_equal(folds, folds_by_design(designs, 5))


def test_results_come_in_the_order_of_folds_and_work_runs_side_by_side():
    together = threading.Barrier(FOLDS, timeout=30)

    def work(fold):
        together.wait()  # only all of them at a time get past it
        time.sleep(0.01 * (FOLDS - fold))
        return fold**2

    assert for_each_fold(work) == [0, 1, 4, 9, 16]
    assert for_each_fold(lambda fold: fold, folds=2) == [0, 1]


def test_an_error_in_one_fold_is_raised():
    def work(fold):
        if fold == 3:
            raise ZeroDivisionError("fold 3")

    with pytest.raises(ZeroDivisionError, match="fold 3"):
        for_each_fold(work)
