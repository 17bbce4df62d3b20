"""Runs are measured where batches end, the printed form is the printed algorithm, and claims follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.theory import batch_ends


@pytest.mark.parametrize("learner", batch_ends.LEARNERS)
def test_a_run_is_measured_where_its_weights_change(learner):
    rows = batch_ends.excess_at_ends(learner, 12_000, 0)
    ends = [row["examples"] for row in rows]
    assert ends == sorted(set(ends))
    assert batch_ends.FIRST_COUNTED <= ends[0] < ends[-1] <= 12_000
    assert all(row["excess"] > 0 for row in rows)
    if learner == "Exploration, as printed":
        sizes = np.ceil(batch_ends.FIRST_BATCH * batch_ends.GROWTH ** np.arange(20)) * 10  # ten blocks
        assert set(ends) <= set(np.cumsum(sizes))


def test_the_printed_form():
    for name in batch_ends.LEARNERS[2:]:
        learner = batch_ends.learner_of(name, 10**6, 0)
        assert all(getattr(learner, key) == value for key, value in learner.printed_parameters.items())
        assert learner.step_size == batch_ends.STEP


@pytest.mark.parametrize(("power", "verdict"), [(-1.01, HOLDS), (-0.7, FAILS)])
def test_claims_follow_the_rows(power, verdict):
    rows = [
        {"learner": learner, "examples": n + seed, "seed": seed, "excess": (1 + 0.01 * seed) * float(n) ** power}
        for learner in batch_ends.LEARNERS
        for seed in range(3)
        for n in (2000, 5000, 20_000, 60_000, 128_000)
    ]
    assert {claim.verdict for claim in batch_ends.claims(rows)} == {verdict}
    assert [claim.text.partition(":")[0] for claim in published(batch_ends.claims(rows))] == [*batch_ends.LEARNERS[2:]]
    drawn(experiment("theory", "sparse-batch-ends"), rows)
    assert batch_ends.table(rows)[0]["exponent"] == pytest.approx(power, abs=0.01)
