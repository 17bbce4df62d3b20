"""Schedules of batches and updates."""

import numpy as np
import pytest

from keyhole.sparse.schedule import (
    AUTO,
    BATCH,
    CONDITION,
    CYCLE,
    EXPLORING,
    N_NUMBERS,
    UPDATES_LEFT,
    ThresholdingRule,
    begin_phase,
    end_update,
    entry,
    first_batch,
    n_blocks,
)


def rule(**given):
    auto = np.full(1, AUTO)
    settings = {
        "sparsity": 4,
        "width": 6,
        "contiguous": False,
        "step_size": np.nan,
        "growth": 2.0,
        "explore_batches": np.array([3.0]),
        "explore_updates": np.array([2.0]),
        "exploit_batches": auto,
        "exploit_updates": auto,
        "start": np.empty(0),
    }
    return ThresholdingRule(**settings | given)


def test_blocks_and_first_batch():
    assert [n_blocks(rule(), d) for d in (6, 7, 12, 13)] == [1, 2, 2, 3]
    assert first_batch(100, 5) == np.ceil(2 * 5 * np.log(20))


@pytest.mark.parametrize(("cycle", "expected"), [(0, 3), (1, 5), (2, 10), (3, 20)])
def test_entries_grow_after_the_last_given_one(cycle, expected):
    assert entry(np.array([3.0, 5.0]), cycle, 2.0) == expected


@pytest.mark.parametrize(("condition", "updates"), [(1.0, 3), (6.0, 6), (100.0, 20)])
def test_automatic_exploitation(condition, updates):
    """kappa log(d / width) updates between 3 and 20, on as many examples as exploration had."""
    numbers, d = np.zeros(N_NUMBERS), 16
    numbers[CONDITION] = condition
    begin_phase(numbers, rule(), d, exploring=False)
    assert numbers[UPDATES_LEFT] == updates
    assert numbers[BATCH] == np.ceil(3 * 3 * 2 / updates)


def test_phases_follow_each_other():
    numbers, d, settings = (
        np.zeros(N_NUMBERS),
        6,
        rule(exploit_batches=np.array([7.0]), exploit_updates=np.array([1.0])),
    )
    begin_phase(numbers, settings, d, exploring=True)
    phases = []
    for _ in range(6):
        phases.append((bool(numbers[EXPLORING]), int(numbers[CYCLE]), int(numbers[BATCH])))
        end_update(numbers, settings, d)
    assert phases == [(True, 0, 3), (True, 0, 3), (False, 0, 7), (True, 1, 6), (True, 1, 6), (False, 1, 14)]
