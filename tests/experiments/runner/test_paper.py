"""Experiments are chosen by name, and a claim that does not hold never goes without a reason."""

from __future__ import annotations

import pytest

from experiments.fake_paper import new_paper
from keyhole.experiments.runner.kinds import OTHER_FORM, OWN_QUESTION, THE_PAPER, not_counted, published
from keyhole.experiments.runner.paper import HOLDS, UNEXPLAINED, Claim


def test_a_claim_that_does_not_hold_is_never_without_a_word():
    assert Claim.with_verdict("c", "1", "2", False).why == UNEXPLAINED
    assert Claim.with_verdict("c", "1", "2", False, "Few rows.").why == f"Few rows. {UNEXPLAINED}"
    assert Claim.with_verdict("c", "1", "2", False, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows. By 0.1 ± 0.01."
    assert Claim.with_verdict("c", "1", "1", True, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows."


def test_a_claim_is_about_the_paper_unless_it_says_otherwise():
    claims = [Claim("c", "1", "1", HOLDS), Claim.with_verdict("d", "1", "2", False, about=OTHER_FORM)]
    assert [claim.about for claim in claims] == [THE_PAPER, OTHER_FORM]
    assert published(claims) == claims[:1]
    with pytest.raises(ValueError, match=r"about 'something': a claim is about one of 'the paper', 'another form', "):
        Claim("c", "1", "1", HOLDS, about="something")


def test_claims_that_are_not_counted_in_words():
    assert not_counted([THE_PAPER]) == ""
    assert not_counted([OTHER_FORM, THE_PAPER]) == "1 claim about other forms"
    assert not_counted([OWN_QUESTION] * 3) == "3 questions of Keyhole's own"
    assert not_counted([OTHER_FORM, OWN_QUESTION]) == "1 claim about other forms and 1 question of Keyhole's own"


def test_experiments_are_chosen_by_name():
    paper = new_paper()
    assert paper.chosen([]) == paper.experiments
    assert [experiment.name for experiment in paper.chosen(["table1"])] == ["table1"]
    with pytest.raises(
        ValueError, match=r"--only fig7: fake-2026 has no such table or figure; it has 'fig1', 'table1'"
    ):
        paper.chosen(["fig7"])
