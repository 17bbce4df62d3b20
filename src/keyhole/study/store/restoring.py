"""A study made from the rows that define it, in one transaction; what follows from its log is counted from it.

The numbers of asks stand on lists that sites hold, so they are kept. Where another study of the same database has some
of them, all numbers of the restored study are raised by the same amount, and a warning says so.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from ...common.warn import warn_user
from ...errors import StudyError
from ...observe.attributes import Attribute
from ..money import PriceList
from ..rules import CONFLICT, NOT_OBTAINABLE, VALUE, is_charged, is_done, is_learnable
from .base import StudyRecord
from .reading import SqlSnapshot
from .replay import ExampleState, replay
from .tables import ASK, ATTRIBUTE, CELL, COUNTS, DESIGN, EVENT, EXAMPLE, MODEL, PERSON, STUDY

PIECE = 5_000  # rows that are written at a time
Placed = tuple[str, str, dict[str, Any]]  # a row, after its place and the name of its table


class Restoring:
    """One study on its way into a database."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self.run, self.name = connection, connection.execute, name
        self._attributes: list[Attribute] = []
        self._people: dict[str, int] = {}
        self._asks: list[Placed] = []
        self._shift = self._seq = 0

    def restore(self, rows: Iterable[Placed]) -> StudyRecord:
        """Write all rows, and what follows from them."""
        for table, some in groupby(rows, key=lambda row: row[1]):
            write = getattr(self, f"_write_{table}")
            for piece in _pieces(some, PIECE):
                write(piece)
        record = StudyRecord(self._id, self.name, self._settings, tuple(self._attributes), self._created_at)
        self.run(update(STUDY).where(STUDY.c.id == self._id).values(seq=self._seq))
        try:
            examples = replay(SqlSnapshot(self._connection, record).events())
        except (KeyError, TypeError, ValueError) as error:
            raise StudyError(f"the log of the study contradicts itself: {error!r}") from None
        self._derive(record, examples)
        return record

    # The rows of each table.

    def _write_study(self, rows: Iterable[Placed]) -> None:
        for place, _, row in rows:
            if self.run(select(STUDY.c.id).where(STUDY.c.name == self.name)).one_or_none() is not None:
                raise StudyError(f"{place}: there is a study {self.name!r} in this database already; give another name")
            self._settings, self._created_at = row["settings"], float(row["created_at"])
            new = {"name": self.name, "settings": json.dumps(row["settings"]), "seq": 0, "committed": 0}
            new |= dict.fromkeys(COUNTS, 0) | {"created_at": self._created_at}
            self._id = int(self.run(insert(STUDY).values(**new).returning(STUDY.c.id)).scalar_one())

    def _write_attribute(self, rows: Iterable[Placed]) -> None:
        for place, _, row in rows:
            try:
                attribute = Attribute(**row["definition"])
            except (TypeError, ValueError) as error:
                raise StudyError(f"{place}: this is no attribute: {error}") from None
            self._attributes.append(attribute)
            new = {"number": row["number"], "name": attribute.name, "definition": json.dumps(row["definition"])}
            self.run(insert(ATTRIBUTE).values(study_id=self._id, **new))

    def _write_person(self, rows: Iterable[Placed]) -> None:
        for place, _, row in rows:
            by = None if row["added_by"] is None else self._person(place, row["added_by"])
            new = insert(PERSON).values(study_id=self._id, **row | {"added_by": by}).returning(PERSON.c.id)
            self._people[row["name"]] = int(self.run(new).scalar_one())

    def _write_design(self, rows: Iterable[Placed]) -> None:
        lists = ("excluded", "selected")
        new = [row | {name: json.dumps(row[name]) for name in lists} | {"study_id": self._id} for _, _, row in rows]
        self.run(insert(DESIGN), new)

    def _write_example(self, rows: Iterable[Placed]) -> None:
        usual = {"study_id": self._id, "state": "queued", "label_state": "none", "learnable": False}
        self.run(insert(EXAMPLE), [usual | row for _, _, row in rows])

    def _write_ask(self, rows: Iterable[Placed]) -> None:
        self._asks += rows  # they are written with what the log says of them

    def _write_event(self, rows: Iterable[Placed]) -> None:
        if not self._seq:
            self._read_examples()
            self._choose_numbers()
        new = []
        for place, _, row in rows:
            self._seq += 1
            if row["seq"] != self._seq:
                raise StudyError(f"{place}: this is event {row['seq']}, and event {self._seq} was to come")
            fields = {name: row[name] for name in ("seq", "kind", "attribute", "number", "text", "reason", "at")}
            about = None if row["example"] is None else self._example(place, row["example"])
            ask = None if row["ask_id"] is None else row["ask_id"] + self._shift
            fields |= {"study_id": self._id, "example_id": about, "ask_id": ask}
            new.append(fields | {"person_id": self._person(place, row["person"])})
        self.run(insert(EVENT), new)

    def _write_model(self, rows: Iterable[Placed]) -> None:
        new = [row | {"summary": json.dumps(row["summary"]), "study_id": self._id} for _, _, row in rows]
        self.run(insert(MODEL), new)

    # Keys of this database.

    def _read_examples(self) -> None:
        found = self.run(select(EXAMPLE.c.number, EXAMPLE.c.id).where(EXAMPLE.c.study_id == self._id))
        self._examples = {int(row.number): int(row.id) for row in found}

    def _example(self, place: str, number: int) -> int:
        if number not in self._examples:
            raise StudyError(f"{place}: there is no example number {number!r} among the examples")
        return self._examples[number]

    def _person(self, place: str, name: str) -> int:
        if name not in self._people:
            raise StudyError(f"{place}: there is no person {name!r} among the people")
        return self._people[name]

    def _choose_numbers(self) -> None:
        """By how much the numbers of asks are raised; nobody else takes a number until the transaction ends."""
        if self._connection.dialect.name == "postgresql":
            self.run(text(f"LOCK TABLE {ASK.name} IN SHARE ROW EXCLUSIVE MODE"))
        wanted = {int(row["id"]) for _, _, row in self._asks}
        taken = set(self.run(select(ASK.c.id)).scalars()) if wanted else set()
        if wanted & taken:
            self._shift = max(taken) + 1 - min(wanted)
            warn_user(
                f"study {self.name!r}: other studies of this database have some of the numbers of its asks, so all of"
                f" its numbers are raised by {self._shift:,}"
            )

    # What follows from the log.

    def _derive(self, study: StudyRecord, examples: dict[int, ExampleState]) -> None:
        if not self._seq:
            self._read_examples()
        if set(examples) != set(self._examples):
            raise StudyError("the examples are not those that the log has added")
        for piece in _pieces(examples.values(), PIECE):
            cells = [
                {"example_id": self._examples[one.number], "attribute": i, "drawn": cell.drawn, "state": cell.state}
                | {"number": cell.fact.number, "text": cell.fact.text}
                for one in piece
                for i, cell in one.cells.items()
            ]
            if cells:
                self.run(insert(CELL), cells)
        counts: Counter[str] = Counter()
        for one in examples.values():
            counts.update(self._put_example(one))
        committed = self._put_asks(study, examples)
        counted = {name: counts[name] for name in COUNTS} | {"committed": committed}
        self.run(update(STUDY).where(STUDY.c.id == study.id).values(**counted))

    def _put_example(self, one: ExampleState) -> dict[str, int]:
        """Write the state of an example; what it adds to the counts."""
        drawn = [cell.state for cell in one.cells.values() if cell.drawn]
        found = [cell.state for cell in one.cells.values() if not cell.drawn]
        state = "queued" if one.design is None else "done" if is_done(drawn) else "asked"
        learnable = is_learnable(drawn, found, one.label_state)
        if state != "queued" or one.label_state != "none" or learnable:
            label = {"label_state": one.label_state, "label_number": one.label.number, "label_text": one.label.text}
            where = EXAMPLE.c.id == self._examples[one.number]
            self.run(update(EXAMPLE).where(where).values(state=state, learnable=learnable, **label))
        states = Counter([*drawn, *found])
        return {
            "n_examples": 1,
            "n_asked": int(one.design is not None),
            "n_done": int(state == "done"),
            "n_values": states[VALUE],
            "n_not_obtainable": states[NOT_OBTAINABLE],
            "n_conflicts": states[CONFLICT] + int(one.label_state == CONFLICT),
            "n_labelled": int(one.label_state == VALUE),
            "n_learnable": int(learnable),
        }

    def _put_asks(self, study: StudyRecord, examples: dict[int, ExampleState]) -> int:
        """Write the asks with their prices and states; the money of all of them."""
        prices, new = PriceList(study.attributes), []
        for place, _, row in self._asks:
            about = self._example(place, row["example"])
            one = examples[row["example"]]
            if (one.design, list(one.drawn), list(one.probabilities)) != (
                row["design"],
                list(row["attributes"]),
                list(row["probabilities"]),
            ):
                raise StudyError(f"{place}: the draw of ask {row['id']} is not the one that the log has")
            charged = [i for i in one.drawn if is_charged(one.cells[i].state, study.attributes[i].charged_when_missing)]
            done = is_done([one.cells[i].state for i in one.drawn])
            fields: dict[str, Any] = {name: json.dumps(row[name]) for name in ("attributes", "probabilities")}
            fields |= {name: row[name] for name in ("design", "asked_at", "lease_until")}
            fields |= {"id": row["id"] + self._shift, "study_id": self._id, "example_id": about}
            fields |= {"price": prices.price(charged), "person_id": self._person(place, row["person"])}
            new.append(fields | {"state": "cancelled" if one.cancelled else "done" if done else "open"})
        if len(new) != sum(one.design is not None for one in examples.values()):
            raise StudyError("the asks are not those that the log has")
        for piece in _pieces(new, PIECE):
            self.run(insert(ASK), piece)
        if new and self._connection.dialect.name == "postgresql":  # whose counter does not see numbers that were given
            last = f"SELECT setval(pg_get_serial_sequence('{ASK.name}', 'id'), (SELECT max(id) FROM {ASK.name}))"
            self.run(text(last))
        return sum(int(row["price"]) for row in new)


def _pieces(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(rows)
    while piece := list(islice(rest, size)):
        yield piece
