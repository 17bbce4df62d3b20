"""Streams give the same cells however they are read, and are not held in memory."""

import tracemalloc

import numpy as np
import pytest

from keyhole.datasets import kukliansky_shamir


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
