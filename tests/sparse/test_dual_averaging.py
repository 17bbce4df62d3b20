"""DualAveraging: sparse weights in a ball, and what each variant needs beside the support."""

import numpy as np
import pytest

import keyhole as kh
from sparse.stream import X, Y


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_weights_are_sparse_and_in_the_ball(variant):
    learner = kh.DualAveraging(8, 4, variant, radius=0.3, scaling="none", random_state=0).fit(X[:3000], Y[:3000])
    assert np.linalg.norm(learner.coef_) <= 0.3 * (1 + 1e-9)
    assert 1 <= len(learner.support_) <= 4


def test_the_l1_term_moves_weights_towards_zero():
    settings = {"scaling": "none", "random_state": 0}
    strong = kh.DualAveraging(8, 4, 3, l1=10.0, **settings).fit(X[:300], Y[:300])
    assert len(strong.support_) == 0
    np.testing.assert_array_equal(strong.predict(X[:3]), 0.0)


def test_room_beside_the_support():
    assert [kh.DualAveraging(8, 4, variant).least_room for variant in (1, 2, 3)] == [1, 2, 2]
    kh.DualAveraging(4, 3, 1).start(10)
    with pytest.raises(ValueError, match="at least 2 more"):
        kh.DualAveraging(4, 3, 2).start(10)
