"""A warning where judgments are not independent, as the paper assumes them to be.

The paper takes a new random worker for every judgment. Real workers judge many objects, and several
attributes of one object. Independence can then fail in three ways:

- severity: a worker is milder than others on all objects, so judgments of different objects move together;
- halo: a worker's judgment of one attribute influences the same worker's judgment of another, so the noise of two
  attributes is correlated and the covariance estimate contains that noise;
- repetition: a worker judged the same cell twice, which is not a second, independent judgment.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..data.table import Judgments
from .dependence_tests import count_repetitions, halo_test, severity_test
from .variance_components import attribute_components, judgments_of

# A share of the disagreement below this changes the choice little, however precise its estimate.
LEAST_SHARE = 0.05
LEAST_HALO = 0.05
LEVEL = 0.01
MOST_ATTRIBUTES = 5  # named in a message


class DependentJudgments(UserWarning):
    """The judgments are not independent; projected losses, repeats and intervals may be more certain than they seem.

    Parameters
    ----------
    findings : sequence of str
        What was found, one clause for each kind of dependence.

    Attributes
    ----------
    findings : tuple of str
        The same.
    """

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(findings)
        self.findings = tuple(findings)

    def summary(self) -> str:
        """State the findings in one clause, without advice.

        Returns
        -------
        str
            The clause.
        """
        return f"the judgments are not independent: {'; '.join(self.findings)}"

    def __str__(self) -> str:
        return (
            f'{self.summary()}. Compute intervals with bootstrap(..., by="both"), and consider'
            " correct_severity(judgments)"
        )


class Dependence(NamedTuple):
    """Results of the tests; ``findings`` is empty when independence may be assumed."""

    worker_share: np.ndarray  # of the disagreement, per attribute; NaN where it is unknown
    severity_p: np.ndarray  # p-values, per attribute
    halo: float  # mean correlation of the noise of two attributes judged by one worker on one object
    halo_p: float
    repetitions: int  # judgments of a cell that the same worker had judged before
    findings: list[str]


def dependence(judgments: Judgments) -> Dependence:
    """Severity, halo and repetition in judgments whose workers are known."""
    d = len(judgments.attributes)
    share, p = np.full(d, np.nan), np.ones(d)
    for a in range(d):
        x, objects, workers = judgments_of(judgments, a)
        if len(np.unique(workers)) < len(x):
            share[a] = attribute_components(x, objects, workers).worker_share
            p[a] = severity_test(x, objects, workers)
    halo, halo_p = halo_test(judgments)
    repetitions = count_repetitions(judgments)
    findings = []
    severe = np.flatnonzero((p < LEVEL / d) & (share >= LEAST_SHARE))
    if len(severe):
        findings.append(_severity_clause(judgments, share, severe))
    if halo_p < LEVEL and abs(halo) >= LEAST_HALO:
        findings.append(
            "halo: the noise of two attributes that one worker judged on one object has a mean correlation of"
            f" {halo:+.2f}"
        )
    if repetitions:
        findings.append(f"repetition: a worker judged the same cell again {repetitions} times")
    return Dependence(
        worker_share=share,
        severity_p=p,
        halo=halo,
        halo_p=halo_p,
        repetitions=repetitions,
        findings=findings,
    )


def _severity_clause(judgments: Judgments, share: np.ndarray, severe: np.ndarray) -> str:
    worst = severe[np.argsort(-share[severe], kind="stable")][:MOST_ATTRIBUTES]
    shown = ", ".join(f"{share[a]:.0%} for {judgments.attributes[a]!r}" for a in worst)
    more = f" and less for {len(severe) - len(worst)} more attributes" if len(severe) > len(worst) else ""
    return (
        "workers differ in severity, and the share of the disagreement about an object that this causes is"
        f" {shown}{more} ({len(judgments.workers)} workers, {judgments.counts.sum()} judgments)"
    )


def warn_if_dependent(judgments: Judgments) -> None:
    """Warn when the workers are known and the judgments are not independent."""
    if judgments.worker is None:
        return
    findings = dependence(judgments).findings
    if findings:
        warnings.warn(DependentJudgments(findings), stacklevel=3)
