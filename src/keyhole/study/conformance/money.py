"""Promise 6: money is reserved and released exactly, and no ask exceeds the budget or the total."""

from __future__ import annotations

import uuid

from ...observe.attributes import Attribute
from ..money import millionths
from ..store.base import Candidate, Draw
from ..study import Study
from .shared import Opener, assert_clean, committed, contents, new_study, refused, together


def check_money_is_exact(open_store: Opener) -> None:
    """Money is reserved with the ask, a bundle once; released by cancelling and by "not obtainable"; to a millionth."""
    attributes = [
        Attribute("blood", cost=0.1, bundle="draw"),
        Attribute("iron", cost=0.3, bundle="draw"),
        Attribute("scan", cost=0.7, charged_when_missing=True),
        Attribute("walk", cost=0.000001),
        Attribute("age", free=True),
    ]
    study = new_study(open_store, attributes, budget=None, examples=3)
    whole = 1_000_001
    one, two, three = (study.ask() for _ in range(3))
    assert one is not None and two is not None and three is not None
    assert committed(study) == 3 * whole, "not every ask has its money reserved"
    study.tell(one, not_obtainable={"blood": "no vein"})
    assert committed(study) == 3 * whole, "half a bundle was released"
    study.tell(one, not_obtainable={"iron": "no vein", "scan": "moved", "walk": "tired"})
    assert committed(study) == 2 * whole + 700_000, "what cannot be had was not released, or what is charged was"
    study.tell(two, {"walk": 5.0})
    study.cancel(two, "went home")
    assert committed(study) == whole + 700_001, "cancelling released too much, or too little"
    study.tell(two, {"blood": 1.0})  # it came all the same, and was paid for
    assert committed(study) == whole + 1_000_001, "a late value was not charged"
    study.release(three)
    assert committed(study) == whole + 1_000_001, "the end of a lease released money"
    assert_clean(study)


def check_the_total_is_kept(open_store: Opener) -> None:
    """Several ask until the total is spent: it is never exceeded, and all that it pays for was asked."""
    study = new_study(open_store, total=21, examples=15)

    def work(k: int, mine: Study) -> None:
        while mine.ask("walk-in " + uuid.uuid4().hex if k == 0 else None) is not None:
            assert committed(mine) <= 21_000_000, "the total was exceeded"

    together(open_store, study, work)
    assert committed(study) == 20_000_000, "asks of 2 each, of a total of 21, come to 20"
    status = study.status()
    assert status["examples"] - status["queued"] == 10, f"status: {status}"
    first = study.find_ask(1) if study.open_asks()[0].id == 1 else study.open_asks()[0]
    study.cancel(first, "to make room")
    assert study.ask("one more") is not None, "money that was released cannot be used"
    assert_clean(study)


def check_the_budget_is_kept(open_store: Opener) -> None:
    """A draw that costs more than one example may is refused, whoever made it."""
    study = new_study(open_store, examples=1)
    before = contents(study)

    def too_much(candidate: Candidate) -> Draw:
        return Draw((0, 1, 2), (1.0, 1.0, 1.0), candidate.design, (), millionths(3, "three"))

    refused(lambda: study.store.take(study.record, "owner", too_much, [None], 60.0))
    assert contents(study) == before, "a refused draw left something"
