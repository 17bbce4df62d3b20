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


def test_wrong_input():
    with pytest.raises(ValueError, match="n_tests=1: published_bounds needs a whole number, 2 or more"):
        published_bounds(30, 455, 1)
