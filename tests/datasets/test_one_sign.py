"""Examples with one sign: the same cells, however they are read."""

import numpy as np

from keyhole.datasets import one_sign_per_example


def test_cells_do_not_depend_on_how_they_are_read():
    stream = one_sign_per_example(60, 20, 0.3, random_state=0)
    for example in (0, 17, 59):
        order = np.random.default_rng(example).permutation(20)
        np.testing.assert_array_equal(stream.source.read(example, order), stream.X[example, order])
    np.testing.assert_array_equal(stream.table(10, 30), stream.X[10:30])
    assert len(np.unique(np.argmax(np.abs(stream.X), axis=1))) > 5


def test_the_excess_is_that_of_many_rows():
    stream = one_sign_per_example(200_000, 20, 0.3, random_state=0)
    w = np.random.default_rng(1).normal(size=20) / 4
    errors = (stream.X @ w + 0.1 - 1) ** 2 - (stream.X @ stream.coef - 1) ** 2
    assert abs(errors.mean() - stream.excess(w, 0.1)) < 5 * errors.std() / np.sqrt(200_000)
