"""Facts in SQL: values, labels and corrections, all of a call or none of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any

from sqlalchemy import func, select, update

from ...errors import StudyError
from ..rules import CONFLICT, NONE, NOT_OBTAINABLE, VALUE, Fact, kind_of_event
from .base import StudyRecord, Told, ToldFact
from .tables import EVENT, EXAMPLE
from .transaction import Transaction

# What is said to have become of a fact, by the kind of event that it is.
OUTCOMES = {VALUE: "recorded", NOT_OBTAINABLE: "recorded", None: "repeated", CONFLICT: "conflicts"}


class _Undone(Exception):
    """Ends a transaction without any change."""


class SqlFacts:
    """What ``SqlStore`` does with facts."""

    _writing: Callable[[StudyRecord, str], AbstractContextManager[Transaction]]

    def record(
        self,
        study: StudyRecord,
        person: str,
        facts: Mapping[int, Fact],
        label: Fact | None,
        ask: int | None = None,
        example: str | None = None,
    ) -> Told:
        with self._writing(study, person) as t:
            row, about = self._about(t, ask, str(example))
            self._check_asked(study, row, about, facts)
            cells = t.cells(about["id"])
            outcome: dict[str | None, list[str]] = {}
            for attribute, fact in facts.items():
                kind = self._store_fact(t, about, cells, attribute, fact, ask)
                outcome.setdefault(kind, []).append(study.attributes[attribute].name)
            label_state = about["label_state"]
            if label is not None:
                kind, label_state = self._store_label(t, about, label)
                outcome.setdefault(kind, []).append("label")
            t.settle_example(about, cells, label_state)
            new = [name for kind in (VALUE, NOT_OBTAINABLE) for name in outcome.get(kind, [])]
            return Told(tuple(new), tuple(outcome.get(None, [])), tuple(outcome.get(CONFLICT, [])))

    def record_many(
        self, study: StudyRecord, person: str, facts: Sequence[ToldFact], dry_run: bool = False
    ) -> tuple[list[str], dict[int, str]]:
        together: dict[tuple[str, int | None, str], list[int]] = {}
        for i, one in enumerate(facts):
            together.setdefault((one.person, one.ask, one.example), []).append(i)
        outcomes, wrong = [""] * len(facts), dict[int, str]()
        with suppress(_Undone), self._writing(study, person) as t:
            for (who, ask, example), members in together.items():
                try:
                    t.act_for(who)
                    row, about = self._about(t, ask, example)
                except StudyError as error:
                    wrong |= dict.fromkeys(members, str(error))
                    continue
                cells, label_state = t.cells(about["id"]), about["label_state"]
                for i in members:
                    attribute, fact = facts[i].attribute, facts[i].fact
                    try:
                        if attribute is None:
                            kind, label_state = self._store_label(t, about, fact)
                        else:
                            self._check_asked(study, row, about, [attribute])
                            kind = self._store_fact(t, about, cells, attribute, fact, ask)
                        outcomes[i] = OUTCOMES[kind]
                    except StudyError as error:
                        wrong[i] = str(error)
                t.settle_example(about, cells, label_state)
            if wrong or dry_run:
                raise _Undone
        return outcomes, wrong

    def _about(self, t: Transaction, ask: int | None, example: str) -> tuple[Any, Any]:
        """The row of an ask, or None, and that of its example."""
        if ask is not None:
            return t.ask(ask)
        about = t.example(example)
        if about is None:
            raise StudyError(
                f"there is no example {example!r} in the study {t.study.name!r}; add it first, or ask for it"
            )
        return None, about

    def _check_asked(self, study: StudyRecord, ask: Any, example: Any, facts: Iterable[int]) -> None:
        asked = range(len(study.attributes)) if ask is None else json.loads(ask["attributes"])
        for attribute in facts:
            if attribute not in asked:
                names = ", ".join(study.attributes[i].name for i in asked)
                raise StudyError(
                    f"ask {ask['id']} of example {example['name']!r}: {study.attributes[attribute].name!r} was not"
                    f" asked for; it asks for {names}. What was found by other means is told of the example as found,"
                    " without an ask"
                )

    def _store_fact(
        self, t: Transaction, example: Any, cells: dict[int, Any], attribute: int, fact: Fact, ask: int | None
    ) -> str | None:
        cell = cells.get(attribute, {"state": NONE, "number": None, "text": None})
        where = f"example {example['name']!r}, attribute {t.study.attributes[attribute].name!r}"
        kind = kind_of_event(cell["state"], Fact(cell["number"], cell["text"]), fact, where)
        if kind == CONFLICT and self._was_told(t, example["id"], attribute, fact):
            return None
        if kind is None:
            return None
        kept = fact if kind != CONFLICT else Fact(cell["number"], cell["text"])  # both stand in the log
        t.put_cell(cells, example["id"], attribute, kind, kept if fact.is_value else Fact())
        about = {"attribute": attribute, "ask_id": ask, "number": fact.number, "text": fact.text, "reason": fact.reason}
        t.append(kind, example["id"], **about)
        return kind

    def _was_told(self, t: Transaction, example_id: int, attribute: int | None, fact: Fact) -> bool:
        """Whether this value is one of those that are in conflict: told since the last correction."""
        label = attribute is None
        kinds = ("label", "conflict label") if label else (VALUE, CONFLICT)
        about = (
            EVENT.c.example_id == example_id,
            EVENT.c.attribute.is_(None) if label else EVENT.c.attribute == attribute,
        )
        corrected = select(func.max(EVENT.c.seq)).where(
            *about, EVENT.c.kind == ("corrected label" if label else "corrected")
        )
        since = t.run(corrected).scalar_one_or_none() or 0
        told = select(EVENT.c.number, EVENT.c.text).where(*about, EVENT.c.kind.in_(kinds), EVENT.c.seq > since)
        return any(fact.same_as(row.number, row.text) for row in t.run(told))

    def _store_label(self, t: Transaction, example: Any, fact: Fact) -> tuple[str | None, str]:
        stored = Fact(example["label_number"], example["label_text"])
        kind = kind_of_event(example["label_state"], stored, fact, f"example {example['name']!r}, label")
        if kind == CONFLICT and self._was_told(t, example["id"], None, fact):
            kind = None
        if kind is None:
            return None, example["label_state"]
        self._put_label(t, example, kind, fact if kind == VALUE else stored)
        name = "label" if kind == VALUE else "conflict label"
        t.append(name, example["id"], number=fact.number, text=fact.text)
        return kind, kind

    def _put_label(self, t: Transaction, example: Any, state: str, fact: Fact) -> None:
        values = {"label_state": state, "label_number": fact.number, "label_text": fact.text}
        t.run(update(EXAMPLE).where(EXAMPLE.c.id == example["id"]).values(**values))
        t.counts["n_labelled"] += int(state == VALUE) - int(example["label_state"] == VALUE)
        t.counts["n_conflicts"] += int(state == CONFLICT) - int(example["label_state"] == CONFLICT)

    def correct(
        self, study: StudyRecord, person: str, example: str, attribute: int | None, fact: Fact, reason: str
    ) -> None:
        with self._writing(study, person) as t:
            about = t.example(example)
            if about is None:
                raise StudyError(
                    f"there is no example {example!r} in the study {study.name!r}, so there is nothing to correct"
                )
            cells, label_state = t.cells(about["id"]), about["label_state"]
            what = "label" if attribute is None else f"attribute {study.attributes[attribute].name!r}"
            state = label_state if attribute is None else cells.get(attribute, {"state": NONE})["state"]
            if state not in (VALUE, CONFLICT):
                raise StudyError(f"example {example!r}, {what}: nothing was told that could be corrected; tell it")
            if attribute is None:
                self._put_label(t, about, VALUE, fact)
                label_state = VALUE
            else:
                t.put_cell(cells, about["id"], attribute, VALUE, fact)
            kind = "corrected label" if attribute is None else "corrected"
            t.append(kind, about["id"], attribute=attribute, number=fact.number, text=fact.text, reason=reason)
            t.settle_example(about, cells, label_state)
