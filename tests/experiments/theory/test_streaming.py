"""The theory page: bounds as printed, exact risks, and what cannot be done."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import keyhole as kh
from keyhole.experiments import load_paper
from keyhole.experiments.paper import FAILS, HOLDS
from keyhole.experiments.theory import bounds, judgments, learning, predicting, rates, sparse, streaming


def experiment(name):
    return next(e for e in load_paper("theory").experiments if e.name == name)


def test_bounds_as_printed():
    d, m, k, B = 64, 10_000, 4, 2.0
    assert bounds.aerr(d, m, k, B) == pytest.approx(16 * np.sqrt(128 / 40_000))
    assert bounds.aelr(d, m, k, B) == pytest.approx(16 * np.sqrt(640 * np.log(128) / 40_000))
    even = np.full(d, 1 / d)
    assert bounds.ddaerr(even, m, k, B) == pytest.approx(16 / 100 * np.sqrt(d / k + 1))
    assert bounds.ddaelr(np.ones(d), m, k, B) == pytest.approx(16 * np.sqrt(5 * np.log(128) * (d + k) / 40_000))
    assert bounds.aer(d, m, k, B) == pytest.approx(64 * 3 * 2 / 2 * np.sqrt(np.log(m) / m))
    assert bounds.examples_needed(96, 4, 0.01) == 12.5


def test_two_phases_cost_at_most_the_uniform_bound_and_pay_off_in_the_end():
    moments = np.arange(1, 65.0) ** -2 / 2
    for m in (1000, 10**6, 10**12):
        m1, m2 = m // 10, m - m // 10
        assert bounds.two_phased_ddaerr(moments, m1, m2, 4, 1.0, 0.1) <= 4 / np.sqrt(m2) * np.sqrt(6 * 64 / 4)
    known = bounds.ddaerr(moments, 9 * 10**13, 4, 1.0)
    assert bounds.two_phased_ddaerr(moments, 10**13, 9 * 10**13, 4, 1.0, 0.1) == pytest.approx(4 * known, rel=0.01)
    known = bounds.ddaelr(moments, 9 * 10**13, 4, 1.0)
    assert bounds.two_phased_ddaelr(moments, 10**13, 9 * 10**13, 4, 1.0, 0.1) <= 4.01 * known


@pytest.mark.parametrize(("norm", "order"), [(2, 2), (1, 1)])
def test_nothing_in_the_ball_has_less_risk(norm, order):
    pool = streaming.digits(norm)
    assert np.linalg.norm(pool.X, ord=2 if norm == 2 else np.inf, axis=1).max() <= 1 + 1e-6
    best = (streaming.best_in_l2_ball if norm == 2 else streaming.best_in_l1_ball)(pool.X.astype(float), pool.y)
    assert np.linalg.norm(best, order) == pytest.approx(streaming.RADIUS)
    # The first-order condition of a minimum on the ball: no point of it lies downhill from the best.
    gradient = pool.X.T @ (pool.X @ best - pool.y) / len(pool.y)
    lowest = -streaming.RADIUS * np.linalg.norm(gradient, 2 if norm == 2 else np.inf)
    assert gradient @ best == pytest.approx(lowest, rel=1e-3)


@pytest.mark.parametrize("learner", list(streaming.THEOREMS))
def test_learners_by_the_letter_stay_below_their_bounds(learner):
    rows = streaming.excess_of(learner, [300, 1000], seed=0)
    assert all(0 <= row["excess"] <= row["bound"] for row in rows)


def bound_rows(excess, learner="AERR"):
    return [
        {"learner": learner, "examples": n, "seed": seed, "excess": excess(n) * (1 + 0.01 * seed), "bound": n**-0.5}
        for n in (100, 1000, 10_000)
        for seed in (0, 1)
    ]


def test_an_excess_above_the_bound_is_said():
    judge = rates.below_bound("text", "bound")
    assert judge(bound_rows(lambda n: 0.3 * n**-0.5), "AERR").verdict == HOLDS
    assert judge(bound_rows(lambda n: 3 * n**-0.5), "AERR").verdict == FAILS


def test_a_rate_that_is_too_slow_is_said():
    assert rates.falls(bound_rows(lambda n: n**-0.6), "AERR", "text", -0.5).verdict == HOLDS
    slow = rates.falls(bound_rows(lambda n: n**-0.3), "AERR", "text", -0.5)
    assert (slow.verdict, slow.measured) == (FAILS, "examples^(-0.30 ± 0.00)")
    at_last = rates.falls(bound_rows(lambda n: min(n, 1000.0) ** 0.1 * n**-0.6), "AERR", "text", -0.5)
    assert (at_last.verdict, at_last.measured) == (HOLDS, "examples^(-0.60 ± 0.00)")


def test_sparse_learners_get_better():
    rows = sparse.excess_of("Hybrid", 2, 0) + sparse.excess_of("Exploration", 2, 0)
    assert len(rows) == 6
    assert all(0 < row["excess"] < 0.5 for row in rows)
    assert len(experiment("sparse").claims(rows)) == 3


def test_the_objective_of_known_moments_is_exact():
    sigma, b = judgments.truth(correlated=True)
    values, y = judgments.population(400_000, True, np.random.default_rng(0))
    means = values.mean(axis=2)
    np.testing.assert_allclose(np.cov(means.T), sigma + np.eye(4) * judgments.NOISE / 2, atol=0.002)
    np.testing.assert_allclose(np.cov(means.T, y)[:4, 4], b, atol=0.002)
    assert np.abs(values).max() <= 1
    assert np.abs(y).max() <= 1
    assert sum(1 for _ in judgments.all_repeats()) == 209


def test_the_objective_is_nearer_with_more_objects():
    rows = [row for seed in range(4) for row in judgments.largest_error("full", [100, 3000], seed)]
    few, many = ([row["excess"] for row in rows if row["examples"] == m] for m in (100, 3000))
    assert max(many) < min(few)


def test_uniform_reveals_pay_for_four_cells_each(monkeypatch):
    stream = kh.datasets.one_good_attribute(4096, 32, random_state=0)
    X = stream.table()
    expected = learning.uniform_reveals(stream, 4096, seed=1)
    blocks = np.random.default_rng(1).permutation(32).reshape(-1, 4)
    paid = np.zeros(X.shape, dtype=bool)
    for turn, block in enumerate(blocks):
        paid[turn :: len(blocks), block] = True
    assert (paid.sum(axis=1) == 4).all()
    monkeypatch.setattr(stream, "table", lambda start, stop: np.where(paid, X, np.nan))
    np.testing.assert_array_equal(learning.uniform_reveals(stream, 4096, seed=1), expected)
    assert np.flatnonzero(expected) == np.flatnonzero(stream.coef)


def test_learning_is_judged_by_its_rows():
    rows = [row for d in (16, 64) for row in learning.examples_needed(learning.UNIFORM, d, 0)]
    assert all(row["found"] and row["examples"] > bounds.examples_needed(row["attributes"], 4, 0.04) for row in rows)
    made_up = [
        {"learner": name, "attributes": d, "seed": 0, "examples": 10 * d if name != "Lasso" else 64, "found": 1}
        for name in (learning.UNIFORM, "AELR", "Lasso")
        for d in (16, 64, 256)
    ]
    assert [claim.verdict for claim in learning.claims(made_up)] == [HOLDS, HOLDS]
    too_good = [row | {"examples": 4} for row in made_up]
    assert [claim.verdict for claim in learning.claims(too_good)] == [FAILS, FAILS]
    learning.draw(made_up, Figure(layout="constrained"))


def test_no_strategy_of_two_looks_beats_a_ninth():
    assert predicting.best_strategy() == pytest.approx(1 / 9)


def test_predicting_is_judged_by_its_rows():
    rows = [row for name in (predicting.BEST, "screened panel", "AERR") for row in predicting.loss_of(name, 2000, 0)]
    assert [row["attributes seen"] for row in rows] == [2, 2, 3]
    assert [claim.verdict for claim in predicting.claims(rows)] == [HOLDS, HOLDS]
    predicting.draw(rows, Figure(layout="constrained"))
    impossible = [*rows, rows[0] | {"loss": 0.1}]
    assert predicting.claims(impossible)[0].verdict == FAILS
