"""Updates are those of the printed algorithms, and the claims of linear convergence follow from the rows."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import drawn, experiment
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018 import convergence
from keyhole.experiments.murata_suzuki_2018.correlated import Correlated
from keyhole.experiments.runner.paper import FAILS, HOLDS

LEARNERS = (convergence.EXPLORATION, convergence.COMPLETE, convergence.LACKING)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_task_measures_every_update(learner):
    rows = convergence.excess_by_update(learner, 1, 0.5, 200, seed=0)
    excess = np.array([row["excess"] for row in rows])
    assert len(excess) == convergence.UPDATES[1] + 1
    assert (np.diff(excess[:4]) < 0).all()
    if learner == convergence.LACKING:
        assert excess[-1] > 0.9  # the weight of 1 that is not in the support
    else:
        assert excess[3] == pytest.approx(excess[0] / 4**3, rel=0.5)


def test_correlated_examples_have_the_condition_number_and_the_excess_that_they_say():
    for condition in convergence.UPDATES:
        stream = Correlated(40_000, 8, 5, 0.5, condition, seed=1)
        X, y = stream.examples(0, 40_000)
        covariance = X.T @ X / len(y)
        np.testing.assert_allclose(covariance[:5, :5], stream.covariance, atol=0.03)
        np.testing.assert_allclose(covariance[5:], np.eye(8)[5:], atol=0.03)
        values = np.linalg.eigvalsh(stream.covariance)
        assert values[-1] / values[0] == pytest.approx(condition)
        assert stream.largest == pytest.approx(values[-1])
        other = stream.coef + np.linspace(-1, 1, 8)
        measured = np.mean((y - X @ other) ** 2) - np.mean((y - X @ stream.coef) ** 2)
        assert stream.excess(other) == pytest.approx(measured, rel=0.05)
        assert np.var(y - X @ stream.coef) == pytest.approx(0.25, rel=0.05)


def test_examples_without_correlation_are_those_of_the_paper():
    X, y = Correlated(50, 8, 5, 0.5, 1, seed=1).examples(10, 50)
    stream = murata_suzuki(50, 8, 5, 0.5, random_state=1)
    np.testing.assert_allclose(X, stream.table(10, 50), atol=1e-6)
    np.testing.assert_allclose(y, stream.labels(10, 50), atol=1e-5)


@pytest.mark.parametrize("learner", LEARNERS[:2])
def test_with_correlations_the_excess_shrinks_as_gradient_descent_without_noise_does(learner):
    """Exploitation follows the exact recursion of the weights; so does Exploration once it has the support."""
    excess = np.array([row["excess"] for row in convergence.excess_by_update(learner, 4, 0.5, 4000, seed=0)])
    stream = Correlated(1, convergence.D, convergence.SPARSITY, convergence.NOISE, 4, seed=0)
    error, expected = convergence.start_of(learner, stream.coef)[:5] - stream.coef[:5], []
    for _ in range(convergence.UPDATES[4] + 1):
        expected.append(error @ stream.covariance @ error)
        error = error - 0.5 / stream.largest * stream.covariance @ error
    np.testing.assert_allclose(excess, expected, rtol=0.15)


def made_up(factor, grows=1.0):
    """Made-up runs; ``factor`` of the condition number and the share is what an update multiplies the excess by."""
    return [
        {
            "learner": learner,
            "condition": condition,
            "share": share,
            "seed": seed,
            "update": update,
            "excess": 5.0
            * (grows if learner == convergence.LACKING else factor(condition, share)) ** update
            * (1 + 0.01 * seed),
        }
        for learner in LEARNERS
        for condition, updates in convergence.UPDATES.items()
        for share in convergence.SHARES
        for seed in range(3)
        for update in range(updates + 1)
    ]


def test_claims_follow_the_rows():
    exact = made_up(lambda condition, share: (1 - share / condition) ** 2)
    verdicts = [claim.verdict for claim in convergence.claims(exact)]
    assert verdicts == [HOLDS] * (2 * (6 + 2) + 6)
    assert len(convergence.table(exact)) == 3 * 2 * (9 + 17 + 33)
    drawn(experiment("murata-suzuki-2018", "convergence"), exact)


def test_linear_convergence_that_slows_faster_than_the_condition_number_grows_does_not_hold():
    slow = [claim.verdict for claim in convergence.claims(made_up(lambda condition, share: 1 - share / condition**2))]
    of_one = [HOLDS, FAILS, FAILS]  # at a condition number of 1 there is nothing to see
    assert slow == 2 * [*of_one, *of_one, FAILS, FAILS] + [HOLDS] * 6


def test_an_excess_that_grows_does_not_hold():
    assert {claim.verdict for claim in convergence.claims(made_up(lambda condition, share: 1.1))[:16]} == {FAILS}
    grown = convergence.claims(made_up(lambda condition, share: (1 - share / condition) ** 1.5, grows=1.5))
    assert [claim.verdict for claim in grown] == [HOLDS] * 16 + [FAILS] * 6
