"""Parameters of estimators as plain values: numbers, text, arrays, lists and dictionaries of these."""

from __future__ import annotations

from typing import Any

import numpy as np

from .schema import Plain, Schema, Store

PLAIN = Plain(type(None), bool, int, float, str)


class Value(Schema):
    """A parameter; one that is nothing of the above cannot be saved, and the error names it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, value: Any, store: Store) -> Any:
        if value is None or isinstance(value, bool | int | float | str | np.bool_ | np.number):
            return PLAIN.write(value, store)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            key = str(len(store.arrays))
            store.arrays[key] = np.asarray(value, order="C")
            return {"array": key}
        if isinstance(value, list | tuple | np.ndarray):
            return {"list": [self.write(one, store) for one in value]}
        if isinstance(value, dict):
            return {"dict": [[str(key), self.write(one, store)] for key, one in value.items()]}
        raise ValueError(
            f"{self.name}={value!r:.60}: a model file keeps numbers, text, arrays, and lists and dictionaries of these"
        )

    def read(self, stored: Any, where: str, store: Store) -> Any:
        if not isinstance(stored, dict) or list(stored) == ["float"]:
            return PLAIN.read(stored, where, store)
        if list(stored) == ["array"] and stored["array"] in store.arrays:
            return store.arrays[stored["array"]]
        if list(stored) == ["list"] and isinstance(stored["list"], list):
            return [self.read(one, where, store) for one in stored["list"]]
        if list(stored) == ["dict"] and isinstance(stored["dict"], list):
            return {str(key): self.read(one, where, store) for key, one in stored["dict"]}
        raise ValueError(f"{where} is {stored!r:.50}; it must be a number, text, an array, a list or a dictionary")


def saved_parameter(name: str, value: Any) -> Any:
    """What is kept of a parameter: a ``random_state`` that is a generator is not."""
    if name == "random_state" and not isinstance(value, int | np.integer):
        return None
    return value
