"""Which attributes to reveal: uniformly at first, then more often those that carry weight.

Inclusion probabilities are a uniform part plus a part proportional to |weight of the standardised attribute| /
sqrt(cost), so they have no unit. (In the diagonal family the root mean square of the weight takes its place, which
counts what is not known yet.) They change only at a few moments, when the number of rows has doubled (grown by half,
where attributes are selected for a sparse predictor), and a design with exact first- and second-order inclusion
probabilities draws by them. All designs are kept, and an ask notes the number of its own. Weights found from the first
rows are mostly noise: the uniform start lasts until every attribute was revealed some ``UNIFORM_REVEALS`` times. A
sparse predictor needs to know more than that before it selects attributes: it begins when the number of rows has
doubled once more.

Where the number of examples is known beforehand, the uniform start takes at most three eighths of them. Where they
cannot show every offer ``LEAST_REVEALS`` times, a random part of the offers is asked for, and the others never: a
little about everything is nothing.

A share of the examples may show one fixed set of offers, the ones that explain most together: a regression on complete
rows is sometimes better than anything that partial rows can tell, above all where attributes are almost copies of each
other. It begins with as many examples as such a regression needs, and later gets the weight that held-out rows give it.
Where attributes are almost copies, several sets are tried (``trial_sets.py``).

What is drawn are offers: an attribute, or a bundle, whose usefulness is the sum of its attributes'. With the root of
the sum of squares, which would be right if each attribute told only of its own weight, a bundle of six informative
tests for the price of two was shown to a quarter of the patients, and to show it to all was better. Where costs differ
or there are bundles, the uniform start is uniform in what attributes are worth: as if all had the same weight. In it, a
bundle that shows more attributes for its cost than the median offer gains by that factor: attributes that are seen
together tell of their covariances as well. Offers of equal cost are drawn a fixed number at a time, others within a
cost; both keep the budget for every example. The attributes that a sparse predictor selected get all of the budget but
what is left over, or what is not certain yet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...observe.ask import X_ESTIMATE, Ask
from ...sampling import Panels, cost_targets, inclusion_targets, new_cost_design, new_design
from .offers import Offers
from .settings import (
    GROWTH,
    LARGEST_PROBABILITY,
    LEAST_OFFERS,
    LEAST_REVEALS,
    LEAST_UNIFORM_ROWS,
    LONGEST_START,
    REVEALS_FOR_SPREAD,
    REVEALS_OF_PART,
    SETTLED_GROWTH,
    SHARE_OF_REVEALS,
    SPARSE_GROWTH,
    UNIFORM_PART,
    UNIFORM_REVEALS,
    UNIFORM_SHARE,
)

NONE = np.empty(0, dtype=np.int64)
NOTHING = (NONE, np.empty(0))


class Policy(NamedTuple):
    """The offers; the designs so far, with the row at which each began and the attributes that were selected then; the
    rows of the uniform start; the factor by which rows grow between two designs; and, while fixed sets are tried, the
    row at which the next one begins, or the trial ends (0: none is tried).

    Among the designs are those for examples of which some attributes could not be drawn: ``excluded`` has these
    attributes, for each design, and none where all could be. ``starts`` and ``selected`` are of the latter alone."""

    offers: Offers
    designs: tuple[Panels, ...]
    starts: tuple[int, ...]
    selected: tuple[np.ndarray, ...]
    uniform_rows: int
    growth: float
    excluded: tuple[np.ndarray, ...] = (NONE,)
    next_at: int = 0

    @property
    def latest(self) -> int:
        """The number of the latest design that may draw every offer."""
        return next(k for k in range(len(self.designs) - 1, -1, -1) if not len(self.excluded[k]))

    @property
    def has_fixed_set(self) -> bool:
        """Whether a share of the examples showed one fixed set of offers, or all of them."""
        return any(panels.share > 0 or not len(panels.members) for panels in self.designs)

    @property
    def next_renewal(self) -> int:
        """The number of rows at which the next design is made."""
        return self.next_at or max(self.uniform_rows, int(self.growth * self.starts[-1]))

    def settled(self, n_rows: int) -> np.ndarray:
        """The latest selected attributes that were drawn for at least a fifth of all rows."""
        for start, selected in zip(reversed(self.starts), reversed(self.selected), strict=True):
            if n_rows >= SETTLED_GROWTH * start and len(selected):
                return selected
        return NONE


def new_policy(
    offers: Offers, sparse: bool = False, n_expected: int | None = None, seed: int = 0, by_spread: bool = False
) -> Policy:
    """A uniform start that reveals every offer a number of times; ``sparse`` where attributes are to be selected.

    ``by_spread`` where the spread of attributes tells something before their weights do: the uniform start is short.
    """
    panels = _first_panels(offers)
    per_row = round(float(_inclusion(panels, offers).sum()), 6)  # without the rounding errors of a sum
    if n_expected is not None and n_expected * per_row < LEAST_REVEALS * len(offers.cost):
        affordable = max(int(LEAST_OFFERS * per_row), int(n_expected * per_row / REVEALS_OF_PART))
        if affordable < len(offers.cost):
            offers = offers.some(np.sort(np.random.default_rng(seed).permutation(len(offers.cost))[:affordable]))
            panels = _first_panels(offers)
    reveals = REVEALS_FOR_SPREAD if by_spread else UNIFORM_REVEALS
    rows = max(LEAST_UNIFORM_ROWS, _rows_of_start(offers, _inclusion(panels, offers), reveals))
    if n_expected is not None:
        rows = min(rows, max(int(n_expected * UNIFORM_PART), 1))
    return Policy(
        offers=offers,
        designs=(panels,),
        starts=(0,),
        selected=(NONE,),
        uniform_rows=rows,
        growth=SPARSE_GROWTH if sparse else GROWTH,
    )


def renewed(
    policy: Policy, usefulness: np.ndarray, n_rows: int, fixed: np.ndarray = NONE, share: float = 0.0
) -> Policy:
    """With a design for the rows to come, by the usefulness of each attribute; no attribute is selected.

    A ``share`` of the rows shows the ``fixed`` attributes together; what they leave of the budget goes to the most
    useful of the other offers.
    """
    offers, strength = policy.offers, _strength(policy.offers, usefulness)
    worth = strength * np.sqrt(offers.cost)
    new = _with_design(policy, _panels(offers, _targets(offers, strength), worth), NONE, n_rows)
    together = offers.containing(fixed)
    if (
        offers.pay_for_all
        or share <= 0
        or not len(together)
        or offers.cost[together].sum() > offers.limit * (1 + 1e-12)
    ):
        return new
    others = np.argsort(-strength, kind="stable")
    others = others[~np.isin(others, together)][: int(offers.limit) - len(together)]
    together = np.sort(np.concatenate([together, others]))
    designs = list(new.designs)
    designs[-1] = designs[-1]._replace(together=together, share=share)
    return new._replace(designs=tuple(designs))


def with_pilot(policy: Policy, n_rows: int) -> Policy:
    """A uniform start, after so many examples that are revealed completely."""
    every = policy.offers._replace(limit=float(policy.offers.cost.sum()))
    return policy._replace(designs=(_panels(every, every.cost),), next_at=n_rows)


def after_pilot(policy: Policy, size: float, n_rows: int) -> Policy:
    """With the uniform design of the examples after a pilot, of another size."""
    policy = resized(policy, size)
    return _with_design(policy, _first_panels(policy.offers), NONE, n_rows)


def resized(policy: Policy, size: float) -> Policy:
    """With another limit on what an example to come may cost; the next renewal makes a design of it."""
    return policy._replace(offers=policy.offers._replace(limit=int(size) if policy.offers.equal_costs else size))


def renewed_for_few(
    policy: Policy, usefulness: np.ndarray, selected: np.ndarray, certainty: float, n_rows: int
) -> Policy:
    """The same with a share ``certainty`` of the budget for the selected attributes; what they do not need is drawn as
    before."""
    offers = policy.offers
    if n_rows < 2 * policy.uniform_rows or offers.pay_for_all:
        return renewed(policy, usefulness, n_rows)
    mine = offers.containing(selected)
    others = np.setdiff1d(np.arange(len(offers.cost)), mine)
    price = offers.cost[mine].sum()
    spent = min(price, max(certainty * offers.limit, offers.limit - offers.cost[others].sum()))
    if not len(others) or spent <= 0:
        return renewed(policy, usefulness, n_rows)
    strength = _strength(offers, usefulness)
    targets = np.full(len(offers.cost), spent / price)
    left = offers.limit - spent
    targets[others] = cost_targets(strength[others], offers.cost[others], left, UNIFORM_SHARE, 1.0)
    return _with_design(policy, _panels(offers, targets, strength * np.sqrt(offers.cost)), selected, n_rows)


def draw(policy: Policy, rng: np.ndarray) -> Ask:
    """The ask for the next example, by the latest design."""
    return ask_of(*policy.designs[policy.latest].draw(rng), policy.latest)


def restricted(policy: Policy, excluded: np.ndarray) -> tuple[Policy, int]:
    """With the latest design, given that it draws none of some attributes; and the number of that design."""
    excluded = np.unique(excluded)
    for number in range(policy.latest, len(policy.designs)):
        if np.array_equal(policy.excluded[number], excluded):
            return policy, number
    panels = policy.designs[policy.latest].without(excluded)
    longer = policy._replace(designs=(*policy.designs, panels), excluded=(*policy.excluded, excluded))
    return longer, len(policy.designs)


def ask_of(
    attributes: np.ndarray, probabilities: np.ndarray, design: int = 0, given: tuple[np.ndarray, np.ndarray] = NOTHING
) -> Ask:
    """An ask for distinct attributes. Its notes are the number of the design, the attributes whose values were
    ``given`` beforehand, and these values."""
    n = len(attributes)
    return Ask(
        attributes=attributes,
        probabilities=probabilities,
        slots=np.arange(n),
        roles=np.full(n, X_ESTIMATE),
        weights=np.ones(n),
        notes=np.concatenate([[float(design)], *given]),
    )


def given_with(ask: Ask) -> tuple[np.ndarray, np.ndarray]:
    """The attributes of an ask whose values were given beforehand, and these values."""
    n = len(ask.notes) // 2
    return ask.notes[1 : 1 + n].astype(np.int64), ask.notes[1 + n :]


def _strength(offers: Offers, usefulness: np.ndarray) -> np.ndarray:
    """A bundle shows all of its attributes for one price: what they are worth is added up."""
    return np.add.reduceat(np.abs(usefulness[offers.members]), offers.first[:-1]) / np.sqrt(offers.cost)


def _targets(offers: Offers, strength: np.ndarray) -> np.ndarray:
    if offers.pay_for_all:
        return np.ones(len(strength))
    if not offers.equal_costs:
        return cost_targets(strength, offers.cost, offers.limit, UNIFORM_SHARE, LARGEST_PROBABILITY)
    k, floor = int(offers.limit), UNIFORM_SHARE if strength.any() else 1.0
    return inclusion_targets(strength, k, floor, max(LARGEST_PROBABILITY, k / len(strength)))


def _first_panels(offers: Offers) -> Panels:
    """All attributes are equally useful, as far as is known; bundles that show more of them for their cost than offers
    usually do gain by that factor."""
    strength, size = _strength(offers, np.ones(int(offers.members.max()) + 1)), np.diff(offers.first)
    per_cost = size / offers.cost
    gain = np.where(size > 1, np.maximum(per_cost / np.median(per_cost), 1.0), 1.0)
    return _panels(offers, _targets(offers, strength * gain))


def _rows_of_start(offers: Offers, inclusion: np.ndarray, reveals: int) -> int:
    """How many rows reveal an attribute so often, on average; and more where some attributes are rare."""
    size = np.diff(offers.first)
    rows = size.sum() * reveals / round(float(inclusion @ size), 6)
    if not offers.equal_costs:
        for_rare = SHARE_OF_REVEALS * reveals * float(size @ (1.0 / inclusion)) / size.sum()
        rows = min(max(rows, for_rare), LONGEST_START * rows)
    return int(np.ceil(rows - 1e-9))


def _inclusion(panels: Panels, offers: Offers) -> np.ndarray:
    """The inclusion probability of each offer."""
    return np.ones(len(offers.cost)) if offers.pay_for_all else panels.design.inclusion


def _panels(offers: Offers, targets: np.ndarray, worth: np.ndarray | None = None) -> Panels:
    if offers.pay_for_all:
        every = np.sort(np.concatenate([offers.free, offers.members]))
        return Panels(every, NONE, np.zeros(1, dtype=np.int64), new_design(np.ones(1)).among(NONE))
    design = new_design(targets) if offers.equal_costs else new_cost_design(targets, offers.cost, offers.limit, worth)
    return Panels(offers.free, offers.members, offers.first, design)


def _with_design(policy: Policy, panels: Panels, selected: np.ndarray, n_rows: int) -> Policy:
    return policy._replace(
        designs=(*policy.designs, panels),
        starts=(*policy.starts, n_rows),
        selected=(*policy.selected, selected),
        excluded=(*policy.excluded, NONE),
        next_at=0,
    )
