"""What the parameter ``values`` means: the maps that each attribute's values may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...observe.attributes import Attribute, has_kind_number

# Which of ``MAPS`` each choice allows; "log" takes the better of its two forms, and "raw" none.
CHOICES: dict[str, tuple[bool, bool, bool, bool]] = {
    "auto": (True, True, True, True),
    "raw": (False, False, False, False),
    "winsorised": (True, False, False, False),
    "log": (False, True, True, False),
    "rank": (False, False, False, True),
}


def allowed_maps(owner: str, values: Any, attributes: Sequence[Attribute]) -> np.ndarray | None:
    """(attributes, maps), whether each is allowed; None where every attribute is taken as it is."""
    d = len(attributes)
    if isinstance(values, str):
        return (
            None
            if _row(owner, values) == CHOICES["raw"]
            else _but_choices(np.tile(_row(owner, values), (d, 1)), attributes)
        )
    if isinstance(values, Mapping):
        place = {attribute.name: i for i, attribute in enumerate(attributes)}
        allowed = np.tile(CHOICES["auto"], (d, 1))
        for name, choice in values.items():
            if name not in place:
                known = listed([a.name for a in attributes], 10)
                raise ParameterError("values", f"no attribute is called {name!r}; there are {known}")
            allowed[place[name]] = _row(owner, choice, f" for attribute {name!r}")
        return _but_choices(allowed, attributes)
    if isinstance(values, Sequence | np.ndarray) and len(values) == d:
        rows = [_row(owner, choice, f" for attribute {a.name!r}") for a, choice in zip(attributes, values, strict=True)]
        return _but_choices(np.array(rows).reshape(d, -1), attributes)
    raise ParameterError(
        "values",
        f"{owner} takes one of {', '.join(map(repr, CHOICES))}, one for each of {d} attributes, or a dict of"
        f" them by name; got {values!r:.80}",
    )


def _but_choices(allowed: np.ndarray, attributes: Sequence[Attribute]) -> np.ndarray:
    """The numbers of a choice's values have no order, and no map."""
    if not has_kind_number(attributes):
        allowed[[attribute.kind == "choice" for attribute in attributes]] = False
    return allowed


def columns_of(attributes: Sequence[Attribute]) -> np.ndarray | None:
    """How many columns each attribute has: one for each value of a choice of three or more; None where all have one."""
    if has_kind_number(attributes):
        return None
    counts = np.array([len(a.choices) if a.kind == "choice" and len(a.choices) > 2 else 1 for a in attributes])
    return counts if (counts > 1).any() else None


def column_names(attributes: Sequence[Attribute], maps: Sequence[str]) -> np.ndarray:
    """The names of all columns, given what was made of the values of each attribute."""
    names = []
    for attribute, made in zip(attributes, maps, strict=True):
        if attribute.kind == "choice" and len(attribute.choices) > 2:
            names += [f"{attribute.name}={choice}" for choice in attribute.choices]
        else:
            names.append(attribute.name if made == "raw" else f"{attribute.name} ({made})")
    return np.array(names, dtype=object)


def _row(owner: str, choice: Any, of: str = "") -> tuple[bool, ...]:
    if not isinstance(choice, str) or choice not in CHOICES:
        raise ParameterError("values", f"{choice!r}{of}: {owner} takes one of {', '.join(map(repr, CHOICES))}")
    return CHOICES[choice]
