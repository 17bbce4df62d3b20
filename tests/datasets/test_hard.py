"""The distributions of the lower bounds are those of the theorems."""

import numpy as np
import pytest

from keyhole.datasets import one_good_attribute, signs, three_signs


def test_one_good_attribute_is_the_theorems():
    p = 0.2
    stream = one_good_attribute(200_000, 20, accuracy=p**2, random_state=3)
    good = int(np.flatnonzero(stream.coef)[0])
    agreement = np.mean(stream.X * stream.y[:, None] > 0, axis=0)
    noise = 5 * 0.5 / np.sqrt(200_000)
    assert agreement[good] == pytest.approx(0.5 + p, abs=noise)
    assert np.delete(agreement, good) == pytest.approx(0.5, abs=noise)
    assert np.linalg.norm(stream.coef, 1) == pytest.approx(2 * p)
    assert stream.excess(np.zeros(20)) == pytest.approx(4 * p**2)
    # A learner within the accuracy knows which attribute is good: any other weights there or elsewhere are too far off.
    assert stream.excess(np.where(stream.coef, p, 0.0)) == pytest.approx(p**2)


def test_three_signs_cannot_be_predicted_from_two():
    stream = three_signs(8000, random_state=0)
    np.testing.assert_allclose(stream.y, stream.X.mean(axis=1), atol=1e-6)
    best_of_two = np.array([1 / 3, 1 / 3, 0])
    assert stream.excess(best_of_two) == pytest.approx(1 / 9)


@pytest.mark.parametrize("accuracy", [0, 1 / 16, "x"])
def test_accuracies_of_the_theorem(accuracy):
    with pytest.raises(ValueError, match="needs a number between 0 and 1/16"):
        one_good_attribute(10, 5, accuracy)


def test_labels_must_be_able_to_have_their_mean():
    with pytest.raises(ValueError, match=r"label_bound=1\.0: the label's mean goes from -2 to 2; .* at least 2"):
        signs(10, np.ones(2), np.ones(2), label_bound=1.0)
    with pytest.raises(ValueError, match="two lists of one length"):
        signs(10, np.ones(2), np.ones(3))


def test_attributes_are_independent():
    X = signs(20_000, np.ones(60), np.zeros(60), random_state=0).X.astype(float)
    correlations = np.corrcoef(X.T) - np.eye(60)
    assert np.abs(correlations).max() < 5.5 / np.sqrt(20_000)
    assert abs(np.mean(X[:-1] * X[1:])) < 5 / np.sqrt(X.size)
