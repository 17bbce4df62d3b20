"""Studies: ask and tell, kept in a database for months.

A name is imported when it is first used: SQLAlchemy is an extra, ``pip install 'keyhole[study]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors read; at run time __getattr__ imports the same names
    from .asks import AskedAttribute, StudyAsk
    from .describe.missing import GroupLabels, MissingAttribute
    from .describe.not_obtainable import NotObtainable
    from .describe.sensitivity import Sensitivity
    from .store.base import Told
    from .study import Study

__all__ = [
    "AskedAttribute",
    "GroupLabels",
    "MissingAttribute",
    "NotObtainable",
    "Sensitivity",
    "Study",
    "StudyAsk",
    "Told",
]

# The module that each name comes from.
_HOME = {
    "AskedAttribute": "asks",
    "GroupLabels": "describe.missing",
    "MissingAttribute": "describe.missing",
    "NotObtainable": "describe.not_obtainable",
    "Sensitivity": "describe.sensitivity",
    "Study": "study",
    "StudyAsk": "asks",
    "Told": "store.base",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if error.name not in ("sqlalchemy", "alembic"):
            raise
        raise ImportError(f"a study needs {error.name}: pip install 'keyhole[study]'") from error
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
