"""Estimates: unbiased by enumeration, exact for uneven counts, safe with weights."""

import itertools

import numpy as np
import pytest

from judgments import reference
from keyhole.judgments.core.estimated_moments import cell_statistics, estimate, estimated_loss, predictor
from keyhole.judgments.core.repair import make_psd, repaired

# Two objects, two attributes; P(judgment is 1) of each, and the labels.
CHANCE = np.array([[0.2, 0.9], [0.7, 0.4]])
LABELS = np.array([1.0, -0.5])


def samples(counts):
    """All samples of two objects with these counts of binary judgments, and the chance of each."""
    cells = [(i, a, j) for i in range(2) for a in range(2) for j in range(counts[i][a])]
    for objects in itertools.product(range(2), repeat=2):
        for bits in itertools.product((0.0, 1.0), repeat=len(cells)):
            values = np.full((2, 2, max(map(max, counts))), np.nan)
            chance = 0.25
            for (i, a, j), bit in zip(cells, bits, strict=True):
                values[i, a, j] = bit
                p = CHANCE[objects[i], a]
                chance *= p if bit else 1 - p
            yield values, LABELS[list(objects)], chance


def true_loss(repeats, coef, intercept):
    """The loss on a new object with means of so many judgments, by enumeration."""
    loss = 0.0
    for o in range(2):
        for ones in itertools.product(*(range(r + 1) for r in repeats)):
            chance, x = 0.5, []
            for a, n in enumerate(ones):
                r, p = repeats[a], CHANCE[o, a]
                ways = len(list(itertools.combinations(range(r), n)))
                chance *= ways * p**n * (1 - p) ** (r - n)
                x.append(n / r if r else 0.0)
            loss += chance * (np.dot(coef, x) + intercept - LABELS[o]) ** 2
    return loss


@pytest.mark.parametrize("counts", [((2, 2), (2, 2)), ((2, 3), (2, 2)), ((3, 2), (2, 2))])
@pytest.mark.parametrize("repeats", [(1, 1), (3, 2), (0, 4), (5, 0)])
def test_loss_of_a_fixed_predictor_is_unbiased(counts, repeats):
    """Lemma A.2, before the repair, with counts that differ from cell to cell."""
    coef, intercept = np.array([0.8, -1.3]), 0.4
    expected = sum(
        chance * estimated_loss(estimate(values, y, ["a", "b"]), np.array(repeats), coef, intercept)
        for values, y, chance in samples(counts)
    )
    used = np.where(np.array(repeats) > 0, coef, 0.0)
    assert expected == pytest.approx(true_loss(repeats, used, intercept), abs=1e-12)


def test_internal_variance_is_unbiased_by_enumeration():
    expected = sum(chance * estimate(values, y, ["a", "b"]).v for values, y, chance in samples(((2, 2), (2, 2))))
    np.testing.assert_allclose(expected, (CHANCE * (1 - CHANCE)).mean(axis=0), atol=1e-12)


def test_equal_to_the_plain_moments():
    values, y = reference.random_instance(4)
    b, v, sigma, deviation = reference.moments(values, y)
    found = estimate(values, y, [f"x{a}" for a in range(values.shape[1])])
    for ours, plain in ((found.b, b), (found.v, v), (found.sigma, sigma), (found.deviation, deviation)):
        np.testing.assert_allclose(ours, plain, rtol=1e-10, atol=1e-10)


def test_the_path_for_gaps_agrees_with_the_fast_one():
    values, y = reference.random_instance(6, k=3)
    plain = estimate(values, y, ["x"] * values.shape[1])
    padded = np.concatenate([values, np.full((*values.shape[:2], 1), np.nan)], axis=2)
    for ours, other in zip(estimate(padded, y, ["x"] * values.shape[1]), plain, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-10, atol=1e-12)


def test_an_empty_cell_leaves_the_object_out_of_that_attribute_alone():
    values, y = reference.random_instance(7, d=3, m=20, k=2)
    values[0, 1] = np.nan
    names = ["a", "b", "c"]
    found, without = estimate(values, y, names), estimate(values[1:], y[1:], names)
    whole = estimate(values[:, [0, 2]], y, ["a", "c"])
    assert found.v[1] == pytest.approx(without.v[1])
    assert found.sigma[1, 1] == pytest.approx(without.sigma[1, 1])
    assert found.sigma[0, 2] == pytest.approx(whole.sigma[0, 1])
    np.testing.assert_allclose(found.b[[0, 2]], whole.b)


def test_whole_number_weights_on_objects_are_repetitions():
    values, y = reference.random_instance(9, m=15)
    weights = np.random.default_rng(0).integers(1, 4, size=15)
    names = ["x"] * values.shape[1]
    weighted = estimate(values, y, names, object_weights=weights.astype(float))
    repeated = estimate(np.repeat(values, weights, axis=0), np.repeat(y, weights), names)
    for ours, other in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-10, atol=1e-12)


def test_weights_on_judgments_leave_the_variance_unbiased():
    """With any weights, over all outcomes of three judgments: E[variance] = p(1-p) and the noise is exact."""
    weights, p = np.array([[[0.3, 2.0, 1.1]]]), 0.3
    variance = noise = mean_square = 0.0
    for bits in itertools.product((0.0, 1.0), repeat=3):
        chance = np.prod([p if bit else 1 - p for bit in bits])
        cells = cell_statistics(np.array([[bits]]), weights)
        variance += chance * cells.variance[0, 0]
        noise += chance * cells.variance[0, 0] * cells.inverse_count[0, 0]
        mean_square += chance * (cells.mean[0, 0] - p) ** 2
    assert variance == pytest.approx(p * (1 - p), abs=1e-12)
    assert noise == pytest.approx(mean_square, abs=1e-12)


def test_repair_is_psd_nearest_and_idle_when_not_needed():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 6))
    a = a + a.T
    repaired = make_psd(a, np.ones(6))
    assert np.linalg.eigvalsh(repaired)[0] >= -1e-12
    distance = np.linalg.norm(repaired - a)
    for _ in range(200):
        root = np.linalg.cholesky(repaired + 1e-9 * np.eye(6)) + 0.05 * rng.normal(size=(6, 6))
        assert np.linalg.norm(root @ root.T - a) >= distance - 1e-6
    good = a @ a.T
    assert make_psd(good, np.ones(6)) is good


def test_predictor_minimises_the_estimated_loss():
    values, y = reference.random_instance(11, d=3, m=200, k=2)
    found = estimate(values, y, ["a", "b", "c"])
    repeats = np.array([2, 0, 5])
    assert np.linalg.eigvalsh(found.sigma)[0] > 0
    coef, intercept = predictor(found, found.sigma, repeats)
    best = estimated_loss(found, repeats, coef, intercept)
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = coef + 0.1 * np.abs(coef).max() * rng.normal(size=3) * (repeats > 0)
        assert estimated_loss(found, repeats, other, intercept + 0.1 * rng.normal()) >= best


def test_the_joint_repair_keeps_the_label_and_makes_b_a_covariance():
    values, y = reference.random_instance(5, d=4, m=30, k=2)
    values[np.random.default_rng(2).random(values.shape[:2]) < 0.2] = np.nan
    found = estimate(values, y, list("abcd"))
    whole = repaired(found, found.deviation)
    joint = np.block([[whole.sigma, whole.b[:, None]], [whole.b[None, :], np.array([[whole.label_variance]])]])
    assert whole.label_variance == found.label_variance
    assert np.linalg.eigvalsh(joint)[0] >= -1e-12 * np.trace(joint)
