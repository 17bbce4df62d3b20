"""Families that may replace the start: what each of them is, and when one does."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments import families
from keyhole.moments.contest import differences_of
from keyhole.moments.families import FAMILIES, descent, lasso, pairwise, products_of
from keyhole.moments.joint import Joint
from keyhole.moments.refitting import refit, refit_in_units, replaced
from keyhole.moments.rows import labels_of, standard_rows
from moments.made import random_rows, shared_factors, with_holes


def few_matter(n=3000, d=60, seed=0):
    """Attributes that share factors, and a label that depends on four of them alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)) @ rng.normal(size=(6, d)) / 2 + rng.normal(size=(n, d))
    weights = np.zeros(d)
    weights[rng.permutation(d)[:4]] = [1.0, -1.0, 1.0, -1.0]
    return X, X @ weights + 0.5 * rng.normal(size=n), weights


def some_start(d=6, r=2, seed=0):
    rng = np.random.default_rng(seed)
    nothing = np.zeros((d, 1))
    return Joint(
        0.1 * rng.normal(size=d),
        rng.normal(size=(d, r)) / 2,
        rng.uniform(0.5, 1.0, size=d),
        np.array([0.2]),
        rng.normal(size=(1, r)) / 2,
        np.array([0.5]),
        nothing,
    )


def plain_products(start, rows):
    d, n = rows.n_attributes, len(rows.start) - 1
    pairs, times, with_label = np.zeros((d, d)), np.zeros((d, d)), np.zeros(d)
    for t in range(n):
        inside = slice(rows.start[t], rows.start[t + 1] - 1)
        columns, z = rows.columns[inside], rows.values[inside] - start.mean[rows.columns[inside]]
        label = rows.values[rows.start[t + 1] - 1] - start.label_mean[0]
        pairs[np.ix_(columns, columns)] += np.outer(z, z)
        times[np.ix_(columns, columns)] += 1
        with_label[columns] += label * z
    return pairs, times, with_label


def test_products_are_those_of_a_loop_over_rows():
    start, rows = some_start(), random_rows(0, 40, 6, 1, 4)
    for found, plain in zip(products_of(start, rows), (*plain_products(start, rows), 40), strict=True):
        np.testing.assert_allclose(found, plain, atol=1e-12)


def test_pairwise_is_the_start_with_no_rows_and_the_mean_product_with_many(monkeypatch):
    start, everything = some_start(), np.arange(6)
    rows = random_rows(1, 4000, 6, 3, 5)
    monkeypatch.setattr(families, "IMAGINED", 1e12)
    same = pairwise(start, rows)
    np.testing.assert_allclose(same.covariance(everything), start.covariance(everything), atol=1e-6)
    np.testing.assert_allclose(same.cross(everything), start.cross(everything), atol=1e-6)
    np.testing.assert_allclose(same.label_variance(), start.label_variance())
    monkeypatch.setattr(families, "IMAGINED", 0.0)
    found, (pairs, times, with_label) = pairwise(start, rows), plain_products(start, rows)
    np.testing.assert_allclose(found.covariance(everything), pairs / times, atol=1e-10)
    np.testing.assert_allclose(found.cross(everything)[:, 0], with_label / np.diag(times), atol=1e-12)


def test_descent_is_the_plain_pass():
    start, rows = some_start(), random_rows(2, 30, 6, 1, 4)
    times = plain_products(start, rows)[1]
    rates = np.maximum(times, 1) / 30
    w, total, squares = np.zeros(6), np.zeros(6), 0.0
    for t, label in enumerate(labels_of(rows)[:, 0] - start.label_mean[0]):
        inside = slice(rows.start[t], rows.start[t + 1] - 1)
        seen = rows.columns[inside]
        x = np.zeros(6)
        x[seen] = rows.values[inside] - start.mean[seen]
        gradient = (np.outer(x, x) / rates) @ w - label * x / np.diag(rates)
        squares += gradient @ gradient
        w = w - families.RADIUS / np.sqrt(2 * squares) * gradient
        w /= max(np.linalg.norm(w) / families.RADIUS, 1.0)
        total += w
    np.testing.assert_allclose(descent(start, rows).weights()[0], total / 30, atol=1e-10)


def test_lasso_finds_the_few_and_fits_them_by_least_squares():
    X, y, weights = few_matter()
    learner = kh.KeyholeRegressor(8, random_state=0).fit(X, y)
    solution = learner._solution()
    start = solution.start or solution
    rows = standard_rows(learner.cells_, learner._targets(), start.units)
    found = lasso(start.joint, rows).weights()[0]
    chosen = np.flatnonzero(np.abs(found) > 1e-9)
    assert set(np.flatnonzero(weights)) <= set(chosen)
    assert len(chosen) <= 12
    products = products_of(start.joint, rows)
    cross = products.with_label[chosen] / np.diag(products.times)[chosen]
    np.testing.assert_allclose(start.joint.covariance(chosen) @ found[chosen], cross, atol=1e-9)


def test_where_few_matter_another_family_replaces_the_factors_and_is_better():
    X, y, _ = few_matter(8000)
    learner = kh.KeyholeRegressor(8, random_state=0).fit(X[:3000], y[:3000])
    solution = learner._solution()
    assert learner.family_ in FAMILIES
    assert [one["family"] for one in learner.candidates_ if one["kept"]] == [learner.family_]
    assert f"{learner.family_}, kept" in str(learner.summary())
    errors = [
        np.mean((X[3000:] @ one.coef[0] + one.intercept[0] - y[3000:]) ** 2) for one in (solution, solution.start)
    ]
    assert errors[0] < 0.8 * errors[1]
    risk = learner.risk_interval_
    assert risk.low < errors[0] < risk.high


@pytest.mark.parametrize("family", FAMILIES)
def test_all_that_follows_from_a_solution_follows_from_one_that_replaced_it(family):
    X, y, _ = few_matter(4000)
    learner = kh.KeyholeRegressor(8, random_state=0).fit(X[:3000], y[:3000])
    begun = learner._solution()
    cells, labels = learner.cells_, learner._targets()
    solution = cells.solved = replaced(begun.start or begun, family, cells, labels)
    new, targets = X[3000:], y[3000:]
    np.testing.assert_allclose(learner.predict(new), new @ solution.coef[0] + solution.intercept[0])
    again = refit(solution, cells, labels, 60, learner.seed_)
    np.testing.assert_allclose(again.coef, solution.coef, rtol=1e-8, atol=1e-10)
    near = refit_in_units(solution, standard_rows(cells, labels, solution.units), 5)
    np.testing.assert_allclose(near.coef, solution.coef, atol=0.1 * np.abs(solution.coef).max())
    predicted, deviation = learner.predict(with_holes(new, 20), return_std=True)
    left = np.mean((targets - predicted) ** 2)
    assert left < y.var()
    assert 0.5 < left / np.mean(deviation**2) < 1.5
    assert learner.next_attributes(np.full(60, np.nan))[0].drop > 0


@pytest.mark.parametrize("seed", range(4))
def test_where_factors_are_right_they_stay(seed):
    X, y = shared_factors(1000, seed=seed)
    learner = kh.KeyholeRegressor(4, random_state=seed).fit(X, y)
    assert learner.family_ == "factors"
    told = {one["family"]: one for one in learner.candidates_}
    assert set(told) == {"factors", "diagonal", *FAMILIES}
    assert "of the label's variance" in told["pairwise"]["why"]


def test_differences_are_near_the_true_ones():
    X, y = shared_factors(22_000)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:2000], y[:2000])
    start = learner._solution()
    less, errors = differences_of(start, learner.cells_, learner._targets(), learner.policy_, 60, 0)
    rows = standard_rows(learner.cells_, learner._targets(), start.units)
    for k, family in enumerate(FAMILIES.values()):
        weights = family(start.joint, rows).weights()[0] / start.units.scale * start.units.label_scale[0]
        ours, theirs = (y[2000:] - X[2000:] @ w for w in (start.coef[0], weights))
        assert abs(less[k] - (theirs.var() - ours.var()) / y[:2000].var()) < 3 * errors[k]


def test_why_nothing_was_compared():
    X, y = shared_factors(60)
    few = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    assert "60 rows are too few to compare on, 100 are the least" in few.candidates_[-1]["why"]
    dear = kh.KeyholeRegressor(1, random_state=0).fit(*shared_factors(400))
    assert "never revealed together" in dear.candidates_[-1]["why"]
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(300, 1001))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (
            "more than 1000 attributes"
            in kh.KeyholeRegressor(9, random_state=0).fit(wide, wide[:, 0]).candidates_[-1]["why"]
        )
