"""What a family is fitted to, and what a fit ends with."""

import numpy as np
import pytest

from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.solution import candidate, not_kept, solution_of
from moments.conftest import correlated, random_joint, random_scales, training, with_holes


def test_training_data_tells_its_size_and_whether_it_is_complete():
    X, y = correlated(30)
    whole, partial = training(X, y), training(with_holes(X, 5), y)
    assert (whole.n_rows, whole.cells_per_row, whole.complete) == (30, 12.0, True)
    assert (partial.n_rows, partial.cells_per_row, partial.complete) == (30, 5.0, False)


def test_some_of_the_rows_keep_their_cells_and_labels():
    X, y = correlated(30)
    X, keep = with_holes(X, 5), np.arange(30) % 3 == 0
    part = training(X, y).where(keep)
    np.testing.assert_array_equal(part.cells.table(np.arange(12)), X[keep])
    np.testing.assert_array_equal(part.labels[:, 0], y[keep])
    np.testing.assert_array_equal(part.cells.labels, y[keep])
    assert (part.seed, part.n_attributes) == (0, 12)


def test_at_most_so_many_rows_are_drawn_by_the_seed():
    data = training(*correlated(30))
    assert data.at_most(30) is data
    assert data.at_most(7).n_rows == 7
    np.testing.assert_array_equal(data.sample(7), data.sample(7))
    assert not np.array_equal(data.sample(7), data._replace(seed=1).sample(7))


def test_a_solution_has_the_predictor_of_its_moments_and_the_usefulness_of_each_attribute():
    joint, scales = random_joint(0), random_scales(1)
    scales.scale[3] = 0.0
    solution = solution_of(joint, scales, FAMILIES["factors"], [])
    weights = np.where(np.arange(9) == 3, 0.0, joint.weights()[0])
    np.testing.assert_allclose(solution.usefulness, np.abs(weights))
    x = np.random.default_rng(0).normal(size=9)
    z = np.where(scales.scale > 0, (x - scales.mean) / np.where(scales.scale > 0, scales.scale, 1.0) - joint.mean, 0.0)
    wanted = scales.label_mean[0] + scales.label_scale[0] * (joint.label_mean[0] + weights @ z)
    assert solution.coef[0] @ x + solution.intercept[0] == pytest.approx(wanted)
    other = solution.with_moments(random_joint(2), random_scales(3))
    again = solution_of(random_joint(2), random_scales(3), FAMILIES["factors"], [])
    np.testing.assert_allclose(other.coef, again.coef)
    np.testing.assert_allclose(other.intercept, again.intercept)
    np.testing.assert_array_equal(other.usefulness, solution.usefulness)  # which the policy keeps


def test_candidates_name_their_family_and_are_not_changed_when_another_is_kept():
    one = candidate(FAMILIES["factors"], True, "it was right", rank=3)
    assert one == {"family": "factors", "rank": 3, "kept": True, "why": "it was right"}
    (other,) = not_kept([one])
    assert other == one | {"kept": False}
    assert one["kept"]
