"""Promises 1, 2 and 7: what is stored stays, a refused call leaves nothing, the log only grows, snapshots are whole."""

from __future__ import annotations

import threading
from typing import Any

from ...errors import StudyError
from ..money import millionths
from ..store.base import Candidate, Draw
from ..study import Study
from .shared import ATTRIBUTES, Opener, all_asks, assert_clean, contents, new_study, opened_again, refused, together


def check_it_survives_reopening(open_store: Opener) -> None:
    """Every kind of write is there, to the last field, when the store is opened anew."""
    study = new_study(open_store, examples=4)
    study.add_person("ana", "collector")
    first, second, third = study.ask(), study.ask(person="ana"), study.ask("walk-in")
    assert first is not None and second is not None and third is not None
    study.tell(first, dict.fromkeys(first.names, 1.5), label=0.1 + 0.2)
    study.tell(second, {second.names[0]: -1e-300}, not_obtainable={second.names[1]: "the tube broke"}, person="ana")
    study.correct(first.example, first.names[0], 1.25, "misread")
    study.tell_found("e3", {"iron": 2.0**60})
    study.cancel(third, "went home")
    before = contents(study)
    study.close()
    again = opened_again(open_store, study)
    assert again.record == study.record, "the study is not the one that was made"
    for what, now in contents(again).items():
        assert now == before[what], f"{what}: {before[what]!r} became {now!r}"
    assert_clean(again)


def check_what_was_refused_left_nothing(open_store: Opener) -> None:
    """A call of which one part is refused stores none of its parts."""
    study = new_study(open_store, examples=3)
    ask = study.ask()
    assert ask is not None
    other = next(name for name in ATTRIBUTES if name not in ask.names)
    study.tell(ask, {ask.names[1]: 1.0})
    before = contents(study)
    refused(lambda: study.tell(ask, {ask.names[0]: 1.0, other: 2.0}, label=3.0))
    refused(lambda: study.tell(ask, {ask.names[0]: 1.0}, label=3.0, not_obtainable={ask.names[1]: "lost"}))
    refused(lambda: study.ask_many(["e1", "e2"], unavailable=ATTRIBUTES))
    refused(lambda: study.add_examples(["new"], person="nobody"))
    calls = []

    def second_fails(candidate: Candidate) -> Draw:
        calls.append(candidate)
        if len(calls) == 2:
            raise StudyError("the second draw fails")
        return Draw((0,), (1.0,), candidate.design, (), millionths(1, "one"))

    refused(lambda: study.store.take(study.record, "owner", second_fails, [None, None], 60.0))
    assert len(calls) == 2, "the second example was not drawn for"
    assert contents(study) == before, "a refused call left something"
    assert_clean(study)


def check_the_log_only_grows(open_store: Opener) -> None:
    """While several write, whoever reads sees events 1, 2, 3 ... to the last, and those read before are unchanged."""
    study = new_study(open_store, examples=24)
    done = threading.Event()
    seen: list[Any] = []

    def read() -> None:
        with study.store.snapshot(study.record) as now:
            events, last = list(now.events()), now.seq
        assert [event.seq for event in events] == list(range(1, last + 1)), "the numbers of events have a gap"
        assert events[: len(seen)] == seen, "an event has changed"
        seen[:] = events

    def work(k: int, mine: Study) -> None:
        if k == 0:
            while not done.wait(0.002):
                read()
            return
        try:
            for ask in all_asks(mine, 24):
                mine.tell(ask, dict.fromkeys(ask.names, float(k)), label=1.0)
        finally:
            if k == 1:
                done.set()

    together(open_store, study, work)
    read()
    assert len(seen) == 24 * 5, f"{len(seen)} events are in the log; 24 examples make 5 each"
    assert_clean(study)


def check_writes_say_who_and_when(open_store: Opener) -> None:
    """Every event has its person and a time, and times do not go back. A reader and a stranger cannot write."""
    study = new_study(open_store, examples=2)
    study.add_person("ana", "collector")
    study.add_person("max", "reader", person="ana")
    ask = study.ask(person="ana")
    assert ask is not None
    study.tell(ask, dict.fromkeys(ask.names, 1.0))
    before = contents(study)
    refused(lambda: study.tell(ask, label=1.0, person="max"))
    refused(lambda: study.ask(person="stranger"))
    assert contents(study) == before, "somebody wrote who may not"
    persons = [event.person for event in before["events"]]
    assert persons == ["owner", "owner", "ana", "owner", "owner"], f"events of {persons}"
    times = [event.at for event in before["events"]]
    assert times == sorted(times), "times go back"
    added = {one["name"]: one["added_by"] for one in before["people"]}
    assert added == {"owner": None, "ana": "owner", "max": "ana"}, f"people were added by {added}"


def check_a_snapshot_is_of_one_moment(open_store: Opener) -> None:
    """What others write while a snapshot is read does not show in it, and all of its parts agree."""
    study = new_study(open_store, examples=3)
    other = opened_again(open_store, study)
    with study.store.snapshot(study.record) as now:
        before = now.seq, len(list(now.events())), now.counts["n_asked"]
        ask = other.ask()
        assert ask is not None
        other.tell(ask, dict.fromkeys(ask.names, 1.0), label=1.0)
        other.add_person("ana")
        after = now.seq, len(list(now.events())), len(list(now.asks()))
        assert after == before, "a snapshot has changed"
        assert not list(now.cells()) and len(now.people()) == 1, "a snapshot shows what came later"
    with study.store.snapshot(study.record) as now:
        assert now.seq == len(list(now.events())) == 7 and len(now.people()) == 2
    other.close()
    assert_clean(study)


def check_snapshots_under_writers(open_store: Opener) -> None:
    """While several write, counts, money, asks and cells of every snapshot belong together."""
    study = new_study(open_store, examples=18)
    done = threading.Event()
    looked: list[int] = []

    def work(k: int, mine: Study) -> None:
        if k == 0:
            while not done.is_set() or not looked:
                with mine.store.snapshot(mine.record) as now:
                    values = sum(state == "value" for _, _, _, state, _, _ in now.cells())
                    asks = list(now.asks())
                    assert values == now.counts["n_values"], "values and their count differ"
                    assert len(asks) == now.counts["n_asked"], "asks and their count differ"
                    assert sum(ask.price for ask in asks) == now.committed, "asks and their money differ"
                    looked.append(now.seq)
            return
        try:
            for ask in all_asks(mine, 18):
                mine.tell(ask, {ask.names[0]: 1.0})
                mine.tell(ask, not_obtainable={ask.names[1]: "lost"})
        finally:
            if k == 1:
                done.set()

    together(open_store, study, work)
    assert looked == sorted(looked), "a later snapshot is of an earlier moment"
    assert_clean(study)
