"""Projected losses that cannot be: never negative from gaps, and said with figures where data are too few."""

import numpy as np
import pytest

from keyhole.judgments import ImpossibleLoss, JudgmentRegressor, MultiSelector, validated_losses
from keyhole.judgments.report.plot_selection import plot_losses


def twins_with_gaps(seed=33, m=200):
    """Three attributes that judges agree on, the first two alike, and a tenth of the cells empty."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=m)
    truth = np.column_stack([a, a, a + rng.normal(size=m)])
    y = a + rng.normal(size=m)
    values = np.repeat(truth[:, :, None], 2, 2)
    values[rng.random((m, 3)) < 0.1] = np.nan
    return values, y


@pytest.mark.parametrize("method", ["full", "averages", "copies"])
def test_empty_cells_never_make_a_loss_negative(method):
    for seed in range(30, 40):
        values, y = twins_with_gaps(seed)
        found = MultiSelector(6, method).fit(values, y)
        assert 0.25 < found.projected_loss_ / found.label_variance_ < 0.75  # half of the label is noise


def few_objects(m=14, d=12):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(m, d))
    return truth[:, :, None] + rng.normal(size=(m, d, 2)), truth[:, 0] + rng.normal(size=m)


def test_a_negative_loss_is_kept_and_said_with_figures():
    values, y = few_objects()
    with pytest.warns(ImpossibleLoss, match="14 objects are few for 12 attributes.*ridge.*smaller budget") as caught:
        found = MultiSelector(60).fit(values, y)
    assert found.projected_loss_ < 0
    assert f"{found.projected_loss_:.3g}" in str(caught[0].message)
    twice = np.repeat(values[:, :1], 4, axis=1)
    with pytest.warns(ImpossibleLoss, match='take the loss from the method "full"'):
        MultiSelector(60, "scoring").fit(twice, values[:, 0].mean(axis=1))


def test_a_negative_loss_is_inside_the_picture():
    losses = {"budget": [1, 2], "projected_loss": [0.5, -1], "loss_on_other_objects": [1, 2], "standard_error": [0, 0]}
    axes = plot_losses(losses, 1.0).axes[0]
    assert axes.get_ylim()[0] < -1
    assert any(list(line.get_ydata()) == [0, 0] for line in axes.lines)


def test_least_squares_after_collecting_is_better_than_the_estimate_on_other_objects():
    """What documents and report say of the estimate at large budgets."""
    estimated, got = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(400, 6)) @ rng.normal(size=(6, 6))
        y = truth[:, 0] + truth[:, 1] + rng.normal(size=400)
        values = truth[:, :, None] + 2 * rng.normal(size=(400, 6, 60))
        train, test = slice(0, 60), slice(60, 400)
        selector = MultiSelector(60).fit(values[train, :, :2], y[train])
        found = validated_losses(selector, values[train, :, :2], y[train], [60])
        estimated.append(found["loss_on_other_objects"][0])
        model = JudgmentRegressor(selector.repeats_).fit(values[train], y[train])
        got.append(np.mean((model.predict(values[test]) - y[test]) ** 2))
    assert np.median(got) < np.median(estimated)
