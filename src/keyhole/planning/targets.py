"""The cheapest design that is expected to reach a target, and what a plan says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..common.parameters import ParameterError, is_number
from ..common.wording import counted
from .designs import Design

if TYPE_CHECKING:
    from .result import Plan


class Cheapest(NamedTuple):
    """The cheapest design that is expected to reach a target.

    Attributes
    ----------
    design : Design
        The design, with as many examples as reach the target.
    error : float
        The target.
    extrapolated : bool
        Whether its cost is beyond the totals that were simulated.
    """

    design: Design
    error: float
    extrapolated: bool


def cheapest_design(plan: Plan, target: float | None, few: bool) -> Cheapest:
    """What ``Plan.cheapest`` returns; ParameterError where no design reaches the target."""
    wanted = plan.target if target is None else target
    if wanted is None or not is_number(wanted) or not 0 < wanted < 1:
        raise ParameterError("target", "a share of the label's variance is wanted, between 0 and 1", wanted)
    curves = {family: both[int(few)].up_to(_most(plan, family[1])) for family, both in plan.curves.items()}
    costs = {family: curve.cost_of(wanted) for family, curve in curves.items()}
    reached = {family: cost for family, cost in costs.items() if cost is not None}
    if not reached:
        family, curve = min(curves.items(), key=lambda item: item[1].error.min())
        at = int(np.argmin(curve.error))
        instead = (
            "so take a target above that"
            if round(float(curve.error[at]), 3) < 1
            else "and predicting the mean label has 1, so take a larger total or a pilot with other attributes"
        )
        raise ParameterError(
            "target",
            f"no design reaches it; the smallest error that can be expected is {curve.error[at]:.3g}, by"
            f" {family[0]} with {family[1]:g} {'tests' if plan.unit_costs else 'units of cost'} per example at a"
            f" total of {curve.cost[at]:,.0f}, {instead}",
            wanted,
        )
    (learner, spend), cost = min(reached.items(), key=lambda item: item[1])
    same = next(d for some in plan.designs.values() for d in some if d.family == (learner, spend))
    n = int(np.ceil(cost / spend - 1e-9))
    return Cheapest(same._replace(n_examples=n, cost=n * spend), wanted, cost > plan.total * (1 + 1e-9))


def _most(plan: Plan, spend: float) -> float:
    """The most that a design may cost, by the examples that there are."""
    return np.inf if plan.max_examples is None else plan.max_examples * spend


def target_sentences(plan: Plan) -> list[str]:
    """For predictions from all attributes and from few: the cheapest design that reaches the target, or that none does.

    Without a target, there is no sentence.
    """
    if plan.target is None:
        return []
    return [_sentence(plan, few) for few in ((False, True) if plan.few < plan.n_attributes else (False,))]


def _sentence(plan: Plan, few: bool) -> str:
    try:
        return reached(plan, few)
    except ParameterError as error:
        return f"Target {plan.target:g}{_source(plan, few)}: {error.message}."


def reached(plan: Plan, few: bool) -> str:
    """The cheapest design that reaches the target of the plan; ParameterError where none does."""
    found = plan.cheapest(few=few)
    beyond = ", an extrapolation beyond the total" if found.extrapolated else ""
    which = "the cheapest" if few else "the cheapest design that is expected to reach it"
    return (
        f"Target {plan.target:g}{_source(plan, few)}: {which} is {found.design}, at a cost of"
        f" {found.design.cost:,.0f}{beyond}."
    )


def _source(plan: Plan, few: bool) -> str:
    return f" for predictions from {counted(plan.few, 'attribute')}" if few else ""


def targets_as_dict(plan: Plan) -> dict[str, Any] | None:
    """The cheapest designs from all attributes and from few, None for one that does not exist; None without a target.

    Where ``few`` are all attributes, both are the same.
    """
    if plan.target is None:
        return None
    return {name: _as_dict(plan, few) for few, name in ((False, "all"), (True, "few"))}


def _as_dict(plan: Plan, few: bool) -> dict[str, Any] | None:
    try:
        found = plan.cheapest(few=few)
    except ParameterError:
        return None
    design = found.design
    return {
        "learner": design.learner,
        "layout": design.layout,
        **design._asdict(),
        "leaves_out": list(design.leaves_out),
        "extrapolated": found.extrapolated,
    }
