"""Which attributes to buy for a prediction."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.checks import RecordingSource
from moments.made import fitted, shared_factors

UNKNOWN = np.full(12, np.nan)


@pytest.fixture(scope="module")
def learner():
    return fitted()


def dense_gain(learner, known, more):
    """By matrices of all attributes, what ``more`` explain on top of ``known``."""
    joint = learner._judged().subsets.main.joint

    def explained(some):
        some = np.array(some, dtype=int)
        cross = joint.cross(some)[:, 0]
        return cross @ np.linalg.solve(joint.covariance(some), cross) if len(some) else 0.0

    return explained([*known, *more]) - explained(known)


def test_the_best_by_matrices_of_all_attributes(learner):
    known = []
    for offer in learner.next_attributes(UNKNOWN, n=5):
        gains = [-1.0 if i in known else dense_gain(learner, known, [i]) for i in range(12)]
        assert offer.attributes == (int(np.argmax(gains)),)
        known += offer.attributes


def test_drops_are_those_of_the_variance_of_predictions(learner):
    offers = learner.next_attributes(UNKNOWN, n=12)
    assert len({o.attributes for o in offers}) == 12
    x, variance = UNKNOWN.copy(), learner.cells_.labels.var()
    for offer in offers:
        x[list(offer.attributes)] = 0.3
        std = learner.predict(x[None, :], return_std=True)[1][0]
        assert offer.std == pytest.approx(std)
        assert offer.drop == pytest.approx(variance - std**2, abs=1e-9)
        variance = std**2
    assert learner.next_attributes(x) == []


def test_what_is_known_is_not_offered_and_its_value_does_not_matter(learner):
    first = learner.next_attributes(UNKNOWN)[0].attributes[0]
    offers = []
    for value in (-5.0, 100.0):
        x = UNKNOWN.copy()
        x[first] = value
        offers.append(learner.next_attributes(x, n=3))
    assert offers[0] == offers[1]
    assert all(first not in offer.attributes for offer in offers[0])


def test_costs_decide_and_what_costs_nothing_comes_first(learner):
    order = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12)]
    costs = np.ones(12)
    costs[order[0]], costs[order[5]] = 1e9, 0.0
    dear = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12, costs=costs)]
    assert (dear[0], dear[-1]) == (order[5], order[0])
    names = {f"x{order[0]}": 1e9, f"x{order[5]}": 0.0}
    assert [o.attributes[0] for o in learner.next_attributes(UNKNOWN, n=12, costs=names)] == dear
    with pytest.raises(ValueError, match="costs: no attribute is called 'y'"):
        learner.next_attributes(UNKNOWN, costs={"y": 1.0})
    with pytest.raises(ValueError, match="needs one for each of 12 attributes; got 2"):
        learner.next_attributes(UNKNOWN, costs=[1.0, 2.0])
    with pytest.raises(ValueError, match="must be a finite number"):
        learner.next_attributes(UNKNOWN, costs=-costs)


def described():
    """Two free ones, and a bundle of three that costs 2."""
    bundle = dict.fromkeys((0, 1, 2), "draw")
    return [
        kh.Attribute(f"a{i}", cost=2.0 if i in bundle else 1.0, free=i in (5, 6), bundle=bundle.get(i))
        for i in range(12)
    ]


@pytest.fixture(scope="module")
def bundled():
    X, y = shared_factors()
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.6, np.nan, X)
    return kh.KeyholeRegressor(random_state=0).fit(kh.observe.ArraySource(X, described()), y)


def test_bundles_are_one_offer_and_free_ones_first(bundled):
    offers = bundled.next_attributes(UNKNOWN, n=12)
    assert {o.attributes for o in offers[:2]} == {(5,), (6,)}
    assert [o.cost for o in offers[:2]] == [0.0, 0.0]
    together = next(o for o in offers if len(o.attributes) > 1)
    assert (together.attributes, together.names, together.cost) == ((0, 1, 2), ("a0", "a1", "a2"), 2.0)
    assert len(offers) == 10
    at = offers.index(together)
    known = [i for offer in offers[:at] for i in offer.attributes]
    rate = dense_gain(bundled, known, [0, 1, 2]) / 2.0
    others = [dense_gain(bundled, known, o.attributes) for o in offers[at + 1 :]]
    assert rate >= max(others)
    x = UNKNOWN.copy()
    x[1] = 0.0
    rest = next(o for o in bundled.next_attributes(x, n=12) if 0 in o.attributes)
    assert (rest.attributes, rest.cost) == ((0, 2), 0.0)  # the draw was paid for


def test_a_path_reads_what_it_buys_and_follows_the_offers(learner):
    X, _ = shared_factors(30, seed=1)
    source = RecordingSource(X)
    path = learner.predict_path(source, 5)
    order = [offer.attributes for offer in learner.next_attributes(UNKNOWN, n=5)]
    assert path.bought == [order] * 30
    np.testing.assert_array_equal(source.read_cells.sum(axis=1), 5)
    assert (path.observed.distinct, path.observed.max_per_example) == (150, 5)
    np.testing.assert_array_equal(path.cost, np.tile(np.arange(6.0), (30, 1)))
    holes = np.full(X.shape, np.nan)
    for step in range(6):
        predicted, std = learner.predict(holes, return_std=True)
        np.testing.assert_allclose(path.predictions[:, step], predicted)
        np.testing.assert_allclose(path.std[:, step], std)
        if step < 5:
            holes[:, order[step]] = X[:, order[step]]


def test_a_path_goes_round_what_could_not_be_had(learner):
    X, _ = shared_factors(4, seed=1)
    order = [offer.attributes[0] for offer in learner.next_attributes(UNKNOWN, n=12)]
    X[0, order[1]] = np.nan
    X[1] = np.nan
    path = learner.predict_path(X, 3)
    assert path.bought[0] != path.bought[2] == path.bought[3]
    assert (order[1],) not in path.bought[0]
    assert len(path.bought[0]) == 3
    assert path.bought[1] == []
    assert path.cost[:, -1].tolist() == [3.0, 0.0, 3.0, 3.0]
    assert path.predictions[1, -1] == pytest.approx(learner.cells_.labels.mean())
    assert path.observed.distinct == 9


def test_a_path_keeps_to_the_cost_and_sees_what_is_free(bundled):
    X, _ = shared_factors(6, seed=1)
    path = bundled.predict_path(kh.observe.ArraySource(X, described()), 4)
    assert path.cost.max() <= 4
    assert path.observed.cost == path.cost[:, -1].sum()
    holes = np.full(X.shape, np.nan)
    holes[:, [5, 6]] = X[:, [5, 6]]
    np.testing.assert_allclose(path.predictions[:, 0], bundled.predict(holes))
    for bought in path.bought:
        assert all(len(some) in (1, 3) for some in bought)


def test_wrong_arguments(learner):
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        learner.next_attributes([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="n=0"):
        learner.next_attributes(UNKNOWN, n=0)
    for budget in (-1, np.inf, "five"):
        with pytest.raises(ValueError, match="prediction_budget"):
            learner.predict_path(np.zeros((1, 12)), budget)
