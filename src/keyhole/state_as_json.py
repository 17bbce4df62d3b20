"""The state of a learner, a NamedTuple of arrays and of more of its kind, as plain JSON values and back."""

from __future__ import annotations

from typing import Any

import numpy as np

# Names of fields in files that were written before they were renamed.
FORMER_NAMES = {"emphasis": "distribution"}


def written(part: Any) -> Any:
    """A state, a NamedTuple of arrays and of more of its kind; what is not finite is written as a word."""
    if not isinstance(part, np.ndarray):
        return {field: written(getattr(part, field)) for field in part._fields}
    values = part.ravel().tolist()
    if part.dtype.kind == "f" and not np.isfinite(part).all():
        values = [value if np.isfinite(value) else str(value) for value in values]
    return {"dtype": str(part.dtype), "shape": list(part.shape), "values": values}


def filled(where: str, stored: Any, empty: Any) -> Any:
    """A state of the shape of an empty one, with the stored numbers."""
    if isinstance(empty, np.ndarray):
        check_keys(where, stored, ("dtype", "shape", "values"))
        if (stored["dtype"], stored["shape"]) != (str(empty.dtype), list(empty.shape)):
            is_, wanted = f"{stored['dtype']} {stored['shape']}", f"{empty.dtype} {list(empty.shape)}"
            raise ValueError(f"{where} is an array of {is_}; it must be of {wanted}")
        return numbers_from(where, stored["values"], empty.ravel()).reshape(empty.shape)
    if isinstance(stored, dict):
        stored = {FORMER_NAMES.get(field, field): part for field, part in stored.items()}
    check_keys(where, stored, empty._fields)
    parts = (filled(f"{where}, {field!r}", stored[field], getattr(empty, field)) for field in empty._fields)
    return type(empty)(*parts)


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


def check_sound(state: Any, d: int) -> None:
    """Compiled code trusts the indices and sums in a state: a damaged file must not lead it astray."""
    sound = bool((state.marks == -1).all())
    distribution = getattr(state, "distribution", None)
    if distribution is not None and distribution.on[0] != 0:
        alias = distribution.table.alias
        sound &= len(alias) == d and bool(((alias >= 0) & (alias < d)).all())
    trees = [getattr(getattr(state, "ball", state), field, np.zeros(2)) for field in ("tree", "mass")]
    for tree in trees:
        half, sums = len(tree) // 2, tree.reshape(len(tree), -1)[:, :2]
        sound &= bool((sums >= 0).all() and (sums[half + d :] == 0).all())
        sound &= bool((sums[1:half] == sums[2::2] + sums[3::2]).all())
    if not sound:
        raise ValueError("the numbers of the state contradict each other; the file is damaged")
