"""The published bounds of a study without a pilot."""

import pytest

from keyhole.planning import bound_formulas, published_bounds


def test_bounds_are_twice_those_of_half_the_squared_error():
    found = published_bounds(64, 10_000, 5, radius=2.0)
    assert found.ridge == pytest.approx(2 * bound_formulas.aerr(64, 10_000, 4, 2.0))
    assert found.lasso == pytest.approx(2 * bound_formulas.aelr(64, 10_000, 4, 2.0))


def test_words_warn_that_bounds_are_loose():
    said = str(published_bounds(30, 455, 4))
    for words in ("455 examples, 4 of 30 attributes of each", "Theorem 3.1", "Theorem 3.4", "loose", "A pilot"):
        assert words in said


def test_a_theorem_that_says_nothing_is_left_out():
    assert published_bounds(3, 4, 3).fewest == 0
    assert published_bounds(12, 4, 4).fewest == 0  # fewer attributes than four times the tests
    for small in (published_bounds(3, 4, 3), published_bounds(20, 100, 4, accuracy=0.05)):
        assert "Theorem 3)" not in str(small)
    assert "with fewer than 4 examples" in str(published_bounds(30, 455, 4))
    assert "for 1 example, 3 of 3 attributes" in str(published_bounds(3, 1, 3))


def test_bounds_above_that_of_predicting_0_promise_nothing():
    assert "Always predicting 0 is at most 4 above it, too" in str(published_bounds(30, 455, 4, radius=2.0))
    assert "Always predicting 0" not in str(published_bounds(30, 455_000, 4))


def test_wrong_input():
    with pytest.raises(ValueError, match="n_tests=4: an example has no more than its 3 attributes"):
        published_bounds(3, 10, 4)
    with pytest.raises(ValueError, match="n_tests=1: published_bounds needs a whole number, 2 or more"):
        published_bounds(30, 455, 1)
