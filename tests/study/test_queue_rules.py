"""What becomes of examples in the queue of which something is known before they are asked for."""

import keyhole as kh

ATTRIBUTES = ["age", "pulse"]


def test_an_example_that_is_known_whole_does_not_hold_up_the_queue(place):
    study = kh.Study.create(place, "s", ATTRIBUTES, budget=1, seed=0, renewals="by hand")
    study.add_examples(["known", "new"])
    study.tell_found("known", {"age": 1.0, "pulse": 2.0})
    assert study.ask().example == "new"
    assert study.ask() is None
    assert study.verify() == []
    study.close()


def test_an_example_with_found_values_waits_for_what_is_asked_of_it(place):
    study = kh.Study.create(place, "s", ATTRIBUTES, budget=1, seed=0, renewals="by hand")
    study.add_examples(["e"])
    study.tell_found("e", {"age": 1.0}, label=1.0)
    assert study.status()["learned from"] == 1
    ask = study.ask()
    assert ask.names == ("pulse",)
    assert study.status()["learned from"] == 0
    assert study.verify() == []
    study.tell(ask, {"pulse": 60.0})
    assert study.status()["learned from"] == 1
    assert study.verify() == []
    study.close()


def test_that_a_cancelled_test_was_not_obtainable_is_recorded(place):
    study = kh.Study.create(place, "s", ATTRIBUTES, budget=1, seed=0, renewals="by hand")
    ask = study.ask("e")
    study.cancel(ask, "went home")
    assert study.tell(ask, not_obtainable={ask.names[0]: "no vein"}).recorded == ask.names
    assert study.status()["not obtainable"] == 1
    assert study.verify() == []
    study.close()
