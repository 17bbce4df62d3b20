"""Planning: designs of a study compared at equal cost before it begins, learning curves, and the published bounds.

A name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors read; at run time __getattr__ imports the same names
    from .bounds import PublishedBounds, published_bounds
    from .comparing import Comparison
    from .curves import Curve
    from .designs import Design
    from .planner import plan
    from .result import Cheapest, Plan
    from .running_study import MoreExamples, more_examples

__all__ = [
    "Cheapest",
    "Comparison",
    "Curve",
    "Design",
    "MoreExamples",
    "Plan",
    "PublishedBounds",
    "more_examples",
    "plan",
    "published_bounds",
]

# The module that each name comes from.
_EXPORTS = {
    "bounds": ("PublishedBounds", "published_bounds"),
    "comparing": ("Comparison",),
    "curves": ("Curve",),
    "designs": ("Design",),
    "planner": ("plan",),
    "result": ("Cheapest", "Plan"),
    "running_study": ("MoreExamples", "more_examples"),
}
_HOME = {name: module for module, names in _EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
