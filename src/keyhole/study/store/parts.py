"""The rows that define a study, whichever database it is in: everything that does not follow from the log.

Rows refer to each other by what a study knows of itself, and not by the keys of a database: examples by their number,
people by name. States, counts and money are not among the rows: they are counted again from the log when a study is
restored. A lease is among them, so that an example that somebody has is not given to somebody else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from ...observe.attributes import Attribute
from .base import DesignRecord, Event, ModelRecord, Snapshot, StudyRecord

# The tables in the order of their rows, and the fields of each.
FIELDS: dict[str, tuple[str, ...]] = {
    "study": ("name", "settings", "created_at"),
    "attribute": ("number", "definition"),
    "person": ("name", "role", "added_by", "added_at"),
    "design": DesignRecord._fields,
    "example": ("number", "name"),
    "ask": ("id", "example", "design", "attributes", "probabilities", "person", "asked_at", "lease_until"),
    "event": Event._fields,
    "model": ModelRecord._fields,
}


def rows_of(study: StudyRecord, now: Snapshot) -> Iterator[tuple[str, dict[str, Any]]]:
    """All rows of a study at one moment, each with the name of its table."""
    yield "study", {"name": study.name, "settings": study.settings, "created_at": study.created_at}
    for i, attribute in enumerate(study.attributes):
        yield "attribute", {"number": i, "definition": definition_of(attribute)}
    for person in now.people():
        yield "person", person
    for design in now.designs():
        yield "design", design._asdict()
    for number, name in now.names().items():
        yield "example", {"number": number, "name": name}
    for ask in now.asks():
        row = ask._asdict() | {"example": ask.example_number}
        yield "ask", {field: row[field] for field in FIELDS["ask"]}
    for event in now.events():
        yield "event", event._asdict()
    for model in now.models():
        yield "model", model._asdict()


def definition_of(attribute: Attribute) -> dict[str, Any]:
    """What is described of an attribute, without what is usual."""
    usual = dataclasses.asdict(Attribute(""))
    return {name: value for name, value in dataclasses.asdict(attribute).items() if value != usual[name]}
