"""Revealed cells that are kept, and the mean and spread of each attribute from them."""

import numpy as np
import pytest

from keyhole.observe.cells import Cells, of_columns, standardised, summarised, unscaled


def test_rows_grow_beyond_the_first_arrays():
    rng, cells, rows = np.random.default_rng(0), Cells(), []
    for t in range(300):
        attributes = rng.permutation(20)[: rng.integers(0, 6)]
        rows.append((attributes, rng.normal(size=len(attributes)), rng.normal(), t % 3))
        cells.append(*rows[-1])
    assert cells.n_examples == 300
    start = cells.row_starts
    for t, (attributes, values, label, design) in enumerate(rows):
        mine = slice(start[t], start[t + 1])
        np.testing.assert_array_equal(cells.attributes[mine], attributes)
        np.testing.assert_array_equal(cells.values[mine], values)
        assert (cells.rows[mine] == t).all()
        assert (cells.labels[t], cells.designs[t]) == (label, design)


def test_some_rows_of_the_cells():
    cells = Cells()
    for t in range(4):
        cells.append(np.arange(t), np.full(t, 10.0 * t), float(t))
    part = cells.rows_of(np.array([True, False, True, True]))
    assert part.labels.tolist() == [0, 2, 3]
    assert part.rows.tolist() == [1, 1, 2, 2, 2]
    assert part.values.tolist() == [20, 20, 30, 30, 30]


def test_some_rows_of_cells_are_cells_that_go_on():
    cells = Cells()
    for t in range(5):
        cells.append(np.arange(t), 10.0 * t + np.arange(t), float(t), design=t // 2)
    some = cells.rows_of(np.array([True, False, False, True, True]))
    some.append(np.array([7]), np.array([70.0]), 7.0, design=9)
    assert some.rows.tolist() == [1, 1, 1, 2, 2, 2, 2, 3]
    assert some.attributes.tolist() == [0, 1, 2, 0, 1, 2, 3, 7]
    assert some.values.tolist() == [30, 31, 32, 40, 41, 42, 43, 70]
    assert some.labels.tolist() == [0, 3, 4, 7]
    assert some.designs.tolist() == [0, 1, 2, 9]
    assert cells.labels.tolist() == [0, 1, 2, 3, 4]


def test_a_copy_is_independent():
    cells = Cells()
    cells.append(np.array([1]), np.array([5.0]), 1.0)
    twin = cells.copy()
    twin.append(np.array([2]), np.array([6.0]), 2.0)
    twin.values[0] = -1.0
    assert (cells.n_examples, cells.values.tolist()) == (1, [5.0])
    assert (twin.n_examples, twin.values.tolist()) == (2, [-1.0, 6.0])


def test_a_table_of_some_columns_has_nan_where_nothing_was_revealed():
    cells = Cells()
    cells.append(np.array([4, 1]), np.array([40.0, 10.0]), 0.0)
    cells.append(np.array([], dtype=int), np.array([]), 0.0)
    cells.append(np.array([2]), np.array([20.0]), 0.0)
    np.testing.assert_array_equal(cells.table(np.array([1, 4])), [[10, 40], [np.nan, np.nan], [np.nan, np.nan]])


def test_means_and_deviations_are_those_of_the_columns():
    rng = np.random.default_rng(0)
    attributes, values = rng.integers(4, size=200), rng.normal(5.0, 3.0, size=200)
    found = summarised(attributes, values, 6)
    for i in range(4):
        mine = values[attributes == i]
        assert found.times[i] == len(mine)
        assert found.mean[i] == pytest.approx(mine.mean())
        assert found.deviation[i] == pytest.approx(mine.std())
        assert found.largest[i] == pytest.approx(np.abs(mine - mine.mean()).max())
    for part in found:
        assert part[4:].tolist() == [0, 0]


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_equal_values_have_the_deviation_0_in_every_unit_and_others_their_own(unit):
    table = unit * np.column_stack([np.full(9, 0.1 + 0.2), np.arange(9.0)])
    found = of_columns(table)
    assert found.deviation[0] == found.scale()[0] == 0.0
    np.testing.assert_allclose(found.deviation[1] / unit, np.arange(9).std())
    assert np.isfinite(found.scale()).all()


def test_the_guarded_scale_adds_observations_at_the_largest_distance():
    table = np.random.default_rng(0).normal(size=(50, 3))
    found = of_columns(table)
    distance = np.abs(table - table.mean(axis=0))
    squares = (distance**2).sum(axis=0) + 10 * distance.max(axis=0) ** 2
    np.testing.assert_allclose(found.scale(), np.sqrt(squares / 60 + (distance.max(axis=0) / 5) ** 2))


def test_standardising_and_back_predicts_the_same():
    rng = np.random.default_rng(0)
    X, weights, mean, scale = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=3), np.array([2.0, 0.0, 0.5])
    z = standardised(X, mean, scale)
    assert (z[:, 1] == 0).all()
    coef, intercept = unscaled(weights, 0.7, mean, scale)
    assert coef[1] == 0.0
    np.testing.assert_allclose(X @ coef + intercept, z @ weights + 0.7)


def test_given_and_missing_cells_stay_with_their_rows():
    cells = Cells()
    for t in range(40):
        missing = np.array([3, 4]) if t % 4 == 1 else np.empty(0, dtype=np.int64)
        cells.append(np.array([0, 1, 2]), np.array([t, 1.0, 2.0]), t, n_given=t % 2, missing=missing)
    assert cells.given.sum() == 20
    assert cells.missing_rows.tolist() == np.repeat(np.arange(1, 40, 4), 2).tolist()
    keep = np.arange(40) % 4 < 2
    some = cells.copy().rows_of(keep)
    assert (some.n_examples, some.given.sum(), len(some.missing_rows)) == (20, 10, 20)
    assert some.labels[some.missing_rows[::2]].tolist() == list(range(1, 40, 4))
    assert some.missing_attributes.tolist() == [3, 4] * 10
    drawn = some.drawn()
    assert (len(drawn.values), drawn.given.any(), drawn.n_examples) == (50, False, 20)
    np.testing.assert_array_equal(drawn.attributes[drawn.rows == 1], [0, 1])
    assert drawn.drawn() is drawn
