"""What the paper says of its figures, judged by paired differences over repeats.

Order is judged by means, with a word where a difference is within two standard errors; what the paper calls similar may
differ by a fiftieth of the loss of zero weights.
"""

from __future__ import annotations

import itertools

import numpy as np

from ..paper import Claim, Rows
from .comparison import DEPENDENT, FULL_INFORMATION, PLAIN
from .reasons import SIMILAR, Difference, difference, doubts, few_rows, rough_moments, scaled, strays

PRINTED = {
    "simulated, alpha 0": ("1", "1"),
    "simulated, alpha -0.5": ("0.91", "0.086"),
    "simulated, alpha -1": ("0.55", "0.014"),
    "simulated, alpha -2": ("0.05", "0.0033"),
    "mnist": ("0.45", "0.2"),
}


def at_most_attributes(rows: Rows) -> Rows:
    """The rows of the rightmost point."""
    most = max(row["attributes"] for row in rows)
    return [row for row in rows if row["attributes"] == most]


def ratio_claims(rows: Rows) -> list[Claim]:
    """Within a tenth, or a unit of the last digit: some of the printed ratios are cut off rather than rounded."""
    claims = []
    for row in rows:
        for norm, printed in zip(("ridge", "lasso"), PRINTED[str(row["data"])], strict=True):
            found, said = float(row[f"{norm} ratio"]), float(printed)
            unit = 10.0 ** -len(printed.partition(".")[2]) if "." in printed else 0.0
            text = f"Improvement ratio for {norm}, {row['data']}"
            holds = abs(found - said) <= max(said / 10, unit if said < 0.1 else 0.0)
            claims.append(Claim.judged(text, printed, f"{found:.3g}", holds))
    return claims


def simulated_claims(norm: str, rows: Rows) -> list[Claim]:
    """Of Figures 1 and 2, at the largest number of attributes."""
    plain, keen, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    alphas = sorted({float(row["alpha"]) for row in rows}, reverse=True)
    last = {alpha: at_most_attributes([row for row in rows if row["alpha"] == alpha]) for alpha in alphas}
    gaps = {alpha: difference(last[alpha], keen, plain) for alpha in alphas}
    steeper = [
        Difference(gaps[b].mean - gaps[a].mean, np.hypot(gaps[a].error, gaps[b].error))
        for a, b in itertools.pairwise(alphas)
    ]
    between = {alpha: between_claim(last[alpha], keen, plain) for alpha in alphas[1:]}
    sides = {
        f"alpha {alpha:g}, {said}": gap
        for alpha in alphas[1:]
        for said, gap in around(last[alpha], keen, plain).items()
    }
    best = {
        f"alpha {alpha:g}, {full} less {name}": difference(last[alpha], full, name)
        for alpha in alphas[1:]
        for name in (plain, keen, f"online {full}")
    }
    return [
        Claim.judged(
            f"With equal moments (alpha 0) {keen} and {plain} are equivalent",
            "the same but for the step",
            f"{keen} less {plain}: {gaps[0.0]}",
            abs(gaps[0.0].mean) <= SIMILAR,
            otherwise="They draw alike, but choose among steps by errors that differ by chance.",
        ),
        Claim.judged(
            f"The faster the moments decay, the more {keen} improves on {plain}",
            "a significant improvement as the ratio decreases",
            f"{keen} less {plain}: " + ", ".join(f"alpha {alpha:g}: {gap}" for alpha, gap in gaps.items()),
            all(gap.mean <= SIMILAR or not gap.clear for gap in steeper) and gaps[alphas[-1]].mean < 0,
            doubts(steeper),
            strays(
                {f"from alpha {a:g} to {b:g}": g for (a, b), g in zip(itertools.pairwise(alphas), steeper, strict=True)}
            ),
        ),
        Claim.judged(
            f"Two-Phased {keen} lies between {plain} and {keen}",
            "between",
            "; ".join(f"alpha {alpha:g}: {said}" for alpha, (_, said) in between.items()),
            all(holds for holds, _ in between.values()),
            doubts(list(sides.values())),
            f"{strays(sides, SIMILAR)} {rough_moments(rows)}",
        ),
        Claim.judged(
            f"Offline {full}, which sees whole rows and uses them more than once, is best",
            "best of the five",
            f"{full} less the others, alpha 0 left out: from {min(best.values())} to {max(best.values())}",
            all(gap.mean <= 0 for gap in best.values()),
            doubts(list(best.values())),
            f"{strays(best)} {few_rows(rows, full)}",
        ),
    ]


def between_claim(rows: Rows, keen: str, plain: str) -> tuple[bool, str]:
    """Whether the two-phased learner's mean lies between the other two, or as good as; and the three in words."""
    names = (keen, f"Two-Phased {keen}", plain)
    low, middle, high = (np.mean([float(r["error"]) for r in rows if r["learner"] == name]) for name in names)
    holds = low - SIMILAR <= middle <= high + SIMILAR
    return bool(holds), f"{keen} {low:.3f}, two-phased {middle:.3f}, {plain} {high:.3f}"


def around(rows: Rows, keen: str, plain: str) -> dict[str, Difference]:
    """The two differences that are below 0 where the two-phased learner lies between the other two."""
    pairs = (keen, f"Two-Phased {keen}"), (f"Two-Phased {keen}", plain)
    return {f"{first} less {second}": difference(rows, first, second) for first, second in pairs}


def real_claims(norm: str, rows: Rows) -> list[Claim]:
    """Of Figures 3 and 4, and of the appendix."""
    plain, keen, full = PLAIN[norm].__name__, DEPENDENT[norm].__name__, FULL_INFORMATION[norm]
    phased, streamed = f"Two-Phased {keen}", f"online {full}"
    sizes = sorted({int(row["attributes"]) for row in rows})
    by_size = {size: [row for row in rows if row["attributes"] == size] for size in sizes}
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    gaps = {f"with {size:,} attributes seen": difference(by_size[size], keen, plain) for size in sizes}
    sides = around(last, keen, plain)
    holds, said = between_claim(last, keen, plain)
    early, late = difference(first, phased, keen), difference(last, phased, keen)
    others = {f"{full} less {name}": difference(last, full, name) for name in (plain, keen, phased, streamed)}
    claims = [
        Claim.judged(
            f"{keen} is considerably better than {plain} at all sizes",
            "better at all sizes",
            f"{keen} less {plain}: {', '.join(map(str, gaps.values()))}",
            all(gap.mean < 0 for gap in gaps.values()),
            doubts(list(gaps.values())),
            strays(gaps),
        ),
        Claim.judged(
            f"{phased} lies between {plain} and {keen}, and nears {keen}",
            "between, and converging",
            f"at most attributes {said}; {phased} less {keen}: {early} at fewest",
            holds and late.mean <= max(early.mean, SIMILAR),
            doubts(list(sides.values())),
            f"{strays(sides, SIMILAR)} {rough_moments(rows)}",
        ),
    ]
    for size, part in ((sizes[0], first), (sizes[-1], last)):
        if any(row["learner"] == streamed for row in part):
            gap = difference(part, keen, streamed)
            claims.append(
                Claim.judged(
                    f"{keen} does as well as {streamed} with {size:,} attributes seen",
                    "similar; better with few attributes" if norm == "ridge" else "comparable, if not slightly better",
                    f"{keen} less {streamed}: {gap}",
                    gap.mean <= SIMILAR,
                    otherwise=scaled(part, plain, keen, streamed),
                )
            )
    claims.append(
        Claim.judged(
            f"Offline {full} is best",
            "best of the five",
            f"{full} less the others: from {min(others.values())} to {max(others.values())}",
            all(gap.mean <= 0 for gap in others.values()),
            doubts(list(others.values())),
            f"{strays(others)} {few_rows(rows, full)}",
        )
    )
    return [*claims, steadiest(last, keen, plain)] if norm == "lasso" else claims


def steadiest(rows: Rows, keen: str, plain: str) -> Claim:
    """The claim that a learner varies least."""
    names, n = (keen, plain, f"Two-Phased {keen}"), sum(row["learner"] == keen for row in rows)
    spread = {name: np.std([float(r["error"]) for r in rows if r["learner"] == name], ddof=1) for name in names}
    return Claim.judged(
        f"{keen} varies less than the other budgeted learners",
        "smaller variance",
        ", ".join(f"{name} {value:.3f}" for name, value in spread.items()) + " (standard deviations)",
        min(spread, key=spread.__getitem__) == keen,
        f"Each from {n} repeats, and so uncertain by about {1 / np.sqrt(2 * (n - 1)):.0%}.",
    )
