"""Lists of names, and numbers of things, in sentences."""

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


def counted(number: float, thing: str) -> str:
    """A whole number of things, in the singular for one.

    >>> counted(1, "example"), counted(1200, "example")
    ('1 example', '1,200 examples')
    """
    return f"{number:,.0f} {thing}" if number == 1 else f"{number:,.0f} {thing}s"
