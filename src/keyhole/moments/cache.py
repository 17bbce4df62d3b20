"""What was computed from the revealed cells so far: solved once, and forgotten when another example comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Cache:
    """Results by name.

    >>> cache = Cache()
    >>> cache.get("answer", lambda: 42), cache.get("answer", lambda: 43)
    (42, 42)
    >>> cache.clear()
    >>> cache.get("answer", lambda: 43)
    43
    """

    def __init__(self) -> None:
        self._results: dict[str, Any] = {}

    def get(self, name: str, compute: Callable[[], T]) -> T:
        """The result of that name, computed if there is none yet."""
        if name not in self._results:
            self._results[name] = compute()
        return self._results[name]

    def peek(self, name: str) -> Any:
        """The result of that name, or None if it was not computed yet."""
        return self._results.get(name)

    def put(self, name: str, result: Any) -> None:
        """Keep a result that was computed elsewhere."""
        self._results[name] = result

    def clear(self) -> None:
        """Forget everything."""
        self._results.clear()

    def copy(self) -> Cache:
        """An independent cache with the same results."""
        other = Cache()
        other._results.update(self._results)
        return other
