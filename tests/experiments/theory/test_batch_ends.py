"""Runs are measured where batches end, the printed form is the printed algorithm, and claims follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.experiments.runner.kinds import published
from keyhole.experiments.runner.paper import FAILS, HOLDS, UNEXPLAINED
from keyhole.experiments.theory import batch_ends, other_lines


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


def rows_of_batches(power, noise=0.0):
    """Runs whose batches grow by a quarter, with an excess that is a power of the examples of the last batch."""
    rng, batches = np.random.default_rng(0), 500 * 1.25 ** np.arange(25)
    return [
        {"learner": learner, "examples": n, "seed": seed, "excess": 50 * batch**power * np.exp(noise * rng.normal())}
        for learner in batch_ends.LEARNERS
        for seed in range(20)
        for n, batch in zip(np.cumsum(batches).round().astype(int), batches, strict=True)
        if n >= batch_ends.FIRST_COUNTED
    ]


def test_an_excess_that_follows_the_last_batch_has_that_as_the_reason():
    """Batches are 36% of the examples after two, and 20% in the end: so much more slowly falls the excess."""
    reasons = {claim.text.partition(":")[0]: claim for claim in batch_ends.claims(rows_of_batches(-1.0))}
    claim = reasons["Hybrid, as printed"]
    assert claim.verdict == FAILS
    assert "against its own examples, in place of all, the exponent is -1.00 ± 0.00." in claim.why
    own = [row for row in rows_of_batches(-1.0) if row["learner"] == "Hybrid"]
    assert other_lines.through_means(own)[0] == pytest.approx(-0.95, abs=0.03)
    assert claim.why.endswith(UNEXPLAINED)  # without noise, the line through the means misses the rate as well
    noisy = rows_of_batches(-1.0, noise=0.6)
    words = other_lines.other_lines(noisy, "Hybrid, as printed")
    assert words.endswith("So these rows do not contradict the rate: what decides is the choice of the line.")


def test_a_line_through_means_has_its_error_by_the_jackknife():
    rows = [row for row in rows_of_batches(-1.0, noise=0.6) if row["learner"] == "Hybrid"]
    exponent, error = other_lines.through_means(rows)
    late = [row for row in rows if row["examples"] >= max(r["examples"] for r in rows) / 2**other_lines.DOUBLINGS]
    ends = sorted({row["examples"] for row in late})

    def line(left_out):
        means = [np.mean([r["excess"] for r in late if r["examples"] == n and r["seed"] != left_out]) for n in ends]
        return np.polyfit(np.log(ends), np.log(means), 1)[0]

    without = np.array([line(seed) for seed in range(20)])
    assert exponent == pytest.approx(line(None))
    assert error == pytest.approx(np.sqrt(19 / 20 * np.sum((without - without.mean()) ** 2)))
    assert other_lines.through_means([row for row in rows if row["seed"] == 0]) is None


def test_an_excess_that_falls_too_slowly_has_no_reason():
    (_, _, _, claim) = batch_ends.claims(rows_of_batches(-0.7))
    assert claim.verdict == FAILS
    assert claim.why.endswith(UNEXPLAINED)
