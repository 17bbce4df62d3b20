"""Names of points do not cover each other where there is room, and keep their order."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from keyhole.judgments.report.point_names import name_points


def test_names_of_neighbours_stand_apart():
    figure = Figure(figsize=(8, 6))
    canvas = FigureCanvasAgg(figure)
    axes = figure.subplots()
    x, y = np.array([0.0, 0.5, 0.505, 0.51, 1.0]), np.array([0.0, 0.5, 0.5, 0.505, 1.0])
    axes.scatter(x, y)
    name_points(axes, ["one", "well-groomed", "middle-eastern", "looks-like-you", "five"], x, y, range(5))
    canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts][:2] == ["one", "well-groomed"]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_only_the_points_in_the_order_are_named():
    axes = Figure(figsize=(4, 3)).subplots()
    x, y = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.5])
    axes.scatter(x, y)
    name_points(axes, ["one", "two", "three"], x, y, [2, 0])
    assert [text.get_text() for text in axes.texts] == ["three", "one"]
    assert [text.xy for text in axes.texts] == [(2.0, 0.5), (0.0, 0.0)]


def test_a_name_stands_beside_a_large_point():
    axes = Figure(figsize=(4, 3)).subplots()
    x = y = np.array([0.0, 1.0])
    axes.scatter(x, y)
    name_points(axes, ["small", "large"], x, y, range(2), np.array([1.0, 20.0]))
    small, large = (text.get_position()[0] for text in axes.texts)
    assert abs(large) >= abs(small) + 16
