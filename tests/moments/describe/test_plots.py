"""Plots of a fitted model show its own numbers."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

import keyhole as kh
from keyhole.moments.describe.learning_curve import LearningCurve
from keyhole.moments.describe.plots import plot_learning_curve


def test_bars_of_weights(named_learner):
    axes = named_learner.plot_weights()
    scale = named_learner._deviations()
    widths = [bar.get_width() for bar in axes.patches]
    np.testing.assert_allclose(np.sort(widths), np.sort(named_learner.coef_ * scale))
    assert np.abs(widths[-1]) == max(np.abs(widths))
    names = [label.get_text() for label in axes.get_yticklabels()]
    columns = named_learner.get_feature_names_out()
    assert names[-1] == columns[int(np.argmax(np.abs(named_learner.coef_ * scale)))]


def test_images_of_pixels(named_learner):
    weights, reveals = named_learner.plot_weights(shape=(3, 4)), named_learner.plot_reveals(shape=(3, 4))
    shown = weights.images[0].get_array()
    np.testing.assert_allclose(shown.ravel(), named_learner.coef_ * named_learner._deviations())
    assert weights.images[0].get_clim()[0] == -weights.images[0].get_clim()[1]
    np.testing.assert_array_equal(reveals.images[0].get_array().ravel(), named_learner.observed_.per_attribute)
    with pytest.raises(ValueError, match=r"shape=\(4, 4\): that is 16 pixels, and there are 12 attributes"):
        named_learner.plot_weights(shape=(4, 4))


def test_bars_of_reveals_and_a_curve_of_many(named_learner):
    axes = Figure().subplots()
    assert named_learner.plot_reveals(axes) is axes
    assert sum(bar.get_width() for bar in axes.patches) == 2400
    rng = np.random.default_rng(0)
    wide = kh.KeyholeRegressor(4, random_state=0).fit(rng.normal(size=(300, 60)), rng.normal(size=300))
    assert wide.plot_reveals().get_xlabel() == "rank of the attribute, the most often revealed first"


def test_of_many_weights_the_largest_are_drawn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 60))
    wide = kh.KeyholeRegressor(random_state=0).fit(X, X @ np.linspace(0, 1, 60))
    axes = wide.plot_weights()
    assert len(axes.patches) == 20
    assert axes.get_title() == "Weights of the family 'ridge': the largest 20 of 60"
    assert axes.get_yticklabels()[-1].get_text() == "x59"


def test_a_learning_curve_is_drawn_as_it_is():
    found = LearningCurve(
        n_rows=np.array([10.0, 20.0]),
        n_cells=np.array([40.0, 80.0]),
        error=np.array([0.5, 0.4]),
        standard_error=np.array([0.1, 0.05]),
        error_of_mean=1.0,
    )
    axes = plot_learning_curve(found, "all attributes", "squared error", "mean label", "KeyholeRegressor")
    np.testing.assert_array_equal(axes.lines[0].get_xdata(), [40, 80])
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), [0.5, 0.4])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["40", "80"]
    assert axes.get_title() == "Predictions from all attributes"
    assert {text.get_text() for text in axes.get_legend().get_texts()} >= {"KeyholeRegressor"}


def test_plots_of_nothing_are_refused():
    for draw in (kh.KeyholeRegressor(3).plot_reveals, kh.KeyholeRegressor(3).plot_risk):
        with pytest.raises(NotFittedError):
            draw()
    learner = kh.KeyholeRegressor(2, random_state=0).fit(np.eye(40, 4), np.arange(40.0))
    with pytest.raises(ValueError, match="points=0"):
        learner.plot_risk(points=0)
