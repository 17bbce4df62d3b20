"""Families averaged by held-out support: the fits of folds, and all that follows from an average."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.averaging import averaged, cross_fit, refitted, resumed, with_derived
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.selection import select_start
from keyhole.moments.families.weights import best_weights
from keyhole.moments.honest.support import support_of
from keyhole.moments.standard.rows import standardised_rows
from moments.conftest import correlated, few_matter, shared_factors, training, with_holes

OTHERS = [FAMILIES[name] for name in ("diagonal", "pairwise", "lasso")]


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
        found = best_weights(support_of(changed, designs, ~mine), data.labels[~mine, 0])
        np.testing.assert_array_equal(found, cross.weights[f])
    average = cross.averages()[1]
    expected = np.tensordot(cross.weights[1], [one.coef for one in cross.fits[1]], 1)
    np.testing.assert_allclose(average.coef, expected, rtol=1e-12)


def test_support_of_complete_rows_is_the_plain_covariance():
    """Every cell is shown, so products and squares are those of the predictions themselves, held within the labels."""
    X, y = correlated(200)
    data = training(X, y)
    start = FAMILIES["factors"].fit(data, 30)
    cross = cross_fit(start, [], data, 30)
    for f in range(5):
        mine, fit = cross.folds == f, cross.fits[f][0]
        scales = fit.scales
        predicted = scales.held(X[mine] @ fit.coef[0] + fit.intercept[0]) - scales.label_mean[0]
        beyond = y[mine] - scales.label_mean[0]
        np.testing.assert_allclose(
            cross.rows.products[0, mine], beyond * predicted / scales.label_scale[0] ** 2, rtol=1e-8
        )
        np.testing.assert_allclose(
            cross.rows.squares[0, mine], predicted**2 / scales.label_scale[0] ** 2, rtol=1e-6, atol=1e-9
        )


@pytest.mark.parametrize("k", [4, 20])
def test_covariances_with_a_label_of_noise_have_the_errors_of_chance(k):
    """Their standard deviation over tables, in these errors, is 1; with those of independent rows it would be 1.4."""
    ratios = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(300, 20)), rng.normal(size=300)
        data = training(with_holes(X, k, seed) if k < 20 else X, y)
        start = FAMILIES["factors"].fit(data, 10)
        support = support_of(cross_fit(start, [], data, 10).rows, data.cells.designs)
        ratios.append(support.with_label[0] / support.by_chance[0])
    assert 0.75 < np.std(ratios) < 1.25
    assert np.max(ratios) < 3.0


def test_an_average_of_a_learner_follows_units_and_never_flips():
    X, y = shared_factors(300)
    plain = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    other = kh.KeyholeRegressor(4, random_state=0).fit(1000.0 * X, 0.001 * y)
    weights = [[weight for _, weight in fit._solution().members] for fit in (plain, other)]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-8)
    np.testing.assert_allclose(other.predict(1000.0 * X), 0.001 * plain.predict(X), rtol=1e-6, atol=1e-9)
