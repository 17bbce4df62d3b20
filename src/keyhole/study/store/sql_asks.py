"""Asks in SQL: examples are taken, handed on, cancelled and released, each in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import func, insert, select, update

from ...errors import StudyError
from ..money import amount, millionths
from ..rules import ASKED, CANCELLED, Fact
from .base import AskRecord, Candidate, Draw, NewDesign, NothingToAsk, StudyRecord
from .reading import design_of_row, select_asks
from .tables import ASK, CELL, DESIGN, EXAMPLE, PERSON
from .transaction import Transaction, design_row, next_number


class SqlAsks:
    """What ``SqlStore`` does with asks."""

    _writing: Callable[[StudyRecord, str], AbstractContextManager[Transaction]]

    def take(
        self,
        study: StudyRecord,
        person: str,
        draw: Callable[[Candidate], Draw],
        examples: Sequence[str | None],
        lease: float | None,
    ) -> list[AskRecord]:
        with self._writing(study, person) as t:
            found = []
            for name in examples:
                ask_id = self._next(t, draw, lease) if name is None else self._named(t, draw, name, lease)
                if ask_id is None:
                    break
                found.append(ask_id)
            records = {one.id: one for one in select_asks(t.run, study, some=found)}
            return [records[ask_id] for ask_id in found]

    def _next(self, t: Transaction, draw: Callable[[Candidate], Draw], lease: float | None) -> int | None:
        where = (ASK.c.study_id == t.study.id, ASK.c.state == "open", ASK.c.lease_until < t.now)
        expired = select(ASK).where(*where).order_by(ASK.c.lease_until, ASK.c.id).limit(1)
        ask = None if lease is None else t.run(expired).mappings().one_or_none()  # a list for later has new ones only
        if ask is not None:
            return self._hand_on(t, ask, lease)
        last = 0
        while True:
            queued = (EXAMPLE.c.study_id == t.study.id, EXAMPLE.c.state == "queued", EXAMPLE.c.number > last)
            example = t.run(select(EXAMPLE).where(*queued).order_by(EXAMPLE.c.number).limit(1)).mappings().one_or_none()
            if example is None:
                return None
            try:
                return self._draw(t, draw, example, lease)
            except NothingToAsk:  # nothing was written for it, and the others of the queue do not wait for it
                last = int(example["number"])

    def _named(self, t: Transaction, draw: Callable[[Candidate], Draw], name: str, lease: float | None) -> int | None:
        example = t.example(name)
        if example is None:
            if not t.study.settings["walk_ins"]:
                raise StudyError(
                    f"there is no example {name!r} in the study {t.study.name!r}, which asks only for examples that"
                    " were added; add it first"
                )
            if not self._pays(t):
                return None
            t.new_example(name)
            example = t.example(name)
        if example["state"] == "queued":
            return self._draw(t, draw, example, lease)
        ask = t.run(select(ASK).where(ASK.c.example_id == example["id"])).mappings().one()
        if ask["state"] != "open":
            raise StudyError(
                f"example {name!r}: ask {ask['id']} of it is {ask['state']}, and an example is drawn for once;"
                " nothing more is asked of it"
            )
        mine, valid = ask["person_id"] == t.person_id, ask["lease_until"] is None or ask["lease_until"] >= t.now
        if valid and not mine:
            holder = t.run(select(PERSON.c.name).where(PERSON.c.id == ask["person_id"])).scalar_one()
            left = "" if ask["lease_until"] is None else f" for another {_duration(ask['lease_until'] - t.now)}"
            raise StudyError(f"example {name!r}: {holder!r} has ask {ask['id']} of it{left}; release it first")
        return self._hand_on(t, ask, lease)

    def _hand_on(self, t: Transaction, ask: Any, lease: float | None) -> int:
        """The same ask with a new lease; one that never expires stays so."""
        until = None if ask["lease_until"] is None or lease is None else t.now + lease
        t.run(update(ASK).where(ASK.c.id == ask["id"]).values(lease_until=until, person_id=t.person_id))
        t.append("reissued", ask["example_id"], ask_id=ask["id"])
        return int(ask["id"])

    def _pays(self, t: Transaction) -> bool:
        """Whether the total pays for one more example, whatever is drawn of it."""
        total = t.study.settings["total"]
        if total is None:
            return True
        return t.committed + millionths(t.study.settings["most"], "an example") <= millionths(total, "the total")

    def _draw(self, t: Transaction, draw: Callable[[Candidate], Draw], example: Any, lease: float | None) -> int | None:
        if not self._pays(t):
            return None
        study, cells = t.study, t.cells(example["id"])
        latest = (DESIGN.c.study_id == study.id, DESIGN.c.parent.is_(None))
        number = int(t.run(select(func.max(DESIGN.c.number)).where(*latest)).scalar_one())
        candidate = Candidate(
            name=example["name"],
            number=int(example["number"]),
            known=tuple(sorted(cells)),
            design=number,
            read_design=lambda n: design_of_row(
                t.run(select(DESIGN).where(DESIGN.c.study_id == study.id, DESIGN.c.number == n)).mappings().one()
            ),
        )
        drawn = draw(candidate)
        if drawn.price > millionths(study.settings["most"], "an example"):
            raise StudyError(f"example {example['name']!r}: {amount(drawn.price):g} is above the budget of one example")
        row = {
            "study_id": study.id,
            "example_id": example["id"],
            "design": self._design(t, drawn) if drawn.excluded else drawn.parent,
            "attributes": json.dumps(drawn.attributes),
            "probabilities": json.dumps(drawn.probabilities),
            "price": drawn.price,
            "state": "open",
            "person_id": t.person_id,
            "asked_at": t.now,
            "lease_until": None if lease is None else t.now + lease,
        }
        ask_id = int(t.run(insert(ASK).values(**row).returning(ASK.c.id)).scalar_one())
        t.run(
            insert(CELL),
            [{"example_id": example["id"], "attribute": i, "drawn": True, "state": ASKED} for i in drawn.attributes],
        )
        # Found values and a label may have made it learnable; now something is awaited of it.
        t.counts["n_learnable"] -= int(example["learnable"])
        t.run(update(EXAMPLE).where(EXAMPLE.c.id == example["id"]).values(state="asked", learnable=False))
        t.committed += drawn.price
        t.counts["n_asked"] += 1
        about = {"design": row["design"], "attributes": drawn.attributes, "probabilities": drawn.probabilities}
        t.append("asked", example["id"], ask_id=ask_id, text=json.dumps(about), number=float(drawn.price))
        return ask_id

    def _design(self, t: Transaction, drawn: Draw) -> int:
        """The number of the design that leaves some attributes out of another; it is made where it is not there."""
        excluded = json.dumps(drawn.excluded)
        where = (DESIGN.c.study_id == t.study.id, DESIGN.c.parent == drawn.parent, DESIGN.c.excluded == excluded)
        found = t.run(select(DESIGN.c.number).where(*where)).scalar_one_or_none()
        if found is not None:
            return int(found)
        number = next_number(t, DESIGN)
        made = NewDesign(None, 0, (), 0, None)
        row = design_row(t.study.id, number, t.seq + 1, made) | {"parent": drawn.parent, "excluded": excluded}
        t.run(insert(DESIGN).values(**row))
        t.append("design", number=float(number))
        return number

    def cancel(self, study: StudyRecord, person: str, ask: int, reason: str) -> None:
        with self._writing(study, person) as t:
            row, example = t.ask(ask)
            if row["state"] != "open":
                raise StudyError(f"ask {ask} is {row['state']}; only an open ask can be cancelled")
            cells = t.cells(example["id"])
            t.append(CANCELLED, example["id"], ask_id=ask, reason=reason)
            for attribute, cell in list(cells.items()):
                if cell["drawn"] and cell["state"] == ASKED:
                    t.put_cell(cells, example["id"], attribute, CANCELLED, Fact())
            t.run(update(ASK).where(ASK.c.id == ask).values(state="cancelled"))
            t.settle_example(example, cells, example["label_state"])

    def release(self, study: StudyRecord, person: str, ask: int) -> None:
        with self._writing(study, person) as t:
            row, example = t.ask(ask)
            if row["state"] != "open":
                raise StudyError(f"ask {ask} is {row['state']}; only an open ask has a lease")
            t.run(update(ASK).where(ASK.c.id == ask).values(lease_until=t.now - 1e-3))
            t.append("released", example["id"], ask_id=ask)


def _duration(seconds: float) -> str:
    """A time in the unit that reads best.

    >>> _duration(86_399), _duration(90), _duration(2)
    ('24 hours', '2 minutes', '2 seconds')
    """
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds"
