"""Dantzig: when its program is solved, and what happens when no weights meet the constraint."""

import pickle

import numpy as np
import pytest

import keyhole as kh
from keyhole.sparse import dantzig

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 8))
Y = X[:, 0] - X[:, 1]


@pytest.fixture
def singular(monkeypatch):
    """Estimates that no weights fit better than to 1: A is the same in all directions, and b is not."""
    b = np.where(np.arange(8) % 2, 1.0, -1.0)
    monkeypatch.setattr(dantzig, "estimated_moments", lambda *_: (np.ones((8, 8)), b))


def test_an_infeasible_program_says_which_constant_would_do(singular):
    learner = kh.Dantzig(5, 2, constant=1e-3, random_state=0)
    with pytest.raises(ValueError, match=r"after 16 examples no weights .*; constant=\S+ or more would do") as error:
        learner.fit(X, Y)
    assert not hasattr(learner, "state_")
    enough = float(str(error.value).split("constant=")[-1].split()[0])
    kh.Dantzig(5, 2, constant=enough, random_state=0).fit(X[:16], Y[:16])
    with pytest.raises(ValueError, match="or more would do"):
        kh.Dantzig(5, 2, constant=0.99 * enough, random_state=0).fit(X[:16], Y[:16])


def test_an_infeasible_program_changes_nothing(singular):
    learner = kh.Dantzig(5, 2, constant=1e-3, random_state=0).start(8)
    for t in range(15):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
    before = pickle.dumps(learner)
    for rows in (slice(15, 16), slice(15, 40)):
        with pytest.raises(ValueError, match="or more would do"):
            learner.partial_fit(X[rows], Y[rows])
        assert pickle.dumps(learner) == before
    ask = learner.ask()
    before = pickle.dumps(learner)
    with pytest.raises(ValueError, match="or more would do"):
        learner.tell(ask, X[15, ask.attributes], Y[15])
    assert pickle.dumps(learner) == before


def test_dantzig_refuses_wide_tables():
    with pytest.raises(ValueError, match=r"3000 attributes: Dantzig keeps a matrix .* at most 2000"):
        kh.Dantzig(4, 2).start(3000)


def test_the_program_is_solved_at_powers_of_two(monkeypatch):
    solved = []
    monkeypatch.setattr(dantzig, "smallest_within", lambda A, b, bound: solved.append(len(b)) or np.zeros(8))
    learner = kh.Dantzig(5, 2, random_state=0).start(8)
    times = []
    for t in range(200):
        ask = learner.ask()
        learner.tell(ask, X[t, ask.attributes], Y[t])
        if len(solved) > len(times):
            times.append(t + 1)
    assert times == [16, 32, 64, 128]  # from sparsity log(d) log(t) = 11.5 on
