"""What a plan says in words: which design to take, when Keyhole is the wrong choice, a paragraph for the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..common.parameters import ParameterError
from .comparing import interval
from .designs import KEYHOLE, Design
from .settings import LEVEL, MATTERS, TOLERANCE

if TYPE_CHECKING:
    from .result import Plan


def verdict(plan: Plan, total: float | None = None) -> list[str]:
    """Sentences about the designs at one total; None for the largest."""
    total = plan.total if total is None else total
    said = [_best(plan, total, few=False), *_about_keyhole(plan, total), _limit(plan, total)]
    if plan.few < plan.n_attributes:
        said.append(_best(plan, total, few=True))
    said += _held_back(plan)
    if plan.target is not None:
        said += [target_sentence(plan, few=False)]
    return said


def target_sentence(plan: Plan, few: bool) -> str:
    """The cheapest design that reaches the target of the plan, or that there is none."""
    try:
        found = plan.cheapest(few=few)
    except ParameterError as error:
        return f"Target {plan.target:g}: {error.message}."
    beyond = ", an extrapolation beyond the total" if found.extrapolated else ""
    return (
        f"Target {plan.target:g}: the cheapest design that is expected to reach it is {found.design}, at a cost of"
        f" {found.design.cost:,.0f}{beyond}."
    )


def _best(plan: Plan, total: float, few: bool) -> str:
    found, designs = plan.comparison(total, few), plan.designs[total]
    best, error = designs[found.best], interval(plan.errors[total][:, found.best, int(few)])
    source = f"from {plan.few} attributes" if few else "from all attributes"
    said = (
        f"Predictions {source}: the smallest expected error, {error.error:.3f} ({LEVEL:.0%} interval {error.low:.3f} to"
        f" {error.high:.3f}), is that of {best}."
    )
    if error.error > 0.97:
        said += " That is hardly better than predicting the mean label."
    if found.alike:
        said += f" It cannot be told apart from {_joined([designs[i] for i in found.alike])}."
    chosen = designs[found.recommended]
    if found.recommended != found.best:
        said += (
            f" Recommended is {chosen}: its error is within {TOLERANCE - 1:.0%} of the smallest, and layouts between"
            " the extremes are the safer ones."
        )
    return said


def _about_keyhole(plan: Plan, total: float) -> list[str]:
    """Whether Keyhole is the wrong choice for predictions from all attributes."""
    found, designs = plan.comparison(total), plan.designs[total]
    own = [i for i in range(len(found.ratio)) if designs[i].learner == KEYHOLE]
    others = [i for i in range(len(found.ratio)) if designs[i].learner != KEYHOLE]
    if not own or not others:
        return []
    best_own, best_other = (min(some, key=lambda i: found.ratio[i]) for some in (own, others))
    ratio = float(found.ratio[best_own] / found.ratio[best_other])
    if found.best == best_own:
        if designs[best_own].spend == plan.row_price:
            return ["Complete rows are the best layout; testing few attributes of each example does not pay here."]
        return []
    if found.low[best_own] > 1 or ratio > MATTERS:
        return [
            f"Keyhole is the wrong choice here: the best of its designs ({designs[best_own].layout}) is expected to"
            f" have an error {ratio - 1:.0%} above that of {designs[best_other]}."
        ]
    return [
        f"Keyhole ({designs[best_own].layout}) is not better than {designs[best_other]}; the difference is too small to"
        " matter."
    ]


def _limit(plan: Plan, total: float) -> str:
    error, limit = interval(plan.errors[total][:, -1, 0]), plan.designs[total][-1]
    return (
        f"With every test of {limit.n_examples:,} examples, at a cost of {limit.cost:,.0f}, the error would be"
        f" {error.error:.3f}: the limit."
    )


def _held_back(plan: Plan) -> list[str]:
    """How well learning curves would have foretold their own last point."""
    ratios = [
        held[1] / held[0]
        for both in plan.curves.values()
        for curve in both[:1]
        if (held := curve.held_back) is not None
    ]
    if not ratios:
        return []
    off = float(np.sqrt(np.mean(np.log(ratios) ** 2)))
    return [
        f"Learning curves without their last point foretell it within {off:.0%} (root mean square over {len(ratios)}"
        " designs)."
    ]


def _joined(designs: list[Design]) -> str:
    """Designs by learner, each layout once."""
    layouts: dict[str, list[str]] = {}
    for design in designs:
        layouts.setdefault(design.learner, []).append(design.layout)
    parts = [f"{learner} {', '.join(some)}" for learner, some in layouts.items()]
    return "; ".join(parts)


def methods_paragraph(plan: Plan) -> str:
    """A paragraph for the protocol of a study."""
    from .._version import __version__

    best, total = plan.best(), plan.total
    error = interval(plan.errors[total][:, plan.comparison().recommended, 0])
    unit = "tests" if plan.unit_costs else "units of cost"
    cells = "complete" if plan.share_present == 1 else f"{plan.share_present:.0%} of the cells present"
    said = (
        f"The design was chosen by simulation with Keyhole {__version__} (seed {plan.random_state}) from a pilot of"
        f" {plan.n_pilot} examples and {plan.n_attributes} attributes ({cells}). A factor model of the attributes and a"
        " Bayesian linear model of the label, with dense and with sparse weights, were fitted to the pilot, and"
        f" {plan.n_worlds} populations were drawn from their posterior. In each population, every design that costs at"
        f" most {total:,.0f} {unit} was simulated: training on its number of examples and prediction of new examples."
        f" The design {best} was chosen; its expected squared error is {error.error:.3f} of the label's variance"
        f" ({LEVEL:.0%} interval {error.low:.3f} to {error.high:.3f}), the smallest or within {TOLERANCE - 1:.0%} of"
        " it."
    )
    found = plan.comparison()
    alike = [i for i in sorted({*found.alike, found.best}) if i != found.recommended]
    if alike:
        said += f" It could not be told apart from {_joined([plan.designs[total][i] for i in alike])}."
    if plan.target is not None:
        said += f" {target_sentence(plan, few=False)}"
    return said
