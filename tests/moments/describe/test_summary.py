"""The summary says what is so, and the pictures show it."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

import keyhole as kh
from keyhole.moments.path import from_revealed, risk_path

NAMES = [f"test {i}" for i in range(12)]


def table(n=600, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ rng.normal(size=(3, 12)) + 0.7 * rng.normal(size=(n, 12))
    return pd.DataFrame(X, columns=NAMES), h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


@pytest.fixture(scope="module")
def learner():
    X, y = table(1000)
    return kh.KeyholeRegressor(4, random_state=0).fit(X[:600], y[:600])


def test_the_summary_follows_the_learner(learner):
    told = str(learner.summary())
    counts = learner.observed_.per_attribute
    assert told.startswith("KeyholeRegressor: budget 4, 12 attributes\n")
    assert "2,400, 33.33% of all; cost 2,400" in told
    assert f"least often     'test {np.argmin(counts)}', {counts.min()} times" in told
    assert f"most often      'test {np.argmax(counts)}', {counts.max()} times" in told
    for candidate in learner.candidates_:
        assert f"{candidate['family']}{', kept' if candidate['kept'] else ''}" in told
        assert candidate["why"] in told
    assert f"for the first {learner.policy_.starts[1]} examples" in told
    assert f"renewed {len(learner.policy_.starts) - 1} times" in told
    assert f"least {learner.policy_.designs[-1].design.inclusion.min():.3f}" in told
    largest = int(np.argmax(np.abs(learner.coef_) * learner._solution().units.scale))
    lines = told.splitlines()
    first = lines[lines.index("Largest weights, and in standard deviations") + 1].split()
    assert first[:3] == ["test", str(largest), f"{learner.coef_[largest]:+.3g}"]
    assert "Beware" not in told


def test_the_summary_in_a_notebook_is_the_same_in_a_table(learner):
    summary = learner.summary()
    page = summary._repr_html_()
    assert page.startswith("<table>")
    for _, entries in summary.sections:
        for _, told in entries:
            assert told.replace("'", "&#x27;") in page
    assert repr(summary) == str(summary)


def test_a_name_cannot_break_the_page():
    X, y = table()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X.rename(columns={"test 0": "<b>"}), y)
    page = learner.summary()._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_the_summary_of_other_ways_to_learn():
    X, y = table()
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.4)
    holes["test 3"] = np.nan
    told = str(kh.KeyholeRegressor().fit(holes, y).summary())
    assert "every cell that is there, 12 attributes" in told
    assert "every attribute that is there" in told
    assert "no cell was revealed, so the weight is 0, of 'test 3'" in told

    S = np.cov(np.column_stack([X, y]), rowvar=False, ddof=0)
    moments = kh.fit_from_moments(
        X.mean(), S[:12, :12], S[:12, 12], 600, label_mean=y.mean(), label_variance=S[12, 12], names=NAMES
    )
    told = str(moments.summary())
    assert "moments of 600 rows were given" in told
    assert "Policy" not in told
    beginning = kh.KeyholeRegressor(4, random_state=0).fit(X[:5], y[:5])
    with pytest.warns(UserWarning, match="5 examples for 12 attributes"):
        assert "for the first 5 examples" in str(beginning.summary())


def test_the_summary_shows_the_errors_that_a_learner_can_estimate(learner):
    class WithRisk(kh.KeyholeRegressor):
        risk_interval_ = "between 1 and 2"

        def risk_at(self, n_attributes):
            if n_attributes > 3:
                raise ValueError("nobody knows")
            raise AssertionError("it is asked for the budget")

    twin = WithRisk(4, random_state=0)
    twin.__dict__.update(learner.__dict__)
    told = str(twin.summary())
    assert "from 4    nobody knows" in told
    assert "from all  between 1 and 2" in told
    assert "nobody knows" not in str(twin.summary(risk=False))


def test_bars_of_weights(learner):
    axes = learner.plot_weights()
    scale = learner._solution().units.scale
    widths = [bar.get_width() for bar in axes.patches]
    np.testing.assert_allclose(np.sort(widths), np.sort(learner.coef_ * scale))
    assert np.abs(widths[-1]) == max(np.abs(widths))
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[-1] == NAMES[int(np.argmax(np.abs(learner.coef_ * scale)))]


def test_images_of_pixels(learner):
    weights, reveals = learner.plot_weights(shape=(3, 4)), learner.plot_reveals(shape=(3, 4))
    shown = weights.images[0].get_array()
    np.testing.assert_allclose(shown.ravel(), learner.coef_ * learner._solution().units.scale)
    assert weights.images[0].get_clim()[0] == -weights.images[0].get_clim()[1]
    np.testing.assert_array_equal(reveals.images[0].get_array().ravel(), learner.observed_.per_attribute)
    with pytest.raises(ValueError, match=r"shape=\(4, 4\): that is 16 pixels, and there are 12 attributes"):
        learner.plot_weights(shape=(4, 4))


def test_bars_of_reveals_and_a_curve_of_many(learner):
    axes = Figure().subplots()
    assert learner.plot_reveals(axes) is axes
    assert sum(bar.get_width() for bar in axes.patches) == 2400
    rng = np.random.default_rng(0)
    wide = kh.KeyholeRegressor(4, random_state=0).fit(rng.normal(size=(300, 60)), rng.normal(size=300))
    assert wide.plot_reveals().get_xlabel() == "attributes, the most revealed first"


def test_the_error_against_cells_spent(learner):
    X, y = table(1000)
    axes = learner.plot_risk(X[600:], y[600:])
    path = risk_path(learner, X[600:], y[600:])
    assert path.n_rows.tolist() == [37, 75, 150, 300, 600]
    assert path.n_cells.tolist() == [148, 300, 600, 1200, 2400]
    # The last refit has all rows: it is the model itself.
    np.testing.assert_allclose(path.error[-1], np.mean((learner.predict(X[600:]) - y[600:]) ** 2))
    assert path.error[-1] < 0.5 * path.error[0] < path.error_of_mean
    np.testing.assert_allclose(axes.lines[0].get_ydata(), path.error)


def test_the_error_by_held_out_rows_uses_their_revealed_cells_alone(learner):
    path = risk_path(learner)
    assert path.n_rows[-1] == 480
    assert path.error[-1] < 0.6 * path.error_of_mean
    cells, solution = learner.cells_, learner._solution()
    predicted = from_revealed(solution, cells)
    # Nothing but the revealed cells: the conditional mean of the model's own covariance, row by row.
    joint, units = solution.joint, solution.units
    everything = np.arange(12)
    covariance, cross = joint.covariance(everything), joint.cross(everything)[:, 0]
    for t in (0, 17, 599):
        mine = cells.rows == t
        S = cells.attributes[mine]
        z = (cells.values[mine] - units.mean[S]) / units.scale[S] - joint.mean[S]
        expected = joint.label_mean[0] + cross[S] @ np.linalg.inv(covariance[np.ix_(S, S)]) @ z
        assert predicted[t] == pytest.approx(units.label_mean[0] + units.label_scale[0] * expected)


def test_what_is_missing_for_an_error_is_said(learner):
    X, y = table()
    with pytest.raises(ValueError, match="y is missing"):
        learner.plot_risk(X)
    with pytest.raises(ValueError, match="5 examples: an error against cells spent needs 16"):
        kh.KeyholeRegressor(4, random_state=0).fit(X[:5], y[:5]).plot_risk()


def test_pictures_of_nothing_are_refused():
    for draw in (kh.KeyholeRegressor(3).plot_reveals, kh.KeyholeRegressor(3).plot_risk):
        with pytest.raises(NotFittedError):
            draw()
    learner = kh.KeyholeRegressor(2, random_state=0).fit(np.eye(40, 4), np.arange(40.0))
    with pytest.raises(ValueError, match="points=0"):
        learner.plot_risk(points=0)
