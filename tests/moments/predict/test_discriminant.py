"""The linear discriminant of a subset, against the textbook's on the attributes themselves."""

import numpy as np
import pytest

from keyhole.moments.predict.discriminant import class_coordinates, discriminant
from keyhole.moments.standard.joint import JointMoments
from keyhole.moments.standard.scales import Scales

D, FACTORS = 9, 4


def model(shares):
    """Second moments of d attributes and class coordinates, whose classes have some overlap."""
    rng = np.random.default_rng(0)
    shares = np.array(shares)
    points = class_coordinates(shares)
    L = points.shape[1]
    joint = JointMoments(
        mean=rng.normal(size=D),
        loadings=rng.normal(size=(D, FACTORS)),
        noise=rng.uniform(0.5, 2.0, size=D),
        label_mean=np.zeros(L),
        label_loadings=0.3 * rng.normal(size=(L, FACTORS)),
        label_noise=np.ones(L),
        residual_cross=0.1 * rng.normal(size=(D, L)),
    )
    return joint, Scales(rng.normal(size=D), rng.uniform(1, 3, size=D), np.zeros(L), np.ones(L)), points, shares


@pytest.mark.parametrize("shares", [[0.3, 0.7], [0.1, 0.2, 0.3, 0.4]])
def test_coordinates_have_mean_zero_and_covariance_one(shares):
    points = class_coordinates(np.array(shares))
    np.testing.assert_allclose(shares @ points, 0.0, atol=1e-12)
    np.testing.assert_allclose(points.T @ np.diag(shares) @ points, np.eye(len(shares) - 1), atol=1e-12)


@pytest.mark.parametrize("shares", [[0.3, 0.7], [0.1, 0.2, 0.3, 0.4]])
@pytest.mark.parametrize("size", [0, 1, 3, 8])
def test_log_odds_are_those_of_the_discriminant_on_attributes(shares, size):
    joint, scales, points, shares = model(shares)
    rng = np.random.default_rng(1)
    S = np.array([np.sort(rng.choice(D, size, replace=False)) for _ in range(3)], dtype=np.int64).reshape(3, size)
    which = np.array([0, 2, 1, 1, 0])
    z = rng.normal(size=(5, size))
    found = discriminant(joint, scales, shares, points).log_odds(S, which, z)
    for t in range(5):
        some = S[which[t]]
        cross = joint.cross_covariance(some)
        means = points @ cross.T
        within = joint.covariance(some) - cross @ cross.T
        precision = np.linalg.inv(within)
        wanted = np.log(shares) + means @ precision @ z[t] - 0.5 * np.sum(means @ precision * means, axis=1)
        np.testing.assert_allclose(found[t] - found[t, 0], wanted - wanted[0], rtol=1e-6, atol=1e-6)


def test_scores_that_explain_everything_stay_finite():
    joint, scales, points, shares = model([0.5, 0.5])
    sure = joint._replace(loadings=joint.loadings * 1e3, label_loadings=joint.label_loadings * 1e3)
    found = discriminant(sure, scales, shares, points).log_odds(np.arange(D)[None], np.array([0]), np.ones((1, D)))
    assert np.isfinite(found).all()


@pytest.mark.parametrize("shares", [[0.3, 0.7], [0.1, 0.2, 0.3, 0.4]])
def test_what_is_not_confirmed_lowers_all_log_odds_by_one_factor(shares):
    joint, scales, points, shares = model(shares)
    plain = discriminant(joint, scales, shares, points)
    everything = np.arange(D)[None]
    most = float(plain.explained(everything)[0])
    doubtful = plain._replace(confirmed_all=0.6, explained_range=(0.4 * most, most))
    z = np.random.default_rng(1).normal(size=(50, D))
    ours, theirs = (one.log_odds(everything, np.zeros(50, dtype=int), z) for one in (doubtful, plain))
    factor = ours / theirs
    assert 0.3 < factor[0, 0] < 1.0
    np.testing.assert_allclose(factor, factor[0, 0])
    if len(shares) == 2:
        np.testing.assert_allclose(factor[0, 0], (1 - most) / (1 - 0.6 * most), rtol=1e-6)
    few = everything[:, :1]  # explains less than what held-out rows were predicted from
    assert plain.explained(few)[0] < 0.4 * most
    ours, theirs = (one.log_odds(few, np.zeros(50, dtype=int), z[:, :1]) for one in (doubtful, plain))
    np.testing.assert_allclose(ours, theirs)


def test_many_subsets_are_taken_a_few_at_a_time(monkeypatch):
    joint, scales, points, shares = model([0.1, 0.2, 0.3, 0.4])
    rng = np.random.default_rng(1)
    S = np.array([np.sort(rng.choice(D, 3, replace=False)) for _ in range(12)])
    which, z = rng.integers(12, size=30), rng.normal(size=(30, 3))
    found = discriminant(joint, scales, shares, points)
    whole = found.log_odds(S, which, z)
    monkeypatch.setattr("keyhole.moments.predict.discriminant.NUMBERS_AT_ONCE", 60)
    np.testing.assert_allclose(found.log_odds(S, which, z), whole, rtol=1e-10)


def test_one_class_has_one_point():
    assert class_coordinates(np.ones(1)).tolist() == [[0.0]]


def test_a_class_that_never_occurred_has_no_probability():
    joint, scales, points, _ = model([0.3, 0.3, 0.4])
    found = discriminant(joint, scales, np.array([0.5, 0.5, 0.0]), points)
    log_odds = found.log_odds(np.arange(D)[None], np.array([0]), np.ones((1, D)))
    assert log_odds[0, 2] == -np.inf
    assert np.isfinite(log_odds[0, :2]).all()
