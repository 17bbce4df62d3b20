"""The range of the labels seen."""

import numpy as np

from keyhole.observe.label_range import count_label, new_range, within_range


def test_predictions_are_held_within_the_labels_seen():
    seen = new_range(True)
    for label in (2.0, -1.0, 0.5):
        count_label(seen, label)
    np.testing.assert_array_equal(within_range(seen, np.array([-9.0, 0.0, 9.0])), [-1.0, 0.0, 2.0])


def test_nothing_is_held_without_labels_or_where_it_is_not_wanted():
    predictions = np.array([-9.0, 9.0])
    for seen in (new_range(True), new_range(False)):
        np.testing.assert_array_equal(within_range(seen, predictions), predictions)
