"""A fitted model in words: what was revealed, which family was selected and why, the policy, errors, coefficients."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...common.wording import listed
from ...observe.meter import Meter
from ..honest.risk import RiskInterval
from ..policy.policy import Policy
from ..predict.held_out import Risk
from ..solution import Solution
from .settings import COEFFICIENTS_LISTED

Lines = list[tuple[str, str]]
COEFFICIENTS = (
    "Largest coefficients: change of the prediction per unit of the attribute; the same in standard deviations of the"
    " label per standard deviation of the attribute (their uncertainty: coef_interval())"
)
LOG_ODDS = "Largest coefficients: change of the log odds per unit of the column, and per standard deviation of it"


@dataclass(repr=False)
class Summary:
    """Sections of named lines; ``print`` shows them, and a notebook draws them as a table.

    Attributes
    ----------
    title : str
        The first line.
    sections : list of tuple of (str, list of tuple of (str, str))
        Each section with its heading and its lines, each line with its name.
    """

    title: str
    sections: list[tuple[str, Lines]] = field(default_factory=list)

    def add(self, heading: str, lines: Lines) -> None:
        """Append a section, unless it is empty."""
        if lines:
            self.sections.append((heading, lines))

    def __str__(self) -> str:
        parts = [self.title]
        for heading, lines in self.sections:
            width = max(len(name) for name, _ in lines)
            parts += ["", heading, *(f"  {name:<{width}}  {text}".rstrip() for name, text in lines)]
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th colspan="2" style="text-align:left">{html.escape(heading)}</th></tr>'
            + "".join(
                f'<tr><td style="text-align:left">{html.escape(name)}</td>'
                f'<td style="text-align:left">{html.escape(text)}</td></tr>'
                for name, text in lines
            )
            for heading, lines in self.sections
        )
        return f"<table><caption>{html.escape(self.title)}</caption>{rows}</table>"


def revealed_lines(meter: Meter, attributes: Sequence[Any], n_skipped: int, unreliable: np.ndarray) -> Lines:
    """How many cells were revealed, and of which attributes; ``unreliable`` have too little variation for a weight."""
    if not meter.n_examples:
        return [("cells", "none")]
    counts, d = meter.per_attribute, len(attributes)
    skipped = f", of which {n_skipped:,} were skipped because a value could not be had" if n_skipped else ""
    least, most = int(np.argmin(counts)), int(np.argmax(counts))
    share = meter.distinct / (meter.n_examples * d)
    lines = [
        ("examples", f"{meter.n_examples:,}{skipped}"),
        ("cells", f"{meter.distinct:,}, which is {share:.2%} of all cells; their cost is {meter.cost:,g}"),
        (
            "cells per example",
            f"{meter.mean_per_example:.1f} on average; at most {meter.max_per_example}, free attributes not counted",
        ),
        ("least often revealed", f"{attributes[least].name!r}, {counts[least]:,} times"),
        ("most often revealed", f"{attributes[most].name!r}, {counts[most]:,} times"),
    ]
    if len(unreliable):
        names = listed([attributes[int(i)].name for i in unreliable])
        lines.append(
            (
                "without a coefficient",
                f"{names}: the spread of the revealed values rests on fewer than 3 effective observations, because they"
                " were revealed rarely, few values differ, or a few are very large",
            )
        )
    return lines


def selection_lines(solution: Solution) -> Lines:
    """The families that were compared, and why one was kept."""
    return [(f"{one['family']} (kept)" if one["kept"] else one["family"], one["why"]) for one in solution.candidates]


def policy_lines(policy: Policy | None, attributes: Sequence[Any], n_examples: int) -> Lines:
    """How attributes were drawn, and how they will be drawn next."""
    if policy is None:
        return [("revealed", "every cell that is present")]
    starts, panels, lines = policy.starts, policy.designs[policy.latest], []
    if not len(panels.members):
        return [("revealed", "every attribute of an example that is looked at")]
    if not len(policy.designs[0].members):
        lines, starts = [("revealed completely", f"a pilot of {starts[1]:,} examples, not counted below")], starts[1:]
    if len(starts) == 1:
        later = f"by weight from example {policy.next_renewal:,} on"
        lines.append(("drawn uniformly", f"for all {n_examples - starts[0]:,} examples so far; {later}"))
    else:
        lines += [
            ("drawn uniformly", f"for the first {starts[1] - starts[0]:,} examples"),
            ("drawn by weight", f"since then, above a uniform minimum; renewed {len(starts) - 1} times"),
        ]
    inclusion = np.repeat(np.minimum(panels.design.inclusion, 1.0), np.diff(panels.first))
    likely = [int(at) for at in np.argsort(-inclusion, kind="stable")[:3]]
    names = [f"{attributes[int(panels.members[at])].name!r} {inclusion[at]:.2f}" for at in likely]
    lines.append(("next inclusion probabilities", f"largest: {', '.join(names)}; smallest: {inclusion.min():.3f}"))
    if len(panels.always):
        lines.append(("always revealed", listed([attributes[int(i)].name for i in panels.always])))
    return lines


def error_lines(n_attributes: int, risk_at: Risk | str, risk: RiskInterval) -> Lines:
    """Squared errors from few attributes and from all; where the first cannot be estimated, the reason for that."""
    few = risk_at
    if isinstance(risk_at, Risk):
        few = (
            f"squared error {risk_at.estimate:.3g} ± {risk_at.standard_error:.2g} (standard error), on"
            f" {risk_at.n_examples:,} held-out examples; variance of the label: {risk.label_variance:.3g}"
        )
    return [
        (f"predictions from {n_attributes} attributes", str(few)),
        ("predictions from all attributes", str(risk)),
    ]


def coefficient_lines(coef: np.ndarray, deviations: np.ndarray, names: Sequence[str], label_scale: np.ndarray) -> Lines:
    """The largest of some rows of coefficients: per unit of the column, and per standard deviation of it, where the
    latter is divided by ``label_scale``, a number for each row."""
    standard = coef * deviations / np.where(label_scale > 0, label_scale, 1.0)[:, None]
    strength = np.linalg.norm(standard, axis=0)
    largest = [int(i) for i in np.argsort(-strength, kind="stable")[:COEFFICIENTS_LISTED] if strength[i] > 0]
    lines = []
    for i in largest:
        raw, scaled = (" ".join(f"{weight:+.3g}" for weight in part[:, i]) for part in (coef, standard))
        lines.append((names[i], f"{raw}; {scaled}"))
    return lines or [("all", "0")]
