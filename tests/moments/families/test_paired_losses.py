"""Paired differences of honest losses: near the true ones."""

import numpy as np

import keyhole as kh
from keyhole.moments.families.family import Role
from keyhole.moments.families.paired_losses import paired_differences
from keyhole.moments.families.registry import families_with
from moments.conftest import shared_factors


def test_differences_are_near_the_true_ones():
    X, y = shared_factors(22_000)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:2000], y[:2000])
    start, families = learner._solution(), families_with(Role.ALTERNATIVE)
    data = learner._training()._replace(seed=0)
    less, errors = paired_differences(start, families, data, 60)
    assert len(less) == len(errors) == len(families) >= 3
    for k, family in enumerate(families):
        theirs = family.fit(data, 60, start)
        ours, theirs = (y[2000:] - X[2000:] @ one.coef[0] for one in (start, theirs))
        assert abs(less[k] - (theirs.var() - ours.var()) / y[:2000].var()) < 3 * errors[k]


def test_a_family_differs_by_nothing_from_itself():
    X, y = shared_factors(300)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    start = learner._solution()
    less, errors = paired_differences(start, [start.family], learner._training(), 60)
    np.testing.assert_allclose((less, errors), 0.0, atol=1e-12)
