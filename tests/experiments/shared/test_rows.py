"""Rows are grouped in their order, and a curve is the mean of its rows."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from keyhole.common.style import learner_colour
from keyhole.experiments.shared.protocol import chosen_in_words, grid
from keyhole.experiments.shared.rows import draw_curves, each_setting, error_to_show, grouped, in_words, mean_and_error

ROWS = [
    {"learner": name, "examples": examples, "attributes": examples * 4 + split, "error": error + 0.1 * split}
    for name, error in (("AERR", 0.5), ("AER", 0.7))
    for examples in (100, 10)
    for split in range(3)
]


def test_the_standard_error_is_that_of_the_mean():
    assert mean_and_error([1.0, 2.0, 6.0]) == pytest.approx((3.0, np.std([1, 2, 6], ddof=1) / np.sqrt(3)))
    assert mean_and_error([2.0]) == (2.0, 0.0)


def test_groups_come_in_the_order_of_their_first_row():
    found = grouped(ROWS, "error", "learner", "examples")
    assert list(found) == [("AERR", 100), ("AERR", 10), ("AER", 100), ("AER", 10)]
    assert found["AER", 10] == pytest.approx([0.7, 0.8, 0.9])


def test_a_curve_is_the_mean_over_splits():
    axes = Figure().subplots()
    draw_curves(axes, ROWS, "attributes", "error", at="examples")
    (aerr, *_), (aer, *_) = axes.containers
    np.testing.assert_allclose(aerr.get_xydata(), [[41, 0.6], [401, 0.6]])
    assert [aerr.get_color(), aer.get_color()] == [learner_colour("AERR"), learner_colour("AER")]


def test_a_table_shows_no_standard_error_of_a_single_value():
    assert error_to_show([2.0]) == ""
    assert error_to_show([1.0, 3.0]) == 1.0


def test_settings_are_counted_one_by_one_in_the_order_of_their_values():
    chosen = [in_words({"step": step, "radius": 2.0, "reg": None}) for step in (0.1, 0.003, 0.1)]
    assert chosen[0] == "step 0.1, radius 2"
    assert each_setting([*chosen, ""]) == "step 0.003 (1), 0.1 (2); radius 2 (3)"
    assert each_setting([""]) == ""


def test_a_setting_at_an_end_of_its_grid_is_said_with_its_number():
    points = grid(step=(0.1, 0.3, 1.0), radius=(2.0, 4.0))
    chosen = [chosen_in_words({"step": step, "radius": 2.0}, points) for step in (1.0, 0.3, 1.0)]
    words = "step 0.3 (1), 1 (2, the largest that was tried); radius 2 (3, the smallest that was tried)"
    assert each_setting(chosen) == words
