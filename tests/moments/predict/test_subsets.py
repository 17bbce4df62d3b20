"""The algebra of predictors from subsets, against dense matrices."""

import numpy as np
import pytest

from keyhole.moments.predict.subsets import Subsets, jackknife_variance, predictor_from, rescaled
from moments.conftest import random_joint, random_scales


@pytest.mark.parametrize("size", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("residual", [0.0, 0.2])
def test_predictors_are_those_of_the_dense_covariance(size, residual):
    joint, scales = random_joint(0, residual=residual), random_scales(0)
    S = np.array([np.random.default_rng(i).permutation(9)[:size] for i in range(4)])
    weights, offsets, explained = predictor_from(rescaled(joint, scales, joint, scales), S)
    for some, w, o, share in zip(S, weights, offsets, explained, strict=True):
        dense = np.linalg.solve(joint.covariance(some), joint.cross_covariance(some)[:, 0])
        np.testing.assert_allclose(w, dense, rtol=1e-9)
        np.testing.assert_allclose(o, joint.label_mean[0])
        np.testing.assert_allclose(
            share, dense @ joint.cross_covariance(some)[:, 0] / joint.label_variance()[0], atol=1e-12
        )


def test_a_model_in_other_scales_predicts_the_same():
    joint, scales, other, other_scales = random_joint(0), random_scales(0), random_joint(1), random_scales(1)
    S, x = np.array([[0, 4, 7]]), np.random.default_rng(2).normal(size=3)
    w, o, _ = predictor_from(rescaled(other, other_scales, joint, scales), S)
    z = (x - scales.mean[S[0]]) / scales.scale[S[0]] - joint.mean[S[0]]
    seen = scales.label_mean[0] + scales.label_scale[0] * (o[0] + w[0] @ z)
    own = predictor_from(rescaled(other, other_scales, other, other_scales), S)
    z = (x - other_scales.mean[S[0]]) / other_scales.scale[S[0]] - other.mean[S[0]]
    wanted = other_scales.label_mean[0] + other_scales.label_scale[0] * (own[1][0] + own[0][0] @ z)
    np.testing.assert_allclose(seen, wanted, rtol=1e-10)


def test_an_attribute_that_either_model_left_out_has_no_weight():
    joint, scales, other_scales = random_joint(0), random_scales(0), random_scales(1)
    scales.scale[1], other_scales.scale[2] = 0.0, 0.0
    weights = predictor_from(rescaled(random_joint(1), other_scales, joint, scales), np.arange(9)[None])[0][0]
    assert np.flatnonzero(weights == 0).tolist() == [1, 2]


def test_the_sampling_variance_is_the_jackknifes_averaged_over_examples():
    joint, rng = random_joint(0), np.random.default_rng(1)
    S = np.array([[1, 5, 6]])
    weights, offsets = rng.normal(size=(5, 1, 3)), rng.normal(size=(5, 1))
    L = np.linalg.cholesky(joint.covariance(S[0]))
    # Points with mean 0 and exactly this covariance: plus and minus each column of L sqrt(3).
    points = np.sqrt(3) * np.vstack([L.T, -L.T])
    predicted = points @ weights[:, 0].T + offsets[:, 0]
    wanted = 4 / 5 * np.sum((predicted - predicted.mean(axis=1, keepdims=True)) ** 2, axis=1).mean()
    np.testing.assert_allclose(jackknife_variance(joint, S, weights, offsets)[0], wanted, rtol=1e-10)


@pytest.fixture
def subsets():
    """A main fit, and five fold fits near it."""
    joint, scales = random_joint(0), random_scales(0)
    folds = []
    for f in range(5):
        rng = np.random.default_rng(f)
        near = joint._replace(loadings=joint.loadings + 0.1 * rng.normal(size=joint.loadings.shape))
        folds.append(rescaled(near, scales, joint, scales))
    return Subsets(scales, rescaled(joint, scales, joint, scales), tuple(folds))


def by_the_formula(subsets, S, slope=None):
    """rho and J of a subset, and the error variance 1 - 2 t rho + t^2 (rho + J)."""
    _, _, (rho,) = predictor_from(subsets.main, S)
    found = [predictor_from(fit, S) for fit in subsets.fold_fits]
    (J,) = jackknife_variance(subsets.main.joint, S, np.stack([f[0] for f in found]), np.stack([f[1] for f in found]))
    t = rho / (rho + J) if slope is None else slope
    return t, 1 - 2 * t * rho + t**2 * (rho + J)


def test_slope_and_variance_of_a_subset_count_the_sampling_variance(subsets):
    S = np.array([[2, 5]])
    slope, variance = by_the_formula(subsets, S)
    found = subsets.predictors(S)
    plain, offset, _ = predictor_from(subsets.main, S)
    assert 0 < slope < 1
    np.testing.assert_allclose(found.weights, slope * plain)
    np.testing.assert_allclose(found.offset, slope * offset)
    np.testing.assert_allclose(found.variance, [variance])
    z = np.array([[0.3, -1.0]])
    np.testing.assert_allclose(found.predictions(z), found.offset + found.weights[0] @ z[0])


def test_all_attributes_together_keep_slope_1(subsets):
    S = np.arange(9)[None]
    found = subsets.predictors(S)
    np.testing.assert_allclose(found.weights, predictor_from(subsets.main, S)[0])
    np.testing.assert_allclose(found.variance, [by_the_formula(subsets, S, slope=1.0)[1]])


def test_weights_that_are_posterior_means_have_no_sampling_variance(subsets):
    S = np.array([[2, 5]])
    found = subsets._replace(sampling_variance=False).predictors(S)
    plain, _, explained = predictor_from(subsets.main, S)
    np.testing.assert_allclose(found.weights, plain)
    np.testing.assert_allclose(found.variance, 1 - explained)


def test_what_held_out_rows_do_not_confirm_is_added_to_the_variance(subsets):
    S, everything = np.array([[2, 5]]), np.arange(9)[None]
    rho = [float(predictor_from(subsets.main, some)[2][0]) for some in (S, everything)]
    doubtful = subsets._replace(confirmed_all=0.6, explained_range=(rho[0], rho[1]))
    np.testing.assert_allclose(doubtful.predictors(S).variance, subsets.predictors(S).variance)
    lower = doubtful.predictors(everything).variance - subsets.predictors(everything).variance
    np.testing.assert_allclose(lower, [0.4 * rho[1]])
    assert subsets._replace(least_variance=0.9).predictors(everything).variance == [0.9]


def test_a_row_may_be_predicted_by_the_fit_without_its_fold(subsets):
    S, fold = np.array([[2, 5], [2, 5], [0, 8]]), np.array([3, 0, 4])
    main, found = subsets.predictors(S), subsets.predictors(S, fold)
    for t in range(3):
        one = subsets._replace(main=subsets.fold_fits[fold[t]])
        slope = main.weights[t] / predictor_from(subsets.main, S[t : t + 1])[0][0]
        np.testing.assert_allclose(found.weights[t], slope * predictor_from(one.main, S[t : t + 1])[0][0])
    np.testing.assert_array_equal(found.variance, main.variance)


def test_many_subsets_are_taken_a_few_at_a_time(subsets, monkeypatch):
    S = np.array([np.random.default_rng(i).permutation(9)[:3] for i in range(20)])
    whole = subsets.predictors(S, np.arange(20) % 5)
    monkeypatch.setattr("keyhole.moments.predict.subsets.NUMBERS_AT_ONCE", 40)
    for one, two in zip(whole, subsets.predictors(S, np.arange(20) % 5), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)
