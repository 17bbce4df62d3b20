"""Lines as printed: the printed algorithm with the settings of a grid, and claims that are about these lines."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from experiments.murata_suzuki_2018.made_up import AS_PUBLISHED, EARLY, curves
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018.by_the_letter import PRINTED, batch_sizes, printed_learner, smoothness
from keyhole.experiments.murata_suzuki_2018.order import order_claims
from keyhole.experiments.murata_suzuki_2018.printed_rivals import DANTZIG_AS_PRINTED, RDA_2018_AS_PRINTED, RDA_RAW
from keyhole.experiments.murata_suzuki_2018.results import PRINTED_FORM, SCALED_FORM, Curves
from keyhole.experiments.murata_suzuki_2018.stream_curves import SYNTHETIC, published_curve
from keyhole.experiments.runner.kinds import THE_PAPER
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


def test_claims_compare_lines_as_printed_with_lines_as_printed():
    """RDA stands for the algorithm of 2017; what RDA 2018 does changes no claim about the paper."""
    printed = {"Hybrid, as printed": 30.0, "Exploration, as printed": 50.0}
    last = {**AS_PUBLISHED, **printed}

    def counted(last):
        claims = order_claims(curves(last, {**EARLY, **printed}), "Synthetic")
        return [claim.verdict for claim in claims if claim.about == THE_PAPER]

    assert counted(last) == [FAILS, HOLDS]
    assert counted({**last, RDA_RAW: 60.0, DANTZIG_AS_PRINTED: 70.0}) == [HOLDS, HOLDS]
    assert counted({**last, "RDA": 60.0, "Dantzig": 70.0}) == [FAILS, HOLDS]
    assert counted({**AS_PUBLISHED, "RDA": 0.0, "Dantzig": 0.0}) == [HOLDS, HOLDS]
    assert counted({**AS_PUBLISHED, "RDA 2018": 0.0, RDA_2018_AS_PRINTED: 0.0}) == [HOLDS, HOLDS]


def test_without_a_line_as_printed_its_claim_is_not_made_of_another():
    rows = [row for row in curves(AS_PUBLISHED, EARLY) if row["learner"] != RDA_RAW]
    assert not Curves(rows, PRINTED_FORM).at("RDA")
    assert Curves(rows, SCALED_FORM).at("RDA")
