"""Errors above a bound, and rates that are too slow, are found."""

from __future__ import annotations

from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.theory import rates


def bound_rows(excess, learner="AERR"):
    return [
        {"learner": learner, "examples": n, "seed": seed, "excess": excess(n) * (1 + 0.01 * seed), "bound": n**-0.5}
        for n in (100, 1000, 10_000)
        for seed in (0, 1)
    ]


def test_an_excess_above_the_bound_is_said():
    claim = rates.below_bound("text", "bound")
    assert claim(bound_rows(lambda n: 0.3 * n**-0.5), "AERR").verdict == HOLDS
    assert claim(bound_rows(lambda n: 3 * n**-0.5), "AERR").verdict == FAILS


def test_a_rate_that_is_too_slow_is_said():
    assert rates.falls(bound_rows(lambda n: n**-0.6), "AERR", "text", -0.5).verdict == HOLDS
    slow = rates.falls(bound_rows(lambda n: n**-0.3), "AERR", "text", -0.5)
    assert (slow.verdict, slow.measured) == (FAILS, "examples^(-0.30 ± 0.00)")
    at_last = rates.falls(bound_rows(lambda n: min(n, 1000.0) ** 0.1 * n**-0.6), "AERR", "text", -0.5)
    assert (at_last.verdict, at_last.measured) == (HOLDS, "examples^(-0.60 ± 0.00)")
