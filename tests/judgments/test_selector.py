"""The selector against the plain reference, exhaustive search, and what must not matter."""

import numpy as np
import pytest
from sklearn.base import clone

from judgments import reference
from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import MultiSelector
from keyhole.judgments.core.estimated_moments import estimate
from keyhole.judgments.core.projected_loss import predictor

# What is compared here are choices; whether a loss is possible is tested in core/test_impossible_loss.py.
pytestmark = pytest.mark.filterwarnings("ignore::keyhole.judgments.core.impossible_loss.ImpossibleLoss")

METHODS = ("full", "scoring", "averages", "copies")


@pytest.mark.parametrize(("method", "scaling"), [*((method, "deviation") for method in METHODS), ("full", "none")])
def test_equal_to_the_reference_on_200_random_instances(method, scaling, random_instance):
    for seed in range(200):
        values, y = random_instance(seed)
        budget = 1 + seed % 12
        selector = MultiSelector(max(budget, values.shape[2]), method, scaling=scaling).fit(values, y)
        repeats, losses = reference.select(values, y, max(budget, values.shape[2]), method, scaling)
        np.testing.assert_array_equal(selector.repeats_, repeats, err_msg=f"seed {seed}")
        np.testing.assert_allclose(selector.path_["projected_loss"], losses, rtol=0, atol=1e-8 * np.var(y))


@pytest.mark.parametrize("per_cost", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_equal_to_the_reference_with_costs_and_ridge(method, per_cost, random_instance):
    for seed in range(40):
        values, y = random_instance(seed)
        costs = np.random.default_rng(seed).choice([0.25, 0.5, 1, 1.5, 4], size=values.shape[1])
        budget = float(costs.min()) * values.shape[2] + seed % 10
        rule = "gain per cost" if per_cost else "gain"
        selector = MultiSelector(budget, method, costs=costs, ridge=0.1, rule=rule).fit(values, y)
        repeats, losses = reference.select(values, y, budget, method, ridge=0.1, costs=costs, per_cost=per_cost)
        np.testing.assert_array_equal(selector.repeats_, repeats, err_msg=f"seed {seed}")
        np.testing.assert_allclose(selector.path_["projected_loss"], losses, rtol=0, atol=1e-8 * np.var(y))
        assert selector.spent_ == pytest.approx(selector.repeats_ @ costs)
        assert selector.spent_ <= budget * (1 + 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_multi_selector_as_printed_is_algorithm_1_or_a_method_that_it_is_compared_with(method, random_instance):
    stopped_early = 0
    for seed in range(60):
        # With fewer objects than copies several copies fit the labels exactly, and rounding decides among them.
        values, y = with_and_without_noise(random_instance, seed, m=40 if method == "copies" else None)
        budget = values.shape[2] + seed % 12
        selector = MultiSelector.as_printed(budget, method=method).fit(values, y)
        if method in ("full", "scoring"):
            expected, objectives = reference.algorithm_1(values, y, budget, method)
            assert selector.repeats_.sum() == budget
            losses = selector.path_["projected_loss"]
            np.testing.assert_allclose(losses, np.var(y) - objectives, rtol=0, atol=1e-8 * np.var(y))
        else:
            expected, _ = reference.select(values, y, budget, method, "none", per_cost=False, spend_all=True)
        np.testing.assert_array_equal(selector.repeats_, expected, err_msg=f"seed {seed}")
        stopped_early += clone(selector).set_params(spend_all=False).fit(values, y).repeats_.sum() < budget
    assert stopped_early


@pytest.mark.parametrize("seed", range(20))
def test_the_printed_objective_where_its_matrix_is_singular(seed, random_instance):
    """Attributes without noise of which one is a constant and others are combinations of each other, in all units."""
    noisy, y = random_instance(seed, d=3, m=12, k=3)  # few objects: Sigma mostly has negative eigenvalues
    rng = np.random.default_rng(seed)
    exact = rng.normal(size=(12, 2))
    exact = np.column_stack([np.full(12, 7.0), exact, exact @ [2.0, -1.0], exact[:, 0] + 3]) * [1, 0.1, 1, 10, 40]
    values = np.concatenate([noisy, np.repeat(exact[:, :, None], 3, axis=2)], axis=1)[:, rng.permutation(8)]
    selector = MultiSelector.as_printed(30).fit(values, y)
    repeats, objectives = reference.algorithm_1(values, y, 30, "full")
    np.testing.assert_array_equal(selector.repeats_, repeats)
    losses = selector.path_["projected_loss"]
    np.testing.assert_allclose(losses, np.var(y) - objectives, rtol=0, atol=1e-8 * np.var(y))

    b, v, sigma, _ = reference.moments(values, y)
    sigma, everything = reference.nearest_psd(sigma, np.ones(8)), np.arange(1, 9)
    M = sigma + np.diag(v / everything)
    assert np.linalg.matrix_rank(M, tol=1e-12 * np.trace(M)) == 5
    coef, _ = predictor(estimate(values, y, list("abcdefgh")), sigma, everything)
    assert coef @ b == pytest.approx(reference.objective(sigma, b, v, everything), abs=1e-8 * np.var(y))


def with_and_without_noise(random_instance, seed, m=None):
    """In every third instance all judgments of a cell are the same, so that a second one gains nothing."""
    values, y = random_instance(seed, m=m)
    return np.repeat(values[:, :, :1], values.shape[2], axis=2) if seed % 3 == 0 else values, y


def test_without_any_one_of_its_printed_parameters_the_selection_is_another(random_instance):
    """With one attribute that costs 4, as in the paper's experiments: with unit costs both rules are the same."""
    different = dict.fromkeys(MultiSelector.printed_parameters, 0)
    assert set(different) == {"rule", "scaling", "spend_all"}
    defaults = MultiSelector(1).get_params()
    for seed in range(30):
        values, y = with_and_without_noise(random_instance, seed)
        printed = MultiSelector.as_printed(10, costs=[4, *[1] * (values.shape[1] - 1)]).fit(values, y)
        for name in different:
            other = clone(printed).set_params(**{name: defaults[name]}).fit(values, y)
            different[name] += not np.array_equal(other.repeats_, printed.repeats_)
    assert all(different.values()), different


def test_where_nothing_gains_the_printed_algorithm_asks_for_the_first_attribute():
    values, y = np.ones((20, 3, 2)), np.arange(20.0)
    expected = {"full": [5, 0, 0], "scoring": [5, 0, 0], "averages": [2, 2, 0], "copies": [2, 2, 1]}
    for method, repeats in expected.items():
        np.testing.assert_array_equal(MultiSelector.as_printed(5, method=method).fit(values, y).repeats_, repeats)


@pytest.mark.parametrize("label", ["age", "happy", "outdoors"])
@pytest.mark.parametrize(("budget", "methods"), [(5, METHODS), (15, METHODS), (40, ("full", "scoring"))])
def test_equal_to_the_reference_on_faces(label, budget, methods, faces):
    judgments, names = faces
    at = names.index(label)
    values, y = np.delete(judgments, at, axis=1)[::2, :, :2], judgments[::2, at].mean(axis=1)
    for method in methods:
        selector = MultiSelector(budget, method).fit(values, y)
        repeats, losses = reference.select(values, y, budget, method)
        np.testing.assert_array_equal(selector.repeats_, repeats, err_msg=method)
        np.testing.assert_allclose(selector.path_["projected_loss"], losses, rtol=0, atol=1e-8 * np.var(y))


def test_scoring_is_optimal_by_exhaustive_search(random_instance):
    """Theorem 3.2, unit costs."""
    for seed in range(30):
        values, y = random_instance(seed, d=1 + seed % 4, m=30)
        budget = 2 + seed % 6
        selector = MultiSelector(budget, "scoring").fit(values, y)
        explained = selector.label_variance_ - selector.projected_loss_
        assert explained == pytest.approx(reference.best_scoring(values, y, budget), rel=1e-9)


def test_greedy_by_gain_per_cost_need_not_be_optimal():
    """Why Theorem 3.2 is for unit costs: a cheap purchase can leave too little for the best one."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(400, 2))
    y = truth @ [1.0, 0.2]
    values = np.repeat(truth[:, :, None], 2, axis=2)
    cheap_first = MultiSelector(4, "scoring", costs=[4, 0.1]).fit(values, y)
    by_gain = MultiSelector(4, "scoring", costs=[4, 0.1], rule="gain").fit(values, y)
    np.testing.assert_array_equal(cheap_first.repeats_, [0, 1])
    np.testing.assert_array_equal(by_gain.repeats_, [1, 0])
    assert by_gain.projected_loss_ < cheap_first.projected_loss_


def test_a_long_path_stays_equal_to_the_pseudo_inverse(random_instance):
    values, y = random_instance(3, d=12, m=40, k=2)
    selector = MultiSelector(400).fit(values, y)
    b, v, sigma, unit = reference.moments(values, y)
    sigma = reference.nearest_psd(sigma, unit)
    r = np.zeros(12, dtype=int)
    for name, loss in zip(selector.path_["bought"], selector.path_["projected_loss"], strict=True):
        r[int(name[1:])] += 1
        assert loss == pytest.approx(np.var(y) - reference.objective(sigma, b, v, r), abs=1e-8 * np.var(y))


def test_bundles_equal_the_reference(random_instance):
    for seed in range(30):
        values, y = random_instance(seed, d=6)
        bundles = {"screen": ["x1", "x4", "x2"], "other": ["x5", "x3"]}
        costs = {"screen": 1.5, "other": 1.0, "x0": 0.75}
        selector = MultiSelector(7.5, costs=costs, bundles=bundles).fit(values, y)
        b, v, sigma, unit = reference.moments(values, y)
        offers = [([0], 0.75), ([1, 2, 4], 1.5), ([3, 5], 1.0)]
        _, repeats, path = reference.naive_greedy(reference.nearest_psd(sigma, unit), b, v, offers, 7.5, np.var(y))
        np.testing.assert_array_equal(selector.repeats_, repeats)
        np.testing.assert_allclose(selector.path_["projected_loss"], np.var(y) - path, atol=1e-8 * np.var(y), rtol=0)
        assert selector.repeats_[1] == selector.repeats_[2] == selector.repeats_[4]


@pytest.mark.parametrize("method", METHODS)
def test_units_and_constants_never_matter(method, random_instance):
    for seed in range(20):
        values, y = random_instance(seed)
        before = MultiSelector(8, method).fit(values, y)
        rng = np.random.default_rng(seed)
        units = 10 ** rng.uniform(-3, 3, size=(values.shape[1], 1))
        after = MultiSelector(8, method).fit(values * units + 100 * units * rng.normal(size=units.shape), y)
        np.testing.assert_array_equal(before.repeats_, after.repeats_)
        assert after.projected_loss_ == pytest.approx(before.projected_loss_, abs=1e-8 * np.var(y))


@pytest.mark.parametrize("method", METHODS)
def test_constant_and_identical_attributes_break_nothing(method, random_instance):
    values, y = random_instance(5, d=3, m=40, k=2)
    awkward = np.concatenate([np.full((40, 1, 2), 7.0), values, values[:, ::-1]], axis=1)
    selector = MultiSelector(12, method).fit(awkward, y)
    assert selector.repeats_[0] == 0
    assert selector.repeats_.sum() <= 12
    assert np.isfinite(selector.projected_loss_)


def test_ties_go_to_the_lowest_index():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(50, 1))
    values = np.repeat(np.repeat(truth[:, :, None], 3, axis=1), 2, axis=2)
    for method, repeats in (("full", [1, 0, 0]), ("averages", [2, 0, 0]), ("copies", [1, 0, 0])):
        np.testing.assert_array_equal(MultiSelector(6, method).fit(values, truth[:, 0]).repeats_, repeats)
    noisy = truth[:, :, None] + rng.normal(size=(50, 1, 2))
    pair = np.concatenate([noisy, noisy], axis=1)
    assert MultiSelector(1, "scoring").fit(pair, truth[:, 0]).path_["bought"] == ["x0"]
    np.testing.assert_array_equal(MultiSelector(5, "scoring").fit(pair, truth[:, 0]).repeats_, [3, 2])


def test_nothing_useful_is_not_bought():
    """Where no purchase gains, the budget is kept: every attribute is a constant."""
    selector = MultiSelector(5).fit(np.ones((20, 3, 2)), np.arange(20.0))
    assert selector.repeats_.sum() == 0
    assert selector.projected_loss_ == selector.label_variance_
    assert selector.path_.n_rows == 0


def test_numbers_of_judgments_may_differ_between_attributes(random_instance):
    """The paper's footnote 5: k[a] in place of k."""
    values, y = random_instance(21, d=4, m=30, k=4)
    k = np.array([2, 4, 3, 2])
    uneven = np.where(np.arange(4) < k[:, None], values, np.nan)
    v = np.array([np.mean([np.var(cell[: k[a]], ddof=1) for cell in values[:, a]]) for a in range(4)])
    xbar = np.column_stack([values[:, a, : k[a]].mean(axis=1) for a in range(4)])
    centred = xbar - xbar.mean(axis=0)
    sigma = centred.T @ centred / 30 - np.diag(v / k)
    sigma = reference.nearest_psd(sigma, centred.std(axis=0))
    b = centred.T @ (y - y.mean()) / 30
    offers = [([a], 1.0) for a in range(4)]
    _, repeats, path = reference.naive_greedy(sigma, b, v, offers, 9, np.var(y))
    selector = MultiSelector(9).fit(uneven, y)
    np.testing.assert_array_equal(selector.repeats_, repeats)
    np.testing.assert_allclose(selector.path_["projected_loss"], np.var(y) - path, atol=1e-8 * np.var(y), rtol=0)
    bought = MultiSelector(9, "averages").fit(uneven, y).repeats_
    assert set(zip(bought[bought > 0], k[bought > 0], strict=True)) <= {(2, 2), (4, 4), (3, 3)}
    assert (MultiSelector(11, "copies").fit(uneven, y).repeats_ <= k).all()


@pytest.mark.parametrize("method", METHODS)
def test_empty_cells_are_allowed(method, random_instance):
    values, y = random_instance(22, d=5, m=80, k=3)
    gaps = np.random.default_rng(0).random((80, 5)) < 0.2
    values[gaps] = np.nan
    selector = MultiSelector(9, method).fit(values, y)
    assert 0 < selector.repeats_.sum() <= 9
    assert selector.projected_loss_ < selector.label_variance_


def test_max_repeats_is_kept(random_instance):
    judgments, y = random_instance(2, d=3, m=50)
    free = MultiSelector(30).fit(judgments, y)
    capped = MultiSelector(30, max_repeats=4).fit(judgments, y)
    assert free.repeats_.max() > 4
    assert capped.repeats_.max() == 4


def test_arguments_are_kept_as_given_and_the_choice_is_repeatable(random_instance):
    values, y = random_instance(8)
    selector = MultiSelector(9, "scoring", costs=[1.0] * values.shape[1], ridge=0.2)
    again = clone(selector).fit(values, y)
    np.testing.assert_array_equal(again.repeats_, selector.fit(values, y).repeats_)
    assert again.get_params() == selector.get_params()
    assert again.n_features_in_ == values.shape[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": 0.5}, "budget=0.5: it pays for no judgment; the cheapest, of 'a', costs 1"),
        ({"budget": 3, "costs": {"a": 4, "b": 5, "c": 3.5}}, "budget=3: .* of 'c', costs 3.5"),
        ({"budget": -1}, "budget=-1: MultiSelector needs a finite number, 0 or more"),
        ({"budget": "many"}, "budget='many': MultiSelector needs a finite number, 0 or more"),
        ({"method": "best"}, "method='best': MultiSelector takes 'full' or"),
        ({"rule": "luck"}, "rule='luck'"),
        ({"scaling": "some"}, "scaling='some'"),
        ({"ridge": -0.1}, "ridge=-0.1: MultiSelector needs a finite number, 0 or more"),
        ({"max_repeats": 0}, "max_repeats=0: MultiSelector needs a whole number, 1 or more"),
        ({"costs": {"a": 1}}, "costs: no cost is given for 'b', 'c'"),
        ({"bundles": {"a": ["b"]}}, "bundles: bundle 'a' has the name of an attribute"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, message, crowd):
    table, labels = crowd(0, objects=20, severity=0.0)
    with pytest.raises(ParameterError, match=message) as caught:
        MultiSelector(**{"budget": 5, **arguments}).fit(table, labels)
    assert caught.value.parameter in arguments


def test_labels_that_are_all_the_same(crowd):
    table, labels = crowd(0, objects=20, severity=0.0)
    with pytest.raises(BadValue, match="all 20 labels are 3; labels must vary"):
        MultiSelector(5).fit(table, dict.fromkeys(labels, 3.0))


def test_a_failed_fit_leaves_nothing_half_learned(crowd):
    table, labels = crowd(0, objects=20, severity=0.0)
    selector = MultiSelector(5).fit(table, labels)
    before = selector.repeats_.copy()
    with pytest.raises(BadValue):
        selector.fit(table, labels | {"zoe": 1.0})
    np.testing.assert_array_equal(selector.repeats_, before)


def test_estimates_are_those_of_the_reference(random_instance):
    values, y = random_instance(4, d=4, m=50)
    selector = MultiSelector(6).fit(values, y)
    b, v, sigma, unit = reference.moments(values, y)
    np.testing.assert_allclose(selector.covariance_with_label_, b, rtol=1e-10)
    np.testing.assert_allclose(selector.internal_variance_, v, rtol=1e-10)
    np.testing.assert_allclose(selector.external_variance_, np.maximum(np.diag(sigma), 0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(selector.external_covariance_, reference.nearest_psd(sigma, unit), atol=1e-9)


def test_the_path_goes_into_frames(crowd):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    path = MultiSelector(5).fit(*crowd(0, objects=30, severity=0.0)).path_
    assert list(pandas.DataFrame(path).columns) == list(path)
    assert polars.DataFrame(path).shape == (5, 6)


@pytest.mark.parametrize("method", ["full", "averages", "copies"])
def test_empty_cells_never_make_a_loss_negative(method):
    """Three attributes without noise, the first two equal, a tenth of the cells empty; half of the label is noise."""
    for seed in range(30, 40):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=200)
        truth = np.column_stack([a, a, a + rng.normal(size=200)])
        y = a + rng.normal(size=200)
        values = np.repeat(truth[:, :, None], 2, 2)
        values[rng.random((200, 3)) < 0.1] = np.nan
        selector = MultiSelector(6, method).fit(values, y)
        assert 0.25 < selector.projected_loss_ / selector.label_variance_ < 0.75
