"""Schemas that follow from an example: the state of a compiled learner, whatever arrays it is made of.

A learner that has just been started has a state of the same form as a trained one, so it says what a saved state must
look like.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .schema import Array, Plain, Record, Schema, Store


def schema_like(example: Any) -> Schema:
    """The schema of a NamedTuple of arrays, numbers and more of its kind."""
    if isinstance(example, np.ndarray):
        return Array(str(example.dtype), *example.shape)
    if isinstance(example, tuple) and hasattr(example, "_fields"):
        return Record(type(example), {name: schema_like(getattr(example, name)) for name in example._fields})
    if isinstance(example, bool | int | float | str):
        return Plain(type(example))
    raise TypeError(f"a state holds {type(example).__name__}, which has no schema")


def owned(state: Any) -> Any:
    """The same state with arrays of its own, which learning changes in place."""
    if isinstance(state, np.ndarray):
        return state.copy()
    if isinstance(state, tuple) and hasattr(state, "_fields"):
        return type(state)(*(owned(part) for part in state))
    return state


def check_sound(state: Any, d: int) -> None:
    """Raise unless indices and sums in a state agree: compiled code trusts them."""
    sound = not hasattr(state, "marks") or bool((state.marks == -1).all())
    for table in _alias_tables(state):
        sound &= len(table) == d and bool(((table >= 0) & (table < d)).all())
    for tree in (getattr(getattr(state, "ball", state), field, None) for field in ("tree", "mass")):
        if tree is None:
            continue
        half, sums = len(tree) // 2, tree.reshape(len(tree), -1)[:, :2]
        sound &= bool((sums >= 0).all() and (sums[half + d :] == 0).all())
        sound &= bool((sums[1:half] == sums[2::2] + sums[3::2]).all())
    for field in ("support", "order", "place"):
        indices = getattr(state, field, None)
        if indices is not None:
            sound &= bool(((indices >= -1) & (indices < d)).all())
    if not sound:
        raise ValueError("the numbers of the state contradict each other; the file is damaged")


def _alias_tables(state: Any) -> list[np.ndarray]:
    """The tables that draws by a fixed distribution use, where one is in force."""
    found = []
    for part in state if isinstance(state, tuple) else ():
        table = getattr(part, "table", None)
        if table is not None and hasattr(table, "alias") and part.on[0] != 0:
            found.append(table.alias)
    return found


def write_like(example: Any, state: Any, store: Store) -> Any:
    """A state as the schema of the example writes it."""
    return schema_like(example).write(state, store)
