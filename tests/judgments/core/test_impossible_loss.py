"""A projected loss that cannot be true is reported as it is, with a warning."""

import warnings

import numpy as np
import pytest

from keyhole.judgments import ImpossibleLoss, MultiSelector
from keyhole.judgments.core.impossible_loss import warn_if_impossible

COMPLETE = np.full((20, 3), 2)


def test_a_negative_loss_is_kept_and_reported(few_objects):
    values, y = few_objects
    with pytest.warns(ImpossibleLoss, match="14 objects are few for 12 attributes.*ridge.*smaller budget") as caught:
        selector = MultiSelector(60).fit(values, y)
    assert selector.projected_loss_ < 0
    assert f"{selector.projected_loss_:.3g}" in str(caught[0].message)


def test_scoring_counts_what_attributes_have_in_common_several_times(few_objects):
    values, _ = few_objects
    twice = np.repeat(values[:, :1], 4, axis=1)
    with pytest.warns(ImpossibleLoss, match='take the loss from the method "full"'):
        MultiSelector(60, "scoring").fit(twice, values[:, 0].mean(axis=1))


def test_a_possible_loss_is_not_warned_about():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_impossible(0.5, 1.0, COMPLETE, "full")
        warn_if_impossible(0.0, 1.0, COMPLETE, "full")


def test_a_loss_of_0_is_impossible_where_empty_cells_are_repaired():
    gaps = COMPLETE.copy()
    gaps[0, 0] = 0
    with pytest.warns(ImpossibleLoss, match="the projected loss is 0, 0.0% of the label's variance"):
        warn_if_impossible(0.0, 1.0, gaps, "full")
