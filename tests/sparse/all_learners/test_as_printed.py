"""The sparse learners as printed, end to end against the lines of their papers."""

import inspect
import math
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import keyhole as kh
from keyhole.common.parameters import ParameterError
from keyhole.sparse.schedule import CONDITION, EXPLORING, HALVINGS, UPDATES_LEFT
from sparse import letter, printed

rng = np.random.default_rng(3)
D, N = 23, 3000
X = rng.normal(size=(N, D)) * np.linspace(0.3, 1.5, D) + 0.2  # unequal moments, not centred
Y = X[:, 2] - 1.5 * X[:, 11] + 0.5 * X[:, 20] + 0.3 * rng.normal(size=N)
START = rng.normal(size=D)
SEED = 5


@pytest.mark.parametrize("start", [None, START])
@pytest.mark.parametrize("batches", [17, [5, 9, 30]])
def test_exploration(batches, start):
    learner = kh.Exploration.as_printed(7, sparsity=4, step_size=0.15, batch_size=batches, start_coef=start).fit(X, Y)
    zero = np.zeros(D) if start is None else start
    rows = letter.Rows(X, Y)
    expected = letter.last(letter.exploration(zero, 0.15, 7, 4, np.ravel(batches), 10**6, rows), None)
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(learner.observed_.per_attribute, rows.revealed)
    assert np.count_nonzero(expected) == 4
    assert learner.intercept_ == 0.0


def test_exploitation():
    start = np.where(np.isin(np.arange(D), [2, 11, 20, 21]), 0.4, 0.0)
    learner = kh.Exploitation.as_printed(5, start_coef=start, step_size=0.1, batch_size=[20, 40]).fit(X, Y)
    rows = letter.Rows(X, Y)
    expected = letter.last(letter.exploitation(start, 0.1, [20, 40], 10**6, rows), None)
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(learner.observed_.per_attribute, rows.revealed)


BATCHES_OF_CYCLES = {"explore_batch": [8, 12], "exploit_batch": [30, 45], "exploit_updates": [4, 2]}
BATCHES_OF_UPDATES = {
    "explore_batch": [[6, 8, 11], 9, [14, 7, 10]],
    "exploit_batch": [[30, 25, 40, 20], [45, 30]],
    "exploit_updates": [4, 2],
}


@pytest.mark.parametrize("start", [None, START])
@pytest.mark.parametrize("batches", [BATCHES_OF_CYCLES, BATCHES_OF_UPDATES])
def test_hybrid(start, batches):
    """Batches that are given for each cycle, or for each update of a cycle; the stream ends inside an exploration."""
    schedules = {"explore_batch": [], "exploit_batch": [], "explore_updates": [3], **batches}
    learner = kh.Hybrid.as_printed(7, sparsity=4, step_size=0.12, start_coef=start, **schedules).fit(X, Y)
    zero = np.zeros(D) if start is None else start
    rows = letter.Rows(X, Y)
    expected = letter.last(letter.hybrid(zero, 0.12, 7, 4, *schedules.values(), rows), None)
    np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(learner.observed_.per_attribute, rows.revealed)


def test_a_given_step_is_never_halved():
    """With a step that is too long the iterates of the paper diverge, and the default halves it, with a warning."""
    settings = {"sparsity": 4, "step_size": 0.6, "batch_size": 4}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        printed = kh.Exploration.as_printed(7, **settings).fit(X[:400], Y[:400])
    rows = letter.Rows(X[:400], Y[:400])
    expected = letter.last(letter.exploration(np.zeros(D), 0.6, 7, 4, [4], 10**6, rows), None)
    np.testing.assert_allclose(printed.coef_, expected, rtol=1e-6)
    assert np.abs(expected).max() > 10
    with pytest.warns(UserWarning, match="halved"):
        guarded = kh.Exploration(7, growth=1.0, blocks="contiguous", scaling="none", **settings).fit(X[:400], Y[:400])
    assert guarded.state_.numbers[HALVINGS] > 0


@pytest.mark.parametrize("kind", [kh.Exploration, kh.Hybrid])
def test_a_start_with_running_scales_begins_with_the_second_batch(kind):
    batch = {"batch_size": 10} if kind is kh.Exploration else {"explore_batch": 10}
    learner = kind(7, 4, start_coef=START, shrink_to_mean=False, random_state=0, **batch).start(D)
    kept = letter.hard_threshold(START, 4)
    learner.partial_fit(X[:80], Y[:80])  # 8 blocks
    np.testing.assert_allclose(learner.coef_, kept, rtol=1e-9)
    learner.partial_fit(X[80:400], Y[80:400])
    assert not np.allclose(learner.coef_, kept)


def condition_of_the_third_batch(z, labels, step):
    """L_s / mu_s of section 2.3, on the support that the examples of the third update show, from their cells."""
    *_, theta = letter.exploration(np.zeros(D), step, 7, 4, [20], 2, letter.Rows(z, labels))
    shown = z[320:480][:, np.flatnonzero(theta)]
    eigenvalues = np.linalg.eigvalsh(shown.T @ shown / 160)
    return eigenvalues.max() / eigenvalues.min()


@pytest.mark.parametrize(("spread", "updates"), [(1.0, 2), (1.4, 1), (30.0, 0)])
def test_hybrid_with_the_updates_of_its_theorem(spread, updates):
    """Attributes of equal variance need a few exploiting updates; of very different ones none, and cycles go on."""
    z = np.random.default_rng(0).normal(size=(960, D))
    z[:, 11] *= spread
    labels = 3 * z[:, 2] - 2 * z[:, 11] + z[:, 20]
    settings = {"sparsity": 4, "step_size": 0.1 / spread**2, "explore_batch": 20, "exploit_batch": 10}
    learner = kh.Hybrid.as_printed(7, exploit_updates="theorem", explore_updates=3, **settings).start(D)
    learner.partial_fit(z[:480], labels[:480])  # three batches of 20 examples for each of 8 blocks
    kappa = condition_of_the_third_batch(z, labels, settings["step_size"])
    assert math.ceil(kappa * math.log(max(D / (kappa**2 * 3), 1))) == updates
    condition, exploring, left = learner.state_.numbers[[CONDITION, EXPLORING, UPDATES_LEFT]]
    assert condition == pytest.approx(kappa, rel=1e-9)
    assert (exploring, left) == ((0, updates) if updates else (1, 3))
    explored = learner.coef_.copy()
    if updates:
        rows = letter.Rows(z[: 480 + 10 * updates], labels[: 480 + 10 * updates])
        schedules = [20], [10], [3], [updates]
        expected = next(letter.hybrid(np.zeros(D), settings["step_size"], 7, 4, *schedules, rows))
        learner.partial_fit(rows.X[480:], rows.y[480:])
        np.testing.assert_allclose(learner.coef_, expected, rtol=1e-7, atol=1e-12)
        assert learner.state_.numbers[EXPLORING]  # the second cycle begins
    else:
        learner.partial_fit(z[480:], labels[480:])
        assert not np.array_equal(learner.coef_, explored)  # the second cycle's result


@pytest.mark.parametrize(("budget", "k"), [(3, 1), (4, 2), (9, 3)])
@pytest.mark.parametrize("inputs", [{"C": 0.03, "sigma": 0.4, "delta": 0.05}, {"C": 0.06, "sigma": 2.0, "delta": 1e-4}])
def test_dantzig(budget, k, inputs):
    """The program is solved eight times; 452 examples follow the last one."""
    names = {"constant": inputs["C"], "noise": inputs["sigma"], "confidence": inputs["delta"]}
    learner = kh.Dantzig.as_printed(budget, sparsity=k, **names, random_state=SEED)
    w, revealed = printed.dantzig(X[:2500], Y[:2500], budget=budget, k=k, **inputs, seed=SEED)
    learner.fit(X[:2500], Y[:2500])
    assert np.count_nonzero(w) == k
    np.testing.assert_allclose(learner.coef_, w, rtol=1e-7, atol=1e-10)
    np.testing.assert_array_equal(learner.observed_.per_attribute, revealed)
    assert learner.intercept_ == 0.0


@pytest.mark.parametrize(("budget", "k"), [(2, 1), (3, 1), (3, 2), (7, 4)])
@pytest.mark.parametrize("radius", [0.3, 2.0])
def test_dual_averaging_variant_1(budget, k, radius):
    learner = kh.DualAveraging.as_printed(budget, sparsity=k, radius=radius, random_state=SEED).fit(X, Y)
    u, revealed = printed.dual_averaging(X, Y, budget=budget, k=k, D=radius, seed=SEED)
    assert np.count_nonzero(u) == k
    np.testing.assert_allclose(learner.coef_, u, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(learner.observed_.per_attribute, revealed)
    assert learner.intercept_ == 0.0


@pytest.mark.parametrize(
    ("kind", "inputs", "missing"),
    [
        (kh.Exploration, {"sparsity": 2, "step_size": 0.1}, "batch_size"),
        (kh.Exploitation, {"step_size": 0.1, "batch_size": 5}, "start_coef"),
        (kh.Hybrid, {"step_size": 0.1, "explore_batch": 5, "exploit_batch": 5}, "explore_updates"),
    ],
)
def test_all_inputs_of_the_print_must_be_given(kind, inputs, missing):
    with pytest.raises(ParameterError, match=missing):
        kind.as_printed(4, **inputs)


SUPPORT = np.where(np.isin(np.arange(D), [2, 11, 20, 21]), 0.4, 0.0)
CYCLES = {"explore_batch": 4, "exploit_batch": 9, "explore_updates": 3, "exploit_updates": 4}
PRINTED = [  # the steps of the first three are so long that the default would halve them
    kh.Exploration.as_printed(7, sparsity=4, step_size=0.6, batch_size=4, random_state=0),
    kh.Exploitation.as_printed(4, start_coef=SUPPORT, step_size=1.5, batch_size=4),
    kh.Hybrid.as_printed(7, sparsity=4, step_size=0.6, **CYCLES, random_state=0),
    kh.Dantzig.as_printed(8, sparsity=2, noise=0.3, random_state=0),
    kh.DualAveraging.as_printed(7, sparsity=4, radius=2.0, random_state=0),
]


@pytest.mark.parametrize("learner", PRINTED, ids=lambda learner: type(learner).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_without_any_one_of_its_parameters_a_sparse_learner_is_another(learner):
    defaults = {name: p.default for name, p in inspect.signature(type(learner).__init__).parameters.items()}
    as_printed = clone(learner).fit(X[:400], Y[:400]).coef_
    assert as_printed.any()
    for name, value in learner.printed_parameters.items():
        other = clone(learner).set_params(**{name: defaults[name]}).fit(X[:400], Y[:400])
        of_no_effect = name == "shrink_to_mean" or defaults[name] == value  # raw values have no mean label
        assert np.allclose(other.coef_, as_printed, rtol=1e-6, atol=0) == of_no_effect, name


def test_what_the_print_fixes_cannot_be_given():
    with pytest.raises(ParameterError, match="blocks"):
        kh.Exploration.as_printed(4, step_size=0.1, batch_size=5, blocks="random")


@pytest.mark.parametrize("start", [np.zeros(3), ["a"] * D, np.full(D, np.nan)])
def test_wrong_starts(start):
    with pytest.raises(ValueError, match="start_coef"):
        kh.Exploration(7, 4, start_coef=start).start(D)
