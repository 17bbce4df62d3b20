"""What DDAERR and DDAELR add: a warm-up, estimated moments, and the steps of their theorems."""

import numpy as np
import pytest
from sklearn.base import clone

import keyhole as kh
from online.two_phases import TwoPhasedLasso, TwoPhasedRidge

rng = np.random.default_rng(1)
X = rng.normal(size=(400, 10)) * np.linspace(0.2, 2.0, 10)
Y = X[:, 9] - X[:, 3]
SEED = 7


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


def unequal_moments(m, d=9, seed=5):
    """Attributes of very different second moments, one of them always 0, and norms of at most 1."""
    rng = np.random.default_rng(seed)
    table = rng.uniform(-1, 1, size=(m, d)) * np.logspace(-1.5, 0, d) / np.sqrt(d)
    table[:, 4] = 0.0
    return table, np.clip(table @ rng.normal(size=d) * 2, -1, 1)


def same(learner, plain, table, labels):
    """The learner and its slow reference, each with its own draws: the same weights and cells all along the stream."""
    start = 0
    for stop in (11, plain.m1, plain.m1 + 1, plain.m1 + 6, len(labels)):
        learner.partial_fit(table[start:stop], labels[start:stop])
        for x, y in zip(table[start:stop], labels[start:stop], strict=True):
            plain.learn(x, y)
        np.testing.assert_allclose(learner.coef_, plain.output, rtol=1e-7, atol=1e-10)
        np.testing.assert_array_equal(learner.observed_.per_attribute, plain.revealed)
        start = stop
    np.testing.assert_allclose(learner.coef_, plain.output, rtol=1e-8, atol=1e-10)
    assert np.abs(plain.output).max() > 1e-3
    np.testing.assert_array_equal(clone(learner).fit(table, labels).coef_, learner.coef_)


@pytest.mark.parametrize("budget", [2, 4, 5])
@pytest.mark.parametrize("form", ["confidence", "steps", "neither"])
@pytest.mark.parametrize("norm", ["ridge", "lasso"])
def test_as_printed_is_the_two_phased_algorithm_with_the_steps_of_its_theorems(norm, form, budget):
    """Steps of Theorems 3.1 and 3.4 of the two papers for AERR and Two-Phased DDAERR, 3.4 and 4.5 for the lasso.

    Without a confidence there is no margin. Then the steps are given; if they are not, the constructor takes those of
    known moments (Theorems 3.3 and 4.4), which ``as_printed`` refuses.
    """
    m, k, B = 400, budget - 1, 1.5
    table, labels = unequal_moments(m)
    d, m1, m2 = table.shape[1], 40, 360
    log_term = np.log(2 * d / 0.1)
    eps = d * log_term / ((k + 1) * m1) if form == "confidence" else 0.0

    def ridge_step(A):
        if form == "neither":
            return 1 / np.sqrt(m2 * (np.sqrt(A).sum() ** 2 / k + 1))
        D = np.sqrt(2 * A + 10 / 3 * eps).sum() ** 2
        margin = 2 * np.sqrt(5 * d**3 * D * log_term / (3 * (k + 1) * m1))
        return max(np.sqrt(k / (6 * d * m2)), np.sqrt(k / m2 / (2 * D + margin + k)))

    def lasso_step(A):
        if form == "neither":
            return np.sqrt(np.log(2 * d) / (5 * m2 * (A.sum() / k + 1))) / (2 * B)
        return np.sqrt(k * np.log(2 * d) / (20 * B**2 * m2 * (8 * A.sum() + 20 * d * min(eps, 1.0) + k)))

    if norm == "ridge":
        kind, plain_kind, given = kh.DDAERR, TwoPhasedRidge, {"eps": eps, "w1": 1e-9}
        first, second = np.sqrt(k / (2 * d * m1)), ridge_step
    else:
        kind, plain_kind, given = kh.DDAELR, TwoPhasedLasso, {"eps": min(eps, 1.0)}
        first, second = np.sqrt(k * np.log(2 * d) / (10 * m1 * d)) / (2 * B), lasso_step
    settings = {"radius": B, "n_expected": m, "random_state": SEED}
    if form == "confidence":
        learner = kind.as_printed(budget, confidence=0.1, **settings)
    elif form == "steps":
        first, second = 0.3, 0.02
        learner = kind.as_printed(budget, warmup_step_size=first, step_size=second, **settings)
    else:
        learner = kind(budget, **kind.printed_parameters, **settings)
    plain = plain_kind(d, m1, [(first, B), (second, B)], budget=budget, seed=SEED, **given)
    same(learner, plain, table, labels)
    if form != "confidence":
        assert learner.state_.distribution.table.probability[4] == 0.0  # its revealed values were all 0


@pytest.mark.parametrize("kind", [kh.DDAERR, kh.DDAELR])
def test_as_printed_with_estimated_moments_needs_the_confidence_or_steps(kind):
    """The step of known moments, with estimated ones in their place, is printed nowhere."""
    with pytest.raises(
        ValueError, match=f"confidence: {kind.__name__} as printed needs it where moments are estimated"
    ):
        kind.as_printed(4, radius=1.0, n_expected=400)
    with pytest.raises(ValueError, match="confidence"):
        kind.as_printed(4, radius=1.0, n_expected=400, warmup_step_size=0.1)
    with pytest.raises(ValueError, match="as printed needs step_size or n_expected"):
        kind.as_printed(4, radius=1.0, confidence=0.1)
    for given in (
        {"confidence": 0.1, "n_expected": 400},
        {"step_size": 0.1},
        {"moments": Y[:10] ** 2, "n_expected": 9},
    ):
        printed = kind.as_printed(4, radius=1.0, **given)
        assert {name: getattr(printed, name) for name in given} == given


@pytest.mark.parametrize("budget", [2, 5, 6])
@pytest.mark.parametrize("radii", [(2.0, 1.5), (2.0, 0.05)])
@pytest.mark.parametrize(
    ("kind", "plain_kind", "steps"),
    [(kh.DDAERR, TwoPhasedRidge, (0.3, 0.02)), (kh.DDAELR, TwoPhasedLasso, (0.4, 0.03))],
)
def test_the_experiments_of_the_paper_have_a_step_and_a_radius_for_each_phase(kind, plain_kind, steps, radii, budget):
    """Section 5: an even split, the improved inner product, no margin; the start may lie outside the second ball."""
    table, labels = unequal_moments(300)
    given = {"warmup": 60, "phases": "separate", "warmup_step_size": steps[0], "warmup_radius": radii[0]}
    learner = kind(budget, radii[1], steps[1], **given, scaling="none", random_state=SEED)
    phases = list(zip(steps, radii, strict=True))
    plain = plain_kind(table.shape[1], 60, phases, budget=budget, seed=SEED, as_in_experiments=True)
    same(learner, plain, table, labels)


@pytest.mark.parametrize("draws", ["even", "textbook"])
def test_first_weights_of_ddaerr_may_be_any(draws):
    """They lie in the ball of the first phase, which may be larger than that of the second."""
    table, labels = unequal_moments(200)
    d, radii, steps = table.shape[1], (2.0, 0.5), (0.3, 0.02)
    given = {"warmup": 60, "phases": "separate", "warmup_step_size": steps[0], "warmup_radius": radii[0]}
    start = {"initial_weights": 0.4, "scaling": "none"}
    learner = kh.DDAERR(6, radii[1], steps[1], **given, **start, draws=draws, random_state=SEED)
    phases = list(zip(steps, radii, strict=True))
    plain = TwoPhasedRidge(d, 60, phases, budget=6, seed=SEED, as_in_experiments=draws == "even", w1=0.4)
    same(learner, plain, table, labels)
    with pytest.raises(ValueError, match=r"l2 norm is 1.2, outside the ball of radius 0.5"):
        kh.DDAERR(6, radii[1], moments=np.ones(d), warmup_radius=2.0, initial_weights=0.4, scaling="none").start(d)


@pytest.mark.parametrize("kind", [kh.DDAERR, kh.DDAELR])
def test_separate_phases_are_a_share_of_the_table(kind):
    learner = kind(4, 1.0, 0.01, phases="separate", warmup=0.3, scaling="none", random_state=0).fit(X, Y)
    assert learner.rule_.warmup == 120
    assert learner.state_.distribution.on[0] == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"phases": "both"}, "phases='both'"),
        ({"phases": "separate"}, "radius='auto'"),
        ({"warmup_radius": 1.0}, "radius='auto'"),
        ({"warmup_step_size": 0.1}, "warmup_step_size=0.1"),
        ({"warmup_radius": -1.0, "radius": 1.0}, "warmup_radius=-1.0"),
    ],
)
def test_what_separate_phases_need(settings, message):
    with pytest.raises(ValueError, match=message):
        kh.DDAERR(4, **settings).start(10)
