"""Projected losses that cannot be: never negative from gaps, and said with figures where data are too few."""

import numpy as np
import pytest

from keyhole.judgments import MultiSelector


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
