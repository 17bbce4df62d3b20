"""What a saved state must look like: named parts, lists, plain values, and arrays of given types and shapes.

A schema writes a value as plain JSON values and arrays, and reads it back, checking every part. Shapes name their
dimensions: ``Array("float64", "d", "r")`` has as many rows as there are attributes, and r columns, where r is set by
the first array that names it.

>>> store = Store({}, {"d": 2})
>>> Array("float64", "d").read(Array("float64", "d").write(np.ones(2), store), "the weights", store)
array([1., 1.])
>>> store.dimensions["d"] = 3
>>> Array("float64", "d").read({"array": "0"}, "the weights", store)
Traceback (most recent call last):
    ...
ValueError: the weights: an array of float64 with shape (2,); it must be of float64 with shape (d = 3)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np


class Store(NamedTuple):
    """The arrays of a file, and the dimensions that are known so far."""

    arrays: dict[str, np.ndarray]
    dimensions: dict[str, int]


class Schema(ABC):
    """A kind of value."""

    @abstractmethod
    def write(self, value: Any, store: Store) -> Any:
        """The value as plain JSON values, with its arrays put into the store."""

    @abstractmethod
    def read(self, stored: Any, where: str, store: Store) -> Any:
        """The value again; a ValueError names the place of what is wrong."""


class Plain(Schema):
    """A value of one of some plain types; numbers that are not finite are written as words."""

    def __init__(self, *types: type) -> None:
        self.types = types

    def write(self, value: Any, store: Store) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": str(value)}
        return value

    def read(self, stored: Any, where: str, store: Store) -> Any:
        if isinstance(stored, dict) and list(stored) == ["float"] and stored["float"] in ("nan", "inf", "-inf"):
            stored = float(stored["float"])
        if float in self.types and type(stored) is int:
            return float(stored) if int not in self.types else stored
        if type(stored) not in self.types:
            wanted = " or ".join("null" if kind is type(None) else kind.__name__ for kind in self.types)
            raise ValueError(f"{where} is {stored!r:.50}; it must be of type {wanted}")
        return stored


class Array(Schema):
    """An array of one type; dimensions are names, numbers, or None for any length."""

    def __init__(self, dtype: str, *shape: str | int | None) -> None:
        self.dtype, self.shape = dtype, shape

    def write(self, value: Any, store: Store) -> Any:
        name = str(len(store.arrays))
        store.arrays[name] = np.asarray(value, dtype=self.dtype, order="C")
        return {"array": name}

    def read(self, stored: Any, where: str, store: Store) -> np.ndarray:
        name = stored.get("array") if isinstance(stored, dict) else None
        if not isinstance(name, str) or name not in store.arrays:
            raise ValueError(f"{where} is {stored!r:.50}; it must be an array of the file")
        array = store.arrays[name]
        fits = str(array.dtype) == self.dtype and array.ndim == len(self.shape)
        if fits:
            lengths = zip(self.shape, array.shape, strict=True)
            fits = all(self._length(wanted, found, store) == found for wanted, found in lengths)
        if not fits:
            raise ValueError(
                f"{where}: an array of {array.dtype} with shape {array.shape}; it must be of {self.dtype} with shape"
                f" ({', '.join(self._named(part, store) for part in self.shape)})"
            )
        return array

    @staticmethod
    def _length(wanted: str | int | None, found: int, store: Store) -> int:
        if wanted is None:
            return found
        return store.dimensions.setdefault(wanted, found) if isinstance(wanted, str) else wanted

    @staticmethod
    def _named(part: str | int | None, store: Store) -> str:
        if isinstance(part, str) and part in store.dimensions:
            return f"{part} = {store.dimensions[part]}"
        return "any" if part is None else str(part)


class ListOf(Schema):
    """A list, or whatever ``make`` makes of one."""

    def __init__(self, part: Schema, make: Callable[[list[Any]], Any] = list) -> None:
        self.part, self.make = part, make

    def write(self, value: Any, store: Store) -> Any:
        return [self.part.write(one, store) for one in value]

    def read(self, stored: Any, where: str, store: Store) -> Any:
        if not isinstance(stored, list):
            raise ValueError(f"{where} is {stored!r:.50}; it must be a list")
        return self.make([self.part.read(one, f"{where}[{i}]", store) for i, one in enumerate(stored)])


class Optional(Schema):
    """A value, or None."""

    def __init__(self, part: Schema) -> None:
        self.part = part

    def write(self, value: Any, store: Store) -> Any:
        return None if value is None else self.part.write(value, store)

    def read(self, stored: Any, where: str, store: Store) -> Any:
        return None if stored is None else self.part.read(stored, where, store)


class Record(Schema):
    """Named parts of an object, and what makes the object of them; ``check`` says what is wrong with it, if anything.

    ``get`` gives the parts of an object by name; without it they are its attributes. Dimensions of ``own`` are set anew
    for each object. Parts of ``later`` may not be there, in files of earlier versions: ``make`` has a default for them.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        parts: Mapping[str, Schema],
        get: Callable[[Any], Mapping[str, Any]] | None = None,
        check: Callable[[Any, Store], str] | None = None,
        own: tuple[str, ...] = (),
        later: tuple[str, ...] = (),
    ) -> None:
        self.make, self.parts, self.get, self.check, self.own, self.later = make, parts, get, check, own, later

    def write(self, value: Any, store: Store) -> Any:
        given = {name: getattr(value, name) for name in self.parts} if self.get is None else self.get(value)
        return {name: part.write(given[name], store) for name, part in self.parts.items()}

    def read(self, stored: Any, where: str, store: Store) -> Any:
        check_names(where, stored, self.parts, self.later)
        inner = Store(store.arrays, {k: n for k, n in store.dimensions.items() if k not in self.own})
        there = {name: part for name, part in self.parts.items() if name in stored}
        parts = {name: part.read(stored[name], f"{where}.{name}", inner) for name, part in there.items()}
        store.dimensions.update({k: n for k, n in inner.dimensions.items() if k not in self.own})
        made = self.make(**parts)
        wrong = self.check(made, inner) if self.check is not None else ""
        if wrong:
            raise ValueError(f"{where}: {wrong}; the file is damaged")
        return made


def check_names(where: str, given: Any, wanted: Any, later: tuple[str, ...] = ()) -> None:
    """Raise unless a document has just these named parts; those of ``later`` may not be there."""
    if not isinstance(given, dict):
        raise ValueError(f"{where} is {given!r:.50}; it must have named parts")
    for problem, names in (
        ("lacks", set(wanted) - set(given) - set(later)),
        ("has the unknown", set(given) - set(wanted)),
    ):
        if names:
            raise ValueError(f"{where} {problem} {', '.join(map(repr, sorted(names)))}")
