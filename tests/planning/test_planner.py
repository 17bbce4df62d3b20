"""Plans from a pilot: what they contain, that they repeat, and what is refused."""

import numpy as np
import pytest

from keyhole.planning import plan
from planning.populations import population

X, y = population(40, 0)


def test_every_total_has_designs_and_errors(small_plan):
    assert list(small_plan.designs) == [60, 120]
    for total, designs in small_plan.designs.items():
        assert small_plan.errors[total].shape == (4, len(designs), 2)
        assert np.isfinite(small_plan.errors[total]).all()
    assert small_plan.total == 120
    assert small_plan.n_worlds == 4


def test_more_money_has_less_error_on_average(small_plan):
    half, whole = ([row["error_all"] for row in small_plan.table(total)] for total in (60, 120))
    assert np.mean(whole) < np.mean(half)


def test_curves_reach_from_parts_of_the_total_to_it(small_plan):
    curve, _ = small_plan.curves["KeyholeRegressor", 2.0]
    assert curve.cost[curve.n_simulated - 1] == 120
    assert curve.cost[0] < 60


def test_examples_that_are_too_few_are_named_only_where_they_are():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, 8))
    labels = values[:, 0] + 0.3 * rng.normal(size=40)
    options = {"learners": ["complete rows"], "n_worlds": 4, "n_jobs": 1}
    found = [plan(values, labels, 200, max_examples=most, **options).cheapest(0.165) for most in (49, 50, None)]
    assert found[0] == found[1] == found[2]
    assert 25 < found[0].design.n_examples < 49
    with pytest.raises(ValueError, match="no design reaches it"):
        plan(values, labels, 200, max_examples=found[0].design.n_examples - 1, **options).cheapest(0.165)


def test_the_same_seed_gives_the_same_plan():
    first, second = (plan(X, y, 90, learners=["complete rows"], n_worlds=4, n_jobs=1, random_state=3) for _ in range(2))
    assert first.to_json() == second.to_json()


def test_a_partial_pilot_with_costs():
    partial = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    costs = [1, 1, 2, 1, 1, 3]
    found = plan(partial, y, 120, costs=costs, few=2, n_worlds=4, n_jobs=1, max_examples=40)
    assert found.row_price == 9
    assert not found.unit_costs
    assert 0.6 < found.share_present < 0.8
    assert all(design.cost <= 120 for design in found.designs[120.0] if design.can_be_chosen)
    assert max(design.n_examples for design in found.designs[120.0]) <= 40


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"total": 5}, "so the total must be 10 or more"),
        ({"total": 0}, "total=0: plan needs a finite number above 0"),
        ({"total": []}, "a cost above 0 is wanted"),
        ({"target": 1.5}, "target=1.5: a share of the label's variance is wanted, between 0 and 1"),
        ({"few": 0}, "few=0: plan needs a whole number, 1 or more"),
        ({"learners": ["ridge"]}, "a list is wanted, of some of 'KeyholeRegressor', 'complete rows', 'screened panel'"),
        ({"learners": "complete rows"}, "learners='complete rows': a list is wanted"),
        ({"n_jobs": "2"}, "n_jobs='2': 1 or more processes"),
        ({"n_jobs": 0}, "1 or more processes"),
        ({"max_examples": 2}, "max_examples=2: plan needs a whole number, 5 or more"),
        ({"n_worlds": 1}, "n_worlds=1: plan needs a whole number, 4 or more"),
    ],
)
def test_wrong_parameters(wrong, message):
    with pytest.raises(ValueError, match=message):
        plan(X, y, **{"total": 100, **wrong})
