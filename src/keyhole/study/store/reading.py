"""What is read of a study: one moment of it, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, select

from ..rules import CONFLICT
from .base import AskRecord, DesignRecord, Event, ModelRecord, Snapshot, StudyRecord
from .connect import clock
from .tables import ASK, CELL, COUNTS, DESIGN, EVENT, EXAMPLE, MODEL, PERSON, STUDY

PIECE = 10_000  # rows that are in memory at a time
MOST_PARAMETERS = 500


class SqlSnapshot(Snapshot):
    """A study as it was when the transaction began."""

    def __init__(self, connection: Connection, study: StudyRecord) -> None:
        self._connection, self._study = connection, study
        row = connection.execute(select(STUDY).where(STUDY.c.id == study.id)).mappings().one()
        self.seq, self.committed = int(row["seq"]), int(row["committed"])
        self.counts = {name: int(row[name]) for name in COUNTS}
        self.now, self.renewal_error = clock(connection), row["renewal_error"]

    def _pieces(self, query: Any) -> Iterator[Any]:
        # As an option of this query alone: one of the connection would hold for all that follow on it.
        return iter(self._connection.execute(query, execution_options={"yield_per": PIECE}))

    def events(self, upto: int | None = None) -> Iterator[Event]:
        query = (
            select(
                EVENT.c.seq,
                EVENT.c.kind,
                EXAMPLE.c.number.label("example"),
                EVENT.c.attribute,
                EVENT.c.ask_id,
                EVENT.c.number,
                EVENT.c.text,
                EVENT.c.reason,
                PERSON.c.name,
                EVENT.c.at,
            )
            .join(PERSON, PERSON.c.id == EVENT.c.person_id)
            .outerjoin(EXAMPLE, EXAMPLE.c.id == EVENT.c.example_id)
            .where(EVENT.c.study_id == self._study.id, EVENT.c.seq <= (self.seq if upto is None else upto))
            .order_by(EVENT.c.seq)
        )
        for row in self._pieces(query):
            yield Event(*row)

    def designs(self, upto: int | None = None) -> list[DesignRecord]:
        where = (DESIGN.c.study_id == self._study.id, DESIGN.c.seq <= (self.seq if upto is None else upto))
        rows = self._connection.execute(select(DESIGN).where(*where).order_by(DESIGN.c.number)).mappings()
        return [design_of_row(row) for row in rows]

    def names(self) -> dict[int, str]:
        query = select(EXAMPLE.c.number, EXAMPLE.c.name).where(EXAMPLE.c.study_id == self._study.id)
        return {row.number: row.name for row in self._pieces(query.order_by(EXAMPLE.c.number))}

    def people(self) -> list[dict[str, Any]]:
        by = PERSON.alias()
        query = (
            select(PERSON.c.name, PERSON.c.role, by.c.name.label("added_by"), PERSON.c.added_at)
            .outerjoin(by, by.c.id == PERSON.c.added_by)
            .where(PERSON.c.study_id == self._study.id)
            .order_by(PERSON.c.id)
        )
        return [dict(row) for row in self._connection.execute(query).mappings()]

    def models(self) -> list[ModelRecord]:
        query = select(MODEL).where(MODEL.c.study_id == self._study.id).order_by(MODEL.c.number)
        found = []
        for row in self._connection.execute(query).mappings():
            fields = {name: row[name] for name in ModelRecord._fields if name != "summary"}
            found.append(ModelRecord(**fields, summary=json.loads(row["summary"])))
        return found

    def asks(self, state: str | None = None, some: Sequence[int] | None = None) -> Iterator[AskRecord]:
        return select_asks(self._connection.execute, self._study, state, some)

    def cells(self) -> Iterator[tuple[int, int, bool, str, float | None, str | None]]:
        query = (
            select(EXAMPLE.c.number, CELL.c.attribute, CELL.c.drawn, CELL.c.state, CELL.c.number, CELL.c.text)
            .join(EXAMPLE, EXAMPLE.c.id == CELL.c.example_id)
            .where(EXAMPLE.c.study_id == self._study.id)
            .order_by(EXAMPLE.c.number, CELL.c.attribute)
        )
        for row in self._pieces(query):
            yield row[0], row[1], bool(row[2]), row[3], row[4], row[5]

    def labels(self) -> Iterator[tuple[int, str, str, float | None, str | None, bool]]:
        e = EXAMPLE.c
        query = select(e.number, e.state, e.label_state, e.label_number, e.label_text, e.learnable)
        for row in self._pieces(query.where(e.study_id == self._study.id).order_by(e.number)):
            yield row[0], row[1], row[2], row[3], row[4], bool(row[5])

    def conflicts(self) -> list[dict[str, Any]]:
        cells = (
            select(EXAMPLE.c.id, EXAMPLE.c.name, CELL.c.attribute)
            .join(CELL, CELL.c.example_id == EXAMPLE.c.id)
            .where(EXAMPLE.c.study_id == self._study.id, CELL.c.state == CONFLICT)
        )
        labels = select(EXAMPLE.c.id, EXAMPLE.c.name).where(
            EXAMPLE.c.study_id == self._study.id, EXAMPLE.c.label_state == CONFLICT
        )
        found = [(row.id, row.name, row.attribute) for row in self._connection.execute(cells)]
        found += [(row.id, row.name, None) for row in self._connection.execute(labels)]
        return [
            {"example": name, "attribute": attribute, "told": self._told(example_id, attribute)}
            for example_id, name, attribute in sorted(found, key=lambda one: (one[0], one[2] is None, one[2]))
        ]

    def _told(self, example_id: int, attribute: int | None) -> list[dict[str, Any]]:
        label = attribute is None
        kinds = ("label", "conflict label", "corrected label") if label else ("value", CONFLICT, "corrected")
        query = (
            select(EVENT.c.number, EVENT.c.text, PERSON.c.name.label("person"), EVENT.c.at)
            .join(PERSON, PERSON.c.id == EVENT.c.person_id)
            .where(EVENT.c.example_id == example_id, EVENT.c.kind.in_(kinds))
            .where(EVENT.c.attribute.is_(None) if label else EVENT.c.attribute == attribute)
            .order_by(EVENT.c.seq)
        )
        return [dict(row) for row in self._connection.execute(query).mappings()]

    def expired(self) -> int:
        where = (ASK.c.study_id == self._study.id, ASK.c.state == "open", ASK.c.lease_until < self.now)
        return int(self._connection.execute(select(func.count()).select_from(ASK).where(*where)).scalar_one())


def select_asks(
    run: Callable[..., Any], study: StudyRecord, state: str | None = None, some: Sequence[int] | None = None
) -> Iterator[AskRecord]:
    """Asks with the states of their cells, in the order of their numbers."""
    drawn_by = func.coalesce(DESIGN.c.parent, DESIGN.c.number)
    query = (
        select(ASK, EXAMPLE.c.name, EXAMPLE.c.number, PERSON.c.name.label("person"), MODEL.c.number.label("model"))
        .join(EXAMPLE, EXAMPLE.c.id == ASK.c.example_id)
        .join(PERSON, PERSON.c.id == ASK.c.person_id)
        .join(DESIGN, and_(DESIGN.c.study_id == ASK.c.study_id, DESIGN.c.number == ASK.c.design))
        .outerjoin(MODEL, and_(MODEL.c.study_id == ASK.c.study_id, MODEL.c.design == drawn_by))
        .where(ASK.c.study_id == study.id)
        .order_by(ASK.c.id)
    )
    if state is not None:
        query = query.where(ASK.c.state == state)
    if some is None:
        rows = run(query).mappings().all()
    else:
        parts = [list(some[at : at + MOST_PARAMETERS]) for at in range(0, len(some), MOST_PARAMETERS)]
        rows = [row for part in parts for row in run(query.where(ASK.c.id.in_(part))).mappings()]
    for at in range(0, len(rows), MOST_PARAMETERS):
        piece = rows[at : at + MOST_PARAMETERS]
        cells = select(CELL.c.example_id, CELL.c.attribute, CELL.c.state).where(
            CELL.c.example_id.in_([row["example_id"] for row in piece])
        )
        states = {(row.example_id, row.attribute): row.state for row in run(cells)}
        for row in piece:
            yield ask_of_row(row, states)


def ask_of_row(row: Any, states: dict[tuple[int, int], str]) -> AskRecord:
    """An ask from its row, with its example and person."""
    attributes = tuple(json.loads(row["attributes"]))
    return AskRecord(
        id=int(row["id"]),
        example=row["name"],
        example_number=int(row["number"]),
        attributes=attributes,
        probabilities=tuple(json.loads(row["probabilities"])),
        states=tuple(states[row["example_id"], i] for i in attributes),
        design=int(row["design"]),
        price=int(row["price"]),
        state=row["state"],
        person=row["person"],
        asked_at=float(row["asked_at"]),
        lease_until=row["lease_until"],
        model=row["model"],
    )


def design_of_row(row: Any) -> DesignRecord:
    """A design from its row."""
    fields = {name: row[name] for name in DesignRecord._fields}
    fields |= {name: tuple(json.loads(row[name])) for name in ("excluded", "selected")}
    return DesignRecord(**fields)
