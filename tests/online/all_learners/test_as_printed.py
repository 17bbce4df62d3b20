"""``as_printed`` of each learner against the printed algorithm, end to end: the same draws give the same weights."""

import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import keyhole as kh
from online.all_learners import printed

M, D, SEED = 300, 7, 4
Q = np.array([5.0, 1.0, 2.0, 0.5, 3.0, 1.0, 0.25])
MOMENTS = np.array([0.01, 0.02, 0.0, 0.1, 0.2, 0.05, 0.5])  # second moments, 0 where the attribute is always 0


def table(m=M):
    """Attributes of unequal size, neither centred nor of unit variance, and labels with a mean of their own."""
    rng = np.random.default_rng(1)
    X = (rng.normal(size=(m, D)) + 0.5) * np.linspace(0.05, 0.6, D)
    X[:, 2] = 0.0  # an attribute that is always 0
    return X, X @ np.linspace(-1.0, 1.5, D) + 0.3 + 0.2 * rng.normal(size=m)


def same(learner, result):
    X, y = table()
    expected, revealed = result
    learner.fit(X, y)
    np.testing.assert_array_equal(learner.observed_.per_attribute, revealed)
    assert learner.intercept_ == 0.0
    scale = np.abs(expected).max()
    assert scale > 1e-3
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-9, atol=1e-11 * scale)
    np.testing.assert_allclose(learner.predict(X), X @ expected, rtol=1e-8, atol=1e-10 * scale)


@pytest.mark.parametrize("budget", [2, 5])
@pytest.mark.parametrize("radius", [0.4, 3.0])
@pytest.mark.parametrize("step", [None, 0.05])
def test_aerr_is_algorithm_1(budget, radius, step):
    k = budget - 1
    eta = math.sqrt(k / (2 * D * M)) if step is None else step
    learner = kh.AERR.as_printed(budget, radius=radius, step_size=step, n_expected=M, random_state=SEED)
    same(learner, printed.aerr(*table(), k=k, B=radius, eta=eta, w1=1e-9, seed=SEED))


def test_first_weights_of_aerr_may_be_any():
    learner = kh.AERR(3, 2.0, 0.05, initial_weights=0.2, scaling="none", draws="textbook", random_state=SEED)
    same(learner, printed.aerr(*table(), k=2, B=2.0, eta=0.05, w1=0.2, seed=SEED))


@pytest.mark.parametrize("budget", [2, 5])
@pytest.mark.parametrize("radius", [0.4, 3.0])
@pytest.mark.parametrize("step", [None, 0.05, 3.0])  # the last one clips
def test_aelr_is_algorithm_2(budget, radius, step):
    k = budget - 1
    # Theorem 3.4, with the 1 / (4 B) of its proof where the theorem prints 1 / (4 B^2).
    eta = math.sqrt(2 * k * math.log(2 * D) / (5 * M * D)) / (4 * radius) if step is None else step
    learner = kh.AELR.as_printed(budget, radius=radius, step_size=step, n_expected=M, random_state=SEED)
    same(learner, printed.aelr(*table(), k=k, B=radius, eta=eta, seed=SEED))


@pytest.mark.parametrize("step", [None, 0.05])
def test_with_a_given_distribution_they_are_gaerr_and_gaelr(step):
    k, given = 3, {"distribution": Q, "step_size": step, "n_expected": M, "random_state": SEED}
    second_moment = Q.sum() / Q.min() / k + 1
    eta = 1 / math.sqrt(M * second_moment) if step is None else step
    same(kh.AERR.as_printed(4, radius=1.0, **given), printed.aerr(*table(), k=k, B=1, eta=eta, w1=1e-9, seed=SEED, q=Q))
    eta = math.sqrt(math.log(2 * D) / (5 * M)) / (2 * 1.5 * math.sqrt(second_moment)) if step is None else step
    same(kh.AELR.as_printed(4, radius=1.5, **given), printed.aelr(*table(), k=k, B=1.5, eta=eta, seed=SEED, q=Q))


@pytest.mark.parametrize("budget", [2, 5])
@pytest.mark.parametrize("radius", [0.4, 3.0])
@pytest.mark.parametrize("step", [None, 0.05])
def test_with_known_moments_ddaerr_and_ddaelr_have_the_probabilities_and_steps_of_their_theorems(budget, radius, step):
    """Kukliansky and Shamir (2015): equation 2 and Theorem 3.3 for ridge, Lemma 4.3 and Theorem 4.4 for Lasso."""
    k, A = budget - 1, MOMENTS
    given = {"radius": radius, "step_size": step, "moments": A, "n_expected": M, "random_state": SEED}
    eta = 1 / math.sqrt(M * (np.sqrt(A).sum() ** 2 / k + 1)) if step is None else step
    expected = printed.aerr(*table(), k=k, B=radius, eta=eta, w1=1e-9, seed=SEED, q=np.sqrt(A))
    same(kh.DDAERR.as_printed(budget, **given), expected)
    eta = math.sqrt(math.log(2 * D) / (5 * M * (A.sum() / k + 1))) / (2 * radius) if step is None else step
    same(kh.DDAELR.as_printed(budget, **given), printed.aelr(*table(), k=k, B=radius, eta=eta, seed=SEED, q=A))


@pytest.mark.parametrize("budget", [2, 5, 6])
@pytest.mark.parametrize("radius", [0.4, 3.0])
@pytest.mark.parametrize(("reg", "l2_bound"), [(None, None), (None, 0.3), (2.0, None)])
def test_aer_is_algorithm_2(budget, radius, reg, l2_bound):
    k = 2 * (budget // 2)  # an odd budget leaves one attribute out
    inputs = {"reg": reg, "l2_bound": l2_bound, "n_expected": M}
    wanted = reg or (radius + 1) * D / (l2_bound or radius) * math.sqrt(math.log(M) / (M * k))
    learner = kh.AER.as_printed(budget, radius=radius, **inputs, random_state=SEED)
    same(learner, printed.aer(*table(), k=k, B=radius, reg=wanted, seed=SEED))


@pytest.mark.parametrize("budget", [4, 5])
def test_baseline_estimates_the_printed_loss(budget):
    X, y = table()
    learner = kh.Baseline.as_printed(budget, radius=0.5, tol=1e-8, random_state=SEED).fit(X, y)
    A, v, y_bar, revealed = printed.baseline(X, y, k=4, seed=SEED)
    np.testing.assert_array_equal(learner.observed_.per_attribute, revealed)
    np.testing.assert_allclose(learner.state_.A / M, A, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(2 * learner.state_.b / M, v, rtol=1e-12, atol=1e-14)
    w = learner.coef_
    slope = 2 * A @ w - v
    assert np.abs(w).sum() <= 0.5 + 1e-9
    assert slope @ w + 0.5 * np.abs(slope).max() < 1e-4  # no direction inside the ball descends
    assert w @ A @ w - w @ v + y_bar < y_bar


def test_baseline_minimises_the_printed_loss_where_it_is_convex():
    X, y = table(10_000)
    X = X[:, 3:]  # few attributes, and many examples: the estimated matrix is positive definite
    A, v, _, _ = printed.baseline(X, y, k=4, seed=SEED)
    assert np.linalg.eigvalsh(A).min() > 0
    for radius in (0.3, 4.0):
        learner = kh.Baseline.as_printed(4, radius=radius, tol=1e-10, random_state=SEED).fit(X, y)
        np.testing.assert_allclose(learner.coef_, printed.minimum(A, v, radius), atol=2e-5)
        assert learner.intercept_ == 0.0


@pytest.mark.parametrize(("radius", "epsilon"), [(0.8, 2.0), (1.5, 1.0)])
def test_aesvr_is_algorithm_4(radius, epsilon):
    inputs = {"radius": radius, "insensitivity": 0.1, "accuracy": epsilon, "step_size": 0.02}
    learner = kh.AESVR.as_printed(9, **inputs, random_state=SEED, keep_ledger=True)
    setting = {"k": 3, "B": radius, "delta": 0.1, "epsilon": epsilon, "eta": 0.02, "w1": 1e-9}
    expected, revealed = printed.aesvr(*wide_table(), **setting, seed=SEED)
    learner.fit(*wide_table())
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-10)
    assert np.abs(expected).max() > 1e-3
    assert learner.observed_.distinct == revealed.sum()
    assert learner.observed_.max_per_example == revealed.max()


def test_aeanalytic_is_algorithm_1_with_procedure_3():
    a = [0.1, 0.5, 0.0, -0.2, 0.1]
    learner = kh.AEAnalytic.as_printed(7, radius=0.8, coefficients=a, step_size=0.05, random_state=SEED)
    expected, revealed = printed.analytic(*wide_table(), k=4, B=0.8, a=a, eta=0.05, w1=1e-9, seed=SEED)
    learner.fit(*wide_table())
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-10)
    assert learner.observed_.distinct == revealed.sum()


def test_aeanalytic_for_a_classification_loss():
    """Section 4: the same for f(y w'x), whose gradient is y f'(y w'x) x."""
    a = [-0.5, 0.5, 0.1, 0.05]
    X, y = wide_table()
    y = np.where(y > 0.3, 1.0, -1.0)
    inputs = {"radius": 0.8, "coefficients": a, "argument": "margin", "step_size": 0.05}
    learner = kh.AEAnalytic.as_printed(7, **inputs, random_state=SEED)
    expected, revealed = printed.analytic(X, y, k=4, B=0.8, a=a, eta=0.05, w1=1e-9, seed=SEED, margin=True)
    learner.fit(X, y)
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-10)
    assert learner.observed_.distinct == revealed.sum()


def test_the_l1_forms_of_aesvr_and_aeanalytic_are_aelr_with_procedure_3():
    """Section 4 says that the results can be adjusted to the 1-norm."""
    given = {"step_size": 0.02, "norm": "l1", "scaling": "none", "reveal_zero_terms": True, "random_state": SEED}
    X, y = wide_table()
    learner = kh.AESVR(9, 1.5, 0.1, 2.0, repeats="printed", **given).fit(X, y)
    setting = {"k": 3, "B": 1.5, "eta": 0.02, "norm": "l1", "seed": SEED}
    expected, revealed = printed.aesvr(X, y, delta=0.1, epsilon=2.0, **setting)
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-10)
    assert learner.observed_.distinct == revealed.sum()
    for margin, labels in ((False, y), (True, np.where(y > 0.3, 1.0, -1.0))):
        a = [-0.5, 0.5, 0.1, 0.05]
        learner = kh.AEAnalytic(6, 1.5, a, "margin" if margin else "error", **given).fit(X, labels)
        expected, revealed = printed.analytic(X, labels, a=a, margin=margin, **setting)
        np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-10)
        assert np.abs(expected).max() > 1e-3
        assert learner.observed_.distinct == revealed.sum()


def wide_table():
    """Nine attributes: AESVR needs a budget of 7 or more."""
    X, y = table()
    return np.column_stack([X, X[:, :2] ** 2]), y


def test_identity_correlation_is_footnote_2():
    same(kh.IdentityCorrelation.as_printed(3, random_state=SEED), printed.identity(*table(), k=3, seed=SEED))


PRINTED = [
    kh.IdentityCorrelation.as_printed(3, random_state=SEED),
    kh.AER.as_printed(5, n_expected=M, random_state=SEED),
    kh.Baseline.as_printed(2, radius=3.0, random_state=SEED),  # the estimated matrix has negative eigenvalues
    kh.AERR.as_printed(4, n_expected=M, random_state=SEED),
    kh.AELR.as_printed(4, n_expected=M, random_state=SEED),
    kh.DDAERR.as_printed(4, moments=MOMENTS, n_expected=M, random_state=SEED),
    kh.DDAELR.as_printed(4, moments=MOMENTS, n_expected=M, random_state=SEED),
    kh.DDAERR.as_printed(4, n_expected=M, confidence=0.1, random_state=SEED),
    kh.DDAELR.as_printed(4, n_expected=M, confidence=0.1, random_state=SEED),
    kh.AESVR.as_printed(7, radius=1.5, accuracy=2.0, step_size=0.05, random_state=SEED),
    kh.AEAnalytic.as_printed(7, coefficients=[0.1, 1.0, 0.0, 0.1], step_size=0.05, random_state=SEED),
]


def named(learner):
    moments = getattr(learner, "moments", None)
    return type(learner).__name__ + (", known moments" if moments is not None else "")


@pytest.mark.parametrize("learner", PRINTED, ids=named)
def test_without_any_one_of_its_parameters_it_is_another_algorithm(learner):
    X, y = wide_table() if learner.budget > 5 else table()
    defaults = {name: p.default for name, p in inspect.signature(type(learner).__init__).parameters.items()}
    as_printed = clone(learner).fit(X, y).coef_
    assert learner.printed_parameters
    for name in learner.printed_parameters:
        other = clone(learner).set_params(**{name: defaults[name]}).fit(X, y)
        of_no_effect = name == "phases" and learner.moments is not None  # known moments need no first phase
        assert np.allclose(other.coef_, as_printed, rtol=1e-6, atol=0) == of_no_effect, name


def test_the_table_of_the_letter_names_tests_that_exist():
    tests = Path(__file__).parents[2]
    page = (tests.parent / "docs" / "reproduce.md").read_text()
    section = page.split("## The letter")[1].split("\n## ")[0]
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", section))
    defined = {name for path in tests.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}
    assert len(named) >= 9
    assert named <= defined
