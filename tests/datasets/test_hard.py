"""The distributions of the lower bounds are those of the theorems."""

import numpy as np
import pytest

from keyhole.datasets import one_good_attribute, one_sign_per_example, signs, three_signs


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


def test_one_sign_per_example_has_the_moments_of_theorem_b_1():
    n, d, accuracy = 100_000, 40, 0.2
    stream = one_sign_per_example(n, d, accuracy, random_state=1)
    assert len(stream.places) == 25
    assert np.linalg.norm(stream.coef) == pytest.approx(1.0)
    np.testing.assert_allclose(stream.moments[stream.places], accuracy**2)
    X = stream.X.astype(float)
    np.testing.assert_array_equal(np.linalg.norm(X, axis=1), 1.0)
    assert (stream.y == 1.0).all()
    noise = 5 * accuracy / np.sqrt(n)
    np.testing.assert_allclose(np.mean(X**2, axis=0), stream.moments, atol=noise)
    np.testing.assert_allclose(np.mean(X, axis=0), accuracy * stream.coef, atol=noise)  # E[y x] = E[x]
    assert np.count_nonzero(X.T @ X - np.diag(np.diag(X.T @ X))) == 0
    # Lemma B.4: the error of the best weights in the unit ball is (1 - accuracy)^2, exactly and on the rows.
    assert 1 - stream.excess(np.zeros(d)) == pytest.approx((1 - accuracy) ** 2)
    np.testing.assert_allclose((X @ stream.coef - 1) ** 2, (1 - accuracy) ** 2, rtol=1e-12)


def test_no_weights_of_the_unit_ball_are_better_than_those_of_lemma_b_4():
    stream, rng = one_sign_per_example(10, 30, 0.25, random_state=2), np.random.default_rng(0)
    for _ in range(200):
        w = stream.coef + 0.1 * rng.normal(size=30)
        assert stream.excess(w / max(np.linalg.norm(w), 1.0)) > 0
    assert stream.excess(stream.signs) < 0  # outside the ball there are better ones
    assert stream.excess(stream.coef) == 0


def test_hidden_signs_need_as_many_attributes():
    with pytest.raises(ValueError, match=r"n_attributes=15: with accuracy=0.25, .* needs at least 16 attributes"):
        one_sign_per_example(10, 15, 0.25)
    for accuracy in (0, 1.5, "x"):
        with pytest.raises(ValueError, match=r"accuracy=.*needs a number above 0 and at most 1"):
            one_sign_per_example(10, 15, accuracy)
