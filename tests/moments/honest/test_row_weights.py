"""The weight of each row in the honest risk, and the standard error of a weighted mean."""

import numpy as np
import pytest

from keyhole.moments.honest.inclusion import single_inclusion
from keyhole.moments.honest.losses import loss_model
from keyhole.moments.honest.row_weights import row_weights, standard_error, standard_error_of_mean
from keyhole.moments.honest.settings import FOLDS, SHARED_VARIANCE
from keyhole.observe.cells import Cells
from moments.conftest import some_model, two_designs


def test_designs_that_draw_what_matters_count_for_more():
    model, inclusion = some_model(0), single_inclusion(Cells(), two_designs(), 7)
    only_first = (np.where(np.arange(7) == 1, model[0], 0.0), *model[1:])  # drawn with probability 0.6, later 0.9
    designs, labels = np.array([0, 1, 1, 0]), np.array([0.5, -1.0, 2.0, 0.0])
    weights = row_weights(loss_model(*only_first), inclusion, labels, designs)
    assert weights.sum() == pytest.approx(1.0)
    assert weights[0] == weights[3] < weights[1] == weights[2]
    nothing = (np.zeros(7), *model[1:])
    np.testing.assert_allclose(row_weights(loss_model(*nothing), inclusion, labels, designs), 0.25)


def test_weights_are_in_inverse_proportion_to_the_variance_of_a_loss():
    coef, intercept, joint, scales = some_model(3)
    joint = joint._replace(residual_cross=np.zeros((7, 1)))  # moments that rows can have
    inclusion = np.array([[0.5] * 7, [0.2, 0.9, 0.5, 0.5, 1.0, 0.3, 0.6]])
    designs, labels = np.array([0, 1, 0]), np.array([0.5, -1.0, 2.0])
    weights = row_weights(loss_model(coef, intercept, joint, scales), inclusion, labels, designs)
    # By dense moments, given the label.
    everything = np.arange(7)
    cross, variance = joint.cross_covariance()[:, 0], joint.label_variance()[0]
    given = joint.covariance(everything) - np.outer(cross, cross) / variance
    V = np.outer(coef * scales.scale, coef * scales.scale) * given
    middle = scales.label_mean[0] + scales.label_scale[0] * joint.label_mean[0]
    slopes = scales.scale * cross / (variance * scales.label_scale[0])
    expected = scales.mean + scales.scale * joint.mean + np.outer(labels - middle, slopes)
    rho_squared = np.mean((labels - intercept - expected @ coef) ** 2)
    S = np.sum(np.diag(V) / inclusion, axis=1)
    wanted = 1 / (2 * S**2 + 4 * rho_squared * S + 2 * (rho_squared + V.sum()) ** 2)[designs]
    np.testing.assert_allclose(weights, wanted / wanted.sum(), rtol=1e-9)


def test_a_design_that_cannot_draw_what_the_predictor_uses_has_no_weight():
    inclusion = np.array([[0.5] * 7, [0.0, *[0.5] * 6]])
    weights = row_weights(loss_model(*some_model(3)), inclusion, np.array([0.5, 1.0]), np.array([0, 1]))
    assert weights.tolist() == [1.0, 0.0]


def test_the_spread_is_that_within_designs():
    designs = np.repeat([0, 1], 50)
    rng = np.random.default_rng(0)
    losses, changes = rng.normal(size=(2, 100)) + 10.0 * designs
    weights = np.where(designs, 0.015, 0.005)

    def within(values):
        return 50 * 0.005**2 * np.var(values[:50], ddof=1) + 50 * 0.015**2 * np.var(values[50:], ddof=1)

    wanted = np.sqrt(within(losses) + SHARED_VARIANCE * FOLDS * within(changes))
    assert standard_error(losses, changes, weights, designs) == pytest.approx(wanted)


def test_of_equal_weights_it_is_the_standard_error_of_the_mean():
    values = np.random.default_rng(0).normal(size=40)
    found = standard_error_of_mean(values, np.full(40, 1 / 40), np.zeros(40, dtype=np.int64))
    assert found == pytest.approx(values.std(ddof=1) / np.sqrt(40))
