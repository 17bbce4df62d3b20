"""Descriptions of columns: those that a user declares, and those that follow from the type of a column.

The type of a column is known without reading a cell. Numbers are numbers, truth values are of the kind "yes/no", and
categories of the kind "choice". What may be text, and what is a date, is refused by name before anything is read,
unless the attribute is declared to be of the kind "choice", "yes/no" or "date", or, in a column of Python objects, of
the kind "number".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from ..common.parameters import ParameterError
from ..common.wording import listed
from .attributes import Attribute, PlainAttributes, has_kind_number

NAMES_SHOWN = 10
# The type of a column of Python objects.
OBJECTS = "object"


class ColumnType(NamedTuple):
    """What the type of a column says: its kind, or None where it has to be declared; what the type is called; and the
    choices of a category."""

    kind: str | None
    name: str
    choices: tuple[str, ...] = ()


def described(
    names: Sequence[str] | None, types: Sequence[ColumnType], declared: Sequence[Attribute | None], owner: str
) -> Sequence[Attribute]:
    """The attributes of a table, from the types of its columns and what was declared of each (None: nothing).

    ``owner`` is what takes declarations, for messages.
    """
    if all(one.kind == "number" for one in types) and not any(declared):
        return PlainAttributes(len(types), names)
    plain = PlainAttributes(len(types), names)
    return [_one(declared[j], plain[j], column, owner) for j, column in enumerate(types)]


def _one(declared: Attribute | None, plain: Attribute, column: ColumnType, owner: str) -> Attribute:
    attribute = declared or plain
    # A column of Python objects may hold numbers and None, which its type does not say: there the user's word is taken.
    said_to_be_numbers = declared is not None and column.name == OBJECTS
    if column.kind is None and attribute.kind == "number" and not said_to_be_numbers:
        kinds = "'choice', 'yes/no' or 'date'"
        if column.name == OBJECTS:
            kinds = "'choice', 'yes/no', 'date', or 'number' if it holds numbers and None alone"
        raise ValueError(
            f"column {attribute.name!r} has the type {column.name}, which is not of numbers: make numbers of it, leave"
            f" it out, or declare it by {owner}(..., attributes=[Attribute({attribute.name!r}, kind=...)]), of the kind"
            f" {kinds}"
        )
    if column.kind == "date" and attribute.kind != "date":
        raise ValueError(
            f"column {attribute.name!r} has the type {column.name}: dates are taken where they are declared, by"
            f" {owner}(..., attributes=[Attribute({attribute.name!r}, kind='date')]), and are then days since 1 January"
            " 1970; without that, leave the column out"
        )
    if attribute.kind == "number" and column.kind in ("yes/no", "choice"):
        return dataclasses.replace(attribute, kind=column.kind, choices=column.choices)
    return attribute


def matched_by_name(given: Sequence[Attribute] | None, names: Sequence[str]) -> list[Attribute | None]:
    """What was declared of each column; attributes are given for some columns or for all, in any order."""
    by_name: dict[str, Attribute] = {}
    for attribute in given or ():
        if not isinstance(attribute, Attribute):
            raise ParameterError("attributes", f"{attribute!r} is no Attribute; Attribute(name, kind=...) makes one")
        if attribute.name in by_name:
            raise ParameterError("attributes", f"{attribute.name!r} is described twice")
        by_name[attribute.name] = attribute
    unknown = [name for name in by_name if name not in set(names)]
    if unknown:
        raise ParameterError(
            "attributes", f"there is no column {listed(unknown)}; there are {listed(names, NAMES_SHOWN)}"
        )
    return [by_name.get(name) for name in names]


def in_order(given: Sequence[Attribute] | None, n: int) -> Sequence[Attribute]:
    """Attributes that are given for every column in its order; plain ones if none are given."""
    if given is None:
        return PlainAttributes(n)
    if len(given) != n:
        raise ValueError(f"{len(given)} attributes are described, but the table has {n} columns")
    return given


def refuse_choices(
    owner: str, attributes: Sequence[Attribute], instead: str = "use KeyholeRegressor or KeyholeClassifier"
) -> None:
    """Raise for the first attribute of the kind "choice", which ``owner`` does not learn from."""
    if has_kind_number(attributes):
        return
    for attribute in attributes:
        if attribute.kind == "choice":
            raise ValueError(
                f"attribute {attribute.name!r} is of the kind 'choice', with {len(attribute.choices)} choices: {owner}"
                f" learns from numbers and from yes or no. Give it one yes/no attribute for each choice, or {instead}"
            )
