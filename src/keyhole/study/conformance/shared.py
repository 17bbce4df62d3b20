"""What the checks share: studies of their own, everything that is stored, several at once."""

from __future__ import annotations

import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...errors import StudyError
from ...observe.attributes import Attribute
from ..asks import StudyAsk
from ..creating import settings_of
from ..store.base import Store
from ..study import Study

Opener = Callable[[], Store]
ATTRIBUTES = ("age", "pulse", "iron", "sleep")
WRITERS = 4  # threads, each with connections of its own
SHORT = 0.05  # seconds of a lease that is to expire


def new_study(
    open_store: Opener,
    attributes: Sequence[Attribute | str] = ATTRIBUTES,
    budget: float | None = 2,
    total: float | None = None,
    examples: int = 0,
    next_renewal: int | None = None,
) -> Study:
    """A study of its own, with examples e0, e1 ... in its queue."""
    described, settings, design = settings_of(attributes, budget, total, None, None, None, (), 3600.0, True, 0, "owner")
    store = open_store()
    name = f"check {uuid.uuid4().hex}"
    record = store.create(name, settings, described, design._replace(next_renewal=next_renewal), "owner")
    study = Study(store, record, renewals="by hand")
    study.add_examples([f"e{i}" for i in range(examples)])
    return study


def opened_again(open_store: Opener, study: Study) -> Study:
    """The same study through connections of its own."""
    store = open_store()
    return Study(store, store.open(study.name), renewals="by hand")


def all_asks(study: Study, most: int) -> Iterator[StudyAsk]:
    """Asks until nothing is left of a queue of so many examples."""
    for _ in range(most):
        ask = study.ask()
        if ask is None:
            return
        yield ask
    assert study.ask() is None, f"a queue of {most} examples gave more"


def contents(study: Study) -> dict[str, Any]:
    """Everything that is stored of a study."""
    with study.store.snapshot(study.record) as now:
        return {
            "seq": now.seq,
            "counts": now.counts,
            "committed": now.committed,
            "events": list(now.events()),
            "asks": list(now.asks()),
            "cells": list(now.cells()),
            "labels": list(now.labels()),
            "names": now.names(),
            "people": now.people(),
            "designs": now.designs(),
            "models": now.models(),
        }


def committed(study: Study) -> int:
    """The money that is spent or reserved, in millionths."""
    with study.store.snapshot(study.record) as now:
        return now.committed


def assert_clean(study: Study) -> None:
    """That a recount from the log finds nothing wrong."""
    wrong = study.verify()
    assert not wrong, f"verify: {'; '.join(wrong)}"


def refused(call: Callable[[], Any]) -> None:
    """That a call is refused in words."""
    try:
        call()
    except StudyError as error:
        assert str(error), "an error without words"
        return
    raise AssertionError("it was not refused")


def together(open_store: Opener, study: Study, work: Callable[[int, Study], None], n: int = WRITERS) -> None:
    """Do work in several threads at once, each with a store of its own; the first error is raised."""
    errors: list[BaseException] = []
    start = threading.Barrier(n)

    def run(k: int) -> None:
        try:
            mine = opened_again(open_store, study)
            try:
                start.wait()
                work(k, mine)
            finally:
                mine.close()
        except BaseException as error:
            start.abort()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    errors.sort(key=lambda error: isinstance(error, threading.BrokenBarrierError))
    if errors:
        raise errors[0]


def quietly(call: Callable[[], Any]) -> Any:
    """What a call returns, without its warning of a conflict."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call()
