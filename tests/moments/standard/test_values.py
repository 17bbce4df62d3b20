"""The values of columns: the four maps by hand, their posterior shares by a slow reference, units, edges, choices."""

import warnings

import numpy as np
import pytest
from scipy.stats import norm

import keyhole as kh
from keyhole.moments.standard.complete_sets import ridge_by_leave_one_out
from keyhole.moments.standard.values import MAPS, RAW, ROUNDS, Values, learned_values
from keyhole.observe.cells import Cells
from moments.conftest import cells_of, with_holes

ALL = np.ones(len(MAPS), dtype=bool)


def only(*names, d=1):
    """Which maps are allowed, for d attributes."""
    return np.tile([name in names for name in MAPS], (d, 1))


def learned(X, y, allowed=None):
    allowed = np.tile(ALL, (X.shape[1], 1)) if allowed is None else allowed
    return learned_values(cells_of(X, y), y[:, None], allowed)


def long_tails(n=200, d=4, seed=0):
    """A normal, a log-normal, a mirrored log-normal and a zero-inflated attribute, and a label made of all."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, d))
    X = np.column_stack([Z[:, 0], np.exp(1.5 * Z[:, 1]), -np.exp(Z[:, 2]), np.where(Z[:, 3] > 0.5, Z[:, 3], 0.0)])
    return X, Z.sum(axis=1) + rng.normal(size=n)


def maps_by_hand(x):
    """The four maps of all values of an attribute, as their definitions say, standardised."""
    n, ordered, median = len(x), np.sort(x), np.median(x)
    k = 2 if n >= 30 else 1 if n >= 12 else 0
    low, high = ordered[k], ordered[n - 1 - k]
    spread = np.median(np.abs(x - median)[x != median])
    if high - median >= median - low:
        from_edge = np.maximum(x - low, 0.0)
        edge = np.log1p(from_edge / np.median((x - low)[x > low]))
    else:
        from_edge = np.maximum(high - x, 0.0)
        edge = -np.log1p(from_edge / np.median((high - x)[x < high]))
    below, same = (x[:, None] > x).sum(axis=1), (x[:, None] == x).sum(axis=1)
    maps = [
        np.clip(x, low, high),
        np.sign(x - median) * np.log1p(np.abs(x - median) / spread),
        edge,
        norm.ppf((below + 0.5 * same) / n),
    ]
    return np.array([(each - each.mean()) / each.std() for each in maps])


def like(x, column):
    """A column with the median of the attribute, and with the median of its distances from it that are not 0."""
    from_median, distance = column - np.median(column), np.abs(x - np.median(x))
    size = np.abs(from_median)
    return np.median(x) + np.median(distance[distance > 0]) * from_median / np.median(size[size > 0])


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("n", [8, 20, 60])
def test_every_map_is_that_of_its_definition(name, n):
    """Up to 64 values all are knots, so a column is the map itself at every revealed value."""
    X, y = long_tails(n)
    for x in X.T[:3]:
        found = learned(x[:, None], y, only(name)).mapped(np.zeros(n, dtype=int), x)
        np.testing.assert_allclose(found, like(x, maps_by_hand(x)[MAPS.index(name)]), rtol=1e-9, atol=1e-9)


def test_equal_values_have_equal_ranks():
    x = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0])
    found = learned(x[:, None], np.arange(6.0), only("rank")).mapped(np.zeros(6, dtype=int), x)
    np.testing.assert_allclose(found, like(x, maps_by_hand(x)[3]), rtol=1e-9)
    assert len(np.unique(found)) == 3


def slow_shares(X, y, allowed):
    """Posterior probabilities of the maps, attribute by attribute, with the table's probabilities as their prior."""
    d = X.shape[1]
    likelihood = np.zeros((d, len(MAPS)))
    label = (y - y.mean()) / y.std()
    for i in range(d):
        seen = ~np.isnan(X[:, i])
        gains = []
        for column in maps_by_hand(X[seen, i]):
            r = np.mean(column * label[seen])
            gains.append(-0.5 * seen.sum() * np.log(1.0 - min(r**2, 1.0 - 1e-6)))
        likelihood[i] = np.where(allowed[i], np.exp(np.array(gains) - max(gains)), 0.0)
    table = np.ones(len(MAPS))
    for _ in range(ROUNDS):
        shares = likelihood * table
        shares = shares / shares.sum(axis=1, keepdims=True)
        table = 1.0 + sum(shares[i] for i in range(d) if allowed[i].sum() > 1)
    return shares


def test_shares_are_posterior_probabilities():
    X, y = long_tails(80)
    X = with_holes(X, 3)
    X[10:, 0] = np.nan  # it has few cells
    allowed = np.array([ALL, ALL, [True, False, False, True], ALL])
    X = X[:, [0, 1, 2, 1]]
    found = learned(X, y, allowed)
    expected = slow_shares(X, y, allowed)
    np.testing.assert_allclose(found.shares, expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)
    assert (found.shares[2, 1:3] == 0).all()


def test_a_column_is_the_mean_of_the_maps_by_their_shares_in_the_unit_of_the_attribute():
    X, y = long_tails(60)
    found = learned(X[:, :3], y)
    for i, x in enumerate(X.T[:3]):
        expected = like(x, found.shares[i] @ maps_by_hand(x))
        np.testing.assert_allclose(found.mapped(np.full(60, i), x), expected, rtol=1e-8, atol=1e-8)


def test_the_label_chooses_the_map_that_it_is_linear_in():
    rng = np.random.default_rng(0)
    z = rng.normal(size=3000)
    for x, best in ((np.exp(2 * z), "rank"), (np.expm1(rng.exponential(size=3000)), "log from the edge")):
        label = z if best == "rank" else np.log1p(x)
        found = learned(x[:, None], label + 0.1 * rng.normal(size=3000))
        assert found.described(1) == [best]


def test_few_cells_take_the_choice_of_the_table():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(2000, 20))
    X = np.exp(2 * Z)
    X[6:, 19] = np.nan  # six cells say nothing about the map of the last attribute
    found = learned(X, Z.sum(axis=1))
    assert found.described(20) == ["rank"] * 20
    alone = learned(X[:, 19:], Z.sum(axis=1))
    assert alone.described(1) == ["averaged"]


@pytest.mark.parametrize("factor", [1000.0, 0.001, 1e300, 1e-300])
def test_units_change_no_value_and_no_choice(factor):
    X, y = long_tails()
    X = with_holes(X, 3)
    units = np.array([factor, 1.0, factor, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain, other = learned(X, y), learned(X * units, y)
    np.testing.assert_allclose(other.shares, plain.shares, rtol=1e-8, atol=1e-10)
    at = np.repeat(np.arange(4), np.diff(plain.knots.first))
    np.testing.assert_allclose(other.heights / units[at], plain.heights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(other.of_table(X * units) / units, plain.of_table(X), rtol=1e-8, atol=1e-10)


def test_the_unit_of_the_label_changes_nothing():
    X, y = long_tails()
    plain, other = learned(X, y), learned(X, 1000.0 * y - 7.0)
    np.testing.assert_allclose(other.heights, plain.heights, rtol=1e-8, atol=1e-10)


def test_beyond_what_was_revealed_a_column_is_held_at_the_edge():
    X, y = long_tails()
    found = learned(X, y)
    far = np.array([[-1e9] * 4, [1e9] * 4])
    np.testing.assert_allclose(found.of_table(far), found.of_table(np.array([X.min(axis=0), X.max(axis=0)])))
    inside = found.of_table(X)
    assert (np.diff(inside[np.argsort(X[:, 1]), 1]) >= -1e-12).all()  # a map is monotone


def test_equal_values_and_two_values_are_taken_as_they_are():
    y = np.arange(20.0)
    X = np.column_stack([np.full(20, 7.0), np.where(y < 3, -2.0, 5.0), y])
    found = learned(X, y)
    assert found.described(3)[:2] == ["raw", "raw"]
    np.testing.assert_array_equal(found.shares[:2], 0.0)
    np.testing.assert_array_equal(found.of_table(X)[:, :2], X[:, :2])
    # They are held at the edges all the same, and in between a line joins them.
    np.testing.assert_array_equal(
        found.mapped(np.array([0, 1, 1, 1]), np.array([9.0, 8.0, -3.0, 1.5])), [7, 5, -2, 1.5]
    )


def test_one_wild_value_does_not_set_the_scale():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1))
    X[0] = 1e20
    found = learned(X, X[:, 0] * (X[:, 0] < 10) + 0.1 * rng.normal(size=300))
    column = found.of_table(X)[:, 0]
    assert np.abs(column).max() < 10
    assert np.ptp(column[1:]) > 3


def test_attributes_without_an_allowed_map_are_raw_and_nothing_allowed_is_raw_at_all():
    X, y = long_tails()
    allowed = only("rank", d=4)
    allowed[[1, 3]] = False
    found = learned(X, y, allowed)
    assert found.described(4) == ["rank", "raw", "rank", "raw"]
    np.testing.assert_array_equal(found.of_table(X)[:, [1, 3]], X[:, [1, 3]])
    assert learned(X, y, np.zeros((4, 4), dtype=bool)) is RAW
    assert learned_values(Cells(), np.empty((0, 1)), np.tile(ALL, (4, 1))) is RAW
    assert RAW.is_raw
    assert RAW.described(2) == ["raw", "raw"]
    assert RAW.of_table(X) is X


def test_a_table_is_its_cells_and_what_is_missing_stays_missing():
    X, y = long_tails()
    holes = with_holes(X, 2)
    found = learned(holes, y)
    cells = found.of_cells(cells_of(holes, y))
    table = found.of_table(holes)
    np.testing.assert_array_equal(np.isnan(table), np.isnan(holes))
    np.testing.assert_array_equal(cells.values, table[cells.rows, cells.attributes])


def test_nothing_but_revealed_cells_is_used():
    X, y = long_tails()
    learner = kh.KeyholeRegressor(2, random_state=0).fit(X, y)
    other = np.full_like(X, np.inf)  # a cell that nobody asked for is not read
    other[learner.cells_.rows, learner.cells_.attributes] = learner.cells_.values
    again = kh.KeyholeRegressor(2, random_state=0).fit(other, y)
    one, two = (fit._solution().scales.values for fit in (learner, again))
    np.testing.assert_array_equal(one.heights, two.heights)
    np.testing.assert_array_equal(one.shares, two.shares)
    np.testing.assert_array_equal(one.knots.values, two.knots.values)


def test_the_order_of_rows_does_not_matter():
    X, y = long_tails()
    X, order = with_holes(X, 2), np.random.default_rng(2).permutation(len(y))
    np.testing.assert_allclose(learned(X[order], y[order]).heights, learned(X, y).heights, rtol=1e-9, atol=1e-9)


def test_knots_are_few_and_the_map_in_between_is_close():
    X, y = long_tails(5000)
    found = learned(X[:, :3], y)
    assert np.diff(found.knots.first).max() <= 64
    for i, x in enumerate(X.T[:3]):
        blended = found.shares[i] @ maps_by_hand(x[:2000])
        scale = (blended - blended.mean()) / blended.std()
        assert np.corrcoef(found.mapped(np.full(2000, i), x[:2000]), scale)[0, 1] > 0.99


def choices_and_numbers():
    """A number, a choice of three, a number; the values are learned for the numbers alone."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.lognormal(size=80), rng.integers(3, size=80), rng.lognormal(size=80)])
    y = np.log(X[:, 0]) + (X[:, 1] == 2) + rng.normal(size=80)
    X = with_holes(X, 2)
    found = learned(X, y, np.array([ALL, ~ALL, ALL]))
    return X, y, found._replace(n_columns=np.array([1, 3, 1]))


def test_a_choice_is_one_cell_and_a_column_for_each_of_its_values():
    X, _, found = choices_and_numbers()
    assert found.has_choices
    assert found.attribute_of(5).tolist() == [0, 1, 1, 1, 2]
    table = found.of_table(X)
    assert table.shape == (80, 5)
    plain = found._replace(n_columns=RAW.n_columns).of_table(X)
    np.testing.assert_array_equal(table[:, [0, 4]], plain[:, [0, 2]])
    known = ~np.isnan(X[:, 1])
    np.testing.assert_array_equal(table[known, 1:4], np.eye(3)[X[known, 1].astype(int)])
    assert np.isnan(table[~known, 1:4]).all()


def test_cells_of_choices_are_those_of_the_table_and_keep_their_rows():
    X, y, found = choices_and_numbers()
    cells = cells_of(X, y)
    expanded, table = found.of_cells(cells), found.of_table(X)
    assert len(expanded.values) == np.sum(~np.isnan(table))
    np.testing.assert_array_equal(expanded.values, table[expanded.rows, expanded.attributes])
    assert (np.diff(expanded.rows) >= 0).all()
    places = np.array([3, 0, 7])
    found_at = found.expanded(cells.attributes, places)
    expected = [
        at
        for place in places
        for at in np.flatnonzero(
            (expanded.rows == cells.rows[place])
            & np.isin(expanded.attributes, np.flatnonzero(found.attribute_of(5) == cells.attributes[place]))
        )
    ]
    assert found_at.tolist() == expected
    assert RAW.expanded(cells.attributes, places) is places


def test_raw_values_with_choices_are_expanded_too():
    values = RAW._replace(n_columns=np.array([3, 1]))
    assert not values.is_raw
    np.testing.assert_array_equal(values.of_table(np.array([[2.0, 7.0]])), [[0.0, 0.0, 1.0, 7.0]])


def spectra(n=60, seed=0):
    """Two attributes that are almost copies of each other, and a label that is their difference."""
    rng = np.random.default_rng(seed)
    level, small = rng.normal(size=n), rng.normal(size=n)
    X = np.column_stack([level, level + 0.01 * small, rng.normal(size=n)])
    return X, small + 0.05 * rng.normal(size=n)


def test_attributes_that_rows_show_together_are_linear_where_that_is_clearly_better():
    X, y = spectra()
    X[:, 2] = np.nan
    found = learned(X, y)
    assert found.described(3)[:2] == ["raw", "raw"]
    np.testing.assert_allclose(found.of_table(X)[:, :2], X[:, :2])
    tables = [(one - one.mean(axis=0)) / one.std(axis=0) for one in (X[:, :2], maps_by_hand(X[:, 0])[:2].T)]
    assert ridge_by_leave_one_out(tables[0], y - y.mean())[1] < 0.1 * ridge_by_leave_one_out(tables[1], y - y.mean())[1]
    # A map that was asked for is not taken back.
    rank = learned(X, y, only("rank", d=3))
    assert rank.described(3)[:2] == ["rank", "rank"]


def test_values_are_a_named_tuple_of_arrays_that_saving_can_write():
    X, y = long_tails()
    found = learned(X, y)
    assert isinstance(found, Values)
    assert found.shares.shape == (4, len(MAPS))
    assert len(found.heights) == len(found.knots.values) == found.knots.first[-1]
