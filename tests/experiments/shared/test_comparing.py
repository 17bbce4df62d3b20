"""Claims about order are paired over splits, and summaries follow from rows."""

from __future__ import annotations

import pytest

from experiments.helpers import curve_rows
from keyhole.experiments.shared.comparing import better, summary


def test_a_difference_within_two_standard_errors_is_said_to_be():
    claim = better("a", "b", ("x", "y"), {0: 0.5, 1: 0.7}, {0: 0.6, 1: 0.65})
    assert "within two standard errors" in claim.why
    assert better("a", "b", ("x", "y"), {0: 0.5}, {0: 0.6}).why == "There is one split, and so no standard error."


def test_a_summary_names_the_settings_most_chosen():
    (row,) = summary(curve_rows(AER=0.5), 4)
    assert row["settings (most chosen)"] == "radius 2"
    assert row["test squared error"] == pytest.approx(0.505)
