"""A fitted learner in words: what was revealed, what was chosen and why, the policy, honest error, largest weights."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import MomentLearner
from .concerns import concerns, left_out, listed

WEIGHTS = 8


@dataclass(frozen=True, repr=False)
class InWords:
    """Sections of named lines; ``print`` shows it, and a notebook draws it as a table."""

    title: str
    sections: list[tuple[str, list[tuple[str, str]]]]

    def __str__(self) -> str:
        lines = [self.title]
        for heading, entries in self.sections:
            width = max(len(name) for name, _ in entries)
            lines += ["", heading, *(f"  {name:<{width}}  {told}".rstrip() for name, told in entries)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th colspan="2" style="text-align:left">{html.escape(heading)}</th></tr>'
            + "".join(
                f'<tr><td style="text-align:left">{html.escape(name)}</td>'
                f'<td style="text-align:left">{html.escape(told)}</td></tr>'
                for name, told in entries
            )
            for heading, entries in self.sections
        )
        return f"<table><caption>{html.escape(self.title)}</caption>{rows}</table>"


def summary_of(learner: MomentLearner, risk: bool = True) -> InWords:
    """Without ``risk`` nothing is fitted again."""
    solution = learner._solution()
    d = len(learner.attributes_)
    sections = [("Revealed", _revealed(learner))]
    families = [(f"{one['family']}{', kept' if one['kept'] else ''}", str(one["why"])) for one in solution.candidates]
    sections.append(("Chosen", families))
    if learner.cells_.n_examples:
        sections.append(("Policy", _policy(learner)))
    errors = _errors(learner) if risk and learner.cells_.n_examples else []
    if errors:
        sections.append(("Error", errors))
    sections.append(("Largest weights, and in standard deviations", _weights(learner)))
    if learner.cells_.n_examples:
        odd = concerns(solution, learner.cells_, learner._targets(), learner.attributes_, learner.takes_absent)
        if odd:
            sections.append(("Beware", [("-", one) for one in odd]))
    limit = "every cell that is there" if learner.budget is None else f"budget {learner.budget}"
    return InWords(f"{type(learner).__name__}: {limit}, {d:,} attributes", sections)


def _revealed(learner: MomentLearner) -> list[tuple[str, str]]:
    observed, d = learner.observed_, len(learner.attributes_)
    if not observed.n_examples:
        return [("cells", "none")]
    counts = observed.per_attribute
    least, most = int(np.argmin(counts)), int(np.argmax(counts))
    share = observed.distinct / (observed.n_examples * d)
    told = [
        ("examples", f"{observed.n_examples:,}"),
        ("cells", f"{observed.distinct:,}, {share:.2%} of all; cost {observed.cost:,g}"),
        ("of one example", f"{observed.mean_per_example:.1f} on average, {observed.max_per_example} at most"),
        ("least often", f"{learner.attributes_[least].name!r}, {counts[least]:,} times"),
        ("most often", f"{learner.attributes_[most].name!r}, {counts[most]:,} times"),
    ]
    rare = left_out(learner._solution(), learner.cells_)[2]
    if len(rare):
        names = listed([learner.attributes_[int(i)].name for i in rare])
        told.append(("left out", f"varied too rarely so far: {names}"))
    if learner.n_skipped_:
        told.insert(1, ("skipped", f"{learner.n_skipped_:,} examples, of which a value could not be had"))
    return told


def _policy(learner: MomentLearner) -> list[tuple[str, str]]:
    policy = learner.policy_
    if policy is None:
        return [("reveals", "every attribute that is there")]
    told = [("uniform", f"for the first {min(policy.renewal, learner.cells_.n_examples):,} examples")]
    if len(policy.starts) > 1:
        told = [
            ("uniform", f"for the first {policy.starts[1]:,} examples"),
            ("by weight", f"since then, above a uniform floor; renewed {len(policy.starts) - 1} times"),
        ]
    panels = policy.designs[-1]
    inclusion = np.repeat(np.minimum(panels.design.inclusion, 1.0), np.diff(panels.first))
    likely = [int(at) for at in np.argsort(-inclusion, kind="stable")[:3]]
    names = [f"{learner.attributes_[int(panels.members[at])].name!r} {inclusion[at]:.2f}" for at in likely]
    told.append(("next, chances", f"{', '.join(names)}; least {inclusion.min():.3f}"))
    if len(panels.always):
        told.append(("always seen", listed([learner.attributes_[int(i)].name for i in panels.always])))
    return told


def _errors(learner: MomentLearner) -> list[tuple[str, str]]:
    """By whatever honest estimates the learner has."""
    told = []
    if hasattr(type(learner), "risk_at"):
        many = learner.budget or max(1, round(learner.observed_.mean_per_example))
        try:
            told.append((f"from {many}", _figure(learner.risk_at(many))))
        except ValueError as error:  # it says why there is no estimate
            told.append((f"from {many}", str(error)))
    if hasattr(type(learner), "risk_interval_"):
        told.append(("from all", _figure(learner.risk_interval_)))
    return told


def _figure(risk: Any) -> str:
    if hasattr(risk, "n_examples"):
        return f"{risk.estimate:.3g} ± {risk.standard_error:.2g}, by {risk.n_examples:,} examples"
    return str(risk)


def _weights(learner: MomentLearner) -> list[tuple[str, str]]:
    solution = learner._solution()
    spread = np.where(solution.units.label_scale > 0, solution.units.label_scale, 1.0)
    standard = solution.coef * solution.units.scale / spread[:, None]
    strength = np.linalg.norm(standard, axis=0)
    largest = [int(i) for i in np.argsort(-strength, kind="stable")[:WEIGHTS] if strength[i] > 0]
    told = []
    for i in largest:
        raw, units = (" ".join(f"{weight:+.3g}" for weight in part[:, i]) for part in (solution.coef, standard))
        told.append((learner.attributes_[i].name, f"{raw}  ({units})"))
    return told or [("-", "all are 0")]
