"""The best predictor under the estimates, and the loss of any predictor without bias (Lemma A.2)."""

import itertools

import numpy as np
import pytest

from keyhole.judgments.core.estimated_moments import estimate
from keyhole.judgments.core.projected_loss import estimated_loss, predictor

# Two objects, two attributes; P(judgment is 1) of each, and the labels.
PROBABILITY = np.array([[0.2, 0.9], [0.7, 0.4]])
LABELS = np.array([1.0, -0.5])


def samples(counts):
    """All samples of two objects with these counts of binary judgments, and the probability of each."""
    cells = [(i, a, j) for i in range(2) for a in range(2) for j in range(counts[i][a])]
    for objects in itertools.product(range(2), repeat=2):
        for bits in itertools.product((0.0, 1.0), repeat=len(cells)):
            values = np.full((2, 2, max(map(max, counts))), np.nan)
            probability = 0.25
            for (i, a, j), bit in zip(cells, bits, strict=True):
                values[i, a, j] = bit
                p = PROBABILITY[objects[i], a]
                probability *= p if bit else 1 - p
            yield values, LABELS[list(objects)], probability


def true_loss(repeats, coef, intercept):
    """The loss on a new object with means of so many judgments, by enumeration."""
    loss = 0.0
    for o in range(2):
        for ones in itertools.product(*(range(r + 1) for r in repeats)):
            probability, x = 0.5, []
            for a, n in enumerate(ones):
                r, p = repeats[a], PROBABILITY[o, a]
                ways = len(list(itertools.combinations(range(r), n)))
                probability *= ways * p**n * (1 - p) ** (r - n)
                x.append(n / r if r else 0.0)
            loss += probability * (np.dot(coef, x) + intercept - LABELS[o]) ** 2
    return loss


@pytest.mark.parametrize("counts", [((2, 2), (2, 2)), ((2, 3), (2, 2)), ((3, 2), (2, 2))])
@pytest.mark.parametrize("repeats", [(1, 1), (3, 2), (0, 4), (5, 0)])
def test_loss_of_a_fixed_predictor_is_unbiased(counts, repeats):
    """Lemma A.2, before the repair, with counts that differ from cell to cell."""
    coef, intercept = np.array([0.8, -1.3]), 0.4
    expected = sum(
        probability * estimated_loss(estimate(values, y, ["a", "b"]), np.array(repeats), coef, intercept)
        for values, y, probability in samples(counts)
    )
    used = np.where(np.array(repeats) > 0, coef, 0.0)
    assert expected == pytest.approx(true_loss(repeats, used, intercept), abs=1e-12)


def test_predictor_minimises_the_estimated_loss(random_instance):
    values, y = random_instance(11, d=3, m=200, k=2)
    found = estimate(values, y, ["a", "b", "c"])
    repeats = np.array([2, 0, 5])
    assert np.linalg.eigvalsh(found.sigma)[0] > 0
    coef, intercept = predictor(found, found.sigma, repeats)
    best = estimated_loss(found, repeats, coef, intercept)
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = coef + 0.1 * np.abs(coef).max() * rng.normal(size=3) * (repeats > 0)
        assert estimated_loss(found, repeats, other, intercept + 0.1 * rng.normal()) >= best


def test_no_repeats_predict_the_mean_label(random_instance):
    values, y = random_instance(3, d=2, m=20, k=2)
    coef, intercept = predictor(estimate(values, y, ["a", "b"]), np.eye(2), np.zeros(2, dtype=int))
    np.testing.assert_array_equal(coef, 0)
    assert intercept == pytest.approx(y.mean())
