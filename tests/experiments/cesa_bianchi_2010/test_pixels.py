"""Pixels are treated by what the training rows have, and test rows in the same way."""

from __future__ import annotations

import numpy as np
import pytest

from keyhole.experiments.cesa_bianchi_2010 import pixels
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.shared.protocol import Split


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.random((20, 6)).astype(np.float32) * (rng.random((20, 6)) < 0.7)
    X[:, 2] = 0.25
    X_test = rng.random((7, 6)).astype(np.float32)
    return Split(X, np.ones(20), X_test, np.ones(7))


def test_constant_pixels_are_those_of_the_training_rows(data):
    found = pixels.treated(pixels.DROPPED, data)
    np.testing.assert_array_equal(found.X, np.delete(data.X, 2, axis=1))
    np.testing.assert_array_equal(found.X_test, np.delete(data.X_test, 2, axis=1))


def test_means_are_those_of_the_training_rows(data):
    found = pixels.treated(pixels.CENTRED, data)
    np.testing.assert_allclose(found.X.mean(axis=0), 0, atol=1e-7)
    np.testing.assert_allclose(data.X_test - found.X_test, np.tile(data.X.mean(axis=0), (7, 1)), atol=1e-6)
    both = pixels.treated(pixels.BOTH, data)
    np.testing.assert_array_equal(both.X_test, np.delete(found.X_test, 2, axis=1))


def test_values_of_single_images(data):
    assert set(np.unique(pixels.treated(pixels.INK, data).X)) == {0, 1}
    assert pixels.treated(pixels.INK, data).X.sum() == (data.X != 0).sum()
    assert pixels.treated(pixels.BINARISED, data).X_test.sum() == (data.X_test > 0.5).sum()
    np.testing.assert_allclose(np.linalg.norm(pixels.treated(pixels.UNIT_NORM, data).X, axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(pixels.treated(pixels.RAW, data).X, data.X)


def test_pairs_of_digits():
    assert len(pixels.pairs_of(Size.full)) == 45
    assert [3, 5] in pixels.pairs_of(Size.quick)
    assert len(pixels.TEN_MORE) == 10
    assert [3, 5] not in pixels.TEN_MORE


def test_the_development_pair_is_shown_apart():
    values = {"3 vs 5": 0.9, "0 vs 1": 0.1, "2 vs 4": 0.3}
    assert list(pixels.development_and_others(values).values()) == [0.9, pytest.approx(0.2)]
    assert list(pixels.development_and_others({"3 vs 5": 0.9}).values()) == [0.9, ""]


def test_a_part_of_a_run_names_its_pairs_and_where_it_must_its_pixels():
    every = [{"pair": pixels.name_of(pair), "split": 0} for pair in pixels.EVERY_PAIR]
    assert pixels.splits_in_words(every) == "1 split of all 45 pairs"
    raw, centred = ([{"pair": "3 vs 5", "split": 0, "pixels": name}] for name in ("raw", "centred"))
    assert pixels.splits_in_words(raw + centred) == "1 split of 3 vs 5"
    words = pixels.splits_in_words([*raw, {"pair": "0 vs 2", "split": 0, "pixels": "raw"}, *centred])
    assert words == "pixels raw: 1 split of 3 vs 5, 0 vs 2; pixels centred: 1 split of 3 vs 5"
