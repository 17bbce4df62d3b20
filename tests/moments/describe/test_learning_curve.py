"""The error against the number of revealed cells."""

import numpy as np
import pandas as pd
import pytest

import keyhole as kh
from keyhole.moments.describe.learning_curve import predict_from_revealed
from keyhole.moments.predict.discriminant import class_coordinates, discriminant
from moments.conftest import CLASSES, named_table, three_classes


def test_the_error_against_cells_spent(named_learner):
    X, y = named_table(1000)
    learner = named_learner
    axes = learner.plot_risk(X[600:], y[600:])
    path = learner._curve(X[600:], y[600:], 5)
    assert path.n_rows.tolist() == [37, 75, 150, 300, 600]
    assert path.n_cells.tolist() == [148, 300, 600, 1200, 2400]
    # The last fit has all rows: it is the model itself.
    np.testing.assert_allclose(path.error[-1], np.mean((learner.predict(X[600:]) - y[600:]) ** 2))
    assert path.error[-1] < 0.5 * path.error[0] < path.error_of_mean
    np.testing.assert_allclose(axes.lines[0].get_ydata(), path.error)


def test_the_error_by_held_out_rows_uses_their_revealed_cells_alone(named_learner):
    learner = named_learner
    path = learner.learning_curve_
    assert path.n_rows[-1] == 480
    assert path.error[-1] < 0.6 * path.error_of_mean
    cells, solution = learner.cells_, learner._solution()
    predicted = predict_from_revealed(solution, cells)
    # Nothing but the revealed cells: the conditional mean of the model's own covariance, row by row.
    joint, scales = solution.joint, solution.scales
    everything = np.arange(12)
    covariance, cross = joint.covariance(everything), joint.cross_covariance(everything)[:, 0]
    for t in (0, 17, 599):
        mine = cells.rows == t
        S = cells.attributes[mine]
        values = scales.values.mapped(S, cells.values[mine])
        z = (values - scales.mean[S]) / scales.scale[S] - joint.mean[S]
        expected = joint.label_mean[0] + cross[S] @ np.linalg.inv(covariance[np.ix_(S, S)]) @ z
        label = scales.label_mean[0] + scales.label_scale[0] * expected
        assert predicted[t] == pytest.approx(np.clip(label, cells.labels.min(), cells.labels.max()))


def test_what_is_missing_for_a_curve_is_told(named_learner):
    X, y = named_table()
    with pytest.raises(ValueError, match="y=None: plot_risk needs a test table X with its labels y"):
        named_learner.plot_risk(X)
    with pytest.raises(ValueError, match="X=None: plot_risk needs"):
        named_learner.plot_risk(y=y)
    with pytest.warns(UserWarning, match="5 examples for 12 attributes"):
        few = kh.KeyholeRegressor(4, random_state=0).fit(X[:5], y[:5])
    with pytest.raises(ValueError, match="5 examples: a learning curve needs at least 16 to fit to"):
        few.plot_risk()


def test_choices_of_held_out_rows_are_predicted_from_too():
    rng = np.random.default_rng(0)
    colour, size = rng.integers(3, size=300), rng.normal(size=(300, 3))
    y = np.array([-2.0, 0.0, 2.0])[colour] + size[:, 0] + 0.1 * rng.normal(size=300)
    X = pd.DataFrame(size, columns=["a", "b", "c"])
    X.insert(1, "colour", pd.Categorical.from_codes(colour, ["red", "green", "blue"]))
    learner = kh.KeyholeRegressor(3, random_state=0).fit(X, y)
    solution, cells = learner._solution(), learner.cells_
    predicted = predict_from_revealed(solution, cells)
    joint, scales = solution.joint, solution.scales
    columns = scales.values.of_cells(cells)
    for t in (0, 150, 299):
        mine = columns.rows == t
        S = columns.attributes[mine]
        inside = scales.scale[S] > 0
        S, values = S[inside], columns.values[mine][inside]
        z = (values - scales.mean[S]) / scales.scale[S] - joint.mean[S]
        label = joint.label_mean[0] + joint.cross_covariance(S)[:, 0] @ np.linalg.solve(joint.covariance(S), z)
        expected = scales.label_mean[0] + scales.label_scale[0] * label
        assert predicted[t] == pytest.approx(np.clip(expected, y.min(), y.max()))
    assert np.mean((predicted - y) ** 2) < 0.5 * y.var()
    assert learner.learning_curve_.error[-1] < 0.7 * y.var()


def test_wrong_classes_of_a_test_table_against_cells_spent():
    X, y = three_classes(1600)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X[:600], y[:600])
    path = learner._curve(X[600:], y[600:], 4)
    assert path.n_cells.tolist() == [300, 600, 1200, 2400]
    # The last fit has all rows: it is the model itself.
    wrong = np.mean(learner.predict(X[600:]) != y[600:])
    assert path.error[-1] == pytest.approx(wrong)
    assert path.standard_error[-1] == pytest.approx(np.sqrt(wrong * (1 - wrong) / 1000))
    names, counts = np.unique(y[:600], return_counts=True)
    assert path.error_of_mean == np.mean(y[600:] != names[counts.argmax()])
    assert path.error[-1] < path.error[0] < path.error_of_mean
    axes = learner.plot_risk(X[600:], y[600:], points=4)
    np.testing.assert_allclose(axes.lines[0].get_ydata(), path.error)
    assert axes.get_ylabel() == "share of wrong classes ± standard error"
    assert "most frequent class" in axes.get_legend_handles_labels()[1]


def test_a_class_of_the_test_table_that_never_occurred_is_wrong():
    X, y = three_classes(600)
    first = y != CLASSES[2]
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X[:400][first[:400]], y[:400][first[:400]])
    path = learner._curve(X[400:], y[400:], 3)
    assert path.error.min() >= np.mean(~first[400:])
    assert path.error[-1] == pytest.approx(np.mean(learner.predict(X[400:]) != y[400:]))


def test_wrong_classes_of_held_out_rows_are_predicted_from_their_revealed_cells_alone():
    X, y = three_classes(600)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    path = learner.learning_curve_
    assert path.n_rows[-1] == 480
    assert path.extrapolated.n_cells.tolist() == [2 * 1920, 4 * 1920, 8 * 1920]
    held_out, (_, classes) = np.arange(600) % 5 == 4, learner._places()
    solution = learner._fit_again(learner._training().where(~held_out))
    shares, cells = np.bincount(classes[~held_out]) / np.sum(~held_out), learner.cells_
    model = discriminant(solution.joint, solution.scales, shares, class_coordinates(learner._shares()))
    wrong = 0
    for t in np.flatnonzero(held_out):
        S, values = cells.attributes[cells.rows == t], cells.values[cells.rows == t]
        slopes, offsets = model.rules(S[None])
        odds = model.standardise(solution.scales.values.mapped(S, values), S) @ slopes[0] + offsets[0]
        wrong += odds.argmax() != classes[t]
    assert path.error[-1] == pytest.approx(wrong / 120)
    assert path.error[-1] < 0.6 * path.error_of_mean
