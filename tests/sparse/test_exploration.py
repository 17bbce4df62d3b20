"""Exploration: the blocks of attributes that examples show in turn."""

import numpy as np

import keyhole as kh
from sparse.stream import X, Y


def test_blocks():
    """A round shows every attribute once: contiguous runs as in the paper, or a random partition drawn anew."""
    rounds = {}
    for blocks in ("contiguous", "random"):
        learner = kh.Exploration(8, 4, batch_size=1, growth=1, blocks=blocks, random_state=0).start(20)
        asked = []
        for t in range(10):
            ask = learner.ask()
            asked.append(ask.attributes[ask.slots[ask.roles == 0]])
            learner.tell(ask, X[t, ask.attributes], Y[t])
        rounds[blocks] = [np.concatenate(asked[:5]), np.concatenate(asked[5:])]
        assert all(sorted(shown) == list(range(20)) for shown in rounds[blocks])
    np.testing.assert_array_equal(rounds["contiguous"], [np.arange(20)] * 2)
    assert not np.array_equal(*rounds["random"])
