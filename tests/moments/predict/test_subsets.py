"""The algebra of predictors from subsets, against dense matrices."""

import numpy as np
import pytest

from keyhole.moments.joint import Joint
from keyhole.moments.rows import Units
from keyhole.moments.subsets import predictor_from, spread, view_of
from keyhole.observe.cells import Cells


def random_joint(seed, d=9, r=3, rest=0.0):
    rng = np.random.default_rng(seed)
    return Joint(
        rng.normal(size=d),
        rng.normal(size=(d, r)),
        rng.uniform(0.5, 2, size=d),
        rng.normal(size=1),
        rng.normal(size=(1, r)),
        np.full(1, 4.0),
        rest * rng.normal(size=(d, 1)),
    )


def random_units(seed, d=9):
    rng = np.random.default_rng(seed)
    return Units(rng.normal(size=d), rng.uniform(0.1, 10, size=d), rng.normal(size=1), rng.uniform(0.1, 10, size=1))


@pytest.mark.parametrize("size", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("rest", [0.0, 0.2])
def test_predictors_are_those_of_the_dense_covariance(size, rest):
    joint, units = random_joint(0, rest=rest), random_units(0)
    S = np.array([np.random.default_rng(i).permutation(9)[:size] for i in range(4)])
    weights, offsets, explained = predictor_from(view_of(joint, units, joint, units), S)
    for some, w, o, share in zip(S, weights, offsets, explained, strict=True):
        dense = np.linalg.solve(joint.covariance(some), joint.cross(some)[:, 0])
        np.testing.assert_allclose(w, dense, rtol=1e-9)
        np.testing.assert_allclose(o, joint.label_mean[0])
        np.testing.assert_allclose(share, dense @ joint.cross(some)[:, 0] / joint.label_variance()[0], atol=1e-12)


def test_a_model_in_other_units_predicts_the_same():
    joint, units, other, other_units = random_joint(0), random_units(0), random_joint(1), random_units(1)
    S, x = np.array([[0, 4, 7]]), np.random.default_rng(2).normal(size=3)
    w, o, _ = predictor_from(view_of(other, other_units, joint, units), S)
    z = (x - units.mean[S[0]]) / units.scale[S[0]] - joint.mean[S[0]]
    seen = units.label_mean[0] + units.label_scale[0] * (o[0] + w[0] @ z)
    own = predictor_from(view_of(other, other_units, other, other_units), S)
    z = (x - other_units.mean[S[0]]) / other_units.scale[S[0]] - other.mean[S[0]]
    wanted = other_units.label_mean[0] + other_units.label_scale[0] * (own[1][0] + own[0][0] @ z)
    np.testing.assert_allclose(seen, wanted, rtol=1e-10)


def test_the_spread_is_the_jackknife_averaged_over_examples():
    joint, rng = random_joint(0), np.random.default_rng(1)
    S = np.array([[1, 5, 6]])
    weights, offsets = rng.normal(size=(5, 1, 3)), rng.normal(size=(5, 1))
    L = np.linalg.cholesky(joint.covariance(S[0]))
    # Points with mean 0 and exactly this covariance: plus and minus each column of L sqrt(3).
    points = np.sqrt(3) * np.vstack([L.T, -L.T])
    predicted = points @ weights[:, 0].T + offsets[:, 0]
    wanted = 4 / 5 * np.sum((predicted - predicted.mean(axis=1, keepdims=True)) ** 2, axis=1).mean()
    np.testing.assert_allclose(spread(joint, S, weights, offsets)[0], wanted, rtol=1e-10)


def test_some_rows_of_the_cells():
    cells = Cells()
    for t in range(4):
        cells.append(np.arange(t), np.full(t, 10.0 * t), float(t))
    part = cells.rows_of(np.array([True, False, True, True]))
    assert part.labels.tolist() == [0, 2, 3]
    assert part.rows.tolist() == [1, 1, 2, 2, 2]
    assert part.values.tolist() == [20, 20, 30, 30, 30]
