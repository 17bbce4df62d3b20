"""Lists of names in sentences."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 3


def listed(names: Sequence[object], shown: int = SHOWN) -> str:
    """The first few names in quotes, and how many more there are.

    >>> listed(["age", "pulse", "iron", "lipids", "ecg"])
    "'age', 'pulse', 'iron' and 2 more"
    """
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(repr(str(name)) for name in names[:shown]) + more
