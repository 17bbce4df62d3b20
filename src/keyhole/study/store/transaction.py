"""One writing transaction on one study: its row is locked first, and its counts and events are written at the end."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from ...common.wording import listed
from ...errors import StudyError
from ..money import PriceList
from ..rules import ASKED, CONFLICT, NOT_OBTAINABLE, VALUE, is_charged, is_done, is_learnable
from .base import ROLES, NewDesign, StudyRecord, no_such_ask
from .connect import clock
from .tables import ASK, CELL, COUNTS, EVENT, EXAMPLE, PERSON, STUDY

COUNTED = {VALUE: "n_values", NOT_OBTAINABLE: "n_not_obtainable", CONFLICT: "n_conflicts"}


class Transaction:
    """What the operations of ``sql.py`` share."""

    def __init__(self, connection: Connection, study: StudyRecord, person: str, prices: PriceList) -> None:
        self.run = connection.execute
        self.study, self.prices = study, prices
        row = self.run(select(STUDY).where(STUDY.c.id == study.id).with_for_update()).mappings().one()
        self.seq, self.committed = int(row["seq"]), int(row["committed"])
        self.counts = {name: int(row[name]) for name in COUNTS}
        self.now = clock(connection)
        self._people: dict[str, int] = {}
        self.act_for(person)
        self._events: list[dict[str, Any]] = []

    def act_for(self, person: str) -> None:
        """Write what follows in the name of a person, who must be there and may write."""
        if person not in self._people:
            self._people[person] = self._person(person)
        self.person, self.person_id = person, self._people[person]

    def _person(self, name: str) -> int:
        found = self.run(
            select(PERSON.c.id, PERSON.c.role).where(PERSON.c.study_id == self.study.id, PERSON.c.name == name)
        ).one_or_none()
        if found is None:
            known = self.run(select(PERSON.c.name).where(PERSON.c.study_id == self.study.id).order_by(PERSON.c.id))
            raise StudyError(
                f"there is no person {name!r} in the study {self.study.name!r}; the people"
                f" are {listed(known.scalars().all(), 10)}. Add a new person first"
            )
        if found.role == ROLES[-1]:
            raise StudyError(f"{name!r} is a {ROLES[-1]} of the study {self.study.name!r}, and may not change it")
        return int(found.id)

    def append(self, kind: str, example_id: int | None = None, **fields: Any) -> int:
        """Add an event to the log; its number."""
        self.seq += 1
        usual = dict.fromkeys(("attribute", "ask_id", "number", "text", "reason"))
        about = {"study_id": self.study.id, "seq": self.seq, "kind": kind, "example_id": example_id}
        self._events.append(about | usual | {"person_id": self.person_id, "at": self.now} | fields)
        return self.seq

    def finish(self) -> None:
        """Write the events and the counts."""
        if self._events:
            self.run(insert(EVENT), self._events)
        self.run(
            update(STUDY)
            .where(STUDY.c.id == self.study.id)
            .values(seq=self.seq, committed=self.committed, **self.counts)
        )

    # Examples and their cells.

    def example(self, name: str) -> Any:
        """The row of an example, or None."""
        where = (EXAMPLE.c.study_id == self.study.id, EXAMPLE.c.name == name)
        return self.run(select(EXAMPLE).where(*where)).mappings().one_or_none()

    def ask(self, ask: int) -> tuple[Any, Any]:
        """The row of an ask, and that of its example."""
        where = (ASK.c.study_id == self.study.id, ASK.c.id == ask)
        row = self.run(select(ASK).where(*where)).mappings().one_or_none()
        if row is None:
            of_study = ASK.c.study_id == self.study.id
            last = self.run(select(func.max(ASK.c.id)).where(of_study)).scalar_one_or_none()
            raise no_such_ask(ask, self.study.name, last)
        return row, self.run(select(EXAMPLE).where(EXAMPLE.c.id == row["example_id"])).mappings().one()

    def new_example(self, name: str) -> int:
        """Queue an example; its id."""
        self.counts["n_examples"] += 1
        row = {
            "study_id": self.study.id,
            "number": self.counts["n_examples"],
            "name": name,
            "state": "queued",
            "label_state": "none",
            "learnable": False,
        }
        example_id = int(self.run(insert(EXAMPLE).values(**row).returning(EXAMPLE.c.id)).scalar_one())
        self.append("added", example_id, text=name, number=float(self.counts["n_examples"]))
        return example_id

    def cells(self, example_id: int) -> dict[int, Any]:
        """The cells of an example, by attribute."""
        rows = self.run(select(CELL).where(CELL.c.example_id == example_id)).mappings()
        return {int(row["attribute"]): dict(row) for row in rows}

    def put_cell(self, cells: dict[int, Any], example_id: int, attribute: int, state: str, fact: Any) -> None:
        """Write the new state of a cell, and count it."""
        before = cells.get(attribute)
        values = {"state": state, "number": fact.number, "text": fact.text}
        if before is None:
            new = {"example_id": example_id, "attribute": attribute, "drawn": False} | values
            self.run(insert(CELL).values(**new))
            cells[attribute] = new
        else:
            where = (CELL.c.example_id == example_id, CELL.c.attribute == attribute)
            self.run(update(CELL).where(*where).values(**values))
            self.count(COUNTED.get(before["state"]), -1)
            cells[attribute] = before | values
        self.count(COUNTED.get(state), 1)

    def count(self, name: str | None, by: int) -> None:
        """Change a count."""
        if name is not None:
            self.counts[name] += by

    def settle_example(self, example: Any, cells: dict[int, Any], label_state: str) -> None:
        """Bring the state of an example and of its ask, its money and the counts up to its cells and its label."""
        drawn = {i: cell["state"] for i, cell in cells.items() if cell["drawn"]}
        found = [cell["state"] for cell in cells.values() if not cell["drawn"]]
        learnable = is_learnable(drawn.values(), found, label_state)
        state = example["state"]
        if state != "queued":
            state = "done" if is_done(drawn.values()) else "asked"
        self.counts["n_learnable"] += int(learnable) - int(example["learnable"])
        self.counts["n_done"] += int(state == "done") - int(example["state"] == "done")
        if (learnable, state) != (bool(example["learnable"]), example["state"]):
            where = EXAMPLE.c.id == example["id"]
            self.run(update(EXAMPLE).where(where).values(learnable=learnable, state=state))
        if drawn:
            self._settle_ask(int(example["id"]), drawn)

    def _settle_ask(self, example_id: int, drawn: dict[int, str]) -> None:
        ask = self.run(select(ASK.c.id, ASK.c.price, ASK.c.state).where(ASK.c.example_id == example_id)).one()
        attributes = self.study.attributes
        charged = [i for i, state in drawn.items() if is_charged(state, attributes[i].charged_when_missing)]
        price = self.prices.price(charged)
        state = ask.state if ask.state == "cancelled" else "open" if ASKED in drawn.values() else "done"
        if (price, state) != (ask.price, ask.state):
            self.committed += price - int(ask.price)
            self.run(update(ASK).where(ASK.c.id == ask.id).values(price=price, state=state))


def next_number(t: Transaction, table: Any) -> int:
    """The number of the next row of a study in a table."""
    last = t.run(select(func.max(table.c.number)).where(table.c.study_id == t.study.id)).scalar_one_or_none()
    return 0 if last is None else int(last) + 1


def design_row(study_id: int, number: int, seq: int, design: NewDesign) -> dict[str, Any]:
    """The row of a design that may draw every attribute."""
    row = design._asdict() | {"selected": json.dumps(design.selected), "excluded": "[]"}
    return row | {"study_id": study_id, "number": number, "seq": seq, "parent": None}
