"""Losses on held-out objects: near the truth where it is known, pessimistic where the documentation says so."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.judgments import JudgmentRegressor, MultiSelector, validated_losses
from keyhole.judgments.assess.validation import projected_within, repeats_within

# What is compared here are choices; whether a loss is possible is tested in core/test_impossible_loss.py.
pytestmark = pytest.mark.filterwarnings("ignore::keyhole.judgments.core.impossible_loss.ImpossibleLoss")


def test_the_loss_on_new_objects_is_estimated():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(4000, 3))
    y = truth @ [1.0, 1.0, 0.0]
    values = truth[:, :, None] + rng.normal(size=(4000, 3, 2))
    found = validated_losses(MultiSelector(10), values, y, budgets=[2, 10])
    # One judgment of each: 2 (1 - 1/2); five of each: 2 (1 - 1/(1 + 1/5)).
    np.testing.assert_allclose(found["held_out_loss"], [1.0, 1 / 3], rtol=0.08)
    np.testing.assert_allclose(found["projected_loss"], [1.0, 1 / 3], rtol=0.08)
    assert all(error > 0 for error in found["standard_error"])


def test_least_squares_after_collecting_is_better_than_the_estimate():
    """What documentation and report state about the estimate at large budgets."""
    estimated, measured = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(400, 6)) @ rng.normal(size=(6, 6))
        y = truth[:, 0] + truth[:, 1] + rng.normal(size=400)
        values = truth[:, :, None] + 2 * rng.normal(size=(400, 6, 60))
        train, test = slice(0, 60), slice(60, 400)
        selector = MultiSelector(60).fit(values[train, :, :2], y[train])
        found = validated_losses(selector, values[train, :, :2], y[train], [60])
        estimated.append(found["held_out_loss"][0])
        model = JudgmentRegressor(selector.repeats_).fit(values[train], y[train])
        measured.append(np.mean((model.predict(values[test]) - y[test]) ** 2))
    assert np.median(measured) < np.median(estimated)


def test_smaller_budgets_are_the_beginning_of_the_path(random_instance):
    values, y = random_instance(12, d=6)
    for method in ("full", "scoring", "averages", "copies"):
        whole = MultiSelector(12, method).fit(values, y)
        for budget in range(values.shape[2], 12):
            smaller = MultiSelector(budget, method).fit(values, y)
            np.testing.assert_array_equal(repeats_within(whole, budget), smaller.repeats_)
            assert projected_within(whole, budget) == pytest.approx(smaller.projected_loss_)
        assert projected_within(whole, 0) == whole.label_variance_


def test_bundles_count_for_all_their_attributes(random_instance):
    values, y = random_instance(3, d=3, m=40)
    selector = MultiSelector(6, bundles={"screen": ["x0", "x2"]}).fit(values, y)
    np.testing.assert_array_equal(repeats_within(selector, 6), selector.repeats_)
    assert selector.repeats_[0] == selector.repeats_[2] > 0


@pytest.mark.parametrize("folds", [1, 21, 2.5])
def test_wrong_numbers_of_folds(folds, random_instance):
    values, y = random_instance(3, m=20)
    message = f"folds={folds}: validated_losses needs a whole number from 2 to the number of objects, 20"
    with pytest.raises(ParameterError, match=message):
        validated_losses(MultiSelector(4), values, y, [4], folds=folds)
