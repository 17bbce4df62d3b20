"""What all attributes explain, by held-out rows: right on average, and lowered only where it is clearly too much."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.borne_out import _left, share_borne_out
from keyhole.moments.chances import chances_alone
from keyhole.moments.joint import predictor
from keyhole.moments.losses import judge
from keyhole.moments.refits import Refits, refit
from keyhole.observe.cells import Cells
from moments.designs import every_draw, some_model, two_designs
from moments.made import shared_factors


def test_the_mean_over_all_draws_is_the_product_with_the_residual_of_the_whole_row():
    policy, (_, _, joint, units) = two_designs(), some_model(0)
    coef, intercept = (part[0] for part in predictor(joint, joint.weights(), units))
    rng = np.random.default_rng(1)
    other, row, labels = rng.normal(size=7), rng.normal(size=7), np.array([0.4, 1.3])
    mean = 0.0
    for seen, chance in every_draw(policy, 1):
        cells = Cells()
        cells.append(np.arange(7)[:5], other[:5], labels[0], 1)
        cells.append(seen, row[seen], labels[1], 1)
        judged = judge(coef, intercept, joint, units)
        mean += chance * _left(judged, cells, labels, chances_alone(cells, policy, 7))[0][1]
    assert mean == pytest.approx((labels[1] - labels.mean()) * (labels[1] - intercept - coef @ row), rel=1e-9)


def fitted(n=600):
    X, y = shared_factors(n)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    cells = learner.cells_
    alone = chances_alone(cells, learner.policy_, 12)
    return refit(learner._solution(), cells, learner._targets(), 60, 0), cells, learner._targets(), alone


def test_an_honest_model_keeps_all_that_it_claims():
    assert share_borne_out(*fitted()).share == 1.0


def test_a_model_that_claims_too_much_is_lowered_to_what_is_true():
    refits, cells, labels, alone = fitted(2000)
    assert share_borne_out(refits, cells, labels, alone).share == 1.0
    # Loadings and label loadings of noise, as large as a model has them that follows its own rows.
    rng = np.random.default_rng(0)
    bold = []
    for joint, units in refits.fits:
        noise = joint.rest + 0.2 * rng.normal(size=joint.rest.shape)
        bold.append((joint._replace(rest=noise, noise=joint.noise + 1.0), units))
    share = share_borne_out(Refits(refits.fold, bold), cells, labels, alone).share
    assert 0.0 < share < 0.9
