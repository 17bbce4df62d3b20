"""Each compiled kernel against its plain version; dual averaging and Dantzig each with draws of their own."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import keyhole as kh
from keyhole.observe import ArraySource
from sparse.all_learners.plain_thresholding import PlainThresholding
from sparse.all_learners.reference import PlainDantzig, PlainDual

D, SEED = 13, 3


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D)) * np.logspace(-1, 1, D) + rng.normal(size=D)
    X[:, 3] = rng.random(n) < 0.05  # almost always constant
    X[:, 5] = 7.0  # always
    return X, X @ rng.normal(size=D) / 5 + rng.normal(size=n)


def growing(exploring, first, growth):
    return ((exploring, np.ceil(first * growth**k - 1e-9)) for k in itertools.count())


def cycles(explore, exploit, growth, explore_updates, exploit_updates):
    for k in itertools.count():
        yield from [(True, np.ceil(explore * growth**k - 1e-9) * 5)] * explore_updates
        yield from [(False, np.ceil(exploit * growth**k - 1e-9))] * exploit_updates


START = np.where(np.isin(np.arange(D), [1, 4, 9]), 0.3, 0.0)
HYBRID = {"explore_batch": 4, "exploit_batch": 9, "explore_updates": 2, "exploit_updates": 3}
CASES = {
    "Exploration": (
        lambda scaling: kh.Exploration(5, 2, batch_size=4, scaling=scaling),
        lambda scaling: PlainThresholding(D, 2, 3, ((e, 5 * n) for e, n in growing(True, 4, 1.25)), scaling=scaling),
    ),
    "Exploration contiguous, step": (
        lambda scaling: kh.Exploration(5, 2, 0.05, [3, 4], growth=1, blocks="contiguous", scaling=scaling),
        lambda scaling: PlainThresholding(
            D, 2, 3, itertools.chain([(True, 15)], itertools.repeat((True, 20))), step=0.05, scaling=scaling
        ),
    ),
    "Exploration diverging": (
        lambda scaling: kh.Exploration(5, 2, 10.0, 4, growth=1, scaling=scaling),
        lambda scaling: PlainThresholding(D, 2, 3, itertools.repeat((True, 20)), step=10.0, scaling=scaling),
    ),
    "Hybrid": (
        lambda scaling: kh.Hybrid(5, 2, scaling=scaling, growth=1.5, **HYBRID),
        lambda scaling: PlainThresholding(D, 2, 3, cycles(4, 9, 1.5, 2, 3), scaling=scaling),
    ),
    "Exploitation": (
        lambda scaling: kh.Exploitation(3, START, batch_size=20, scaling=scaling),
        lambda scaling: PlainThresholding(D, 3, D, growing(False, 20, 1.25), scaling=scaling, start=START),
    ),
    "Dantzig": (
        lambda scaling: kh.Dantzig(6, 2, constant=0.01, scaling=scaling),
        lambda scaling: PlainDantzig(D, 2, 4, constant=0.01, scaling=scaling, seed=SEED),
    ),
    "Dantzig printed": (
        lambda scaling: kh.Dantzig(6, 2, constant=0.01, exact=False, scaling=scaling),
        lambda scaling: PlainDantzig(D, 2, 4, constant=0.01, exact=False, scaling=scaling, seed=SEED),
    ),
    "Dantzig as printed": (
        lambda scaling: kh.Dantzig.as_printed(6, sparsity=2, constant=0.01, noise=1.0, confidence=0.001),
        lambda scaling: PlainDantzig(
            D, 2, 4, constant=0.01, exact=False, noise=1.0, delta=0.001, scaling="none", seed=SEED
        ),
    ),
    "DualAveraging 1": (
        lambda scaling: kh.DualAveraging(5, 2, scaling=scaling),
        lambda scaling: PlainDual(D, 2, 3, 1, scaling=scaling, seed=SEED),
    ),
    "DualAveraging 2": (
        lambda scaling: kh.DualAveraging(5, 2, 2, radius=2.0, scaling=scaling),
        lambda scaling: PlainDual(D, 2, 3, 2, radius=2.0, scaling=scaling, seed=SEED),
    ),
    "DualAveraging 3": (
        lambda scaling: kh.DualAveraging(5, 2, 3, l1=0.05, scaling=scaling),
        lambda scaling: PlainDual(D, 2, 3, 3, l1=0.05, scaling=scaling, seed=SEED),
    ),
    "DualAveraging 3 growing": (
        lambda scaling: kh.DualAveraging(5, 2, 3, l1=0.05, threshold="growing", scaling=scaling),
        lambda scaling: PlainDual(D, 2, 3, 3, l1=0.05, growing=True, scaling=scaling, seed=SEED),
    ),
    "DualAveraging 4": (
        lambda scaling: kh.DualAveraging(4, 4, 4, radius=2.0, scaling=scaling),
        lambda scaling: PlainDual(D, 4, 4, 4, radius=2.0, scaling=scaling, seed=SEED),
    ),
    "DualAveraging 5": (
        lambda scaling: kh.DualAveraging(4, 3, 5, l1=0.02, threshold="growing", scaling=scaling),
        lambda scaling: PlainDual(D, 3, 4, 5, l1=0.02, growing=True, scaling=scaling, seed=SEED),
    ),
    "DualAveraging as printed": (
        lambda scaling: kh.DualAveraging.as_printed(5, sparsity=2, radius=0.5),
        lambda scaling: PlainDual(D, 2, 3, 1, radius=0.5, scaling="none", seed=SEED),
    ),
}


@pytest.mark.parametrize("scaling", ["running", "none"])
@pytest.mark.parametrize("case", CASES)
def test_kernel_equals_plain_version(case, scaling):
    make, make_plain = CASES[case]
    X, y = table(400)
    learner = make(scaling).set_params(shrink_to_mean=False, random_state=SEED).start(D)
    plain = make_plain(scaling)
    source = ArraySource(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for t in range(len(y)):
            ask = learner.ask()
            values = kh.reveal(source, t, ask)
            learner.tell(ask, values, y[t])
            plain.tell(ask, values, y[t])
    coef, intercept = plain.coef()
    scale = np.abs(coef).max()
    assert scale > 0
    np.testing.assert_allclose(learner.coef_, coef, atol=1e-10 * scale, rtol=1e-9)
    assert learner.intercept_ == pytest.approx(intercept, abs=1e-9)
    curve = learner.learning_curve_
    assert curve.attributes[-1] == plain.cells
    starts = [0, *curve.examples[:-1]]
    means = [np.mean(plain.errors[a:b]) for a, b in zip(starts, curve.examples, strict=True)]
    np.testing.assert_allclose(curve.squared_error, means, rtol=1e-9)
    if case == "Exploration diverging":
        assert plain.halvings > 0


def test_the_weights_of_an_ask_are_those_of_the_iterate():
    """Variant 2 carries the dense iterate at asking time, so that an answer may come late."""
    X, y = table(300)
    learner = kh.DualAveraging(5, 2, 2, random_state=0).fit(X, y)
    plain = PlainDual(D, 2, 3, 2)
    plain.eta, plain.t = learner.state_.eta, 300
    plain.gradients = [np.sqrt(learner.state_.numbers[2])]
    ask = learner.ask()
    np.testing.assert_allclose(ask.weights, plain.dense()[ask.attributes[ask.slots]], rtol=1e-12)
