"""A plan as numbers and words that JSON can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..curves import Curve
from ..on_pilot import Check
from ..targets import targets_as_dict
from .sentences import verdict

if TYPE_CHECKING:
    from ..result import Plan


def as_dict(plan: Plan) -> dict[str, Any]:
    """Everything that a plan found."""
    return {
        "pilot": {
            "examples": plan.n_pilot,
            "attributes": plan.n_attributes,
            "share_of_cells_present": plan.share_present,
            "label_variance": plan.label_variance,
            "cost_of_a_row": plan.row_price,
        },
        "few": plan.few,
        "target": plan.target,
        "cheapest": targets_as_dict(plan),
        "max_examples": plan.max_examples,
        "random_state": plan.random_state,
        "worlds": plan.n_worlds,
        "totals": [{"total": total, "designs": plan.table(total)} for total in sorted(plan.designs)],
        "curves": [
            {
                "learner": learner,
                "spend": spend,
                **{name: _curve(c) for name, c in zip(("all", "few"), both, strict=True)},
            }
            for (learner, spend), both in plan.curves.items()
        ],
        "on_the_pilot": [_check(check, name, few) for check in plan.checks for few, name in enumerate(("all", "few"))],
        "sentences": verdict(plan),
        "methods": plan.methods_paragraph(),
    }


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "cost": curve.cost.tolist(),
        "error": curve.error.tolist(),
        "standard_error": curve.standard_error.tolist(),
        "simulated": curve.n_simulated,
        "held_back": curve.held_back,
    }


def _check(check: Check, name: str, few: int) -> dict[str, Any]:
    return {
        "learner": check.design.learner,
        "layout": check.design.layout,
        "predicted_from": name,
        "error": float(check.error[few]),
        "standard_error": float(check.error[few] * check.standard_error[few]),
        "expected_from_worlds": float(check.expected[few]),
        "factor": float(check.factor[few]),
    }
