"""Honest risk: unbiased over all draws by enumeration, and what it says where it cannot be known."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.chances import ByDesign, ByRate, chances_alone, chances_of, put_chances
from keyhole.moments.losses import judge, row_losses
from keyhole.moments.risk import FOLDS, losses_of, new_folds
from keyhole.moments.weighing import SHARED, row_weights, standard_error
from keyhole.observe.cells import Cells
from keyhole.sampling import joint_inclusion
from moments.designs import TARGETS, every_draw, some_model, two_designs


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


def one_row(seen, x, y, model, known, design=0):
    start = np.array([0, len(seen)])
    chances = known.of(start, seen, np.array([design]))
    return row_losses(judge(*model), start, seen, x[seen], np.array([y]), chances)[0]


@pytest.mark.parametrize("design", [0, 1])
def test_the_mean_over_all_draws_of_a_design_is_the_loss_of_the_whole_row(design):
    """So it does not matter that the second design may follow from what the first one showed."""
    policy, model = two_designs(), some_model(0)
    coef, intercept = model[:2]
    x, y = np.random.default_rng(1).normal(size=7), 1.3
    known = ByDesign(policy)
    mean = sum(chance * one_row(seen, x, y, model, known, design) for seen, chance in every_draw(policy, design))
    assert mean == pytest.approx((y - intercept - coef @ x) ** 2, rel=1e-9)


@pytest.mark.parametrize("design", [0, 1])
def test_compiled_losses_are_the_plain_ones(design):
    policy, model = two_designs(), some_model(2)
    x, y = np.random.default_rng(3).normal(size=7), -0.8
    known = ByDesign(policy)
    together = np.zeros((7, 7))
    for seen, chance in every_draw(policy, design):
        together[np.ix_(seen, seen)] += chance
    for seen, _ in every_draw(policy, design):
        plain = plain_loss(*model, seen, x, y, lambda i, j: together[i, j])
        assert one_row(seen, x, y, model, known, design) == pytest.approx(plain, rel=1e-10)


def test_every_row_has_the_chances_of_its_own_design():
    policy = two_designs()
    known, rng = ByDesign(policy), np.random.default_rng(0)
    designs = np.array([0, 1, 1, 0, 1])
    rows = [np.concatenate([[4, 0], rng.permutation([1, 2, 3, 5, 6])[:3]]) for _ in designs]
    start = np.arange(6) * 5
    together = known.of(start, np.concatenate(rows), designs).reshape(5, 15)
    for row, design, chances in zip(rows, designs, together, strict=True):
        np.testing.assert_allclose(chances, policy.designs[design].joint(row)[np.tril_indices(5)])
    alone = chances_alone(Cells(), policy, 8)
    np.testing.assert_allclose(alone[:, [1, 2, 3, 5, 6]], TARGETS, rtol=1e-6)
    np.testing.assert_array_equal(alone[:, [0, 4, 7]], [[1.0, 1.0, 0.0]] * 2)


def test_designs_that_draw_what_matters_count_for_more():
    model, alone = some_model(0), chances_alone(Cells(), two_designs(), 7)
    only_first = (np.where(np.arange(7) == 1, model[0], 0.0), *model[1:])  # drawn with chance 0.6, later 0.9
    designs, labels = np.array([0, 1, 1, 0]), np.array([0.5, -1.0, 2.0, 0.0])
    weights = row_weights(judge(*only_first), alone, labels, designs)
    assert weights.sum() == pytest.approx(1.0)
    assert weights[0] == weights[3] < weights[1] == weights[2]
    nothing = (np.zeros(7), *model[1:])
    np.testing.assert_allclose(row_weights(judge(*nothing), alone, labels, designs), 0.25)


def test_attributes_that_come_together_have_the_chance_of_one():
    design = two_designs().designs[1].design
    chances = np.zeros(10)
    put_chances(design, np.array([True]), np.array([0, 4]), np.array([3, -1, 0, 3]), chances)
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
    rates = known.of(np.array([0, 2]), np.array([1, 0]), np.zeros(1, dtype=np.int64))
    np.testing.assert_array_equal(rates, np.array([3, 2, 3]) / 4)
    np.testing.assert_array_equal(chances_alone(cells, None, 4), [[0.75, 0.75, 0.25, 0.0]])
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


def test_every_cell_revealed_is_plain_cross_validation():
    X, y = correlated(300)
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    folds = new_folds(learner.cells_.designs, learner.seed_)
    parts = [kh.KeyholeRegressor(random_state=0).fit(X[folds != f], y[folds != f]) for f in range(FOLDS)]
    mean = np.mean([part.coef_ for part in parts], axis=0), np.mean([part.intercept_ for part in parts])
    errors, changes = np.empty((2, 300))
    for f, part in enumerate(parts):
        held, other = folds == f, parts[(f + 1) % FOLDS]
        residual = y[held] - part.predict(X[held])
        step = X[held] @ (other.coef_ - mean[0]) + other.intercept_ - mean[1]
        errors[held], changes[held] = residual**2, (residual - step) ** 2 - residual**2
    risk = learner.risk_interval_
    assert risk.estimate == pytest.approx(errors.mean(), rel=1e-8)
    variance = errors.var(ddof=1) + SHARED * FOLDS * changes.var(ddof=1)
    assert risk.standard_error == pytest.approx(np.sqrt(variance / 300), rel=1e-8)
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
    rng = np.random.default_rng(0)
    losses, changes = rng.normal(size=(2, 100)) + 10.0 * designs
    weights = np.where(designs, 0.015, 0.005)

    def within(values):
        return 50 * 0.005**2 * np.var(values[:50], ddof=1) + 50 * 0.015**2 * np.var(values[50:], ddof=1)

    wanted = np.sqrt(within(losses) + SHARED * 7 * within(changes))
    assert standard_error(losses, changes, weights, designs, 7) == pytest.approx(wanted)


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
    whole = losses_of([judged], learner.cells_, known)
    monkeypatch.setattr("keyhole.moments.risk.PAIRS_AT_ONCE", 100)
    np.testing.assert_allclose(losses_of([judged], learner.cells_, known), whole, rtol=1e-12)
