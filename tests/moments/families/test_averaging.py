"""Families averaged by held-out support: the weights against a slow program, and all that follows from an average."""

import numpy as np
import pytest
from scipy.optimize import minimize

import keyhole as kh
from keyhole.moments.families.averaging import averaged, best_weights, cross_fit, refitted, resumed, with_derived
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.selection import select_start
from keyhole.moments.families.settings import (
    CAUTION,
    DOUBT,
    DOUBT_OF_OTHERS,
    DOUBTED_ROWS,
    LEAST_LEFT,
    LEAST_WEIGHT,
    PULL,
    PULL_OF_OTHERS,
)
from keyhole.moments.honest.support import Support, support_of
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import correlated, few_matter, shared_factors, training, with_holes

OTHERS = [FAMILIES[name] for name in ("diagonal", "pairwise", "lasso")]


def support_with(with_label, among, error, apart, exact=None, n_rows=None):
    """Of some predictors; assessed on so many rows that these do not matter, unless their number is given."""
    m = len(with_label)
    return Support(
        with_label=with_label,
        among=among,
        error=error,
        difference_error=apart,
        exact=np.zeros(m, dtype=bool) if exact is None else exact,
        n_rows=np.full(m, 1e12) if n_rows is None else n_rows,
    )


def random_support(seed, m=5):
    """Predictors with covariances among each other, and some that have hardly anything to do with the label."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(m, m + 2)) / np.sqrt(m + 2) + rng.uniform(0, 1, size=(1, m + 2)) * rng.uniform(0, 2)
    errors = rng.uniform(0.01, 0.2, size=m)
    apart = np.minimum(errors, rng.uniform(0.0, 0.1, size=m))
    apart[0] = 0.0
    among = W @ W.T / 4
    with_label = np.diag(among) * rng.uniform(0.2, 1.5, size=m)
    exact = rng.random(m) < 0.3
    return support_with(with_label, among, errors, apart, exact, rng.uniform(30, 3000, size=m))


def error_of(weights, support):
    """What is minimised: the error of an average, with caution, and the pull toward the start alone."""
    c, H = support.with_label, support.among
    doubt = np.array([DOUBT] + [DOUBT_OF_OTHERS] * (len(c) - 1)) * (1.0 + DOUBTED_ROWS / support.n_rows)
    sure = c**3 / (c**2 + doubt * support.error**2)
    sure[1:] -= CAUTION * support.difference_error[1:]
    toward = np.zeros(len(c))
    toward[0] = np.clip(sure[0] / H[0, 0], 0.0, 1.0)
    left = min(max(1.0 - 2.0 * toward[0] * sure[0] + toward[0] ** 2 * H[0, 0], LEAST_LEFT), 1.0)
    pull = np.array([PULL if a == 0 or support.exact[a] else PULL_OF_OTHERS for a in range(len(c))]) * left
    return 1.0 - 2.0 * weights @ sure + weights @ H @ weights + np.sum(pull * (weights - toward) ** 2)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_weights_minimise_the_error_over_all_averages(m):
    for seed in range(30):
        support = random_support(seed, m)
        found = best_weights(support)
        assert (found >= 0).all()
        assert found.sum() <= 1.0 + 1e-9
        slow = minimize(
            error_of,
            np.full(m, 0.5 / m),
            (support,),
            method="SLSQP",
            bounds=[(0, 1)] * m,
            constraints={"type": "ineq", "fun": lambda a: 1.0 - a.sum()},
            options={"ftol": 1e-13, "maxiter": 500},
        ).x
        slow[slow < LEAST_WEIGHT] = 0.0
        np.testing.assert_allclose(found, slow, atol=2e-4)


def test_what_does_not_covary_with_the_label_has_no_weight():
    nothing = support_with(np.array([-0.1, -0.2]), np.eye(2) * 0.3, np.full(2, 0.01), np.array([0.0, 0.01]))
    assert best_weights(nothing).tolist() == [0.0, 0.0]
    # A covariance of one standard error counts by a third: 0.2 / 3 of a variance of 0.4, and the pull keeps it there.
    unsure = support_with(np.array([0.2]), np.array([[0.4]]), np.array([0.2]), np.zeros(1))
    np.testing.assert_allclose(best_weights(unsure), [1 / 6])


def test_predictors_that_are_equal_leave_the_start_alone():
    same = support_with(np.full(3, 0.5), np.full((3, 3), 0.5), np.full(3, 0.01), np.array([0.0, 0.001, 0.001]))
    weights = best_weights(same)
    assert weights[0] > 0.95
    assert weights[1:].sum() < 0.05


@pytest.fixture(scope="module")
def data():
    X, y, _ = few_matter(600, 20)
    return training(with_holes(X, 6), y)


@pytest.fixture(scope="module")
def start(data):
    return select_start(data, 40)


@pytest.fixture(scope="module")
def solutions(data, start):
    families = [family for family in OTHERS if family is not start.family]
    return with_derived(start, families, standardised_rows(data.cells, data.labels, start.scales))


WEIGHTS = np.array([0.4, 0.1, 0.2, 0.1])


def test_an_average_predicts_the_mean_of_its_members_and_of_the_mean_label(data, solutions):
    average = averaged(solutions, WEIGHTS)
    X, _, _ = few_matter(50, 20, seed=0)
    each = np.array([X @ one.coef[0] + one.intercept[0] for one in solutions])
    expected = WEIGHTS @ each + 0.2 * data.labels.mean()
    np.testing.assert_allclose(X @ average.coef[0] + average.intercept[0], expected, rtol=1e-10)
    assert [(family.name, weight) for family, weight in average.members] == [
        (one.family.name, weight) for one, weight in zip(solutions, WEIGHTS, strict=True)
    ]
    assert average.start is solutions[0]


def test_the_family_of_an_average_is_that_of_the_largest_weight(solutions):
    for most in range(4):
        weights = np.where(np.arange(4) == most, 0.5, 0.1)
        assert averaged(solutions, weights).family is solutions[most].family


def test_the_moments_of_an_average_imply_its_predictor(solutions):
    average = averaged(solutions, WEIGHTS)
    implied = average.with_moments(average.joint, average.scales)
    np.testing.assert_allclose(implied.coef, average.coef, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(implied.intercept, average.intercept, rtol=1e-8)
    everything = np.arange(20)
    covariance = average.joint.covariance(everything)
    np.testing.assert_array_equal(covariance, solutions[0].joint.covariance(everything))


def test_one_member_with_all_the_weight_is_that_member(solutions):
    for m, one in enumerate(solutions):
        alone = averaged(solutions, np.eye(4)[m])
        np.testing.assert_allclose(alone.coef, one.coef, rtol=1e-12)
        np.testing.assert_allclose(alone.intercept, one.intercept, rtol=1e-12)


def test_refitted_to_other_rows_it_is_the_average_of_refitted_members(data, solutions):
    average, half = averaged(solutions, WEIGHTS), data.where(np.arange(data.n_rows) < 300)
    found = refitted(average, half, 40)
    each = [one.family.refit(one, half, 40) for one in solutions]
    np.testing.assert_allclose(found.coef, np.tensordot(WEIGHTS, [one.coef for one in each], 1), rtol=1e-8, atol=1e-10)
    assert [weight for _, weight in found.members] == WEIGHTS.tolist()
    same = refitted(average, data, 40)
    np.testing.assert_allclose(same.coef, average.coef, rtol=1e-8, atol=1e-10)


def test_resumed_it_keeps_its_scales_and_weights(data, solutions):
    average = averaged(solutions, WEIGHTS)
    rows = standardised_rows(data.cells, data.labels, average.scales)
    some = rows.take(np.random.default_rng(0).integers(data.n_rows, size=data.n_rows))
    found = resumed(average, some, 10)
    each = [one.family.resume(one, some, 10) for one in solutions]
    np.testing.assert_allclose(found.coef, np.tensordot(WEIGHTS, [one.coef for one in each], 1), rtol=1e-8, atol=1e-10)
    assert found.scales is average.scales
    assert [weight for _, weight in found.members] == WEIGHTS.tolist()


def test_a_family_without_weight_is_not_derived_again(data, solutions):
    weights = np.array([0.0, 0.0, 0.7, 0.0])
    found = refitted(averaged(solutions, weights), data, 40)
    assert [(family.name, weight) for family, weight in found.members] == [
        (solutions[0].family.name, 0.0),  # the others are derived from it
        (solutions[2].family.name, 0.7),
    ]
    np.testing.assert_allclose(found.coef, 0.7 * solutions[2].coef, rtol=1e-8, atol=1e-12)


def test_where_no_attribute_varies_every_family_is_the_start(start, data):
    constant = start._replace(scales=start.scales._replace(scale=np.zeros(20)))
    rows = standardised_rows(data.cells, data.labels, constant.scales)
    assert with_derived(constant, OTHERS, rows) == [constant] * 4


@pytest.fixture(scope="module")
def cross(data, start):
    return cross_fit(start, [family for family in OTHERS if family is not start.family], data, 20)


def test_fits_of_a_fold_are_those_of_the_other_rows(data, start, cross):
    assert sorted(np.bincount(cross.folds).tolist()) == [120] * 5
    part = data.where(cross.folds != 2)
    begun = start.family.refit(start, part, 20)
    np.testing.assert_allclose(cross.fits[2][0].coef, begun.coef, rtol=1e-9, atol=1e-12)
    assert [one.family.name for one in cross.fits[2]] == [
        start.family.name,
        *(f.name for f in OTHERS if f is not start.family),
    ]


def test_the_weights_of_a_fold_owe_nothing_to_its_rows(data, start, cross):
    """Other labels in the rows of one fold change what is known of the others, and not the weights for that fold."""
    designs = data.cells.designs
    for f in range(5):
        mine = cross.folds == f
        changed = cross.rows._replace(products=np.where(mine, 1e3, cross.rows.products))
        np.testing.assert_array_equal(best_weights(support_of(changed, designs, ~mine)), cross.weights[f])
    average = cross.averages()[1]
    expected = np.tensordot(cross.weights[1], [one.coef for one in cross.fits[1]], 1)
    np.testing.assert_allclose(average.coef, expected, rtol=1e-12)


def test_support_of_complete_rows_is_the_plain_covariance():
    """Every cell is shown, so products and squares are those of the predictions themselves."""
    X, y = correlated(200)
    data = training(X, y)
    start = FAMILIES["factors"].fit(data, 30)
    cross = cross_fit(start, [], data, 30)
    for f in range(5):
        mine, fit = cross.folds == f, cross.fits[f][0]
        scales = fit.scales
        predicted = X[mine] @ fit.coef[0] + fit.intercept[0] - scales.label_mean[0]
        beyond = y[mine] - scales.label_mean[0]
        np.testing.assert_allclose(
            cross.rows.products[0, mine], beyond * predicted / scales.label_scale[0] ** 2, rtol=1e-8
        )
        np.testing.assert_allclose(
            cross.rows.squares[0, mine], predicted**2 / scales.label_scale[0] ** 2, rtol=1e-6, atol=1e-9
        )


def test_an_average_of_a_learner_follows_units_and_never_flips():
    X, y = shared_factors(300)
    plain = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    other = kh.KeyholeRegressor(4, random_state=0).fit(1000.0 * X, 0.001 * y)
    weights = [[weight for _, weight in fit._solution().members] for fit in (plain, other)]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-8)
    np.testing.assert_allclose(other.predict(1000.0 * X), 0.001 * plain.predict(X), rtol=1e-6, atol=1e-9)
