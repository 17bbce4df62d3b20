"""Promise 5: the same fact is stored once; another one stands beside it as a conflict."""

from __future__ import annotations

from ..study import Study
from .shared import WRITERS, Opener, assert_clean, committed, contents, new_study, quietly, together


def check_the_same_fact_is_stored_once(open_store: Opener) -> None:
    """Several tell the same values at once: each is recorded by one call, and repeated by the others."""
    study = new_study(open_store, examples=1)
    ask = study.ask()
    assert ask is not None
    recorded: list[str] = []
    repeated: list[str] = []

    def work(k: int, mine: Study) -> None:
        told = mine.tell(ask.id, {ask.names[0]: 7.0, ask.names[1]: 0.1}, label=2.0)
        assert not told.conflicts, "the same value contradicts itself"
        recorded.extend(told.recorded)
        repeated.extend(told.repeated)

    together(open_store, study, work)
    assert sorted(recorded) == sorted([*ask.names, "label"]), f"recorded: {recorded}"
    assert len(repeated) == 3 * (WRITERS - 1), f"repeated: {repeated}"
    assert contents(study)["seq"] == 5, "something was stored twice"
    assert_clean(study)


def check_a_conflict_keeps_both(open_store: Opener) -> None:
    """A value that contradicts is kept beside the first, learned from neither, until a correction ends it."""
    study = new_study(open_store, examples=1)
    ask = study.ask()
    assert ask is not None
    name = ask.names[0]
    study.tell(ask, dict.fromkeys(ask.names, 7.0), label=1.0)
    before = committed(study)
    assert quietly(lambda: study.tell(ask, {name: 8.0})).conflicts == (name,)
    assert quietly(lambda: study.label(ask.example, 2.0)).conflicts == ("label",)
    assert study.tell(ask, {name: 8.0}).repeated == (name,), "a value that is in conflict was told again"
    status = study.status()
    assert (status["conflicts"], status["values"], status["learned from"]) == (2, 1, 0), f"status: {status}"
    told = {one["attribute"]: [each["value"] for each in one["told"]] for one in study.conflicts()}
    assert told == {name: [7.0, 8.0], None: [1.0, 2.0]}, f"in conflict: {told}"
    study.correct(ask.example, name, 8.0, "read again")
    study.correct(ask.example, None, 1.0, "asked again")
    status = study.status()
    assert (status["conflicts"], status["values"], status["learned from"]) == (0, 2, 1), f"status: {status}"
    assert committed(study) == before, "a conflict costs something"
    kinds = [event.kind for event in contents(study)["events"][-4:]]
    assert kinds == ["conflict", "conflict label", "corrected", "corrected label"], f"the log has {kinds}"
    assert_clean(study)
