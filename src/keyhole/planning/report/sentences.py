"""What a plan says in words: which design to take, when Keyhole is the wrong choice, and what a target costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...common.wording import counted, listed
from ..comparing import Comparison, from_the_middle, interval
from ..designs import KEYHOLE, Design
from ..settings import FOLDS, LEVEL, MATTERS, TOLERANCE
from ..targets import target_sentences

if TYPE_CHECKING:
    from ..result import Plan

SHOWN = 5  # names of tests in a sentence
HARDLY = 0.97  # an error above this is hardly below that of the mean label
PARTS_IN_WORDS = f"in {FOLDS} parts, each predicted from the others"


def verdict(plan: Plan, total: float | None = None) -> list[str]:
    """Sentences about the designs at one total; None for the largest."""
    total = plan.total if total is None else total
    said = [_best(plan, total, few=False), *_about_keyhole(plan, total), _every_test(plan, total)]
    if plan.few < plan.n_attributes:
        said.append(_best(plan, total, few=True))
    said += [_on_pilot(plan, total), *_held_back(plan)]
    # Targets are not bound to a total, and an extrapolation is one beyond the largest.
    return [*said, *target_sentences(plan)] if total == plan.total else said


def left_out(plan: Plan, total: float) -> list[str]:
    """For each design that cannot afford some tests, which ones it leaves out."""
    return [
        f"{design} leaves out {listed(design.leaves_out, SHOWN)}, {too_dear(design)}."
        for design in plan.designs[total]
        if design.leaves_out
    ]


def too_dear(design: Design) -> str:
    each = "each of which" if len(design.leaves_out) > 1 else "which"
    return f"{each} costs more than the {design.spend:g} that it spends on an example"


def _best(plan: Plan, total: float, few: bool) -> str:
    found, designs = plan.comparison(total, few), plan.designs[total]
    best, error = designs[found.best], interval(plan.errors[total][:, found.best, int(few)])
    source = f"from {plan.few} attributes" if few else "from all attributes"
    said = (
        f"Predictions {source}: the smallest expected error, {error.error:.3f} ({LEVEL:.0%} interval {error.low:.3f} to"
        f" {error.high:.3f}), is that of {best}."
    )
    if not found.predicts:
        return (
            f"{said} So no design is expected to do better at this cost than predicting the mean label, which has an"
            " error of 1, and none is recommended."
        )
    if error.error > HARDLY:
        said += " That is hardly better than predicting the mean label."
    if found.alike:
        said += f" It cannot be told apart from {joined([designs[i] for i in found.alike])}."
    if found.recommended != found.best:
        said += f" {_recommended(found, designs)}"
    return said


def _recommended(found: Comparison, designs: list[Design]) -> str:
    """Why a design is recommended that has not the smallest expected error."""
    chosen, best = designs[found.recommended], designs[found.best]
    aside = from_the_middle(designs[: len(found.ratio)])
    if aside[found.recommended] < aside[found.best]:
        why = (
            "its layout is nearer the middle, where expected errors depend less on the model of the pilot than those of"
            " thin layouts and of complete rows"
        )
    else:
        same = "the same layout" if chosen.spend == best.spend else "layouts as far from the middle"
        why = f"Keyhole comes first among learners with {same}"
    more, within = float(found.ratio[found.recommended]) - 1, f"lie within {TOLERANCE - 1:.0%} of each other"
    alike = "cannot be told apart and " if found.recommended in found.alike else ""
    return f"Recommended is {chosen}: its expected error is {more:.1%} larger, but the two {alike}{within}, and {why}."


def _about_keyhole(plan: Plan, total: float) -> list[str]:
    """Whether Keyhole is the wrong choice for predictions from all attributes, where it is not recommended."""
    found, designs = plan.comparison(total), plan.designs[total]
    if not found.predicts:
        return []
    own = [i for i in range(len(found.ratio)) if designs[i].learner == KEYHOLE]
    others = [i for i in range(len(found.ratio)) if designs[i].learner != KEYHOLE]
    if not own or not others:
        return []
    best_own, best_other = (min(some, key=lambda i: found.ratio[i]) for some in (own, others))
    ratio = float(found.ratio[best_own] / found.ratio[best_other])
    if found.best == best_own:
        thinner = [i for i in (*found.alike, found.recommended) if designs[i].spend < plan.row_price]
        if designs[best_own].spend == plan.row_price and not thinner:
            return ["Complete rows are the best layout; testing few attributes of each example does not pay here."]
        return []
    if designs[found.recommended].learner == KEYHOLE:  # why, although another is best, stands with the recommendation
        return []
    above = (
        f"the best of its designs ({designs[best_own].layout}) is expected to have an error {ratio - 1:.0%} above that"
        f" of {designs[best_other]}"
    )
    apart = best_own not in found.alike
    if apart:
        return [f"Keyhole is the wrong choice here: {above}."]
    if ratio > MATTERS:
        return [f"Keyhole is not the better choice here: {above}, though the two cannot be told apart."]
    return [
        f"Keyhole ({designs[best_own].layout}) is not better than {designs[best_other]}; the difference is too small to"
        " matter."
    ]


def _every_test(plan: Plan, total: float) -> str:
    error, design = interval(plan.errors[total][:, -1, 0]), plan.designs[total][-1]
    return (
        f"For comparison, {design.learner} of {counted(design.n_examples, 'example')}, at a cost of {design.cost:,.0f}"
        f", is expected to have an error of {error.error:.3f} ({LEVEL:.0%} interval {error.low:.3f} to"
        f" {error.high:.3f})."
    )


def _on_pilot(plan: Plan, total: float) -> str:
    """What the pilot itself shows of the designs that it has enough examples for."""
    if not plan.checks:
        return (
            f"The pilot has too few complete examples to simulate a design on it ({PARTS_IN_WORDS}), so errors rest on"
            " populations drawn from a model of it alone."
        )
    chosen = plan.designs[total][plan.comparison(total).recommended]
    # The design itself, else another of its learner, else any.
    check = max(plan.checks, key=lambda one: (one.design == chosen, one.design.learner == chosen.learner))
    error, expected, factor = float(check.error[0]), float(check.expected[0]), float(check.factor[0])
    moved = "its expected error is" if check.design == chosen else f"expected errors, {chosen} among them, are"
    return (
        f"On the pilot itself ({PARTS_IN_WORDS}), {check.design} has an error of {error:.3f} ±"
        f" {error * float(check.standard_error[0]):.3f}, where populations drawn from a model of the pilot have"
        f" {expected:.3f}; so {moved} multiplied by {factor:.2f}."
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
        f"Learning curves without their last point foretell it within {off:.0%} (root mean square over"
        f" {counted(len(ratios), 'design')})."
    ]


def joined(designs: list[Design]) -> str:
    """Designs by learner, each layout once."""
    layouts: dict[str, list[str]] = {}
    for design in designs:
        layouts.setdefault(design.learner, []).append(design.layout)
    parts = [f"{learner} {', '.join(some)}" for learner, some in layouts.items()]
    return "; ".join(parts)
