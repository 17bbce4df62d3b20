"""Joint moments against dense matrices, and the predictor for raw values."""

import numpy as np
import pytest

from keyhole.moments.standard.joint import raw_predictor, uncorrelated
from moments.conftest import random_joint, random_scales


@pytest.mark.parametrize("residual", [0.0, 0.2])
def test_moments_of_some_attributes_are_parts_of_those_of_all(residual):
    joint, some = random_joint(0, residual=residual), np.array([5, 0, 7])
    covariance = joint.loadings @ joint.loadings.T + np.diag(joint.noise)
    cross = joint.loadings @ joint.label_loadings.T + joint.residual_cross
    np.testing.assert_allclose(joint.covariance(some), covariance[np.ix_(some, some)])
    np.testing.assert_allclose(joint.cross_covariance(some), cross[some])
    np.testing.assert_allclose(joint.cross_covariance(), cross)
    np.testing.assert_allclose(joint.label_variance(), [joint.label_loadings[0] @ joint.label_loadings[0] + 4.0])


@pytest.mark.parametrize("residual", [0.0, 0.2])
def test_weights_are_those_of_the_dense_covariance(residual):
    joint, everything = random_joint(1, residual=residual), np.arange(9)
    dense = np.linalg.solve(joint.covariance(everything), joint.cross_covariance())
    np.testing.assert_allclose(joint.weights(), dense.T, rtol=1e-9)


def test_attributes_that_have_nothing_in_common_have_no_weight():
    joint = uncorrelated(4, 2)
    np.testing.assert_array_equal(joint.weights(), np.zeros((2, 4)))
    np.testing.assert_array_equal(joint.covariance(np.arange(4)), np.eye(4))
    np.testing.assert_array_equal(joint.label_variance(), [1.0, 1.0])


def test_a_raw_predictor_predicts_as_the_standardised_one():
    joint, scales, x = random_joint(0), random_scales(1), np.random.default_rng(2).normal(size=9)
    coef, intercept = raw_predictor(joint, joint.weights(), scales)
    z = (x - scales.mean) / scales.scale
    standardised = joint.label_mean[0] + joint.weights()[0] @ (z - joint.mean)
    assert coef[0] @ x + intercept[0] == pytest.approx(scales.label_mean[0] + scales.label_scale[0] * standardised)


def test_an_attribute_that_is_left_out_has_no_coefficient():
    joint, scales = random_joint(0), random_scales(1)
    scales.scale[[2, 6]] = 0.0
    coef, intercept = raw_predictor(joint, joint.weights(), scales)
    assert np.flatnonzero(coef[0] == 0).tolist() == [2, 6]
    far = scales._replace(mean=np.where(scales.scale > 0, scales.mean, 1e9))
    np.testing.assert_array_equal(raw_predictor(joint, joint.weights(), far)[1], intercept)
