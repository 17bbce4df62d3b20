"""Each compiled kernel against its plain version, which knows what is to be drawn next."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe import ArraySource
from online.all_learners import printed
from online.all_learners.reference import PlainAER, PlainLasso, PlainRidge

D, SEED = 13, 3
# No root is the mean of all, where rounding would decide on the layout of an alias table.
KNOWN = np.geomspace(0.2, 3.0, D) ** 2


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D)) * np.logspace(-1, 1, D) + rng.normal(size=D)
    X[:, 3] = rng.random(n) < 0.05  # almost always constant
    X[:, 5] = 7.0  # always
    return X, X @ rng.normal(size=D) / 5 + rng.normal(size=n)


CASES = {
    "AERR": (kh.AERR, PlainRidge, {}, {}),
    "AERR small step": (kh.AERR, PlainRidge, {"step_size": 0.01}, {"step": 0.01}),
    "AERR folding": (kh.AERR, PlainRidge, {"step_size": 30.0, "radius": 1e-3}, {"step": 30.0}),
    "DDAERR known": (kh.DDAERR, PlainRidge, {"moments": KNOWN}, {"moments": KNOWN}),
    "DDAERR two-phased": (kh.DDAERR, PlainRidge, {"warmup": 60}, {"warmup": 60}),
    "AELR": (kh.AELR, PlainLasso, {}, {}),
    "AELR clipped, folding": (kh.AELR, PlainLasso, {"step_size": 2.0}, {"step": 2.0}),
    "DDAELR known": (kh.DDAELR, PlainLasso, {"moments": KNOWN}, {"moments": KNOWN}),
    "DDAELR two-phased": (kh.DDAELR, PlainLasso, {"warmup": 60}, {"warmup": 60}),
    "AER": (kh.AER, PlainAER, {}, {}),
    "AER reg": (kh.AER, PlainAER, {"reg": 3.0}, {"step": 3.0}),
}


@pytest.mark.parametrize("scaling", ["none", "running"])
@pytest.mark.parametrize("case", CASES)
def test_kernel_equals_plain_version(case, scaling):
    learner_class, plain_class, settings, plain_settings = CASES[case]
    X, y = table(400)
    radius = settings.get("radius", 1.5)
    learner = learner_class(budget=5, scaling=scaling, random_state=SEED, **{"radius": radius, **settings}).start(D)
    plain = plain_class(D, radius, scaling=scaling, **plain_settings)
    source, rng = ArraySource(X), printed.generator(SEED)
    for t in range(len(y)):
        ask = learner.ask()
        np.testing.assert_array_equal(ask.attributes[ask.slots], draws(plain, rng))
        check_weights(ask, plain)
        values = kh.reveal(source, t, ask)
        learner.tell(ask, values, y[t])
        plain.tell(ask, values, y[t])
    coef, intercept = plain.coef()
    scale = np.abs(coef).max()
    assert scale > 0
    np.testing.assert_allclose(learner.coef_, coef, atol=1e-10 * scale, rtol=1e-9)
    assert learner.intercept_ == pytest.approx(intercept, abs=1e-9)


def draws(plain, rng):
    """Of a budget of 5: two draws for x and then three for the inner product; of AER two and two, as 5 is odd."""
    q, p = plain.draw_probabilities()
    if isinstance(plain, PlainAER):
        for_x, n_inner = printed.subset(D, 2, rng), 2
    else:
        pick_x = printed.drawn_by(None if plain.moments is None else q, D, rng)
        for_x, n_inner = [pick_x()[0] for _ in range(2)], 3
    return for_x + [printed.pick(p, rng) for _ in range(0 if p is None else n_inner)]


def check_weights(ask, plain):
    """The weights of an ask are 1/(k q_i) for the x estimate and w_j/(k p_j) for the inner product."""
    q, p = plain.draw_probabilities()
    x_draws, inner_draws = np.sum(ask.roles == 0), np.sum(ask.roles == 1)
    for slot, role, weight in zip(ask.slots, ask.roles, ask.weights, strict=True):
        i = ask.attributes[slot]
        if role == 1:
            assert weight == pytest.approx(plain.w[i] / p[i] / inner_draws, rel=1e-8)
        else:
            expected = plain.d / x_draws if q is None else 1 / (q[i] * x_draws)
            assert weight == pytest.approx(expected, rel=1e-9)
    if p is None:
        assert inner_draws == 0
