"""Sparse learners get better with more examples."""

from __future__ import annotations

from experiments.helpers import experiment
from keyhole.experiments.theory import sparse


def test_sparse_learners_get_better():
    rows = sparse.excess_of("Hybrid", 2, 0) + sparse.excess_of("Exploration", 2, 0)
    assert len(rows) == 6
    assert all(0 < row["excess"] < 0.5 for row in rows)
    assert len(experiment("theory", "sparse").claims(rows)) == 3
