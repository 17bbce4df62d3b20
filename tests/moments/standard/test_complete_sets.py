"""Rows that show the same attributes, by enumeration; ridge regression on them, against scikit-learn and refits."""

from collections import Counter

import numpy as np
import pytest
from sklearn.linear_model import Ridge, RidgeCV

from keyhole.common.penalties import RIDGE_PENALTIES
from keyhole.moments.standard.complete_sets import most_frequent_set, ridge_by_leave_one_out

NOTHING = np.empty(0, dtype=np.int64)


def random_cells(seed, n=60, d=6):
    """Rows that show up to three of six attributes, in any order; and the set of each row."""
    rng = np.random.default_rng(seed)
    sets = [rng.choice(d, size=rng.integers(0, 4), replace=False) for _ in range(n)]
    row = np.repeat(np.arange(n), [len(some) for some in sets])
    return row, np.concatenate([*sets, NOTHING]).astype(np.int64), sets


@pytest.mark.parametrize("seed", range(10))
def test_the_most_frequent_set_is_found_and_every_row_that_shows_it(seed):
    row, attributes, sets = random_cells(seed)
    found = most_frequent_set(row, attributes, len(sets), 6)
    counts = Counter(frozenset(some.tolist()) for some in sets if len(some))
    assert counts[frozenset(found.attributes.tolist())] == max(counts.values())
    assert (np.diff(found.attributes) > 0).all()
    # Rows that show more than the set are complete rows of it too.
    shown = [t for t, some in enumerate(sets) if set(found.attributes.tolist()) <= set(some.tolist())]
    assert found.rows.tolist() == shown
    values = np.random.default_rng(seed).normal(size=len(row))
    table = found.table(row, values)
    for t, line in zip(found.rows, table, strict=True):
        for i, value in zip(found.attributes, line, strict=True):
            assert value == values[(row == t) & (attributes == i)]


def test_of_rows_that_show_nothing_there_is_no_set():
    for n in (0, 5):
        found = most_frequent_set(NOTHING, NOTHING, n, 6)
        assert [len(part) for part in found] == [0, 0, 0]
        assert found.table(NOTHING, np.empty(0)).shape == (0, 0)


def test_rows_that_show_nothing_do_not_count():
    found = most_frequent_set(np.array([3, 3]), np.array([4, 1]), 10, 6)
    assert found.attributes.tolist() == [1, 4]
    assert found.rows.tolist() == [3]
    assert found.column.tolist() == [1, 0]


def centred(n, d, noise, seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    labels = table @ rng.normal(size=d) + noise * rng.normal(size=n)
    return table - table.mean(axis=0), labels - labels.mean()


@pytest.mark.parametrize(("n", "d", "noise"), [(40, 3, 1.0), (40, 3, 4.0), (15, 10, 3.0), (12, 30, 3.0)])
def test_it_is_ridge_with_the_penalty_of_the_least_leave_one_out_error(n, d, noise):
    table, labels = centred(n, d, noise, 0)
    weights, error = ridge_by_leave_one_out(table, labels)
    ridge = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd", store_cv_results=True).fit(table, labels)
    np.testing.assert_allclose(weights, ridge.coef_, rtol=1e-6, atol=1e-9)
    assert error == pytest.approx(-ridge.best_score_, rel=1e-6)


def test_the_error_is_that_of_fits_without_each_row():
    table, labels = centred(20, 4, 2.0, 1)
    _, error = ridge_by_leave_one_out(table, labels)
    penalty = RidgeCV(RIDGE_PENALTIES, gcv_mode="svd").fit(table, labels).alpha_
    left = []
    for t in range(20):
        others = np.arange(20) != t
        left.append(labels[t] - Ridge(penalty).fit(table[others], labels[others]).predict(table[t : t + 1])[0])
    assert error == pytest.approx(np.mean(np.square(left)), rel=1e-8)


def test_where_nothing_is_better_than_the_mean_of_the_others_all_weights_are_0():
    labels = np.where(np.arange(12) < 6, 1.0, -1.0)
    noise = np.tile([1.0, -1.0, 0.0], 4)[:, None]  # it has nothing to do with the labels
    weights, error = ridge_by_leave_one_out(noise - noise.mean(), labels)
    assert weights.tolist() == [0.0]
    assert error == pytest.approx(np.mean([(y - (0.0 - y) / 11) ** 2 for y in labels]))
