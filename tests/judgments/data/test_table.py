"""Judgments: their shape is checked, objects and workers can be selected, and they become a long table."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import Judgments, as_judgments
from keyhole.judgments.data.table import compact, require_workers

VALUES = np.array([[[np.nan, 1.0, 2.0]], [[3.0, np.nan, 4.0]]])
WORKER = np.array([[[-1, 0, 1]], [[1, -1, 0]]])


def test_shapes_are_checked():
    with pytest.raises(
        ParameterError, match=r"values: the array has shape \(2, 1, 3\); with 1 objects and 1 attributes"
    ):
        Judgments(VALUES, ["a"], ["tall"])
    with pytest.raises(ParameterError, match=r"worker: the array has shape \(2, 1\); it must have that of values"):
        Judgments(VALUES, ["a", "b"], ["tall"], np.zeros((2, 1)))


def test_compact_moves_judgments_to_the_front_with_their_workers():
    table = compact(Judgments(VALUES, ["a", "b"], ["tall"], WORKER, ("v", "w")))
    np.testing.assert_array_equal(table.values, [[[1.0, 2.0]], [[3.0, 4.0]]])
    np.testing.assert_array_equal(table.worker, [[[0, 1]], [[1, 0]]])
    assert compact(table) is table


def test_objects_are_kept_in_the_given_order_with_the_judgments_they_need():
    values = np.array([[[1.0, 2.0, 3.0]], [[4.0, np.nan, np.nan]], [[5.0, 6.0, np.nan]]])
    kept = Judgments(values, ["a", "b", "c"], ["tall"]).keep_objects([2, 1])
    assert kept.objects == ["c", "b"]
    np.testing.assert_array_equal(kept.values, [[[5.0, 6.0]], [[4.0, np.nan]]])
    np.testing.assert_array_equal(kept.counts, [[2], [1]])


def test_the_first_judgments():
    table = compact(Judgments(VALUES, ["a", "b"], ["tall"], WORKER, ("v", "w"))).first(1)
    np.testing.assert_array_equal(table.values, [[[1.0]], [[3.0]]])
    np.testing.assert_array_equal(table.worker, [[[0]], [[1]]])


def test_the_long_table_gives_the_same_judgments(crowd):
    table = as_judgments(crowd(0, objects=10)[0])
    again = as_judgments(table.to_long())
    np.testing.assert_array_equal(again.values, table.values)
    np.testing.assert_array_equal(again.worker, table.worker)
    assert "worker" not in as_judgments(VALUES).to_long()


def test_excluded_workers_are_gone_and_unknown_ones_refused(crowd):
    before = as_judgments(crowd(8)[0])
    after = before.without_workers(["w3", "w4"])
    gone = sum(w in ("w3", "w4") for w in before.to_long()["worker"])
    assert after.counts.sum() == before.counts.sum() - gone
    assert not {"w3", "w4"} & set(after.to_long()["worker"])
    assert not np.isnan(after.values[:, :, 0]).all()
    with pytest.raises(ParameterError, match="exclude: there is no judgment by worker 'zoe'; workers are"):
        before.without_workers(["zoe"])
    with pytest.raises(ParameterError, match="exclude='w1': without_workers needs a list of names"):
        before.without_workers("w1")
    with pytest.raises(BadValue, match="no column 'worker'"):
        as_judgments(np.ones((3, 2, 2))).without_workers(["w1"])


def test_workers_are_required_where_they_are_needed(crowd):
    require_workers(as_judgments(crowd(0, objects=5)[0]), "severities")
    with pytest.raises(BadValue, match=r"severities require the worker of each judgment.*column 'worker'"):
        require_workers(as_judgments(np.ones((3, 2, 2))), "severities")
