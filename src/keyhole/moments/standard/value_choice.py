"""What the parameter ``values`` means: the maps that each attribute's values may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...observe.attributes import Attribute

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
        return None if values == "raw" else np.tile(_row(owner, values), (d, 1))
    if isinstance(values, Mapping):
        place = {attribute.name: i for i, attribute in enumerate(attributes)}
        allowed = np.tile(CHOICES["auto"], (d, 1))
        for name, choice in values.items():
            if name not in place:
                known = listed([a.name for a in attributes], 10)
                raise ParameterError("values", f"no attribute is called {name!r}; there are {known}")
            allowed[place[name]] = _row(owner, choice, f" for attribute {name!r}")
        return allowed
    if isinstance(values, Sequence | np.ndarray) and len(values) == d:
        rows = [_row(owner, choice, f" for attribute {a.name!r}") for a, choice in zip(attributes, values, strict=True)]
        return np.array(rows).reshape(d, -1)
    raise ParameterError(
        "values", f"{owner} takes one of {', '.join(map(repr, CHOICES))}, one for each of {d} attributes, or a dict of"
        f" them by name; got {values!r:.80}"
    )


def _row(owner: str, choice: Any, of: str = "") -> tuple[bool, ...]:
    if not isinstance(choice, str) or choice not in CHOICES:
        raise ParameterError("values", f"{choice!r}{of}: {owner} takes one of {', '.join(map(repr, CHOICES))}")
    return CHOICES[choice]
