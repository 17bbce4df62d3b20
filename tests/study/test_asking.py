"""Asks: the queue, leases, names, lists for later, and people."""

from __future__ import annotations

import time

import pytest

import keyhole as kh

NAMES = ["age", "pulse", "iron", "lipids"]


@pytest.fixture
def study(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2, seed=0, renewals="by hand")
    study.add_person("ana")
    study.add_person("ben")
    study.add_person("eve", "reader")
    return study


def test_the_queue_is_handed_out_in_order_and_then_ends(study):
    assert study.add_examples(["p1", "p2", "p1"]) == 2
    assert study.add_examples(["p2", "p3"]) == 1
    assert [study.ask(person="ana").example for _ in range(3)] == ["p1", "p2", "p3"]
    assert study.ask() is None
    assert len(study.open_asks()) == 3


def test_a_named_example_is_one_persons_until_it_is_released(study):
    ask = study.ask("p1", person="ana")
    assert study.ask("p1", person="ana").id == ask.id
    with pytest.raises(
        kh.StudyError, match="example 'p1': 'ana' has ask 1 of it for another 24 hours; release it first"
    ):
        study.ask("p1", person="ben")
    study.release(ask, person="ana")
    again = study.ask("p1", person="ben")
    assert (again.id, again.names, again.person) == (ask.id, ask.names, "ben")
    assert study.status()["spent or reserved"] == 2


def test_an_expired_lease_hands_the_same_attributes_on_and_late_results_are_taken(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2, seed=0, lease=0.05, renewals="by hand")
    study.add_person("ana")
    study.add_examples(["p1", "p2"])
    first = study.ask(person="ana")
    time.sleep(0.1)
    assert study.status()["expired leases"] == 1
    second = study.ask()
    assert (second.id, second.names) == (first.id, first.names)
    study.tell(first, {first.names[0]: 1.0}, person="ana")  # late, and a fact
    told = study.tell(second, {first.names[0]: 1.0, first.names[1]: 2.0})
    assert (told.recorded, told.repeated) == ((first.names[1],), (first.names[0],))
    assert study.status()["spent or reserved"] == 2
    assert study.ask().example == "p2"


def test_what_was_told_completely_is_not_asked_again(study):
    ask = study.ask("p1")
    study.tell(ask, dict.fromkeys(ask.names, 1.0))
    with pytest.raises(kh.StudyError, match="ask 1 of it is done, and an example is drawn for once"):
        study.ask("p1")
    with pytest.raises(kh.StudyError, match="ask 1 is done; only an open ask can be cancelled"):
        study.cancel(ask, "no reason")


def test_walk_ins_may_be_forbidden(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2, walk_ins=False)
    with pytest.raises(
        kh.StudyError, match=r"there is no example 'p9' in the study 's', which asks only for .* add it first"
    ):
        study.ask("p9")


def test_the_total_is_never_exceeded_and_money_comes_back_when_it_is_released(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2, total=5, seed=0, renewals="by hand")
    study.add_examples(range(9))
    asks = study.ask_many(9)
    assert len(asks) == 2
    assert study.ask() is None
    assert study.ask("walk-in") is None
    assert study.status()["examples"] == 9
    study.cancel(asks[0], "the patient has moved")
    assert study.status()["left"] == 3
    assert study.ask() is not None
    assert study.ask() is None
    assert study.verify() == []


def test_a_list_for_later_is_frozen_and_does_not_expire(study, tmp_path):
    study.add_examples(["p1"])
    asks = study.allocate(3, person="ana", prefix="site-a-")
    assert [ask.example for ask in asks] == ["p1", "site-a-2", "site-a-3"]
    assert all(ask.lease_until is None for ask in asks)
    with pytest.raises(kh.StudyError, match="'ana' has ask 2 of it; release it first"):
        study.ask("site-a-2", person="ben")
    assert study.ask() is None
    again = kh.Study.open(tmp_path / "s.db")
    assert [again.find_ask(ask.id).names for ask in asks] == [ask.names for ask in asks]
    again.tell(asks[2].id, dict.fromkeys(asks[2].names, 1.0), label=1)


def test_people_are_known_and_readers_only_look(study):
    with pytest.raises(kh.StudyError, match=r"no person 'zoe' .* the people are 'owner', 'ana', 'ben', 'eve'"):
        study.ask("p1", person="zoe")
    with pytest.raises(kh.StudyError, match="'eve' is a reader of the study 's', and may not change it"):
        study.ask("p1", person="eve")
    with pytest.raises(
        kh.StudyError, match="'boss' is no role of a person; the roles are 'owner', 'collector', 'reader'"
    ):
        study.add_person("zoe", "boss")
    with pytest.raises(kh.StudyError, match="there is a person 'ana' already, who is 'collector'"):
        study.add_person("ana", "reader")
    study.add_person("ana")
    assert study.status()["examples"] == 0


@pytest.mark.parametrize("wrong", [0, -1, True, [""], [None, " "], "p1"])
def test_wrong_numbers_and_names_of_examples(study, wrong):
    with pytest.raises(kh.StudyError):
        study.ask_many(wrong)


def test_unavailable_attributes_are_not_asked_for(study):
    for k in range(30):
        ask = study.ask(f"p{k}", unavailable=["iron"])
        assert "iron" not in ask.names
        assert len(ask.names) == 2
    with pytest.raises(kh.StudyError, match="must be a list of names"):
        study.ask("x", unavailable="iron")
    with pytest.raises(kh.StudyError, match="nothing can be asked"):
        study.ask("x", unavailable=NAMES)
    assert study.status()["examples"] == 30  # the refused walk-in left nothing
    assert study.verify() == []
