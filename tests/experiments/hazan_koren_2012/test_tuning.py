"""The loss estimated from revealed cells has the loss of the present weights as its mean."""

from __future__ import annotations

import numpy as np

import keyhole as kh
from experiments.helpers import drawn
from keyhole.common.style import learner_colour
from keyhole.experiments.hazan_koren_2012.tuning import TUNING, _halves, table
from keyhole.online.kernels.averaging import U


def test_the_product_of_halves_is_an_unbiased_loss():
    """Over many asks of a learner whose weights stand still, against the loss itself."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = X @ [1.0, -0.5, 0.5, 0, 0, 0]
    learner = kh.AERR(6, radius=2.0, scaling="none", random_state=0).fit(X, y)
    weights = learner.state_.numbers[0] * learner.state_.weights[:, U]
    x, label = X[7], y[7]
    products = []
    for _ in range(4000):
        ask = learner.ask()
        one, two = _halves(ask, x[ask.attributes])
        products.append((one - label) * (two - label))
    expected, error = (weights @ x - label) ** 2, np.std(products) / np.sqrt(len(products))
    assert abs(np.mean(products) - expected) < 4 * error


def row(estimate, error, learner="AER, 4 pixels"):
    return {"learner": learner, "split": 0, "estimate": estimate, "error": error, "standard error": 0.1, "rows": 9,
            "settings": "radius 2, reg 50"}  # fmt: skip


def test_the_choice_is_by_the_estimate_and_assessed_by_the_error():
    (found,) = table([row(0.5, 0.9), row(0.7, 0.6), row(0.9, 0.7)])
    assert found["error, chosen by revealed cells"] == 0.9
    assert found["error, best candidate"] == 0.6
    assert found["error, median candidate"] == 0.7


def test_a_panel_has_the_colour_of_its_learner():
    rows = [row(0.5, 0.9), row(0.7, 0.6), row(0.5, 0.4, "AERR, 56 pixels"), row(0.4, 0.3, "AERR, 56 pixels")]
    figure = drawn(TUNING, rows)
    assert [axes.lines[0].get_color() for axes in figure.axes] == [learner_colour("AER"), learner_colour("AERR")]
