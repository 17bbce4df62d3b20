"""A predictor that needs few attributes: which it chooses, what it then reveals, and how it is fitted."""

import warnings

import numpy as np
import pytest

import keyhole as kh
from keyhole.moments.families.registry import FAMILIES
from keyhole.moments.families.settings import LEAST_CERTAINTY, MAX_CERTAINTY
from keyhole.moments.families.sparse import Selected, forward_selection, joint_moments_of_few
from keyhole.moments.solution import Solution
from keyhole.moments.standard.joint import JointMoments
from keyhole.moments.standard.scales import Scales


def few_that_matter(n=1500, d=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 7.0 + 3.0
    return X, X[:, 3] - X[:, 7] + X[:, 11] + 7.0 * rng.normal(size=n)


def solution_with(covariance, cross):
    """Second moments as a solution, all attributes seen to vary."""
    d = len(cross)
    values, vectors = np.linalg.eigh(np.asarray(covariance))
    noise = 0.5 * values[0]
    joint = JointMoments(
        mean=np.zeros(d),
        loadings=vectors * np.sqrt(values - noise),
        noise=np.full(d, noise),
        label_mean=np.zeros(1),
        label_loadings=np.zeros((1, d)),
        label_noise=np.ones(1),
        residual_cross=np.asarray(cross)[:, None],
    )
    return Solution(
        joint=joint,
        scales=Scales(np.zeros(d), np.ones(d), np.zeros(1), np.ones(1)),
        coef=np.zeros((1, d)),
        intercept=np.zeros(1),
        usefulness=np.abs(joint.weights()[0]),
        family=FAMILIES["factors"],
        candidates=[],
    )


def test_the_second_choice_adds_something_of_its_own():
    covariance = [[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]
    selected = forward_selection(solution_with(covariance, [0.7, 0.69, 0.3]), 2)
    assert selected.attributes.tolist() == [0, 2]
    assert 0.9 < selected.share <= 1.0


def test_what_explains_nothing_more_is_not_selected():
    selected = forward_selection(solution_with(np.eye(4), [0.0, 0.5, 0.0, 0.2]), 4)
    assert selected.attributes.tolist() == [1, 3]
    assert selected.share == pytest.approx(1.0)


def test_of_equal_labels_nothing_is_explained_and_nothing_selected():
    equal = solution_with(np.eye(3), [0.0, 0.0, 0.0])
    equal = equal._replace(joint=equal.joint._replace(label_noise=np.zeros(1)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert forward_selection(equal, 2).attributes.tolist() == []


def test_the_share_of_a_budget_is_half_at_least_and_never_all_of_it():
    nothing = np.empty(0, dtype=np.int64)
    found = [Selected(nothing, share).certainty for share in (0.1, 0.7, 1.0)]
    assert found == [LEAST_CERTAINTY, 0.7, MAX_CERTAINTY]


def test_moments_of_few_give_the_covariance_back_and_leave_others_out():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(500, 3)) @ rng.normal(size=(3, 3))
    labels = scores @ [[1.0], [0.0], [-1.0]] + rng.normal(size=(500, 1))
    joint = joint_moments_of_few(scores, labels, np.array([1, 2, 5]), 7)
    everything = np.cov(np.column_stack([scores, labels]).T, bias=True)
    some = np.array([1, 2, 5])
    np.testing.assert_allclose(joint.covariance(some), everything[:3, :3], atol=0.05)
    np.testing.assert_allclose(joint.cross_covariance(some)[:, 0], everything[:3, 3], atol=0.05)
    assert np.flatnonzero(joint.weights()[0]).tolist() == [1, 2, 5]


@pytest.mark.parametrize(("budget", "sparsity"), [(3, 3), (6, 3), (2, 3)])
def test_finds_the_few_and_spends_the_budget_on_them(budget, sparsity):
    X, y = few_that_matter()
    learner = kh.KeyholeRegressor(budget, sparsity=sparsity, values="raw", random_state=0).fit(X, y)
    assert np.flatnonzero(learner.coef_).tolist() == [3, 7, 11]
    assert learner.family_ == "sparse"
    assert learner.observed_.max_per_example == budget
    assert learner.policy_.selected[-1].tolist() == [3, 7, 11]
    inclusion = learner.policy_.designs[-1].design.inclusion
    assert set(np.argsort(-inclusion)[:3]) == {3, 7, 11}
    if budget > sparsity:
        np.testing.assert_allclose(inclusion[[3, 7, 11]], 1.0, rtol=1e-12)
    # Four standard errors of rows that show the three, of which a third is never there at a budget of two.
    unseen = max(3 - budget, 0)
    np.testing.assert_allclose(learner.coef_[[3, 7, 11]], [1, -1, 1], atol=4 * np.sqrt((1 + unseen) / 750))


def test_fit_is_partial_fit_is_ask_and_tell():
    X, y = few_that_matter(700)
    make = lambda: kh.KeyholeRegressor(4, sparsity=3, random_state=0)  # noqa: E731
    whole, pieces, by_hand = make().fit(X, y), make(), make().start(20)
    pieces.partial_fit(X[:150], y[:150]).partial_fit(X[150:], y[150:])
    for t in range(len(y)):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], y[t])
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.coef_, by_hand.coef_)


def test_a_partial_table_is_taken_too():
    X, y = few_that_matter()
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.5, np.nan, X)
    learner = kh.KeyholeRegressor(sparsity=3, random_state=0).fit(holes, y)
    assert np.flatnonzero(learner.coef_).tolist() == [3, 7, 11]


def test_with_every_cell_it_is_least_squares_on_the_chosen():
    X, y = few_that_matter(500)
    learner = kh.KeyholeRegressor(20, sparsity=3, values="raw", random_state=0).fit(X, y)
    design = np.column_stack([np.ones(500), X[:, [3, 7, 11]]])
    expected = np.linalg.lstsq(design, y, rcond=None)[0]
    assert learner.family_ == "sparse"
    assert np.flatnonzero(learner.coef_).tolist() == [3, 7, 11]
    ((_, weight),) = learner._solution().members  # it is shrunk toward the mean label, here by a few percent
    assert 0.9 < weight <= 1.0
    np.testing.assert_allclose(learner.coef_[[3, 7, 11]], weight * expected[1:], rtol=0.01)


@pytest.mark.parametrize(("budget", "sparsity"), [(1, 1), (1, 2), (1, 9), (3, 9), (3, 10), (3, 25), (9, 10)])
def test_every_budget_goes_with_every_sparsity(budget, sparsity):
    X, y = few_that_matter(900, 12)
    X = X[:, 2:]
    learner = kh.KeyholeRegressor(budget, sparsity=sparsity, random_state=0).fit(X, y)
    assert np.count_nonzero(learner.coef_) <= sparsity
    assert learner.observed_.max_per_example <= budget
    assert learner.observed_.per_attribute.min() > 0
    assert "without a coefficient" not in str(learner.summary(risk=False))
