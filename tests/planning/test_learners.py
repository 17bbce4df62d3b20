"""Learners of designs see no more than their design pays for, and predict from all attributes and from few."""

import numpy as np
import pytest

from keyhole import Attribute
from keyhole.planning.designs import EVERY_TEST, KEYHOLE, PANEL, ROWS, Design
from keyhole.planning.learners import by_ridge, predictions_of
from planning.populations import population

ATTRIBUTES = [Attribute(f"x{i}") for i in range(6)]
X, y = population(300, 0)
NEW, LABELS = population(2000, 1)


@pytest.mark.parametrize(
    "design",
    [
        Design(KEYHOLE, 200, 3.0, 3.0, 600),
        Design(ROWS, 100, 6.0, 6.0, 600),
        Design(PANEL, 200, 3.0, 3.0, 600),
        Design(PANEL, 200, 2.0, 2.0, 400),
        Design(EVERY_TEST, 200, 6.0, 6.0, 1200),
    ],
    ids=str,
)
def test_predictions_explain_the_label(design):
    found = predictions_of(design, X, y, NEW, ATTRIBUTES, 2, 0)
    for predicted in found:
        assert np.mean((predicted - LABELS) ** 2) < 0.75 * LABELS.var()


def test_only_the_first_examples_are_used():
    spoiled = np.vstack([X[:50], np.full((250, 6), np.nan)])
    design = Design(ROWS, 50, 6.0, 6.0, 300)
    np.testing.assert_array_equal(
        predictions_of(design, spoiled, y, NEW, ATTRIBUTES, 2, 0).from_all,
        predictions_of(design, X, y, NEW, ATTRIBUTES, 2, 0).from_all,
    )


def test_few_attributes_are_few():
    changed = NEW.copy()
    found = by_ridge(X, y, NEW, 2).from_few
    used = []
    for j in range(6):
        changed[:, j] += 1
        used.append(not np.allclose(by_ridge(X, y, changed, 2).from_few, found))
        changed[:, j] = NEW[:, j]
    assert sum(used) == 2
