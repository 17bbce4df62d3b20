"""Splits, folds and tuning do what the papers' protocols say."""

from __future__ import annotations

import numpy as np

import keyhole as kh
from keyhole.experiments.shared.protocol import chosen_in_words, folds, grid, prefixes, random_split, tuned, wrong_sign


def test_a_split_has_every_row_once_and_depends_on_seed_and_number():
    X = np.arange(50.0)[:, None]
    one, two, other = (random_split(X, X[:, 0], *which) for which in ((0, 1), (0, 1), (0, 2)))
    np.testing.assert_array_equal(one.X, two.X)
    assert not np.array_equal(one.X, other.X)
    assert len(one.y_test) == 5
    np.testing.assert_array_equal(np.sort(np.concatenate([one.y, one.y_test])), X[:, 0])
    np.testing.assert_array_equal(one.X[:, 0], one.y)


def test_folds_cover_all_rows():
    assert folds(10, 3) == [(0, 3), (3, 7), (7, 10)]


def test_prefixes_double():
    assert prefixes(1000, 4) == [125, 250, 500, 1000]


def test_a_setting_at_an_end_of_its_axis_says_so():
    points = grid(radius=(0.8, 1.6), accuracy=(16.0, 32.0, 64.0), step_size=(None, 3e-4, 1e-3))
    assert chosen_in_words({"radius": 1.6, "accuracy": 32.0, "step_size": 1e-3}, points) == (
        "radius 1.6 (the largest that was tried), accuracy 32, step_size 0.001 (the largest that was tried)"
    )
    assert chosen_in_words({"radius": 0.8, "accuracy": 64.0, "step_size": None}, points) == (
        "radius 0.8 (the smallest that was tried), accuracy 64 (the largest that was tried)"
    )


def test_a_setting_that_was_not_tuned_is_at_no_end():
    assert chosen_in_words({"radius": 2.0}, []) == "radius 2"
    assert chosen_in_words({"radius": 2.0}, grid(radius=(2.0,))) == "radius 2"


def test_tuning_finds_the_radius_that_predicts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 5))
    split = random_split(X, X @ [1.0, -1.0, 0, 0, 0], 0, 0)
    points = grid(radius=(0.01, 1.0))
    chosen = tuned(lambda **settings: kh.AERR(4, scaling="none", **settings), points, split, 3, 0)
    assert chosen == {"radius": 1.0}


def test_a_prediction_of_zero_is_wrong():
    assert wrong_sign(np.array([0.0, 2.0, -1.0]), np.array([1.0, 1.0, 1.0])) == 2 / 3
