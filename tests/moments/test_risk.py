"""Honest risk: unbiased over all draws by enumeration, and what it says where it cannot be known."""

from itertools import combinations

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments import prices
from keyhole.moments.chances import ByDesign, ByRate, add_chances, chances_of
from keyhole.moments.joint import Joint
from keyhole.moments.losses import judge, row_losses
from keyhole.moments.policy import Policy
from keyhole.moments.risk import FOLDS, interval_of, losses_of, new_folds
from keyhole.moments.rows import Units
from keyhole.observe.cells import Cells
from keyhole.sampling import Panels, joint_inclusion, new_design

TARGETS = np.array([[0.6, 0.6, 0.6, 0.6, 0.6], [0.9, 0.3, 0.8, 0.6, 0.4]])


def two_designs():
    """Of 7 attributes, 0 and 4 are free, and 3 of the other 5 are drawn."""
    always, members, first = np.array([0, 4]), np.array([1, 2, 3, 5, 6]), np.arange(6)
    designs = tuple(Panels(always, members, first, new_design(target)) for target in TARGETS)
    units = prices.Units(always, members, first, np.ones(5), 3, True)
    return Policy(units, designs, (0, 10), 10, 2.0, np.empty(0, dtype=np.int64))


def every_draw(policy, design):
    """All subsets with their chances, by the definition of the design: in proportion to the product of odds."""
    panels = policy.designs[design]
    odds = panels.design.working / (1 - panels.design.working)
    subsets = [np.array(s) for s in combinations(range(len(odds)), int(policy.units.limit))]
    chances = np.array([np.prod(odds[s]) for s in subsets])
    for s, chance in zip(subsets, chances / chances.sum(), strict=True):
        yield np.concatenate([panels.always, panels.members[s]]), chance


def some_model(seed, d=7, r=2):
    rng = np.random.default_rng(seed)
    joint = Joint(
        rng.normal(size=d),
        rng.normal(size=(d, r)),
        rng.uniform(0.5, 1, size=d),
        rng.normal(size=1),
        rng.normal(size=(1, r)),
        np.array([0.7]),
        rng.normal(size=(d, 1)),
    )
    units = Units(rng.normal(size=d), rng.uniform(0.5, 2, size=d), np.array([0.3]), np.array([1.7]))
    return rng.normal(size=d), 0.4, joint, units


def plain_loss(coef, intercept, joint, units, seen, x, y, pair):
    """The doubly robust loss of one row, by dense moments given the label, in standard units."""
    d = len(coef)
    everything = np.arange(d)
    variance, cross = joint.label_variance()[0], joint.cross(everything)[:, 0]
    z_label = (y - units.label_mean[0]) / units.label_scale[0] - joint.label_mean[0]
    expected = units.mean + units.scale * (joint.mean + cross / variance * z_label)
    given = joint.covariance(everything) - np.outer(cross, cross) / variance
    V = np.outer(coef * units.scale, coef * units.scale) * given
    rho, u = y - intercept - coef @ expected, coef * (x - expected)
    loss = rho**2 + V.sum()
    for i in seen:
        loss -= 2 * rho * u[i] / pair(i, i)
        for j in seen:
            loss += (u[i] * u[j] - V[i, j]) / pair(i, j)
    return loss


def one_row(seen, x, y, model, known):
    start = np.array([0, len(seen)])
    return row_losses(judge(*model), start, seen, x[seen], np.array([y]), known.of(start, seen))[0]


def test_the_mean_over_all_draws_of_all_designs_is_the_loss_of_the_whole_row():
    policy, model = two_designs(), some_model(0)
    coef, intercept = model[:2]
    x, y = np.random.default_rng(1).normal(size=7), 1.3
    shares = np.array([0.25, 0.75])
    known = ByDesign(policy, shares)
    mean = sum(
        share * chance * one_row(seen, x, y, model, known)
        for design, share in enumerate(shares)
        for seen, chance in every_draw(policy, design)
    )
    assert mean == pytest.approx((y - intercept - coef @ x) ** 2, rel=1e-9)


def test_compiled_losses_are_the_plain_ones():
    policy, model = two_designs(), some_model(2)
    x, y = np.random.default_rng(3).normal(size=7), -0.8
    known = ByDesign(policy, np.array([0.5, 0.5]))
    together = np.zeros((7, 7))
    for design in range(2):
        for seen, chance in every_draw(policy, design):
            together[np.ix_(seen, seen)] += 0.5 * chance
    for seen, _ in every_draw(policy, 0):
        plain = plain_loss(*model, seen, x, y, lambda i, j: together[i, j])
        assert one_row(seen, x, y, model, known) == pytest.approx(plain, rel=1e-10)


def test_attributes_that_come_together_have_the_chance_of_one():
    design = two_designs().designs[1].design
    chances = np.zeros(10)
    add_chances(design, 1.0, np.array([0, 4]), np.array([3, -1, 0, 3]), chances)
    (one, both), (_, other) = joint_inclusion(design, np.array([3, 0]))
    np.testing.assert_allclose(chances, [one, one, 1.0, both, other, other, one, one, both, one])


def test_an_attribute_without_a_scale_adds_nothing():
    coef, intercept, joint, units = some_model(4)
    scale = units.scale.copy()
    scale[2] = 0.0
    model = coef, intercept, joint, units._replace(scale=scale)
    x = np.random.default_rng(5).normal(size=7)
    known = ByRate(np.full((7, 7), 0.5))
    far = x.copy()
    far[2] = 1e6
    seen = np.array([1, 2, 5])
    assert one_row(seen, x, 0.5, model, known) == one_row(seen, far, 0.5, model, known)


def correlated(n=600, d=12, seed=0):
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(n, 3))
    X = h @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d))
    return X, h @ np.array([1.0, -1.0, 0.5]) + 0.3 * rng.normal(size=n)


def test_rates_are_shares_of_the_rows_with_both():
    cells = Cells()
    for attributes in ([0, 1], [0, 1, 2], [1], [0]):
        cells.append(np.array(attributes), np.ones(len(attributes)), 0.0)
    known = chances_of(cells, None, 3)
    np.testing.assert_array_equal(known.rates, np.array([[3, 2, 1], [2, 3, 1], [1, 1, 1]]) / 4)
    np.testing.assert_array_equal(known.of(np.array([0, 2]), np.array([1, 0])), np.array([3, 2, 3]) / 4)
    cells.append(np.array([3]), np.ones(1), 0.0)
    known = chances_of(cells, None, 5)
    assert known.never_together(np.array([True, True, True, False, False])) == 0
    assert known.never_together(np.array([True, True, True, True, False])) == 3


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


def test_a_row_has_the_design_of_its_ask_and_not_of_its_answer():
    X, y = correlated(100)
    learner = kh.KeyholeRegressor(4, random_state=0).start(12)
    early = learner.ask()
    for t in range(40):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], y[t])
    learner.tell(early, X[99, early.attributes], y[99])
    starts = learner.policy_.starts
    wanted = [*(np.searchsorted(starts, np.arange(40), side="right") - 1), 0]
    np.testing.assert_array_equal(learner.cells_.designs, wanted)
    np.testing.assert_allclose(chances_of(learner.cells_, learner.policy_, 12).shares * 41, np.bincount(wanted))


def test_every_cell_revealed_is_plain_cross_validation():
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    folds = new_folds(learner.cells_.designs, learner.seed_)
    errors = np.empty(300)
    for f in range(FOLDS):
        part = kh.KeyholeRegressor(random_state=0).fit(X[folds != f], y[folds != f])
        errors[folds == f] = (part.predict(X[folds == f]) - y[folds == f]) ** 2
    risk = learner.risk_interval_
    assert risk.estimate == pytest.approx(errors.mean(), rel=1e-8)
    assert risk.standard_error == pytest.approx(errors.std(ddof=1) / np.sqrt(300), rel=1e-8)
    assert risk.low < risk.estimate < risk.high
    assert not risk.too_wide


def test_folds_share_every_design_alike():
    designs = np.repeat([0, 1, 2], [40, 40, 81])
    folds = new_folds(designs, 0)
    counts = np.array([np.bincount(folds[designs == b], minlength=FOLDS) for b in range(3)])
    assert counts.max(axis=1).tolist() == [8, 8, 17]
    assert counts.min(axis=1).tolist() == [8, 8, 16]


def test_the_spread_is_that_within_designs():
    designs = np.repeat([0, 1], 50)
    losses = np.random.default_rng(0).normal(size=100) + 10.0 * designs
    within = np.sqrt(50 * np.var(losses[:50], ddof=1) + 50 * np.var(losses[50:], ddof=1)) / 100
    assert interval_of(losses, designs, 1.0).standard_error == pytest.approx(within)


@pytest.mark.parametrize("holes", [False, True])
def test_near_the_truth(holes):
    X, y = correlated(22_000)
    new, labels, X, y = X[2000:], y[2000:], X[:2000], y[:2000]
    table = np.where(np.random.default_rng(1).random(X.shape) < 0.6, np.nan, X) if holes else X
    learner = kh.KeyholeRegressor(None if holes else 4, random_state=0).fit(table, y)
    truth = np.mean((learner.predict(new) - labels) ** 2)
    risk = learner.risk_interval_
    assert abs(risk.estimate - truth) < 3 * risk.standard_error
    assert risk.standard_error < 0.5 * truth
    assert ("missing completely at random" in str(risk)) is holes


def test_units_of_attributes_change_nothing():
    X, y = correlated()
    factor = np.random.default_rng(0).choice([0.001, 1.0, 1000.0], size=12)
    plain, other = (kh.KeyholeRegressor(4, random_state=0).fit(table, y).risk_interval_ for table in (X, X * factor))
    assert other.estimate == pytest.approx(plain.estimate, rel=1e-6)
    assert other.standard_error == pytest.approx(plain.standard_error, rel=1e-6)


def test_it_is_kept_until_the_next_example():
    X, y = correlated()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    first = learner.risk_interval_
    assert learner.risk_interval_ is first
    learner.partial_fit(X[:1], y[:1])
    assert learner.risk_interval_ is not first


def test_too_wide_to_tell_and_not_to_be_known():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 60))
    y = X @ rng.normal(size=60)
    few = kh.KeyholeRegressor(2, random_state=0).fit(X, y).risk_interval_
    assert few.too_wide
    assert "too wide to tell" in str(few)
    one = kh.KeyholeRegressor(1, random_state=0).fit(X, y).risk_interval_
    assert "cannot be known" in str(one)
    assert "pairs of attributes were never revealed together" in str(one)
    assert (one.low, one.high) == (0.0, np.inf)
    with pytest.warns(UserWarning, match="nothing is learned of the label"):
        short = kh.KeyholeRegressor(4, random_state=0).fit(X[:10], y[:10]).risk_interval_
    assert "10 examples are too few" in str(short)


def test_a_constant_label_has_no_risk():
    X, _ = correlated(100)
    with pytest.warns(UserWarning, match="nothing is learned of the label"):
        risk = kh.KeyholeRegressor(4, random_state=0).fit(X, np.full(100, 7.0)).risk_interval_
    assert risk.estimate == pytest.approx(0.0, abs=1e-12)


def test_losses_do_not_depend_on_how_many_rows_are_taken_at_once(monkeypatch):
    X, y = correlated(200)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    solution, known = learner._solution(), chances_of(learner.cells_, learner.policy_, 12)
    judged = judge(solution.coef[0], solution.intercept[0], solution.joint, solution.units)
    whole = losses_of(judged, learner.cells_, known)
    monkeypatch.setattr("keyhole.moments.risk.PAIRS_AT_ONCE", 100)
    np.testing.assert_allclose(losses_of(judged, learner.cells_, known), whole, rtol=1e-12)
