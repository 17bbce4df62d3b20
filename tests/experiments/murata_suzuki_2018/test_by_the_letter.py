"""Lines as printed: the printed algorithm with the settings of a grid, and claims that are about these lines."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, curves
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018.by_the_letter import PRINTED, batch_sizes, printed_learner, smoothness
from keyhole.experiments.murata_suzuki_2018.results import order_claims
from keyhole.experiments.murata_suzuki_2018.stream_curves import SYNTHETIC, published_curve
from keyhole.experiments.runner.kinds import OTHER_FORM, THE_PAPER
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_batches_grow_by_the_factor():
    assert batch_sizes(100, 1.0, 10**6) == [100]
    assert batch_sizes(100, 1.5, 400) == [100, 150, 225, 338, 507]


def test_smoothness_is_twice_the_largest_eigenvalue():
    X = np.random.default_rng(0).normal(size=(50, 4))
    assert smoothness(X) == pytest.approx(2 * np.linalg.norm(X, 2) ** 2 / 50)


@pytest.mark.parametrize("name", PRINTED)
def test_a_curve_is_that_of_the_printed_algorithm(name):
    setting = {"share": 0.5, "batch": 10, "growth": 1.5}
    rows = published_curve(SYNTHETIC, name, [setting], 50, 25, [2000], seed=3, n=4000)
    stream = murata_suzuki(4000, random_state=3)
    X, y = stream.table(0, 3600), stream.labels(0, 3600)
    learner = printed_learner(name, 50, 25, smoothness(X), 3600, **setting)
    assert all(getattr(learner, key) == value for key, value in type(learner).printed_parameters.items())
    assert isinstance(learner, kh.Hybrid if name.startswith("Hybrid") else kh.Exploration)
    learner.partial_fit(X, y)
    assert rows[-1]["excess"] == pytest.approx(stream.excess(learner.coef_), rel=1e-6)
    assert rows[-1]["settings"] == "share 0.5, batch 10, growth 1.5"


def test_the_first_claims_are_about_the_lines_as_printed():
    printed = {"Hybrid, as printed": 30.0, "Exploration, as printed": 50.0}
    rows = curves({**AS_PUBLISHED, **printed}, {**EARLY, **printed})
    claims = order_claims(rows, "Synthetic")
    assert [claim.verdict for claim in claims] == [FAILS, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS]
    assert [claim.about for claim in claims] == [THE_PAPER] * 2 + [OTHER_FORM] * 4
