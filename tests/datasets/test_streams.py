"""Streams of two-valued attributes, and the distributions of the lower bounds."""

import tracemalloc

import numpy as np
import pytest

from keyhole.datasets import kukliansky_shamir, one_good_attribute, signs, three_signs


def test_cells_do_not_depend_on_how_they_are_read():
    stream = kukliansky_shamir(1000, n_attributes=30, random_state=7)
    X = stream.X
    np.testing.assert_array_equal(stream.table(200, 210), X[200:210])
    np.testing.assert_array_equal(stream.labels(200, 210), stream.y[200:210])
    wanted = np.array([29, 3, 0])
    np.testing.assert_array_equal(stream.source.read(999, wanted), X[999, wanted])
    np.testing.assert_array_equal(kukliansky_shamir(1000, 30, random_state=7).X, X)
    assert (kukliansky_shamir(1000, 30, random_state=8).X != X).any()


def test_a_long_stream_takes_little_memory():
    kukliansky_shamir(10, n_attributes=1000, random_state=0).source.read(3, np.arange(5))  # compiled by now
    tracemalloc.start()
    stream = kukliansky_shamir(10**12, n_attributes=1000, random_state=0)
    stream.source.read(10**12 - 1, np.arange(5))
    stream.labels(10**12 - 3)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_rows_that_are_not_there():
    with pytest.raises(ValueError, match="rows 5 to 11: the stream has 10 examples, numbered from 0"):
        kukliansky_shamir(10).table(5, 11)


def test_attributes_are_independent():
    X = signs(20_000, np.ones(60), np.zeros(60), random_state=0).X.astype(float)
    correlations = np.corrcoef(X.T) - np.eye(60)
    assert np.abs(correlations).max() < 5.5 / np.sqrt(20_000)
    assert abs(np.mean(X[:-1] * X[1:])) < 5 / np.sqrt(X.size)


@pytest.mark.parametrize("stream", [kukliansky_shamir(200_000, 6, -1, random_state=0), three_signs(200_000, 0)])
def test_excess_is_the_expected_one(stream):
    coef = stream.coef + np.linspace(-0.3, 0.5, stream.n_attributes)
    X = stream.X.astype(float)
    losses = (X @ coef + 0.1 - stream.y) ** 2
    assert stream.excess(stream.coef) == 0
    assert abs(losses.mean() - stream.excess(coef, 0.1)) < 5 * losses.std() / np.sqrt(len(losses))
    np.testing.assert_allclose(stream.moments, np.mean(X**2, axis=0), atol=5 * 0.5 / np.sqrt(len(X)))


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


def test_three_signs_cannot_be_told_from_two():
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
