"""What the paper says of its figures, judged by paired differences over repeats."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from ..paper import Claim, Rows
from ..style import grouped, mean_and_error
from .comparison import DEPENDENT, FULL_INFORMATION, PLAIN

EQUAL = 0.02  # of the loss of zero weights: less is not to be seen in the paper's figures
# As printed, some of them cut off rather than rounded: one unit of the last digit is the tolerance.
PRINTED = {
    "simulated, alpha 0": ("1", "1"),
    "simulated, alpha -0.5": ("0.91", "0.086"),
    "simulated, alpha -1": ("0.55", "0.014"),
    "simulated, alpha -2": ("0.05", "0.0033"),
    "mnist": ("0.45", "0.2"),
}


class Difference(NamedTuple):
    """Error of one learner less that of another on the same repeats: mean and standard error."""

    mean: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the first is better beyond two standard errors."""
        return self.mean < -2 * self.error

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def difference(rows: Rows, first: str, second: str) -> Difference:
    """Paired over the repeats that have both."""
    errors = {name: grouped([r for r in rows if r["learner"] == name], "error", "repeat") for name in (first, second)}
    both = [repeat for repeat in errors[first] if repeat in errors[second]]
    return Difference(*mean_and_error([errors[first][at][0] - errors[second][at][0] for at in both]))


def at_most_attributes(rows: Rows) -> Rows:
    """The rows of the rightmost point."""
    most = max(row["attributes"] for row in rows)
    return [row for row in rows if row["attributes"] == most]


def ratio_claims(rows: Rows) -> list[Claim]:
    claims = []
    for row in rows:
        for norm, printed in zip(("ridge", "lasso"), PRINTED[str(row["data"])], strict=True):
            found = float(row[f"{norm} ratio"])
            unit = 10.0 ** -len(printed.partition(".")[2]) if "." in printed else 0.01
            text = f"Improvement ratio for {norm}, {row['data']}"
            claims.append(Claim.judged(text, printed, f"{found:.3g}", abs(found - float(printed)) < unit))
    return claims


def simulated_claims(norm: str, rows: Rows) -> list[Claim]:
    plain, keen, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    alphas = sorted({float(row["alpha"]) for row in rows}, reverse=True)
    last = {alpha: at_most_attributes([row for row in rows if row["alpha"] == alpha]) for alpha in alphas}
    gaps = {alpha: difference(last[alpha], keen, plain) for alpha in alphas}
    shown = ", ".join(f"alpha {alpha:g}: {gap}" for alpha, gap in gaps.items())
    growing = all(
        gaps[a].mean >= gaps[b].mean - 2 * np.hypot(gaps[a].error, gaps[b].error) for a, b in itertools.pairwise(alphas)
    )
    between = [is_between(last[alpha], keen, f"Two-Phased {keen}", plain) for alpha in alphas[1:]]
    best = [difference(last[alpha], full, name) for alpha in alphas[1:] for name in (plain, keen, f"online {full}")]
    return [
        Claim.judged(
            f"With equal moments (alpha 0) {keen} and {plain} are equivalent",
            "the same but for the step",
            f"{keen} less {plain}: {gaps[0.0]}",
            abs(gaps[0.0].mean) <= max(EQUAL, 2 * gaps[0.0].error),
            f"equal means within {EQUAL:g} of the loss of zero weights, or two standard errors",
        ),
        Claim.judged(
            f"The faster the moments decay, the more {keen} improves on {plain}",
            "a significant improvement as the ratio decreases",
            f"{keen} less {plain}: {shown}",
            growing and gaps[-1.0].clear and gaps[-2.0].clear,
        ),
        Claim.judged(
            f"Two-Phased {keen} lies between {plain} and {keen}",
            "between, at the largest number of attributes",
            "; ".join(f"alpha {alpha:g}: {said}" for alpha, (_, said) in zip(alphas[1:], between, strict=True)),
            all(holds for holds, _ in between),
        ),
        Claim.judged(
            f"Offline {full}, which sees whole rows and uses them more than once, is best",
            "best of the five",
            f"{full} less the others: from {min(best)} to {max(best)}",
            all(gap.mean < 2 * gap.error for gap in best),
            "alpha 0 left out" if norm == "lasso" else "",
        ),
    ]


def is_between(rows: Rows, low: str, middle: str, high: str) -> tuple[bool, str]:
    """Whether a learner's mean error lies between two others', up to two standard errors."""
    below, above = difference(rows, low, middle), difference(rows, middle, high)
    means = {name: np.mean([float(r["error"]) for r in rows if r["learner"] == name]) for name in (low, middle, high)}
    holds = below.mean <= 2 * below.error and above.mean <= 2 * above.error
    return holds, " ≤ ".join(f"{mean:.3f}" for mean in means.values())


def real_claims(norm: str, rows: Rows) -> list[Claim]:
    """Of Figures 3 and 4."""
    plain, keen, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    sizes = sorted({int(row["attributes"]) for row in rows})
    by_size = {size: [row for row in rows if row["attributes"] == size] for size in sizes}
    least, most = by_size[sizes[0]], by_size[sizes[-1]]
    gaps = [difference(by_size[size], keen, plain) for size in sizes]
    holds, said = is_between(most, keen, f"Two-Phased {keen}", plain)
    early, late = (difference(part, f"Two-Phased {keen}", keen) for part in (least, most))
    claims = [
        Claim.judged(
            f"{keen} is considerably better than {plain} at all sizes",
            "at all sizes",
            f"{keen} less {plain}: {', '.join(map(str, gaps))}",
            all(gap.clear for gap in gaps),
        ),
        Claim.judged(
            f"Two-Phased {keen} lies between {plain} and {keen}, and nears {keen}",
            "between, and converging",
            f"at most attributes {said}; above {keen} by {early} first, {late} last",
            holds and late.mean <= early.mean + 2 * np.hypot(early.error, late.error),
        ),
    ]
    streamed = f"online {full}"
    for part, size in ((least, sizes[0]), (most, sizes[-1])):
        if any(row["learner"] == streamed for row in part):
            gap = difference(part, keen, streamed)
            claims.append(
                Claim.judged(
                    f"{keen} is no worse than {streamed} with {size:,} attributes seen",
                    "similar, and better for few attributes"
                    if norm == "ridge"
                    else "comparable, if not slightly better",
                    f"{keen} less {streamed}: {gap}",
                    gap.mean <= max(EQUAL, 2 * gap.error),
                )
            )
    others = [difference(most, full, name) for name in (plain, keen, f"Two-Phased {keen}", streamed)]
    claims.append(
        Claim.judged(
            f"Offline {full} is best",
            "best of the five" if norm == "ridge" else "as in Figure 3",
            f"{full} less the others: from {min(others)} to {max(others)}",
            all(gap.mean < 2 * gap.error for gap in others),
        )
    )
    if norm == "lasso":
        claims.append(_steadiest(most, keen, plain))
    return claims


def _steadiest(rows: Rows, keen: str, plain: str) -> Claim:
    names = (keen, plain, f"Two-Phased {keen}")
    spread = {name: np.std([float(r["error"]) for r in rows if r["learner"] == name], ddof=1) for name in names}
    return Claim.judged(
        f"{keen} varies less than the other budgeted learners",
        "smaller variance",
        ", ".join(f"{name} {value:.3f}" for name, value in spread.items()) + " (standard deviations)",
        min(spread, key=spread.__getitem__) == keen,
    )
