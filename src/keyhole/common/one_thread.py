"""One core for everything that runs inside, where every core has a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra and Keyhole's own threads take one core; what was set before holds again afterwards."""
    before = os.environ.get("LOKY_MAX_CPU_COUNT")  # joblib counts cores by it
    os.environ["LOKY_MAX_CPU_COUNT"] = "1"
    try:
        with threadpool_limits(1):
            yield
    finally:
        if before is None:
            del os.environ["LOKY_MAX_CPU_COUNT"]
        else:
            os.environ["LOKY_MAX_CPU_COUNT"] = before
