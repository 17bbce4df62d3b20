"""The sums of Dantzig against plain sums over its asks."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe.ask import INNER_PRODUCT, X_ESTIMATE
from keyhole.sparse.dantzig_kernel import estimated_moments

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 6))
Y = X[:, 0] - X[:, 4]


@pytest.mark.parametrize("exact", [True, False])
def test_sums_of_products_over_the_subsets(exact):
    learner = kh.Dantzig(5, 2, exact=exact, scaling="none", random_state=0).start(6)
    products, label_products, k0, n = np.zeros((6, 6)), np.zeros(6), 3, 300
    for t in range(n):
        ask = learner.ask()
        subset = ask.attributes[ask.slots[ask.roles == X_ESTIMATE]]
        assert len(set(subset)) == k0
        shown = np.where(np.isin(np.arange(6), subset), X[t], 0.0)
        products += np.outer(shown, shown)
        label_products += Y[t] * shown
        learner.tell(ask, X[t, ask.attributes], Y[t])
    A, b = estimated_moments(learner.state_, k0, exact)
    p, both = k0 / 6, 3 * 2 / (6 * 5) if exact else 0.25
    np.testing.assert_allclose(b, label_products / (n * p))
    np.testing.assert_allclose(A, products / n / np.where(np.eye(6, dtype=bool), p, both))


def test_inclusion_probabilities():
    learner = kh.Dantzig(5, 2, random_state=0).fit(X, Y)
    ask = learner.ask()
    support = ask.attributes[ask.slots[ask.roles == INNER_PRODUCT]]
    np.testing.assert_array_equal(support, learner.support_)
    np.testing.assert_allclose(ask.probabilities, np.where(np.isin(ask.attributes, support), 1.0, 0.5))
