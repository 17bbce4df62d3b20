"""Tests of independence: p-values are uniform without dependence, and small with it."""

import numpy as np
import pytest

from keyhole.judgments import as_judgments
from keyhole.judgments.workers.dependence_tests import count_repetitions, halo_test, noise_by_task, severity_test
from keyhole.judgments.workers.variance_components import judgments_of


@pytest.mark.parametrize(("workers", "judgments"), [(15, 4), (3, 2), (40, 3)])
def test_p_values_are_uniform_under_independence(workers, judgments, crowd):
    """Without severity and halo, a tenth of the p-values lies below 0.1 (300 and 100 of them)."""
    severity_p, halo_p = [], []
    for seed in range(100):
        table = as_judgments(crowd(seed, 60, workers, judgments, severity=0.0)[0])
        severity_p += [severity_test(*judgments_of(table, a)) for a in range(3)]
        halo_p.append(halo_test(table)[1])
    assert 0.05 < np.mean(np.array(severity_p) < 0.1) < 0.15
    assert 0.01 < np.mean(np.array(halo_p) < 0.1) < 0.19


def test_severity_and_halo_have_small_p_values(crowd):
    severe = as_judgments(crowd(2, severity=1.0)[0])
    assert severity_test(*judgments_of(severe, 0)) < 1e-6
    correlation, p_value = halo_test(as_judgments(crowd(3, severity=0.0, halo=1.0)[0]))
    assert correlation == pytest.approx(0.5, abs=0.1)
    assert p_value < 1e-6


def test_nothing_can_be_tested_without_shared_objects_or_pairs_of_attributes():
    assert severity_test(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1])) == 1.0
    assert severity_test(np.array([1.0, 1.0]), np.array([0, 0]), np.array([0, 1])) == 1.0
    single = {"object": [1, 1], "attribute": ["a", "a"], "value": [1, 2], "worker": ["v", "w"]}
    assert halo_test(as_judgments(single)) == (0.0, 1.0)


def test_noise_by_task_has_a_row_per_worker_and_object():
    table = {
        "object": [1, 1, 1, 1, 2],
        "attribute": ["a", "a", "b", "b", "a"],
        "value": [1, 3, 5, 9, 7],
        "worker": ["v", "w", "v", "w", "v"],
    }
    noise, weight = noise_by_task(as_judgments(table))
    np.testing.assert_array_equal(
        noise, [[-1, -2], [1, 2]]
    )  # object 2 has one judgment, of which no deviation is known
    np.testing.assert_allclose(weight, np.sqrt(2))


def test_repetitions_are_counted(crowd):
    table, _ = crowd(4, severity=0.0)
    assert count_repetitions(as_judgments(table)) == 0
    for column in table.values():
        column += [column[0], column[0]]
    assert count_repetitions(as_judgments(table)) == 2
