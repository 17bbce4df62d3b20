"""Wrong input gives one clear error, and leaves a learner as it was."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe import CallableSource

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 8))
Y = X[:, 0] - X[:, 1]
TWO = np.array([1.0, -1.0, 0, 0, 0, 0, 0, 0])
WITH_SPARSITY = [kh.Exploration, kh.Hybrid, kh.Dantzig, kh.DualAveraging]


@pytest.mark.parametrize("learner", WITH_SPARSITY)
@pytest.mark.parametrize(
    ("budget", "sparsity", "message"),
    [
        (9, 2, "budget=9: this is more than n_features = 8"),
        (2.5, 1, "budget=2.5: .* needs a whole number of attributes"),
        (4, 4, r"sparsity=4: with budget=4, \w+ observes the support .* take a sparsity of [23] or less"),
        (4, 5, "sparsity=5: with budget=4"),
        (4, 0, r"sparsity=0: \w+ needs a whole number, 1 or more"),
        (4, None, r"sparsity=None: \w+ needs a whole number, 1 or more"),
        (4, 1.5, "sparsity=1.5"),
    ],
)
def test_budget_and_sparsity(learner, budget, sparsity, message):
    with pytest.raises(ValueError, match=message):
        learner(budget, sparsity).fit(X, Y)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (kh.Exploration(4, 2, batch_size=0), "batch_size=0: Exploration needs whole numbers, 1 or more"),
        (kh.Exploration(4, 2, batch_size=[3, 0]), r"batch_size\[1\]=0: Exploration needs whole numbers"),
        (kh.Exploration(4, 2, batch_size=[]), r"batch_size=\[\]: Exploration needs a whole number above 0"),
        (kh.Exploration(4, 2, batch_size=2.5), "batch_size=2.5: Exploration needs whole numbers"),
        (kh.Exploration(4, 2, step_size=-1), "step_size=-1: Exploration needs a finite number above 0"),
        (kh.Exploration(4, 2, growth=0.5), "growth=0.5: Exploration needs 1, for constant batches, or more"),
        (kh.Exploration(4, 2, blocks="odd"), "blocks='odd': Exploration takes 'random' or 'contiguous'"),
        (kh.Exploration(4, 2, curve_points=1), "curve_points=1: Exploration needs a whole number, 2 or more"),
        (kh.Exploration(4, 2, scaling="full"), "scaling='full': Exploration takes 'running' or 'none'"),
        (kh.Hybrid(4, 2, explore_batch=0), "explore_batch=0: Hybrid needs whole numbers, 1 or more"),
        (kh.Hybrid(4, 2, exploit_batch=0), "exploit_batch=0: Hybrid needs"),
        (kh.Hybrid(4, 2, explore_batch=[[3, 0]], explore_updates=2), r"explore_batch\[0\]\[1\]=0: Hybrid needs whole"),
        (kh.Hybrid(4, 2, explore_batch=[[3, [4]]], explore_updates=2), r"explore_batch\[0\]\[1\]=\[4\]: Hybrid needs"),
        (
            kh.Hybrid(4, 2, explore_batch=[[3, 4], 2.5], explore_updates=2),
            r"explore_batch\[1\]=2.5: Hybrid needs whole",
        ),
        (kh.Hybrid(4, 2, explore_batch=[[], [4]], explore_updates=1), r"explore_batch\[0\]=\[\]: Hybrid needs"),
        (
            kh.Hybrid(4, 2, explore_batch=[[3, 4], [5, 6, 7]], explore_updates=2),
            r"explore_batch\[1\]=\[5, 6, 7\]: Hybrid needs a batch for each update of a cycle, and explore_updates has",
        ),
        (
            kh.Hybrid(4, 2, exploit_batch=[[3, 4]], exploit_updates=[2, 1]),
            r"exploit_batch\[0\]=\[3, 4\]: .* exploit_updates has 1 for cycle 1",
        ),
        (
            kh.Hybrid(4, 2, exploit_batch=[[3, 4]], exploit_updates="theorem"),
            "exploit_updates='theorem': exploit_batch has a batch for each update, so Hybrid needs the number",
        ),
        (kh.Hybrid(4, 2, exploit_batch=[[3, 4]]), "exploit_updates=None: exploit_batch has a batch for each update"),
        (kh.Hybrid(4, 2, explore_updates=0), "explore_updates=0: Hybrid needs"),
        (kh.Hybrid(4, 2, exploit_updates=[2, -1]), r"exploit_updates\[1\]=-1: Hybrid needs"),
        (kh.Exploitation(4), "start_coef None: Exploitation needs a number for each of the 8 attributes"),
        (kh.Exploitation(4, np.ones(3)), r"start_coef of shape \(3,\): Exploitation needs a number for each"),
        (kh.Exploitation(4, ["a"] * 8), r"start_coef of shape \(8,\): Exploitation needs a number for each"),
        (kh.Exploitation(4, np.zeros(8)), "start_coef has 0 numbers that are not 0: .* between 1 and budget=4"),
        (kh.Exploitation(4, np.ones(8)), "start_coef has 8 numbers that are not 0"),
        (kh.Exploitation(4, [np.nan] * 8), r"start_coef\[0\]=nan: Exploitation needs finite numbers"),
        (kh.Exploitation(4, TWO, batch_size=0), "batch_size=0: Exploitation needs"),
        (kh.Dantzig(4, 3), "sparsity=3: with budget=4, Dantzig .* at least 2 more .* take a sparsity of 2 or less"),
        (kh.Dantzig(4, 2, constant=0), "constant=0: Dantzig needs a finite number above 0"),
        (kh.Dantzig(4, 2, noise=-1), "noise=-1: Dantzig needs"),
        (kh.DualAveraging(4, 2, 6), "variant=6: DualAveraging takes 1 or 2 or 3 or 4 or 5"),
        (kh.DualAveraging(4, 2, 3, threshold="root"), "threshold='root': DualAveraging takes"),
        (kh.Dantzig(6, 2, confidence=1.0), "confidence=1.0: Dantzig needs a number between 0 and 1"),
        (kh.DualAveraging(4, 3, 2), "sparsity=3: with budget=4, DualAveraging .* at least 2 more"),
        (kh.DualAveraging(4, 2, radius=0), "radius=0: DualAveraging needs"),
        (kh.DualAveraging(4, 2, 3, l1=-1), "l1=-1: DualAveraging needs"),
    ],
)
def test_parameters(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(X, Y)
    assert not hasattr(learner, "state_")


@pytest.mark.parametrize("learner", [kh.Exploration(4, 2, batch_size=6), kh.Hybrid(4, 2, explore_batch=6)])
def test_too_few_examples_says_how_many_are_needed(learner):
    name = type(learner).__name__
    with pytest.raises(
        ValueError, match=rf"n_samples = 23: the first update of {name} needs 24 examples, that is 6 for each of 4"
    ):
        learner.fit(X[:23], Y[:23])
    learner.set_params(shrink_to_mean=False)
    assert learner.fit(X[:24], Y[:24]).attributes_per_prediction_ > 0
    before = pickle.dumps(learner)
    with pytest.raises(ValueError, match="n_samples = 5"):
        learner.fit(X[:5], Y[:5])
    assert pickle.dumps(learner) == before
    learner.partial_fit(X[:5], Y[:5])  # more may come


LEARNERS = [
    kh.Exploration(4, 2),
    kh.Hybrid(4, 2),
    kh.Exploitation(4, TWO),
    kh.Dantzig(4, 2),
    kh.DualAveraging(4, 2),
    kh.DualAveraging(4, 2, 2),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("value", [-np.inf, np.inf])
def test_values_that_are_not_finite(learner, value):
    broken = X.copy()
    broken[200:] = value
    learner = learner.set_params(random_state=0).fit(X, Y)
    before = pickle.dumps(learner)
    for call in (learner.fit, learner.partial_fit):
        with pytest.raises(kh.BadValue, match=r"example 200, attribute 'x\d': infinity was revealed"):
            call(broken, Y)
        assert pickle.dumps(learner) == before
    ask = learner.ask()
    before = pickle.dumps(learner)
    with pytest.raises(kh.BadValue, match="infinity"):
        learner.tell(ask, [value] * len(ask.attributes), 1.0)
    with pytest.raises(ValueError, match="label"):
        learner.tell(ask, [1.0] * len(ask.attributes), value)
    assert pickle.dumps(learner) == before
    with pytest.raises(kh.BadValue, match=r"example 200, attribute 'x\d'"):
        learner.predict(broken)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_prices_are_refused(learner):
    priced = CallableSource(lambda *_: [], 400, [kh.Attribute(f"t{i}", cost=1 + i) for i in range(8)])
    with pytest.raises(ValueError, match="counts attributes, as its paper does"):
        learner.fit(priced, Y)


def test_data_of_the_paper_checks_its_arguments():
    for wrong in ({"n_examples": 0}, {"n_attributes": 2.5}, {"n_nonzero": -1}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"{name}=.*: murata_suzuki needs a whole number"):
            kh.datasets.murata_suzuki(**wrong)
    with pytest.raises(ValueError, match="n_nonzero=9 is more than n_attributes=8"):
        kh.datasets.murata_suzuki(10, 8, 9)
    with pytest.raises(ValueError, match="noise=-1: murata_suzuki needs"):
        kh.datasets.murata_suzuki(10, noise=-1)
