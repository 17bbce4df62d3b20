"""Learning curves, extrapolated: to curves that are known, and to the end of a curve that was held back."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.describe.extrapolation import MULTIPLES, extrapolated
from moments.conftest import shared_factors

CELLS = 100.0 * 2.0 ** np.arange(5)


def curve_at(n):
    return 0.2 + 6.0 * n**-0.6


def test_a_curve_without_noise_is_continued():
    squares = np.tile(curve_at(CELLS)[:, None], (1, 50))
    found = extrapolated(CELLS, squares)
    np.testing.assert_allclose(found.n_cells, CELLS[-1] * MULTIPLES)
    np.testing.assert_allclose(found.error, curve_at(found.n_cells), rtol=0.03)  # the grid of exponents has 0.625
    assert (found.standard_error < 0.01).all()


def test_most_standard_errors_contain_the_curve():
    hits = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows = rng.chisquare(1, size=300)  # a row that is hard to predict is so for every model
        squares = curve_at(CELLS)[:, None] * (0.8 * rows + 0.2 * rng.chisquare(1, size=(5, 300)))
        found = extrapolated(CELLS, squares, seed)
        hits.append(np.abs(found.error - curve_at(found.n_cells)) < 2 * found.standard_error)
    assert np.mean(hits) > 0.85


def test_errors_that_do_not_fall_are_continued_as_they_are():
    squares = np.random.default_rng(0).chisquare(1, size=(4, 1000))
    found = extrapolated(CELLS[:4], squares)
    assert (np.diff(found.error) <= 1e-12).all()
    assert (np.abs(found.error - 1.0) < 3 * found.standard_error + 0.05).all()


def test_fewer_than_three_points_are_not_extrapolated():
    assert extrapolated(CELLS[:2], np.ones((2, 10))) is None


def test_the_curve_of_a_learner_reaches_what_more_examples_give():
    X, y = shared_factors(1600, seed=3)
    few = kh.KeyholeRegressor(4, random_state=0, n_expected=1600).fit(X[:400], y[:400])
    many = kh.KeyholeRegressor(4, random_state=0, n_expected=1600).fit(X, y)
    curve = few.learning_curve_
    assert curve is few.learning_curve_  # fitted once
    assert curve.n_cells[-1] == 4 * 320
    assert (np.diff(curve.extrapolated.error) <= 0).all()
    gap = curve.extrapolated.error[1] - many.learning_curve_.error[-1]  # both from about 5,120 cells
    assert abs(gap) < 3 * np.hypot(curve.extrapolated.standard_error[1], many.learning_curve_.standard_error[-1])
    few.partial_fit(X[400:600], y[400:600])
    assert few.learning_curve_.n_cells[-1] == 4 * 480


def test_the_picture_shows_what_is_extrapolated(learner):
    axes = learner.plot_risk()
    assert "extrapolated" in [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(axes.get_xticks()) == 8


def test_before_anything_was_told_there_is_no_curve():
    with pytest.raises(ValueError, match="0 examples: a learning curve needs at least"):
        _ = kh.KeyholeRegressor(3).start(10).learning_curve_
