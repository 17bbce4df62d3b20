"""Schemas that follow from an example: the state of a compiled learner, whatever arrays it is made of.

A learner that has just been started has a state of the same form as a trained one, so it says what a saved state must
look like.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .schema import Array, Plain, Record, Schema

# Arrays whose length changes while a learner learns.
ANY_LENGTH = ("support",)


def schema_like(example: Any, name: str = "") -> Schema:
    """The schema of a NamedTuple of arrays, numbers and more of its kind.

    A field with a default may be missing in a file of an earlier version.
    """
    if isinstance(example, np.ndarray):
        shape = (None,) if name in ANY_LENGTH else example.shape
        return Array(str(example.dtype), *shape)
    if isinstance(example, tuple) and hasattr(example, "_fields") and hasattr(example, "_field_defaults"):
        parts = {field: schema_like(getattr(example, field), field) for field in example._fields}
        return Record(type(example), parts, later=tuple(example._field_defaults))
    example = example.item() if isinstance(example, np.generic) else example
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
    sound = bool((state.marks == -1).all())
    for part in state:
        alias = getattr(getattr(part, "table", None), "alias", None)
        if alias is not None and part.on[0] != 0:  # draws by a fixed distribution are in force
            sound &= len(alias) == d and bool(((alias >= 0) & (alias < d)).all())
    for field in ("support", "order", "place"):
        indices = getattr(state, field, np.empty(0))
        sound &= len(indices) <= d and bool(((indices >= -1) & (indices < d)).all())
    if hasattr(state, "eta"):
        half = len(state.tree) // 2
        sound &= bool((state.tree[1:half] == np.maximum(state.tree[2::2], state.tree[3::2])).all())
    else:
        trees = [getattr(getattr(state, "ball", state), field, np.zeros(2)) for field in ("tree", "mass")]
        sound &= all(_adds_up(tree, d) for tree in trees)
    if not sound:
        raise ValueError("the numbers of the state contradict each other; the file is damaged")


def _adds_up(tree: np.ndarray, d: int) -> bool:
    """Whether every node of a sum tree is the sum of the two below it, and only attributes have mass."""
    half, sums = len(tree) // 2, tree.reshape(len(tree), -1)[:, :2]
    empty = bool((sums >= 0).all() and (sums[half + d :] == 0).all())
    return empty and bool((sums[1:half] == sums[2::2] + sums[3::2]).all())
