"""What all attributes explain, by held-out rows: right on average, and lowered only where it is clearly too much."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.honest.explained_share import _unexplained, confirmed_share
from keyhole.moments.honest.fold_fits import FoldFits
from keyhole.moments.honest.inclusion import single_inclusion
from keyhole.moments.honest.losses import loss_model
from keyhole.moments.standard.joint import raw_predictor
from keyhole.observe.cells import Cells
from moments.conftest import every_draw, shared_factors, some_model, two_designs


def test_the_mean_over_all_draws_is_the_product_with_the_residual_of_the_whole_row():
    policy, (_, _, joint, scales) = two_designs(), some_model(0)
    coef, intercept = (part[0] for part in raw_predictor(joint, joint.weights(), scales))
    rng = np.random.default_rng(1)
    other, row, labels = rng.normal(size=7), rng.normal(size=7), np.array([0.4, 1.3])
    mean = 0.0
    for seen, probability in every_draw(policy, 1):
        cells = Cells()
        cells.append(np.arange(7)[:5], other[:5], labels[0], 1)
        cells.append(seen, row[seen], labels[1], 1)
        model = loss_model(coef, intercept, joint, scales)
        mean += probability * _unexplained(model, cells, labels, single_inclusion(cells, policy, 7))[0][1]
    assert mean == pytest.approx((labels[1] - labels.mean()) * (labels[1] - intercept - coef @ row), rel=1e-9)


def fold_fits(n=600):
    X, y = shared_factors(n)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    cells = learner.cells_
    inclusion = single_inclusion(cells, learner.policy_, 12)
    return learner._fold_fits(), cells, learner._targets(), inclusion


def test_a_model_that_is_right_is_confirmed_entirely():
    found = confirmed_share(*fold_fits())
    assert found.share == 1.0
    assert 0.0 < found.standard_error < 0.2


def test_a_model_that_estimates_too_much_is_lowered_to_what_is_true():
    fits, cells, labels, inclusion = fold_fits(2000)
    assert confirmed_share(fits, cells, labels, inclusion).share == 1.0
    # Covariances with the label of noise, as large as a model has them that follows its own rows.
    rng = np.random.default_rng(0)
    bold = []
    for fit in fits.fits:
        noise = fit.joint.residual_cross + 0.2 * rng.normal(size=fit.joint.residual_cross.shape)
        joint = fit.joint._replace(residual_cross=noise, noise=fit.joint.noise + 1.0)
        bold.append(fit.with_moments(joint, fit.scales))
    share = confirmed_share(FoldFits(fits.fold, bold), cells, labels, inclusion).share
    assert 0.0 < share < 0.9


def test_where_nothing_was_learned_without_a_fold_nothing_is_lowered():
    fits, cells, labels, inclusion = fold_fits(100)
    some = list(fits.fits)
    some[2] = some[2]._replace(scales=some[2].scales._replace(label_scale=np.zeros(1)))
    assert confirmed_share(FoldFits(fits.fold, some), cells, labels, inclusion) == (1.0, 0.0)
