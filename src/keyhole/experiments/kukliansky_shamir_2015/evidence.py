"""Differences between learners, and where and why an order differs from that of Kukliansky and Shamir.

Order is decided by means, with a remark where a difference is within two standard errors; errors that the paper calls
similar may differ by a fiftieth of the loss of zero weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runner.paper import Rows
from ..shared.rows import grouped, mean_and_error
from .comparison import UNTUNED

SIMILAR = 0.02  # of the loss of zero weights: smaller differences are not visible in the paper's figures
N_ATTRIBUTES = {"simulated": 500, "mnist": 784, "covertype": 54}


class Difference(NamedTuple):
    """The error of one learner minus that of another on the same repeats: mean and standard error."""

    mean: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the mean is more than two standard errors from 0."""
        return abs(self.mean) > 2 * self.error

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def difference(rows: Rows, first: str, second: str) -> Difference:
    """The difference between two learners, paired over the repeats that have both."""
    errors = {name: grouped([r for r in rows if r["learner"] == name], "error", "repeat") for name in (first, second)}
    both = [repeat for repeat in errors[first] if repeat in errors[second]]
    return Difference(*mean_and_error([errors[first][at][0] - errors[second][at][0] for at in both]))


def uncertain(gaps: list[Difference]) -> str:
    """How many of some differences are within two standard errors of 0, in a sentence."""
    unclear = sum(not gap.clear for gap in gaps)
    return f"{unclear} of {len(gaps)} differences are within two standard errors of 0." if unclear else ""


def exceptions(gaps: dict[str, Difference], most: float = 0.0) -> str:
    """The differences that are above ``most`` though the claim says otherwise, in a sentence."""
    found = {
        name: f"{name} {gap}{'' if gap.clear else ', which is within two standard errors of 0'}"
        for name, gap in gaps.items()
        if gap.mean > most
    }
    return f"Exceptions: {'; '.join(found.values())}." if found else ""


def rough_moments(rows: Rows) -> str:
    """Why the second phase may have no advantage."""
    seen = max(int(row["attributes"]) for row in rows)
    times = seen / 10 / _n_attributes(rows)
    return (
        f"With the most attributes, the first phase reveals each attribute {times:.3g} times, so the moments that the"
        " second phase uses are rough estimates; an attribute whose revealed values were all 0 in the first phase is"
        " never drawn in the second."
    )


def few_rows(rows: Rows, name: str) -> str:
    """Why a learner with every cell may not be best."""
    whole = max(int(row["attributes"]) for row in rows) // _n_attributes(rows)
    return f"{name} chooses its penalty by cross-validation on {whole:,} rows."


def estimated(rows: Rows, plain: str, dependent: str, streamed: str) -> str:
    """What the online learner has that the dependent one lacks, and how near the forms with running scales come."""
    n, d = int(rows[0]["attributes"]), _n_attributes(rows)
    same = (
        "Both descend on raw rows in a ball of the same kind, without an intercept, average their weights, and have"
        f" their settings chosen by cross-validation; {streamed} has the exact gradients of {n // d:,} rows, and"
        f" {dependent} estimates of the gradients of more examples, which vary with the draws."
    )
    names = [name + UNTUNED for name in (plain, f"Two-Phased {dependent}")]
    means = {name: np.mean(found) for (name,), found in grouped(rows, "error", "learner").items() if name in names}
    if not means:
        return same
    best = min(means, key=lambda name: means[name])
    gap = difference(rows, best, streamed)
    error = f"an error of {means[best]:.3f}, a difference of {gap} to {streamed}"
    return f"{same} With running scales and an intercept {best} has {error}."


def at_most_attributes(rows: Rows) -> Rows:
    """The rows with the largest number of attributes: the rightmost point of each curve."""
    most = max(row["attributes"] for row in rows)
    return [row for row in rows if row["attributes"] == most]


def is_between(rows: Rows, dependent: str, plain: str) -> tuple[bool, str]:
    """Whether the two-phased learner's mean lies between the other two, or nearly so; and the three in words."""
    names = (dependent, f"Two-Phased {dependent}", plain)
    low, middle, high = (np.mean([float(r["error"]) for r in rows if r["learner"] == name]) for name in names)
    holds = low - SIMILAR <= middle <= high + SIMILAR
    return bool(holds), f"{dependent} {low:.3f}, two-phased {middle:.3f}, {plain} {high:.3f}"


def around(rows: Rows, dependent: str, plain: str) -> dict[str, Difference]:
    """The two differences that are below 0 where the two-phased learner lies between the other two."""
    pairs = (dependent, f"Two-Phased {dependent}"), (f"Two-Phased {dependent}", plain)
    return {f"{first} minus {second}": difference(rows, first, second) for first, second in pairs}


def _n_attributes(rows: Rows) -> int:
    return N_ATTRIBUTES[str(rows[0].get("data", "simulated"))]
