"""Learners exactly as in the theorems stay below their bounds."""

from __future__ import annotations

import pytest

from keyhole.experiments.theory import streaming


@pytest.mark.parametrize("learner", list(streaming.THEOREMS))
def test_learners_as_printed_stay_below_their_bounds(learner):
    rows = streaming.excess_of(learner, [300, 1000], seed=0)
    assert all(0 <= row["excess"] <= row["bound"] for row in rows)
