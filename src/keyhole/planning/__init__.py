"""Planning: designs of a study compared at equal cost before it begins, learning curves, and the published bounds.

A name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors read; at run time __getattr__ imports the same names
    from .bounds import published_bounds
    from .designs import Design
    from .planner import plan
    from .result import Plan
    from .running_study import more_examples

__all__ = ["Design", "Plan", "more_examples", "plan", "published_bounds"]

# The module that each name comes from.
_EXPORTS = {
    "bounds": ("published_bounds",),
    "designs": ("Design",),
    "planner": ("plan",),
    "result": ("Plan",),
    "running_study": ("more_examples",),
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
