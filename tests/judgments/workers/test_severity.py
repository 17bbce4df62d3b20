"""The severity correction finds the severities of workers and removes them."""

import numpy as np
import pytest

from keyhole.errors import BadValue
from keyhole.judgments import as_judgments, correct_severity, variance_components
from keyhole.judgments.workers.severity import severities


def test_severities_are_found_and_removed(crowd):
    table, _ = crowd(6, objects=300, severity=2.0, noise=0.5)
    before = as_judgments(table)
    after = correct_severity(before)
    rng = np.random.default_rng(6)
    rng.normal(size=(300, 3))
    true = 2.0 * rng.normal(size=(15, 3))
    order = [int(name[1:]) for name in before.workers]
    np.testing.assert_allclose(severities(before), true[order] - true.mean(axis=0), atol=0.25)
    found = variance_components(after)
    assert max(found["worker"]) < 0.02 * min(variance_components(before)["worker"])
    np.testing.assert_allclose(found["residual"], 0.25, rtol=0.1)


def test_a_crowd_without_severity_is_hardly_changed(crowd):
    before = as_judgments(crowd(7, severity=0.0)[0])
    moved = np.nanmax(np.abs(correct_severity(before).values - before.values))
    assert moved < 0.5  # noise of one judgment is 1


def test_a_worker_with_few_judgments_is_hardly_corrected():
    """Both "new" and "old" judge 3 higher than their object's other worker; "old" does so 50 times, "new" once."""
    table = {"object": [], "attribute": [], "value": [], "worker": []}
    rng = np.random.default_rng(0)
    for i in range(51):
        for worker, value in (("base", 0.0), ("new" if i == 50 else "old", 3.0)):
            row = (i, "tall", value + rng.normal(), worker)
            for column, cell in zip(table.values(), row, strict=True):
                column.append(cell)
    judgments = as_judgments(table)
    effect = dict(zip(judgments.workers, severities(judgments)[:, 0], strict=True))
    assert effect["old"] - effect["base"] == pytest.approx(3.0, abs=0.5)
    assert effect["new"] < effect["old"]


def test_long_tables_and_files_are_taken_as_they_are_and_workers_are_needed(tmp_path, crowd):
    table, _ = crowd(0, objects=20)
    judgments = as_judgments(table)
    judgments.to_long().to_csv(tmp_path / "judgments.csv")
    for given in (table, tmp_path / "judgments.csv"):
        np.testing.assert_array_equal(correct_severity(given).values, correct_severity(judgments).values)
    with pytest.raises(BadValue, match="severity corrections require the worker of each judgment"):
        correct_severity(judgments.values)
