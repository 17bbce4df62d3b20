"""What one attribute requires of others, and pairs that are forbidden."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.errors import StudyError
from keyhole.study.constraints import constraints_of, for_the_design

A = kh.Attribute


def left_out(constraints, n=2000, excluded=()):
    return [set(constraints.left_out(np.random.default_rng((0, k)), excluded)) for k in range(n)]


def test_without_rules_nothing_is_left_out():
    constraints = constraints_of([A("a"), A("b")], [])
    assert left_out(constraints, 5) == [set()] * 5
    assert left_out(constraints, 1, [1]) == [{1}]


def test_of_a_forbidden_pair_each_is_left_out_for_half_of_the_examples():
    found = left_out(constraints_of([A("a"), A("b"), A("c")], [("a", "c")]))
    assert all(len(out & {0, 2}) == 1 and 1 not in out for out in found)
    share = np.mean([0 in out for out in found])
    assert abs(share - 0.5) < 4 * 0.5 / np.sqrt(len(found))


def test_what_requires_something_that_is_left_out_is_left_out_too():
    attributes = [A("biopsy"), A("grade", requires=("biopsy",)), A("stage", requires=("grade",)), A("other")]
    constraints = constraints_of(attributes, [("biopsy", "other")])
    assert constraints.requires == ((), (0,), (0, 1), ())
    for out in left_out(constraints) + left_out(constraints, 50, [0]):
        assert 0 not in out or {1, 2} <= out
        assert 1 not in out or 2 in out
    found = left_out(constraints)
    without_grade = np.mean([out == {1, 2, 3} for out in found])  # the grade and the other one, each by a fair draw
    assert abs(without_grade - 0.25) < 4 * np.sqrt(0.25 * 0.75 / len(found))


def test_what_is_known_is_there_for_what_requires_it():
    attributes = [A("biopsy"), A("grade", requires=("biopsy",)), A("other")]
    constraints = constraints_of(attributes, [("biopsy", "other")])
    draws = [constraints.left_out(np.random.default_rng((0, k)), [], [0]) for k in range(50)]
    assert set(draws) == {(0,)}
    assert {constraints.left_out(np.random.default_rng((0, k)), [0]) for k in range(50)} == {(0, 1)}


def test_a_learner_sees_what_belongs_together_as_one_bundle():
    attributes = [A("biopsy", cost=5), A("grade", cost=2, requires=("biopsy",)), A("iron", bundle="blood"), A("age")]
    seen = for_the_design(attributes, constraints_of(attributes, []))
    assert seen[0].bundle == seen[1].bundle != seen[2].bundle
    assert (seen[0].cost, seen[1].cost) == (7, 7)
    assert (seen[2].bundle, seen[2].cost) == (None, 1)  # a bundle of one is no bundle
    assert seen[3] == attributes[3]


def test_what_requires_a_free_attribute_needs_no_bundle():
    attributes = [A("age", free=True), A("test", requires=("age",))]
    constraints = constraints_of(attributes, [])
    assert constraints.requires == ((), ())
    assert for_the_design(attributes, constraints)[1].bundle is None


@pytest.mark.parametrize(
    ("attributes", "forbidden", "message"),
    [
        ([A("a", requires=("b",)), A("b", requires=("a",))], [], "'a' requires itself"),
        ([A("a", requires=("z",))], [], "'a' requires 'z', which is no attribute"),
        ([A("a", free=True, requires=("b",)), A("b")], [], "'a' is free.*requires one that is not free"),
        ([A("a"), A("b")], [("a", "z")], r"forbidden: \('a', 'z'\) has 'z', which is no attribute"),
        ([A("a"), A("b")], [("a", "a")], "is no pair of two different names"),
        ([A("a"), A("b")], ["ab"], "is no pair of two different names"),
        ([A("a", free=True), A("b")], [("a", "b")], "free attribute, which is always asked for"),
        ([A("a", requires=("b",)), A("b")], [("a", "b")], "ordered together"),
        ([A("a", bundle="x"), A("b", bundle="x")], [("a", "b")], "ordered together"),
    ],
)
def test_contradictions_are_refused(attributes, forbidden, message):
    with pytest.raises(StudyError, match=message):
        constraints_of(attributes, forbidden)


def test_every_ask_of_a_study_keeps_to_the_rules(tmp_path):
    attributes = [
        A("biopsy", cost=3),
        A("grade", cost=2, requires=("biopsy",)),
        A("mri", cost=4),
        A("ct", cost=4),
        A("iron", cost=1, bundle="blood"),
        A("lipids", cost=1, bundle="blood"),
        A("age", free=True),
        A("pulse"),
    ]
    study = kh.Study.create(
        tmp_path / "s.db", "s", attributes, budget=9, forbidden=[("mri", "ct")], seed=3, renewals="by hand"
    )
    study.add_examples(range(400))
    asks = study.ask_many(400)
    assert len(asks) == 400
    seen = [set(ask.names) for ask in asks]
    assert all("age" in names for names in seen)
    assert all("grade" not in names or "biopsy" in names for names in seen)
    assert not any({"mri", "ct"} <= names for names in seen)
    assert all(("iron" in names) == ("lipids" in names) for names in seen)
    assert all(ask.cost <= 9 for ask in asks)
    for wanted in ({"grade", "biopsy"}, {"mri"}, {"ct"}, {"iron"}, {"pulse"}):
        assert any(wanted <= names for names in seen)
    assert any("biopsy" in names and "grade" not in names for names in seen)
    assert study.verify() == []
