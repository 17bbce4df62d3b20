"""Experiments are chosen by name, and a claim that does not hold never goes without a reason."""

from __future__ import annotations

import pytest

from experiments.fake_paper import new_paper
from keyhole.experiments.runner.paper import UNEXPLAINED, Claim


def test_a_claim_that_does_not_hold_is_never_without_a_word():
    assert Claim.with_verdict("c", "1", "2", False).why == UNEXPLAINED
    assert Claim.with_verdict("c", "1", "2", False, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows. By 0.1 ± 0.01."
    assert Claim.with_verdict("c", "1", "1", True, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows."


def test_experiments_are_chosen_by_name():
    paper = new_paper()
    assert paper.chosen([]) == paper.experiments
    assert [experiment.name for experiment in paper.chosen(["table1"])] == ["table1"]
    with pytest.raises(
        ValueError, match=r"--only fig7: fake-2026 has no such table or figure; it has 'fig1', 'table1'"
    ):
        paper.chosen(["fig7"])
