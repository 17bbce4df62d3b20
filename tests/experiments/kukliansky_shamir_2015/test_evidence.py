"""Differences are paired over repeats."""

from __future__ import annotations

import pytest

from keyhole.experiments.kukliansky_shamir_2015.evidence import difference, exceptions, uncertain


def test_differences_are_paired():
    rows = [
        {"learner": name, "repeat": repeat, "error": repeat + gap}
        for name, gap in (("a", 0.0), ("b", 0.1))
        for repeat in range(4)
    ]
    found = difference(rows, "a", "b")
    assert found.mean == pytest.approx(-0.1)
    assert found.error == pytest.approx(0, abs=1e-12)


def test_differences_in_words():
    rows = [
        {"learner": name, "repeat": repeat, "error": error}
        for name, errors in (("a", (0.5, 0.7)), ("b", (0.6, 0.55)), ("c", (0.1, 0.3)))
        for repeat, error in enumerate(errors)
    ]
    gaps = {"a minus b": difference(rows, "a", "b"), "a minus c": difference(rows, "a", "c")}
    assert uncertain(list(gaps.values())) == "1 of 2 differences are within two standard errors of 0."
    words = "a minus b +0.025 ± 0.125, which is within two standard errors of 0; a minus c +0.400 ± 0.000"
    assert exceptions(gaps) == f"Exceptions: {words}."
    assert exceptions(gaps, most=0.5) == ""
