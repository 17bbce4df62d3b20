"""Which attributes to reveal: uniformly at first, then more of those that carry weight.

Inclusion probabilities are a uniform floor plus a part proportional to |weight in standard units| (where
attributes are taken as uncorrelated, to its root mean square, which counts what is not known yet), so they have
no units. They change only at a few moments, when the number of rows has doubled, and a design with exact first-
and second-order inclusion probabilities draws by them; all designs are kept, and an ask notes the number of its
own. Weights of the first rows are mostly noise: the uniform start lasts until every attribute was revealed some
``UNIFORM_LOOKS`` times.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..observe.ask import X_ESTIMATE, Ask
from ..sampling import Design, design_subset, inclusion_targets, new_design

FLOOR = 0.2
CEILING = 0.9  # nothing is certain, so that every pair of attributes can come together
UNIFORM_LOOKS = 12
FEWEST_ROWS = 32


class Policy(NamedTuple):
    """The attributes to choose among, those that are always seen, and the designs so far with their first rows."""

    candidates: np.ndarray
    free: np.ndarray
    budget: int
    designs: tuple[Design, ...]
    starts: tuple[int, ...]

    @property
    def renewal(self) -> int:
        """The number of rows at which the next design is made."""
        first = max(FEWEST_ROWS, -(-UNIFORM_LOOKS * len(self.candidates) // self.budget))
        return max(first, 2 * self.starts[-1])


def new_policy(free: np.ndarray, budget: int) -> Policy:
    """Uniform; ``free`` marks the attributes that are always seen."""
    candidates = np.flatnonzero(~free)
    design = new_design(np.full(len(candidates), budget / len(candidates)))
    return Policy(candidates, np.flatnonzero(free), budget, (design,), (0,))


def renewed(policy: Policy, interest: np.ndarray, n_rows: int) -> Policy:
    """With a design for the rows to come, by what each attribute is worth, in standard units."""
    strength = interest[policy.candidates]
    share = policy.budget / len(strength)
    floor = FLOOR if strength.any() else 1.0
    design = new_design(inclusion_targets(strength, policy.budget, floor, max(CEILING, share)))
    return policy._replace(designs=(*policy.designs, design), starts=(*policy.starts, n_rows))


def draw(policy: Policy, rng: np.ndarray) -> Ask:
    """The ask for the next example, by the latest design."""
    design = policy.designs[-1]
    drawn = design_subset(rng, design)
    attributes = np.concatenate([policy.free, policy.candidates[drawn]])
    chances = np.concatenate([np.ones(len(policy.free)), np.minimum(design.inclusion[drawn], 1.0)])
    return ask_of(attributes, chances, len(policy.designs) - 1)


def ask_of(attributes: np.ndarray, chances: np.ndarray, design: int = 0) -> Ask:
    """An ask for distinct attributes; its note is the number of the design."""
    n = len(attributes)
    return Ask(attributes, chances, np.arange(n), np.full(n, X_ESTIMATE), np.ones(n), np.array([float(design)]))
