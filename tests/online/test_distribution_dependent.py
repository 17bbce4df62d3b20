"""What DDAERR and DDAELR add: a warm-up, estimated moments, and the steps of their theorems."""

import numpy as np
import pytest

import keyhole as kh

rng = np.random.default_rng(1)
X = rng.normal(size=(400, 10)) * np.linspace(0.2, 2.0, 10)
Y = X[:, 9] - X[:, 3]


def test_two_phases_take_their_theorem_steps():
    """After m1 = m/10 examples the step is that of Theorem 3.4 (4.5 for lasso), with its margin on the moments."""
    d, k, m, delta = 6, 2, 200, 0.1
    rng = np.random.default_rng(0)
    table = rng.normal(size=(m, d)) / np.sqrt(d)
    settings = {"scaling": "none", "draws": "textbook", "n_expected": m, "confidence": delta, "random_state": 0}
    m1, m2 = 20, 180
    eps = d * np.log(2 * d / delta) / ((k + 1) * m1)
    ridge = kh.DDAERR(k + 1, **settings).fit(table[:m1], table[:m1, 0])
    seen = ridge.state_.distribution.seen
    mean = seen[:, 1].sum() / seen[:, 0].sum()
    A = (seen[:, 1] + 5 * mean) / (seen[:, 0] + 5)
    D2 = np.sqrt(2 * A + 10 / 3 * eps).sum() ** 2
    eta1 = np.sqrt(k / (6 * d * m2))
    margin = np.sqrt(5 * d**3 * D2 * np.log(2 * d / delta) / (3 * (k + 1) * m1))
    eta2 = np.sqrt(k / m2 / (2 * D2 + 2 * margin + k))
    assert ridge.state_.numbers[5] == pytest.approx(max(eta1, eta2))
    q = np.sqrt(A + 13 / 6 * eps)
    np.testing.assert_allclose(ridge.state_.distribution.table.probability, q / q.sum())

    lasso = kh.DDAELR(k + 1, **settings).fit(table[:m1], table[:m1, 0])
    seen = lasso.state_.distribution.seen
    mean = seen[:, 1].sum() / seen[:, 0].sum()
    A = (seen[:, 1] + 5 * mean) / (seen[:, 0] + 5)
    eps = min(eps, 1.0)
    eta = np.sqrt(k * np.log(2 * d) / (20 * m2 * (8 * A.sum() + 20 * d * eps + k)))
    assert lasso.state_.numbers[5] == pytest.approx(eta)
    q = A + 13 / 6 * eps
    np.testing.assert_allclose(lasso.state_.distribution.table.probability, q / q.sum())


@pytest.mark.parametrize(
    ("settings", "examples"),
    [
        ({"warmup": 37}, 37),
        ({"warmup": 0.25, "n_expected": 200}, 50),
        ({"warmup": 0.1}, 25),  # 10 draws of each of 10 attributes, 4 per example
        ({"warmup": 0.7}, 25),
    ],
)
@pytest.mark.parametrize("learner", [kh.DDAERR, kh.DDAELR])
def test_length_of_the_warm_up(learner, settings, examples):
    learner = learner(4, random_state=0, **settings).start(10)
    assert learner.rule_.warmup == examples
    for t in range(examples + 1):
        assert learner.state_.distribution.on[0] == (t >= examples)
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])


@pytest.mark.parametrize(("n_expected", "renewed"), [(None, [20, 40, 80, 160, 320]), (400, [20])])
def test_moments_are_estimated_at_doublings_without_a_horizon_and_once_with_one(n_expected, renewed):
    learner = kh.DDAERR(4, warmup=20, n_expected=n_expected, random_state=0).start(10)
    before, changed = np.full(10, 0.1), []
    for t in range(400):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
        q = learner.state_.distribution.table.probability.copy()
        if not np.array_equal(q, before):
            changed.append(t + 1)
        before = q
    assert changed == renewed


def test_given_moments_need_no_warm_up():
    learner = kh.DDAELR(4, moments=np.arange(1.0, 11.0), random_state=0).start(10)
    assert learner.state_.distribution.on[0] == 1
    np.testing.assert_allclose(learner.state_.distribution.table.probability, np.arange(1, 11) / 55)


def test_the_predictor_is_the_average_over_both_phases():
    learner = kh.DDAERR(4, warmup=20, scaling="none", random_state=0).start(10)
    total = np.zeros(10)
    for t in range(60):
        state = learner.state_
        total += state.numbers[0] * state.weights[:, 0]
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
    np.testing.assert_allclose(learner.coef_, total / 60, rtol=1e-9)


@pytest.mark.parametrize("learner", [kh.DDAERR, kh.DDAELR])
def test_a_fit_does_not_end_in_its_warm_up(learner):
    """The warm-up is a share of the table, and the same number of expected examples gives the same draws."""
    wide = np.random.default_rng(0).normal(size=(50, 400))
    fitted = learner(4, random_state=0).fit(wide, wide[:, 0])
    assert fitted.rule_.warmup == 5
    assert fitted.state_.distribution.on[0] == 1
    assert learner(4, random_state=0).partial_fit(wide, wide[:, 0]).rule_.warmup == 1000


@pytest.mark.parametrize("learner", [kh.DDAERR, kh.DDAELR])
def test_fit_partial_fit_and_ask_agree_for_an_equal_number_of_examples(learner):
    settings = {"n_expected": 200, "random_state": 0}
    whole = learner(4, **settings).fit(X[:200], Y[:200])
    parts = learner(4, **settings).partial_fit(X[:70], Y[:70]).partial_fit(X[70:200], Y[70:200])
    by_hand = learner(4, **settings).start(10)
    for t in range(200):
        ask = by_hand.ask()
        by_hand.tell(ask, X[t, ask.attributes], Y[t])
    for other in (parts, by_hand):
        np.testing.assert_array_equal(other.coef_, whole.coef_)
