"""`learning_curve_` and `plot_risk` of both own learners."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import keyhole as kh
from moments.conftest import three_classes


def test_the_curve_is_fitted_once_and_again_after_another_example():
    X, y = three_classes(300)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X[:200], y[:200])
    first = learner.learning_curve_
    assert learner.learning_curve_ is first
    assert learner.partial_fit(X[200:], y[200:]).learning_curve_.n_rows[-1] == 240 > first.n_rows[-1] == 160


@pytest.mark.parametrize("learner", [kh.KeyholeRegressor(4), kh.KeyholeClassifier(4)])
def test_a_curve_of_nothing_is_refused(learner):
    with pytest.raises(NotFittedError):
        learner.plot_risk()
    with pytest.raises(NotFittedError):
        _ = learner.learning_curve_


def test_a_wrong_number_of_points_and_a_table_without_classes_are_refused():
    X, y = three_classes(100)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="points=0"):
        learner.plot_risk(points=0)
    with pytest.raises(ValueError, match="y=None: plot_risk needs a test table X with its labels y"):
        learner.plot_risk(X)
    with pytest.raises(ValueError, match="3"):
        learner.plot_risk(X, y[:3])


def test_one_class_alone_is_never_wrong():
    X = np.random.default_rng(0).normal(size=(60, 5))
    with pytest.warns(UserWarning, match="KeyholeClassifier"):
        learner = kh.KeyholeClassifier(3, random_state=0).fit(X, np.repeat("well", 60))
    assert learner.learning_curve_.error.tolist() == [0.0, 0.0, 0.0]
    assert learner.learning_curve_.error_of_mean == 0.0
