"""Warnings that point at the line of the user's own code that caused them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

PACKAGE = str(Path(__file__).parent.parent)


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first caller outside this package, however deep inside it the reason was found.

    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("the budget is large")
    >>> str(caught[0].message)
    'the budget is large'
    """
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1  # type: ignore[assignment]
    warnings.warn(message, category, stacklevel=level)
