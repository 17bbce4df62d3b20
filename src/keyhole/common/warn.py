"""Warnings that name a line of the user's own code."""

from __future__ import annotations

import sys
import warnings


def warn_user(message: str) -> None:
    """Warn at the line that called into Keyhole, however deep below it the reason was found.

    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("the table has 3 rows")
    >>> caught[0].category.__name__, str(caught[0].message)
    ('UserWarning', 'the table has 3 rows')
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "keyhole":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
