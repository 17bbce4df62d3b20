"""Studies in SQLite and PostgreSQL: each operation is one transaction, which locks the study before anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select, update

from ...errors import StudyError
from ...observe.attributes import Attribute
from ..money import PriceList
from .base import ROLES, NewDesign, Snapshot, Store, StudyRecord
from .connect import (
    NOT_OPENED,
    WAIT,
    check_file,
    clock,
    connect,
    copy_sqlite,
    file_of,
    in_words,
    place_in_words,
    url_of,
)
from .parts import definition_of
from .reading import SqlSnapshot
from .restoring import Restoring
from .schema import check_version, upgrade, version_of
from .sql_asks import SqlAsks
from .sql_facts import SqlFacts
from .tables import ATTRIBUTE, COUNTS, DESIGN, MODEL, PERSON, STUDY
from .transaction import Transaction, design_row, next_number

AFTER_ERROR = 60.0  # how many times longer nobody is sent, after a renewal has failed


class SqlStore(SqlAsks, SqlFacts, Store):
    """A database at a URL, or a SQLite file at a path.

    ``new`` makes the tables where there are none of ours; otherwise nothing is made.
    """

    def __init__(self, place: str | os.PathLike[str], new: bool = False, wait: float = WAIT) -> None:
        self.url, self._wait = url_of(place), wait
        self.place, self.address = place_in_words(self.url), self.url.render_as_string(hide_password=False)
        self.is_file = self.url.get_backend_name() == "sqlite"
        self._engine: Engine | None = None
        self._process = os.getpid()
        self._prices: dict[int, PriceList] = {}
        if self.is_file and not new and not file_of(self.url).exists():
            raise StudyError(f"{self.url.database}: there is no such file; give the file of a study, or create one")
        with in_words(self.place, NOT_OPENED):
            with self.engine.connect() as connection:
                found = version_of(connection)
            if found is None and new:
                upgrade(self.engine)
            with self.engine.connect() as connection:
                check_version(connection, self.place)

    @property
    def engine(self) -> Engine:
        """The connections of this process: those that came over a fork are another process's."""
        if self._engine is None or self._process != os.getpid():
            if self._engine is not None:
                self._engine.dispose(close=False)
            self._engine, self._process = connect(self.url, self._wait), os.getpid()
        return self._engine

    @contextmanager
    def _connected(self, writing: bool) -> Iterator[Connection]:
        options: dict[str, Any] = {"writing": writing}
        if not writing and not self.is_file:
            options["isolation_level"] = "REPEATABLE READ"
        with in_words(self.place), self.engine.connect().execution_options(**options) as c, c.begin():
            if self.is_file:
                check_file(c, file_of(self.url))
            yield c
            if self.is_file and writing:
                check_file(c, file_of(self.url))

    @contextmanager
    def _writing(self, study: StudyRecord, person: str) -> Iterator[Transaction]:
        if study.id not in self._prices:
            self._prices[study.id] = PriceList(study.attributes)
        with self._connected(writing=True) as connection:
            transaction = Transaction(connection, study, person, self._prices[study.id])
            yield transaction
            transaction.finish()

    def close(self) -> None:
        if self._engine is not None and self._process == os.getpid():
            self._engine.dispose()
        self._engine = None

    # Studies and people.

    def create(
        self, name: str, settings: Mapping[str, Any], attributes: Sequence[Attribute], design: NewDesign, owner: str
    ) -> StudyRecord:
        with self._connected(writing=True) as c:
            if c.execute(select(STUDY.c.id).where(STUDY.c.name == name)).one_or_none() is not None:
                raise StudyError(
                    f"{self.place}: there is a study {name!r} already; go on with it, or take another name"
                )
            now = clock(c)
            row = {"name": name, "settings": json.dumps(dict(settings)), "seq": 0, "committed": 0, "created_at": now}
            row |= dict.fromkeys(COUNTS, 0)
            study_id = int(c.execute(insert(STUDY).values(**row).returning(STUDY.c.id)).scalar_one())
            c.execute(
                insert(ATTRIBUTE),
                [
                    {"study_id": study_id, "number": i, "name": a.name, "definition": json.dumps(definition_of(a))}
                    for i, a in enumerate(attributes)
                ],
            )
            c.execute(insert(PERSON).values(study_id=study_id, name=owner, role=ROLES[0], added_at=now))
            c.execute(insert(DESIGN).values(**design_row(study_id, 0, 0, design)))
            return StudyRecord(study_id, name, dict(settings), tuple(attributes), now)

    def open(self, name: str) -> StudyRecord:
        with self._connected(writing=False) as c:
            row = c.execute(select(STUDY).where(STUDY.c.name == name)).mappings().one_or_none()
            if row is None:
                names = c.execute(select(STUDY.c.name).order_by(STUDY.c.name).limit(10)).scalars().all()
                there = ", ".join(map(repr, names)) or "none"
                raise StudyError(f"{self.place}: there is no study {name!r}; the studies there are: {there}")
            where = ATTRIBUTE.c.study_id == row["id"]
            rows = c.execute(select(ATTRIBUTE.c.definition).where(where).order_by(ATTRIBUTE.c.number)).scalars()
            attributes = tuple(Attribute(**json.loads(one)) for one in rows)
            return StudyRecord(int(row["id"]), name, json.loads(row["settings"]), attributes, float(row["created_at"]))

    def studies(self) -> list[str]:
        with self._connected(writing=False) as c:
            return list(c.execute(select(STUDY.c.name).order_by(STUDY.c.name)).scalars())

    def add_person(self, study: StudyRecord, name: str, role: str, person: str) -> None:
        if role not in ROLES:
            raise StudyError(f"{role!r} is no role of a person; the roles are {', '.join(map(repr, ROLES))}")
        if not isinstance(name, str) or not name.strip():
            raise StudyError(f"name={name!r}: a person has a name")
        with self._writing(study, person) as t:
            where = (PERSON.c.study_id == study.id, PERSON.c.name == name)
            before = t.run(select(PERSON.c.role).where(*where)).scalar_one_or_none()
            if before is not None and before != role:
                raise StudyError(f"there is a person {name!r} already, who is {before!r}; take another name")
            if before is None:
                about = {"name": name, "role": role, "added_by": t.person_id, "added_at": t.now}
                t.run(insert(PERSON).values(study_id=study.id, **about))

    def add_examples(self, study: StudyRecord, names: Sequence[str], person: str) -> int:
        with self._writing(study, person) as t:
            before = t.counts["n_examples"]
            for name in names:
                if t.example(name) is None:
                    t.new_example(name)
            return t.counts["n_examples"] - before

    # Renewals.

    def wants_renewal(self, study: StudyRecord, claim: float | None = None, again_after: float = 0.0) -> bool:
        with self._connected(writing=False) as c:  # a look takes no lock, and mostly there is nothing to do
            if not _is_due(c, study, again_after):
                return False
        with self._connected(writing=True) as c:
            c.execute(select(STUDY.c.id).where(STUDY.c.id == study.id).with_for_update()).one()
            due = _is_due(c, study, again_after)
            if due:
                now = clock(c)
                mark = {"renewal_asked_at": now} if claim is None else {"renewal_lease_until": now + claim}
                c.execute(update(STUDY).where(STUDY.c.id == study.id).values(**mark))
            return due

    def finish_renewal(
        self,
        study: StudyRecord,
        person: str,
        watermark: int,
        design: NewDesign,
        n_examples: int,
        summary: dict[str, Any],
    ) -> int:
        with self._writing(study, person) as t:
            last = t.run(select(func.max(MODEL.c.watermark)).where(MODEL.c.study_id == study.id)).scalar_one_or_none()
            if last is not None and last >= watermark:
                raise StudyError(f"a renewal from {last:,} events is there already; this one is from {watermark:,}")
            number = next_number(t, DESIGN)
            t.run(insert(DESIGN).values(**design_row(study.id, number, t.seq + 1, design)))
            t.append("design", number=float(number))
            row = {
                "study_id": study.id,
                "number": next_number(t, MODEL),
                "watermark": watermark,
                "design": number,
                "n_examples": n_examples,
                "committed": t.committed,
                "summary": json.dumps(summary),
                "made_at": t.now,
            }
            t.run(insert(MODEL).values(**row))
            free = {"renewal_lease_until": None, "renewal_asked_at": None, "renewal_error": None}
            t.run(update(STUDY).where(STUDY.c.id == study.id).values(**free))
            return number

    def fail_renewal(self, study: StudyRecord, why: str) -> None:
        with self._connected(writing=True) as c:
            values = {"renewal_lease_until": None, "renewal_error": why}
            c.execute(update(STUDY).where(STUDY.c.id == study.id).values(**values))

    def restore(self, name: str, rows: Iterable[tuple[str, str, dict[str, Any]]]) -> StudyRecord:
        with self._connected(writing=True) as connection:
            return Restoring(connection, name).restore(rows)

    def copy_to(self, path: Path) -> bool:
        if self.is_file:
            with in_words(self.place):
                copy_sqlite(self.engine, path)
        return self.is_file

    @contextmanager
    def snapshot(self, study: StudyRecord) -> Iterator[Snapshot]:
        with self._connected(writing=False) as connection:
            yield SqlSnapshot(connection, study)


def _is_due(c: Connection, study: StudyRecord, again_after: float) -> bool:
    """Whether a new design is due, nobody makes it, and nobody was sent to make it a moment ago."""
    row = c.execute(select(STUDY).where(STUDY.c.id == study.id)).mappings().one()
    latest = (DESIGN.c.study_id == study.id, DESIGN.c.parent.is_(None))
    due = select(DESIGN.c.next_renewal).where(*latest).order_by(DESIGN.c.number.desc()).limit(1)
    at = c.execute(due).scalar_one_or_none()
    if at is None or row["n_learnable"] < at:
        return False
    now = clock(c)
    again_after *= 1.0 if row["renewal_error"] is None else AFTER_ERROR
    is_made = row["renewal_lease_until"] is not None and row["renewal_lease_until"] > now
    return not is_made and (row["renewal_asked_at"] is None or row["renewal_asked_at"] <= now - again_after)
