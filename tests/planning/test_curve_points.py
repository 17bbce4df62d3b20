"""Learning curves and tables of designs have the same errors at the totals."""

import numpy as np
import pytest

from keyhole.planning import plan
from keyhole.planning.curve_points import in_all_worlds, learning_curves
from keyhole.planning.designs import ROWS, Design
from planning.populations import population

SOME = range(0, 16, 3)
DESIGNS = {total: [Design(ROWS, int(total // 5), 5.0, 5, total)] for total in (50.0, 100.0, 200.0, 400.0)}


def worlds(seed, slope=0.5, noise=0.05):
    """Errors of 16 worlds at each total: worlds differ by a factor, and each design by some noise."""
    rng = np.random.default_rng(seed)
    factor, luck = np.exp(0.4 * rng.normal(size=16)), np.exp(noise * rng.normal(size=(16, 4, 2)))
    mean = 0.2 * (np.array(list(DESIGNS)) / 400) ** -slope
    return factor[:, None, None] * mean[None, :, None] * luck


def curve(found, totals):
    errors = {(i, one): found[i, [at]] for i in range(16) for at, one in enumerate(DESIGNS)}
    whole, parts = ({one: DESIGNS[one] for one in DESIGNS if (one in totals) == at} for at in (True, False))
    return learning_curves(whole, parts, errors, 16, SOME)[ROWS, 5.0][0]


@pytest.mark.parametrize("totals", [[400.0], [100.0, 400.0]])
def test_at_every_total_a_curve_has_the_mean_over_all_worlds_and_its_standard_error(totals):
    found = worlds(0)
    at = [list(DESIGNS).index(one) for one in totals]
    one = curve(found, totals)
    assert one.n_simulated == 4
    np.testing.assert_allclose(one.error[at], found[:, at, 0].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(one.standard_error[at], found[:, at, 0].std(axis=0, ddof=1) / 4, rtol=1e-12)


def test_errors_at_parts_are_divided_by_the_same_ratio_as_that_at_the_total():
    found = worlds(0)
    one = curve(found, [400.0])
    ratio = found[SOME, 3, 0].mean() / found[:, 3, 0].mean()
    np.testing.assert_allclose(one.error[:3], found[SOME, :3, 0].mean(axis=0) / ratio, rtol=1e-12)
    assert abs(np.log(ratio)) > 0.02  # else these worlds would be as all are, and show nothing


def test_standard_errors_at_parts_are_those_of_errors_over_repeated_plans():
    plans = [worlds(seed, noise=0.1)[:, :, 0] for seed in range(400)]
    values = np.array([in_all_worlds(100.0, one[SOME, 1], {400.0: one[:, 3]}, SOME) for one in plans])
    spread = values.mean(axis=1).std()
    standard_error = np.sqrt(values.var(axis=1, ddof=1).mean() / 16)
    assert standard_error == pytest.approx(spread, rel=0.1)
    assert spread < 0.8 * np.std([one[SOME, 1].mean() for one in plans])


def test_between_two_totals_the_ratio_is_interpolated():
    whole = {100.0: np.full(4, 0.4), 400.0: np.full(4, 0.1)}
    whole[100.0][[0, 3]] = [0.8, 0.8]
    values = in_all_worlds(200.0, np.array([0.3, 0.3]), whole, [0, 3])
    u = np.sqrt([0.08, 0.04, 0.04, 0.08])
    assert values.mean() == pytest.approx(0.3 * u.mean() / u[0])


def test_examples_that_run_out_have_one_point_which_is_that_of_the_table():
    X, y = population(40, 0)
    found = plan(X, y, 240, learners=["complete rows"], n_worlds=6, n_jobs=1, max_examples=20)
    assert [one.n_examples for one in found.designs[240.0][:1]] == [20]
    one = found.curves[ROWS, 6.0][0]
    assert one.cost[one.n_simulated - 1] == 120
    assert one.error[one.n_simulated - 1] == pytest.approx(found.table()[0]["error_all"], rel=1e-12)


def test_the_cheapest_design_costs_no_more_than_one_of_the_table_that_reaches_the_target(small_plan):
    for few, name in ((False, "all"), (True, "few")):
        for total in small_plan.designs:
            rows = [row for row in small_plan.table(total) if row["mark_all"] != "for comparison"]
            for row in rows:
                if row[f"error_{name}"] < 0.99:
                    found = small_plan.cheapest(row[f"error_{name}"] * (1 + 1e-9), few).design
                    assert found.cost <= row["cost"]
            best = min(rows, key=lambda row: row[f"error_{name}"])
            if total == small_plan.total:
                assert small_plan.cheapest(best[f"error_{name}"] * 0.98, few).design.cost > 0.9 * best["cost"]
