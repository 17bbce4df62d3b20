"""The mean label, while nothing else can be learned."""

import numpy as np
import pytest

from keyhole.moments.families.mean import Mean
from keyhole.moments.standard.rows import standardised_rows
from keyhole.observe.cells import Cells
from moments.conftest import correlated, training


def test_it_applies_where_labels_are_equal_or_nothing_varies():
    X, y = correlated(40)
    assert not Mean().applies(training(X, y))
    assert Mean().applies(training(X, np.full(40, 0.1)))
    assert Mean().applies(training(np.ones_like(X), y))
    assert Mean().applies(training(np.full_like(X, np.nan), y))


@pytest.mark.parametrize(
    ("table", "labels", "why"),
    [("varied", "equal", "all labels are equal"), ("equal", "varied", "no attribute varied in enough of its revealed")],
)
def test_it_predicts_the_mean_label_and_tells_why(table, labels, why):
    X, y = correlated(40)
    X, y = (X if table == "varied" else np.ones_like(X)), (y if labels == "varied" else np.full(40, 7.0))
    solution = Mean().fit(training(X, y), 60)
    np.testing.assert_array_equal(solution.coef, np.zeros((1, 12)))
    assert solution.intercept[0] == pytest.approx(y.mean())
    assert not solution.usefulness.any()
    (candidate,) = solution.candidates
    assert (candidate["family"], candidate["kept"]) == ("mean", True)
    assert why in candidate["why"]
    assert not Mean.learns


def test_before_the_first_example_it_predicts_0():
    data = training(np.empty((0, 3)), np.empty(0))
    assert isinstance(data.cells, Cells)
    solution = Mean().fit(data, 60)
    assert (solution.intercept.tolist(), solution.coef.tolist()) == ([0.0], [[0.0, 0.0, 0.0]])


def test_fitted_again_to_other_rows_it_is_their_mean():
    X, y = correlated(40)
    data = training(np.ones_like(X), y)
    solution = Mean().fit(data, 60)
    half = Mean().refit(solution, data.where(np.arange(40) < 20), 60)
    assert half.intercept[0] == pytest.approx(y[:20].mean())
    rows = standardised_rows(data.cells, data.labels, solution.scales)
    assert Mean().resume(solution, rows, 60) is solution
