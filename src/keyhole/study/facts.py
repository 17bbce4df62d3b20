"""Told values and labels as facts: checked by the kind, the unit and the range of their attributes."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..common.wording import listed
from ..errors import BadValue, StudyError
from ..observe.attributes import Attribute
from ..observe.reveal import as_numbers
from ..observe.sources import CallableSource
from ..observe.values import is_missing, text_is_missing, wanted
from .rules import Fact

A_DAY = 86_400


class FactChecker:
    """Checks what is told of the examples of one study."""

    def __init__(self, attributes: Sequence[Attribute], classes: Sequence[str] | None, is_classifier: bool) -> None:
        self.attributes, self.classes, self.is_classifier = attributes, classes, is_classifier
        self.numbers = {a.name: i for i, a in enumerate(attributes)}
        self._source = CallableSource(lambda *_: (), 0, attributes)

    def number(self, name: Any) -> int:
        """The number of an attribute, by its name."""
        if name in self.numbers:
            return self.numbers[name]
        in_small = {own.casefold(): own for own in self.numbers}
        near = get_close_matches(str(name).casefold(), list(in_small), n=1)
        guess = f" (did you mean {in_small[near[0]]!r}?)" if near else ""
        raise StudyError(f"there is no attribute {name!r}{guess}; there are {listed(list(self.numbers), 10)}")

    def facts(self, place: str, values: Mapping[str, Any], not_obtainable: Mapping[str, str]) -> dict[int, Fact]:
        """What is told, by the numbers of attributes."""
        for name, given in (("values", values), ("not_obtainable", not_obtainable)):
            if not isinstance(given, Mapping):
                raise StudyError(f"{name}={given!r:.60}: it must be a dict by the names of attributes")
        found: dict[int, Fact] = {}
        for name, value in values.items():
            found[self.number(name)] = self.value(place, self.number(name), value)
        for name, reason in not_obtainable.items():
            number = self.number(name)
            if number in found:
                raise StudyError(
                    f"{place}: attribute {name!r} has a value, and is not obtainable as well; tell one of them"
                )
            if not isinstance(reason, str) or not reason.strip():
                raise StudyError(f"{place}, attribute {name!r}: say in words why it is not obtainable; got {reason!r}")
            found[number] = Fact(reason=reason.strip())
        return found

    def value(self, place: str, number: int, value: Any) -> Fact:
        """One value; a pair of a value and a unit is accepted where the unit is the study's."""
        a = self.attributes[number]
        if isinstance(value, tuple | list):
            if len(value) != 2:
                raise BadValue(f"{place}, attribute {a.name!r}: {value!r} is neither a value nor (value, unit)")
            value, unit = value
            if unit != a.unit:
                ours = "has no unit" if a.unit is None else f"is in {a.unit!r}"
                raise BadValue(f"{place}, attribute {a.name!r}: it was told in {unit!r}, and in this study it {ours}")
        if is_missing(value) or (isinstance(value, str) and text_is_missing(value) and value not in a.choices):
            raise BadValue(
                f"{place}, attribute {a.name!r}: {value!r} is no value; leave it out until it is there, or say why it"
                " is not obtainable"
            )
        if isinstance(value, bool | np.bool_) and a.kind == "number":
            raise BadValue(f"{place}, attribute {a.name!r}: {value!r} is yes or no, and it must be a number")
        try:
            amount = float(as_numbers(self._source, place, np.array([number]), [value])[0])
        except BadValue:
            raise BadValue(
                f"{place}, attribute {a.name!r}: {value!r} was told; it must be {wanted(a)}. Nothing was recorded"
            ) from None
        if a.kind == "choice":
            return Fact(amount, a.choices[int(amount)])
        if a.kind == "date":
            return Fact(amount, date_in_words(amount))
        return Fact(amount)

    def label(self, place: str, label: Any) -> Fact:
        """A label: a number, or the name of a class."""
        if is_missing(label) or (isinstance(label, str) and not label.strip()):
            raise BadValue(f"{place}, label: {label!r}; leave it out until it is there")
        if self.is_classifier:
            text = str(label.item() if isinstance(label, np.generic) else label).strip()
            if self.classes is not None and text not in self.classes:
                raise BadValue(f"{place}, label: {text!r} is no class; the classes are {listed(self.classes, 10)}")
            return Fact(text=text)
        try:
            number = float(label)
        except (TypeError, ValueError):
            raise BadValue(f"{place}, label: {label!r} is not a number, and labels of this study are numbers") from None
        if not np.isfinite(number):
            raise BadValue(f"{place}, label: {label!r} is not a finite number")
        return Fact(number)


def date_in_words(days: float) -> str:
    when = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=round(days * A_DAY, 6))
    return when.date().isoformat() if when.time() == datetime.time() else when.isoformat()
