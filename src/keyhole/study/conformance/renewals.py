"""One renewal at a time, and studies that share a store and nothing else."""

from __future__ import annotations

from functools import partial

from ..creating import settings_of
from ..study import Study
from .shared import ATTRIBUTES, Opener, assert_clean, contents, new_study, refused, together

FIRST = settings_of(ATTRIBUTES, 2, None, None, None, None, (), 60.0, True, 0, "owner")[2]  # a design


def check_one_renewal_at_a_time(open_store: Opener) -> None:
    """Several claim a renewal that is due: one gets it. A claim that was given back can be taken again."""
    study = new_study(open_store, examples=1, next_renewal=0)
    got: list[int] = []

    def work(k: int, mine: Study) -> None:
        if mine.store.wants_renewal(mine.record, claim=60.0):
            got.append(k)

    together(open_store, study, work)
    assert len(got) == 1, f"{len(got)} make the same renewal"
    assert not study.store.wants_renewal(study.record), "a renewal is wanted that somebody makes"
    study.store.fail_renewal(study.record, "the power failed")
    assert study.status()["last renewal failed"] == "the power failed"
    assert study.store.wants_renewal(study.record, claim=60.0), "a renewal that failed is not wanted again"
    with study.store.snapshot(study.record) as now:
        design = now.designs()[0]
    summary = {"fingerprint": "", "keyhole": ""}
    finish = partial(study.store.finish_renewal, study.record, "owner", 1)
    assert finish(FIRST, 0, summary) == design.number + 1
    refused(lambda: finish(FIRST, 0, summary))
    ask = study.ask()
    assert ask is not None and (ask.design, ask.model) == (1, 0), "an ask does not use the latest design"
    assert_clean(study)


def check_studies_are_apart(open_store: Opener) -> None:
    """Two studies in one store share nothing, whatever their examples are called."""
    one, other = new_study(open_store, examples=2), new_study(open_store, examples=2)
    before = contents(other)
    ask = one.ask()
    assert ask is not None
    one.tell(ask, dict.fromkeys(ask.names, 1.0), label=2.0)
    refused(lambda: other.tell(ask.id, {ask.names[0]: 3.0}))
    refused(lambda: one.store.create(other.name, one.record.settings, one.attributes, FIRST, "owner"))
    assert contents(other) == before, "a write to one study shows in another"
    assert {one.name, other.name} <= set(one.store.studies())
    assert_clean(one)
    assert_clean(other)
