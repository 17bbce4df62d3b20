"""The table per worker, and the workers who fail gold items."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import as_judgments, worker_table, workers_failing_gold
from keyhole.judgments.workers.worker_table import gold_values


@pytest.fixture
def careless(crowd):
    """A crowd in which worker "w5" answers at random, and gold items of the first 60 objects."""
    table, _ = crowd(9, severity=0.0, noise=0.3)
    rng = np.random.default_rng(0)
    table["value"] = [
        float(rng.normal(scale=5)) if w == "w5" else x for x, w in zip(table["value"], table["worker"], strict=True)
    ]
    truth = np.random.default_rng(9).normal(size=(120, 3))
    return as_judgments(table), {(f"o{i}", name): truth[i, a] for i in range(60) for a, name in enumerate("abc")}


def test_gold_items_find_the_careless_worker(careless):
    judgments, gold = careless
    assert workers_failing_gold(judgments, gold, tolerance=1.0) == ["w5"]
    table = worker_table(judgments, gold)
    rows = {row[0]: dict(zip(table, row, strict=True)) for row in table.rows()}
    assert rows["w5"]["gold_error"] > 3
    assert rows["w5"]["agreement"] < 0.3 < rows["w1"]["agreement"]
    assert rows["w5"]["disagreement"] > 2 * rows["w1"]["disagreement"]
    assert sum(table["judgments"]) == judgments.counts.sum()


def test_few_gold_judgments_exclude_nobody(careless):
    judgments, gold = careless
    assert workers_failing_gold(judgments, gold, tolerance=1.0, at_least=10**6) == []
    with pytest.raises(ParameterError, match="tolerance=-1: workers_failing_gold needs a finite number, 0 or more"):
        workers_failing_gold(judgments, gold, tolerance=-1)


def test_severity_is_the_mean_difference_in_units_of_noise():
    """Worker "b" judges 2 higher; the standard deviation of two judgments that differ by 2 is sqrt(2)."""
    table = {
        "object": [1, 1, 2, 2, 3, 3],
        "attribute": ["x"] * 6,
        "value": [1, 3, 5, 7, 8, 10],
        "worker": ["a", "b"] * 3,
    }
    found = worker_table(table)
    np.testing.assert_allclose(found["severity"], [-np.sqrt(2), np.sqrt(2)])
    np.testing.assert_allclose(found["agreement"], [1, 1])
    assert found["gold"] == [0, 0]
    assert np.isnan(found["gold_error"]).all()


def test_an_equally_good_worker_disagrees_by_the_square_root_of_k_over_k_minus_1(crowd):
    found = worker_table(crowd(1, objects=2000, workers=4, judgments=4, severity=0.0)[0])
    np.testing.assert_allclose(found["disagreement"], np.sqrt(4 / 3), rtol=0.03)


def test_gold_items_must_be_of_judged_objects_and_attributes(careless):
    judgments, _ = careless
    right = gold_values(judgments, {("o3", "b"): 2.5})
    assert right[judgments.objects.index("o3"), 1] == 2.5
    assert np.isnan(right).sum() == right.size - 1
    with pytest.raises(ParameterError, match="gold: there is no judgment of object 'nobody', or none of attribute 'a'"):
        worker_table(judgments, {("nobody", "a"): 1.0})


def test_workers_are_needed():
    with pytest.raises(BadValue, match="worker tables require the worker of each judgment"):
        worker_table(np.random.default_rng(0).normal(size=(5, 2, 2)))
