"""One core inside, and what was set before afterwards, whatever happens."""

import os

import joblib
import pytest
from threadpoolctl import threadpool_info

from keyhole.common.one_thread import one_thread


@pytest.mark.parametrize("before", [None, "3"])
def test_one_core_inside_and_as_before_afterwards(monkeypatch, before):
    monkeypatch.delenv("LOKY_MAX_CPU_COUNT", raising=False)
    if before is not None:
        monkeypatch.setenv("LOKY_MAX_CPU_COUNT", before)
    threads = [one["num_threads"] for one in threadpool_info()]
    with one_thread():
        assert joblib.cpu_count() == 1
        assert all(one["num_threads"] == 1 for one in threadpool_info())
    with pytest.raises(ZeroDivisionError), one_thread():
        1 / 0  # noqa: B018
    assert os.environ.get("LOKY_MAX_CPU_COUNT") == before
    assert [one["num_threads"] for one in threadpool_info()] == threads
