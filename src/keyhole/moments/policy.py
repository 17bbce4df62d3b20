"""Which attributes to reveal: uniformly at first, then more of those that carry weight.

Inclusion probabilities are a uniform floor plus a part proportional to |weight in standard units| / sqrt(cost) (where
attributes are taken as uncorrelated, to its root mean square, which counts what is not known yet), so they have
no units. They change only at a few moments, when the number of rows has doubled (grown by half, where attributes are
chosen for a sparse predictor), and a design with exact first-
and second-order inclusion probabilities draws by them; all designs are kept, and an ask notes the number of its
own. Weights of the first rows are mostly noise: the uniform start lasts until every attribute was revealed some
``UNIFORM_LOOKS`` times. A sparse predictor needs to know more than that before it chooses: it has no survivors before
the number of rows has doubled once more.

What is drawn are the units of a price list: an attribute, or a bundle, whose worth is the root of the sum of squares
of its attributes'. Units of one price are drawn a fixed number at a time, others within a cost; both keep the budget
for every example. A sparse predictor's survivors take all of the budget but what is left over, or not yet certain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..observe.ask import X_ESTIMATE, Ask
from ..sampling import Panels, cost_targets, inclusion_targets, new_cost_design, new_design
from .prices import Units

FLOOR = 0.2
CEILING = 0.9  # nothing is certain, so that every pair of attributes can come together
UNIFORM_LOOKS = 12
FEWEST_ROWS = 32
GROWTH, SPARSE_GROWTH = 2.0, 1.5
SETTLED = 1.25
NONE = np.empty(0, dtype=np.int64)


class Policy(NamedTuple):
    """The units on offer, the designs so far with their first rows and survivors, and the rows of the uniform start."""

    units: Units
    designs: tuple[Panels, ...]
    starts: tuple[int, ...]
    survivors: tuple[np.ndarray, ...]
    uniform_rows: int
    growth: float

    @property
    def renewal(self) -> int:
        """The number of rows at which the next design is made."""
        return max(self.uniform_rows, int(self.growth * self.starts[-1]))

    def settled(self, n_rows: int) -> np.ndarray:
        """The latest survivors that were drawn for a while: from a fifth of all rows on."""
        for start, survivors in zip(reversed(self.starts), reversed(self.survivors), strict=True):
            if n_rows >= SETTLED * start and len(survivors):
                return survivors
        return NONE


def new_policy(units: Units, sparse: bool = False) -> Policy:
    """Uniform, for a start that reveals every unit a number of times; ``sparse`` where some are to be chosen."""
    panels = _panels(units, _targets(units, np.ones(len(units.cost))))
    per_row = panels.design.inclusion.sum()
    rows = max(FEWEST_ROWS, int(np.ceil(UNIFORM_LOOKS * len(units.cost) / per_row - 1e-9)))
    return Policy(units, (panels,), (0,), (NONE,), rows, SPARSE_GROWTH if sparse else GROWTH)


def renewed(policy: Policy, interest: np.ndarray, n_rows: int) -> Policy:
    """With a design for the rows to come, by what each attribute is worth, in standard units; none is a survivor."""
    return _with_design(policy, _targets(policy.units, _strength(policy.units, interest)), NONE, n_rows)


def focused(policy: Policy, interest: np.ndarray, survivors: np.ndarray, certainty: float, n_rows: int) -> Policy:
    """The same with a share ``certainty`` of the budget for the survivors; what they do not need is drawn as before."""
    units = policy.units
    if n_rows < 2 * policy.uniform_rows:
        return renewed(policy, interest, n_rows)
    mine = units.of(survivors)
    others = np.setdiff1d(np.arange(len(units.cost)), mine)
    price = units.cost[mine].sum()
    spent = min(price, max(certainty * units.limit, units.limit - units.cost[others].sum()))
    if not len(others) or spent <= 0:
        return renewed(policy, interest, n_rows)
    strength = _strength(units, interest)
    targets = np.full(len(units.cost), spent / price)
    targets[others] = cost_targets(strength[others], units.cost[others], units.limit - spent, FLOOR, 1.0)
    return _with_design(policy, targets, survivors, n_rows)


def draw(policy: Policy, rng: np.ndarray) -> Ask:
    """The ask for the next example, by the latest design."""
    return ask_of(*policy.designs[-1].draw(rng), len(policy.designs) - 1)


def ask_of(attributes: np.ndarray, chances: np.ndarray, design: int = 0) -> Ask:
    """An ask for distinct attributes; its note is the number of the design."""
    n = len(attributes)
    return Ask(attributes, chances, np.arange(n), np.full(n, X_ESTIMATE), np.ones(n), np.array([float(design)]))


def _strength(units: Units, interest: np.ndarray) -> np.ndarray:
    return np.sqrt(np.add.reduceat(interest[units.members] ** 2, units.first[:-1]) / units.cost)


def _targets(units: Units, strength: np.ndarray) -> np.ndarray:
    if not units.alike:
        return cost_targets(strength, units.cost, units.limit, FLOOR, CEILING)
    k, floor = int(units.limit), FLOOR if strength.any() else 1.0
    return inclusion_targets(strength, k, floor, max(CEILING, k / len(strength)))


def _panels(units: Units, targets: np.ndarray) -> Panels:
    design = new_design(targets) if units.alike else new_cost_design(targets, units.cost, units.limit)
    return Panels(units.always, units.members, units.first, design)


def _with_design(policy: Policy, targets: np.ndarray, survivors: np.ndarray, n_rows: int) -> Policy:
    return policy._replace(
        designs=(*policy.designs, _panels(policy.units, targets)),
        starts=(*policy.starts, n_rows),
        survivors=(*policy.survivors, survivors),
    )
