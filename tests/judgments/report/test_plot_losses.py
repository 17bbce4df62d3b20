"""Figures of losses: lines where the numbers are, error bars that are standard errors, one colour per method."""

import numpy as np

from keyhole.common.style import learner_colour
from keyhole.judgments import MultiSelector, plot_comparison, plot_losses, plot_tradeoff, tradeoff, validated_losses


def test_losses_are_divided_by_the_variance_of_the_label(random_instance):
    values, y = random_instance(1, d=6, m=60, k=3)
    found = validated_losses(MultiSelector(8), values, y, [2, 4, 8])
    axes = plot_losses(found, 2.0).axes[0]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), np.array(found["projected_loss"]) / 2)
    np.testing.assert_allclose(axes.lines[1].get_ydata(), np.array(found["held_out_loss"]) / 2)
    (bars,) = axes.containers
    ends = np.array([segment[:, 1] for segment in bars[2][0].get_segments()])
    np.testing.assert_allclose((ends[:, 1] - ends[:, 0]) / 2, np.array(found["standard_error"]) / 2)


def test_a_negative_loss_is_inside_the_figure():
    losses = {"budget": [1, 2], "projected_loss": [0.5, -1], "held_out_loss": [1, 2], "standard_error": [0, 0]}
    axes = plot_losses(losses, 1.0).axes[0]
    assert axes.get_ylim()[0] < -1
    assert any(list(line.get_ydata()) == [0, 0] for line in axes.lines)


def test_methods_are_lines_in_their_own_colours():
    losses = {"full": [0.5, 0.3], "copies": [0.6, 0.4]}
    axes = plot_comparison(losses, [5, 10], "Faces", errors={name: [0.1, 0.1] for name in losses}).axes[0]
    assert [text.get_text() for text in axes.get_legend().texts] == ["full", "copies"]
    assert [bars[0].get_color() for bars in axes.containers] == [learner_colour("full"), learner_colour("copies")]
    assert axes.get_title() == "Faces"
    assert all(bars.has_yerr for bars in axes.containers)
    without = plot_comparison(losses, [5, 10], "Faces").axes[0]
    assert not any(bars.has_yerr for bars in without.containers)


def test_every_total_is_a_line(random_instance):
    values, y = random_instance(1, d=6, m=60, k=3)
    found = tradeoff(values, y, budget=4, totals=[240, 300], k=[2, 3], n_splits=2, random_state=0)
    axes = plot_tradeoff(found).axes[0]
    assert len(axes.containers) == 2
    assert list(axes.containers[0][0].get_ydata()) == found["loss"][:2]
    labels = [text.get_text() for text in axes.get_legend().texts]
    assert labels == ["240 judgments in total", "300 judgments in total"]
