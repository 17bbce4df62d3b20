"""The state of a streaming learner in a file of version 1: named parts, and arrays as lists of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

# Fields of states that have another name now.
RENAMED = {"distribution": "emphasis"}
# Fields that version 1 did not have; they are empty, since the radius was always given.
ADDED = ("evidence", "half_A", "half_b")


def filled(where: str, stored: Any, empty: Any) -> Any:
    """A state of the shape of an empty one, with the stored numbers."""
    if isinstance(empty, np.ndarray):
        check_keys(where, stored, ("dtype", "shape", "values"))
        if (stored["dtype"], stored["shape"]) != (str(empty.dtype), list(empty.shape)):
            is_, wanted = f"{stored['dtype']} {stored['shape']}", f"{empty.dtype} {list(empty.shape)}"
            raise ValueError(f"{where} is an array of {is_}; it must be of {wanted}")
        return numbers_from(where, stored["values"], empty.ravel()).reshape(empty.shape)
    names = {field: RENAMED.get(field, field) for field in empty._fields if field not in ADDED}
    check_keys(where, stored, names.values())
    parts = {field: filled(f"{where}, {old!r}", stored[old], getattr(empty, field)) for field, old in names.items()}
    return empty._replace(**parts)


def numbers_from(where: str, values: Any, like: np.ndarray) -> np.ndarray:
    words = {"nan", "inf", "-inf"}
    kinds = set(map(type, values)) if isinstance(values, list) else {type(None)}
    allowed = {int, float, str} if like.dtype.kind == "f" else {int}
    wrong = not kinds <= allowed or (str in kinds and {v for v in values if type(v) is str} - words)
    if wrong or len(values) != len(like):
        raise ValueError(f"{where} must hold {len(like)} numbers of type {like.dtype} and nothing else")
    return np.array(values, dtype=like.dtype)


def check_keys(what: str, given: Any, wanted: Any) -> None:
    if not isinstance(given, dict):
        raise ValueError(f"{what} is {given!r:.50}, not named parts")
    for problem, keys in (("lacks", set(wanted) - set(given)), ("has the unknown", set(given) - set(wanted))):
        if keys:
            raise ValueError(f"{what} {problem} {', '.join(map(repr, sorted(keys)))}")
