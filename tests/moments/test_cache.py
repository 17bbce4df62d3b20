"""What was computed is kept until it is cleared."""

import pytest

from keyhole.moments.cache import Cache


def test_a_result_is_computed_once():
    cache, computed = Cache(), []

    def compute():
        computed.append(1)
        return {"answer": 42}

    assert cache.get("answer", compute) is cache.get("answer", compute)
    assert computed == [1]


def test_even_none_is_kept():
    cache, computed = Cache(), []
    for _ in range(2):
        assert cache.get("nothing", lambda: computed.append(1)) is None
    assert computed == [1]


def test_a_result_may_be_put_and_all_are_cleared():
    cache = Cache()
    cache.put("answer", 1)
    assert cache.get("answer", lambda: 2) == 1
    cache.put("answer", 3)
    assert cache.get("answer", lambda: 2) == 3
    cache.clear()
    assert cache.get("answer", lambda: 2) == 2


def test_a_copy_has_the_same_results_and_is_independent():
    cache = Cache()
    cache.put("answer", 1)
    twin = cache.copy()
    cache.clear()
    twin.put("other", 2)
    assert twin.get("answer", lambda: 9) == 1
    assert cache.get("other", lambda: 9) == 9


def test_a_failure_is_not_kept():
    cache = Cache()
    with pytest.raises(ZeroDivisionError):
        cache.get("answer", lambda: 1 / 0)
    assert cache.get("answer", lambda: 42) == 42
