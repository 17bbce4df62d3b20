"""Promises 3 and 4: one draw per example, ever, and nobody else takes it while a lease runs."""

from __future__ import annotations

import time
from functools import partial

from ...errors import StudyError
from ..store.base import Candidate, Draw
from ..study import Study
from .shared import SHORT, WRITERS, Opener, assert_clean, committed, new_study, refused, together


def check_one_draw_per_example(open_store: Opener) -> None:
    """Whoever takes an example later gets the ask of its first draw, for the same money, and nothing is drawn again."""
    study = new_study(open_store, examples=1)
    study.add_person("ana", "collector")
    drawn = []

    def draw(candidate: Candidate) -> Draw:
        drawn.append(candidate.number)
        return study._drawer.draw(candidate)

    take = partial(study.store.take, study.record)
    (first,) = take("owner", draw, [None], SHORT)
    money = committed(study)
    time.sleep(2 * SHORT)
    (second,) = take("ana", draw, [None], 60.0)
    study.release(second.id, person="ana")
    (third,) = take("owner", draw, ["e0"], 60.0)
    same = ("id", "example", "attributes", "probabilities", "design", "price", "asked_at")
    for later in (second, third):
        for name in same:
            assert getattr(later, name) == getattr(first, name), f"{name} of the ask has changed"
    assert drawn == [1], f"draws were made for examples {drawn}"
    assert committed(study) == money, "an example was charged twice"
    assert_clean(study)


def check_a_lease_keeps_others_away(open_store: Opener) -> None:
    """While a lease runs nobody else gets the example; its holder may ask for it again; None never expires."""
    study = new_study(open_store, examples=2)
    study.add_person("ana", "collector")
    held = study.ask()
    assert held is not None
    refused(lambda: study.ask(held.example, person="ana"))
    mine = study.ask(held.example)
    assert mine is not None and (mine.id, mine.names) == (held.id, held.names), "its holder gets another ask"
    (allocated,) = study.allocate(1)
    assert allocated.lease_until is None
    assert study.ask(person="ana") is None, "an example was handed out that somebody has"
    study.release(held)
    handed_on = study.ask(person="ana")
    assert handed_on is not None and handed_on.id == held.id and handed_on.names == held.names
    refused(lambda: study.ask(held.example))
    told = study.tell(held, {held.names[0]: 1.0})  # late, by the one who had it first
    assert told.recorded == (held.names[0],), "a late value was not accepted"
    assert_clean(study)


def check_no_example_is_handed_out_twice(open_store: Opener) -> None:
    """Several ask from one queue at once, one by one and in batches: each example goes to one of them."""
    study = new_study(open_store, examples=40)
    taken: list[str] = []

    def work(k: int, mine: Study) -> None:
        while (asks := mine.ask_many(1 + k % 3)) and len(taken) <= 40:
            taken.extend(ask.example for ask in asks)

    together(open_store, study, work)
    assert sorted(taken) == sorted(f"e{i}" for i in range(40)), f"{len(taken)} of 40 examples were handed out"
    assert_clean(study)


def check_a_walk_in_is_one_example(open_store: Opener) -> None:
    """Several name the same new example at once: it is added once, and one of them has it."""
    study = new_study(open_store)
    for k in range(WRITERS):
        study.add_person(f"p{k}", "collector")
    got: list[int] = []

    def work(k: int, mine: Study) -> None:
        try:
            ask = mine.ask("walk-in", person=f"p{k}")
        except StudyError:
            return
        assert ask is not None
        got.append(k)

    together(open_store, study, work)
    assert len(got) == 1, f"{len(got)} persons have the same example"
    assert study.status()["examples"] == 1, "it was added more than once"
    assert_clean(study)
