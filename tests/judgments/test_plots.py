"""Pictures show what was chosen: one point per attribute, one bar per chosen one, one line per method."""

import doctest
import importlib
import pkgutil

import numpy as np

import keyhole.judgments
from judgments import reference
from keyhole.judgments import MultiSelector, bootstrap, tradeoff, validated_losses
from keyhole.judgments.report.plot_selection import (
    plot_attributes,
    plot_comparison,
    plot_losses,
    plot_repeats,
    plot_tradeoff,
)

VALUES, LABELS = reference.random_instance(1, d=6, m=60, k=3)
SELECTOR = MultiSelector(8).fit(VALUES, LABELS)


def test_every_attribute_is_a_point_at_its_correlation_and_noise():
    axes = plot_attributes(SELECTOR).axes[0]
    points = np.vstack([collection.get_offsets() for collection in axes.collections])
    shown = SELECTOR.external_variance_ > 1e-9
    expected = SELECTOR.correlation_ / np.sqrt(SELECTOR.external_variance_ * SELECTOR.label_variance_)
    np.testing.assert_allclose(np.sort(points[:, 0]), np.sort(expected[shown]))
    noise = SELECTOR.internal_variance_ / SELECTOR.external_variance_
    np.testing.assert_allclose(np.sort(points[:, 1]), np.sort(noise[shown]))


def test_attributes_without_external_variance_are_counted():
    values = VALUES.copy()
    values[:, 2] = 5.0
    axes = plot_attributes(MultiSelector(8).fit(values, LABELS)).axes[0]
    assert "(1 attributes without external variance not shown)" in axes.get_xlabel()


def test_bars_are_the_repeats():
    bars = plot_repeats(SELECTOR).axes[0].patches
    assert sorted(bar.get_width() for bar in bars) == sorted(SELECTOR.repeats_[SELECTOR.repeats_ > 0])
    table = bootstrap(SELECTOR, VALUES, LABELS, 20, random_state=0).table()
    with_intervals = plot_repeats(SELECTOR, table).axes[0]
    assert len(with_intervals.patches) == sum(
        high > 0 or r > 0 for high, r in zip(table["high"], table["repeats"], strict=True)
    )


def test_losses_and_comparisons_are_lines():
    found = validated_losses(SELECTOR, VALUES, LABELS, [2, 4, 8])
    lines = plot_losses(found, 2.0).axes[0].lines
    np.testing.assert_allclose(lines[0].get_ydata(), np.array(found["projected_loss"]) / 2)
    np.testing.assert_allclose(lines[1].get_ydata(), np.array(found["loss_on_other_objects"]) / 2)
    comparison = plot_comparison({"full": [1, 2], "copies": [3, 4]}, [5, 10], "title").axes[0]
    assert [text.get_text() for text in comparison.get_legend().texts] == ["full", "copies"]
    found = tradeoff(VALUES, LABELS, budget=4, totals=[240, 300], k=[2, 3], n_splits=2, random_state=0)
    assert len(plot_tradeoff(found).axes[0].containers) == 2


def test_the_examples_in_docstrings_run():
    tried = 0
    for info in pkgutil.walk_packages(keyhole.judgments.__path__, "keyhole.judgments."):
        result = doctest.testmod(importlib.import_module(info.name))
        assert result.failed == 0, info.name
        tried += result.attempted
    assert tried >= 20
    assert doctest.testmod(importlib.import_module("keyhole.datasets.ct_slices")).failed == 0
