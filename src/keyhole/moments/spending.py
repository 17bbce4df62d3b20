"""A total for all examples together: which examples are looked at, and when it is spent.

Where the number of examples to come is known, the ones to look at are a simple random sample of them: an example is
looked at with the probability (examples that the rest of the total pays for) / (examples to come). So they are spread
over the stream, and neither values nor labels choose them. Where it is not known, every example is looked at until the
total is spent. An example may cost less than the most that was set for it, since cells are missing or costs do not fill
it up: how many the rest pays for is counted by what examples have cost on average. No example is cut short: it is
looked at where the rest pays for the most that it may cost, and what is left in the end is less than that, unless every
later example was looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..asking import Asking
from ..common.parameters import ParameterError, check_positive
from ..common.warn import warn_user
from ..common.wording import counted
from .layout_choice import chosen_size
from .policy.layout import Layout, Spending, first_size, kept_offers, pilot_rows, within
from .policy.offers import SHOWN, Offers, every_offer, offer_name, offers_within, warn_of_pairs
from .policy.policy import Policy, after_pilot, resized, with_pilot
from .policy.settings import PRIOR_EXAMPLES, REVEALS_OF_DEAR
from .solution import Training


class SpendsTotal(Asking):
    """What a learner does with ``total``; ``spending_`` is None without one."""

    budget: Any
    total: Any = None
    expected_examples_: int | None
    policy_: Policy | None
    seed_: int
    spending_: Spending | None

    @property
    def layout_(self) -> Layout | None:
        """How the total is laid out over examples; None without a total, and where every attribute is free."""
        check_is_fitted(self, "observed_")
        s = self.spending_
        if s is None:
            return None
        looked_at = self.cells_.n_examples  # type: ignore[attr-defined]
        return Layout(
            total=s.total,
            spent=self.observed_.cost,
            left=s.total - self.observed_.cost,
            n_passed=s.passed,
            n_looked_at=looked_at,
            steps=s.steps,
        )

    def _begin_spending(self) -> Offers | None:
        """The offers, with the limit of an example; None where every cell is revealed."""
        name = type(self).__name__
        self.spending_ = None
        if self.total is None:
            return None if self.budget is None else offers_within(name, self.attributes_, self.budget)
        check_positive(name, "total", self.total)
        total, expected = float(self.total), self.expected_examples_
        found = every_offer(name, self.attributes_, self.budget)
        if found is None:
            return None
        offers, unit = found
        self._check_total(name, offers, unit)
        whole = unit * float(offers.cost.sum())
        if offers.pay_for_all and expected is not None and total >= expected * whole * (1 - 1e-12):
            warn_user(
                f"{name}: total={self.total:g} pays for every cell of {counted(expected, 'example')},"
                f" which cost {expected * whole:g}; all are revealed"
            )
            size, why = float(offers.cost.sum()), "the total pays for every cell"
        else:
            offers, unit = self._without_dear(name, offers, unit)
            size, why = first_size(offers, total / unit, expected)
            if total < unit * size * (1 - 1e-12):
                raise ParameterError(
                    "total",
                    f"{name} pays at most {unit * size:g} for the first example ({why}), so give that or more, or a"
                    f" budget of one example of at most {self.total:g}",
                    self.total,
                )
            most = unit * float(offers.limit)
            if expected is not None and total > expected * most * (1 + 1e-12):
                warn_user(
                    f"{name}: total={self.total:g} is more than {counted(expected, 'example')} may cost, at most"
                    f" {most:g} each; at least {total - expected * most:g} will be left"
                )
        self.spending_ = Spending(total, unit, float(offers.limit), expected, size).with_step(0, 0.0, size, why)
        offers = offers._replace(limit=int(size) if offers.equal_costs else size)
        return (
            None if offers.pay_for_all and len(offers.members) + len(offers.free) == len(self.attributes_) else offers
        )

    def _without_dear(self, name: str, offers: Offers, unit: float) -> tuple[Offers, float]:
        """Without the offers that the total cannot pay for often enough, which a warning names."""
        kept = kept_offers(offers, self.total / unit, self.expected_examples_)
        if len(kept) == len(offers.cost):
            return offers, unit
        rest = offers.some(kept)
        left_out = np.setdiff1d(np.arange(len(offers.cost)), kept)
        named = [f"{offer_name(self.attributes_, offers, k)} costs {unit * offers.cost[k]:g}" for k in left_out]
        more = f" and {len(named) - SHOWN} more cost too much as well" if len(named) > SHOWN else ""
        with_it = unit * (float(rest.cost.sum()) + float(offers.cost[left_out].min()))
        warn_user(
            f"{name}: {', '.join(named[:SHOWN])}{more}; never revealed and never used, since total={self.total:g} does"
            f" not pay {REVEALS_OF_DEAR} times for all that cost less and one of these, {with_it:g} each time"
        )
        return rest.in_units()

    def _check_total(self, name: str, offers: Offers, unit: float) -> None:
        cheapest = unit * float(offers.cost.min())
        if self.total < cheapest:
            at = int(offers.members[offers.first[int(np.argmin(offers.cost))]])
            name_of = self.attributes_[at].bundle or self.attributes_[at].name
            what = f"{name_of!r} costs {cheapest:g}, the least of all attributes"
            raise ParameterError("total", f"{name} can afford no attribute of one example; {what}", self.total)
        if self.budget is not None and self.total < self.budget:
            raise ParameterError(
                "total",
                f"this is less than the budget of one example, {self.budget:g}; give a total for several examples, or a"
                " smaller budget",
                self.total,
            )
        if self.budget is None and self.expected_examples_ is None:
            raise ParameterError(
                "total",
                f"{name} needs to know how many examples will come (n_expected), or the most that one of them may cost"
                " (a budget); fit takes the number of rows of its table",
                self.total,
            )

    # Which examples are looked at.

    def _looks(self) -> bool:
        """Whether the next example is looked at; it counts as one that came."""
        s = self.spending_
        if s is None:
            return True
        to_come = None if s.expected is None else s.expected - s.passed
        self.spending_ = s._replace(passed=s.passed + 1)
        affordable = self._affordable()
        if to_come is None or affordable >= to_come or affordable == 0:
            return affordable > 0
        # A draw by the number of the example: designs, which follow from values and labels, have no part in it.
        return np.random.default_rng((self.seed_, s.passed)).random() * to_come < affordable

    def _begin_pilot(self) -> None:
        """Reveal the first examples completely, where that is a small part of the total."""
        s, policy = self.spending_, self.policy_
        if s is None or policy is None:
            return
        rows = pilot_rows(policy.offers._replace(limit=s.most), s.total / s.unit, s.expected)
        if rows:
            whole = float(policy.offers.cost.sum())
            self.policy_ = with_pilot(policy, rows)
            n = len(policy.offers.members) + len(policy.offers.free)
            what = "complete examples"
            if n < len(self.attributes_):
                what = f"examples that show all {n} attributes that are asked for"
            pilot = s._replace(pilot=rows, steps=()).with_step(0, 0.0, whole, f"a pilot of {rows} {what}")
            self.spending_ = pilot
        if not policy.offers.equal_costs and s.usual < s.most * (1 - 1e-12):
            seldom = f"Only the {rows} examples of the pilot show both" if rows else "No example shows both"
            size = f"the {s.unit * s.usual:.4g} that an example may cost with total={s.total:g}"
            warn_of_pairs(type(self).__name__, self.attributes_, policy.offers, s.usual, size, seldom)

    def _beyond_pilot(self, policy: Policy) -> Policy:
        """Where every example of the pilot was asked for and answers are awaited, the examples in between have the
        usual size: a pilot has no more examples because answers come late."""
        s = self.spending_
        if s is None or not (0 < s.pilot == policy.next_at and len(policy.starts) == 1):
            return policy
        told, asked = self.cells_.n_examples, self._n_asked_for()  # type: ignore[attr-defined]
        if told >= s.pilot or asked < s.pilot:
            return policy
        spent, why = self.observed_.cost + self._reserved(), "the usual size, while values of the pilot are awaited"
        self.spending_ = s.with_step(asked, spent, s.usual, why)
        return after_pilot(policy, s.usual, told)._replace(next_at=s.pilot)

    def _awaits_pilot(self, policy: Policy) -> bool:
        """Whether a layout is not chosen yet, since examples of the pilot were not told; at the end of the uniform
        start it is chosen all the same."""
        s = self.spending_
        if s is None or not (0 < s.pilot == policy.next_at) or self.cells_.n_examples >= policy.uniform_rows:  # type: ignore[attr-defined]
            return False
        return any(len(ask.attributes) and int(ask.notes[0]) == 0 for ask in self.open_asks_.values())

    def _n_asked_for(self) -> int:
        """The number of examples that were looked at, or are asked for."""
        return int(self.cells_.n_examples) + sum(len(a.attributes) > 0 for a in self.open_asks_.values())  # type: ignore[attr-defined]

    def _laid_out(self, policy: Policy, data: Training) -> Policy:
        """With the size of the examples to come."""
        s = self.spending_
        assert s is not None
        is_pilot = 0 < s.pilot == policy.next_at
        now = None if is_pilot else policy.offers.limit
        size, why = chosen_size(policy.offers, data, s.most, s.usual, now)
        needed = self._size_that_spends()
        if needed > size and size < s.most:
            size, why = within(policy.offers, needed, s.most, "so that the examples to come can cost what is left")
        if size * s.unit != s.steps[-1].per_example or is_pilot:
            self.spending_ = s.with_step(data.n_rows, self.observed_.cost, size, why)
        return after_pilot(policy, size, data.n_rows) if is_pilot else resized(policy, size)

    def _warn_of_fewer(self) -> None:
        """Warn where fewer examples came than were expected, so that a part of the total is left."""
        s = self.spending_
        if s is None or s.expected is None or s.passed >= s.expected or self._affordable() == 0:
            return
        warn_user(
            f"{type(self).__name__}: {counted(s.passed, 'example')} came, where n_expected={s.expected:,} were"
            f" expected, so {self._left():g} of total={self.total:g} is left; give n_expected={s.passed} to spend it"
            " on these"
        )

    def _is_spent(self) -> bool:
        return self.spending_ is not None and self._affordable() == 0

    def _affordable(self) -> int:
        """How many more examples the rest of the total pays for, on average; 0 where it may not pay for one more."""
        left = self._left()
        if left < self._price_of_example() * (1 - 1e-9):
            return 0
        return max(int(left / self._average_price() + 1e-9), 1)

    def _left(self) -> float:
        assert self.spending_ is not None
        spent = self.observed_.cost + self._reserved() if hasattr(self, "observed_") else 0.0
        return self.spending_.total - spent

    def _price_of_example(self) -> float:
        """The most that the next example may cost."""
        assert self.spending_ is not None
        return self.spending_.steps[-1].per_example

    def _average_price(self) -> float:
        """What an example of the present size costs on average: the most that it may, until examples have shown it."""
        assert self.spending_ is not None
        step, most = self.spending_.steps[-1], self._price_of_example()
        if not hasattr(self, "observed_"):
            return most
        unlabelled = sum(len(values) > 0 for values in self.awaiting_label_.values())
        n = self.cells_.n_examples + unlabelled - step.n_examples  # type: ignore[attr-defined]
        if n <= 0:
            return most
        return (PRIOR_EXAMPLES * most + self.observed_.cost - step.spent) / (PRIOR_EXAMPLES + n)

    def _size_that_spends(self) -> float:
        """The most that each example to come would have to cost to spend what is left, if it cost the same share of it
        as examples of the present size do; in the units of the offers' costs."""
        s = self.spending_
        assert s is not None
        if s.expected is None or s.passed >= s.expected:
            return 0.0
        share = self._average_price() / self._price_of_example()
        return self._left() / (s.expected - s.passed) / share / s.unit

    def _expected_rows(self) -> int | None:
        """How many examples will have been looked at in the end."""
        s = self.spending_
        if s is None:
            return self.expected_examples_
        to_come = self._affordable()
        if s.expected is not None:
            to_come = min(to_come, max(s.expected - s.passed, 0))
        return int(self.cells_.n_examples) + to_come  # type: ignore[attr-defined]
