"""Two designs with all their draws, and a model to judge rows by."""

from itertools import combinations

import numpy as np

from keyhole.moments import prices
from keyhole.moments.joint import Joint
from keyhole.moments.policy import Policy
from keyhole.moments.rows import Units
from keyhole.sampling import Panels, new_design

TARGETS = np.array([[0.6, 0.6, 0.6, 0.6, 0.6], [0.9, 0.3, 0.8, 0.6, 0.4]])


def two_designs():
    """Of 7 attributes, 0 and 4 are free, and 3 of the other 5 are drawn."""
    always, members, first = np.array([0, 4]), np.array([1, 2, 3, 5, 6]), np.arange(6)
    designs = tuple(Panels(always, members, first, new_design(target)) for target in TARGETS)
    units = prices.Units(always, members, first, np.ones(5), 3, True)
    return Policy(units, designs, (0, 10), 10, 2.0, np.empty(0, dtype=np.int64))


def every_draw(policy, design):
    """All subsets with their chances, by the definition of the design: in proportion to the product of odds."""
    panels = policy.designs[design]
    odds = panels.design.working / (1 - panels.design.working)
    subsets = [np.array(s) for s in combinations(range(len(odds)), int(policy.units.limit))]
    chances = np.array([np.prod(odds[s]) for s in subsets])
    for s, chance in zip(subsets, chances / chances.sum(), strict=True):
        yield np.concatenate([panels.always, panels.members[s]]), chance


def some_model(seed, d=7, r=2):
    rng = np.random.default_rng(seed)
    joint = Joint(
        rng.normal(size=d),
        rng.normal(size=(d, r)),
        rng.uniform(0.5, 1, size=d),
        rng.normal(size=1),
        rng.normal(size=(1, r)),
        np.array([0.7]),
        rng.normal(size=(d, 1)),
    )
    units = Units(rng.normal(size=d), rng.uniform(0.5, 2, size=d), np.array([0.3]), np.array([1.7]))
    return rng.normal(size=d), 0.4, joint, units
