"""Tables 1 and 2 of Sabato and Kalai 2013, on faces: the reliability of all attributes, and the predictors of Full."""

from __future__ import annotations

from ...datasets import face_judgments
from ..runner.paper import Claim, Experiment, Rows
from .properties import measured_attributes, property_tasks
from .setting import FIRST, OTHER_DATA, PREDICTOR_BUDGETS, SECOND

PUBLISHED_REPEATS = {FIRST: "height: 1 to 17", SECOND: "weight: 1 to 17"}


def reliability_claims(rows: Rows) -> list[Claim]:
    """How much attributes differ in reliability."""
    first = next(iter(rows))["label"]
    noise = [float(row["v/σ"]) for row in measured_attributes(rows) if row["label"] == first]
    low, high = min(noise), max(noise)
    return [
        Claim.with_verdict(
            "Attributes differ in reliability by a factor of eight and more",
            "v/σ from 0.39 (male) to 3.26 (good posture)",
            f"v/σ from {low:.2f} to {high:.2f}, {high / low:.0f} times",
            high >= 8 * low,
            OTHER_DATA,
        )
    ]


def predictor_table(rows: Rows) -> Rows:
    """The paper's Table 2: attributes with repeats, and their coefficients."""
    shown = [row for row in rows if row["repeats"] or row["attribute"] == "(bias)"]
    return [{name: row[name] for name in ("label", "attribute", "repeats", "coefficient")} for row in shown]


def predictor_claims(rows: Rows) -> list[Claim]:
    """Numbers of judgments differ widely between attributes: by a factor of ten and more in the paper."""
    claims = []
    for label, published in PUBLISHED_REPEATS.items():
        repeats = [int(row["repeats"]) for row in rows if row["label"] == label and row["repeats"]]
        claims.append(
            Claim.with_verdict(
                f"{label}: some attributes get one judgment, others many",
                f"{published} judgments of an attribute",
                f"{min(repeats)} to {max(repeats)} judgments of {len(repeats)} attributes; there are 24 of each",
                max(repeats) >= 10 * min(repeats),
                OTHER_DATA,
            )
        )
    return claims


TABLE1 = Experiment(
    name="table1",
    title="Like Table 1: reliability and correlation of all attributes",
    tasks=property_tasks(PREDICTOR_BUDGETS),
    table=measured_attributes,
    claims=reliability_claims,
    about="v/σ and b/σ as the paper prints them, with judgments from 0 to 1.",
    needs=face_judgments,
)
TABLE2 = Experiment(
    name="table2",
    title="Like Table 2: predictors of the full algorithm",
    tasks=property_tasks(PREDICTOR_BUDGETS),
    table=predictor_table,
    claims=predictor_claims,
    about="The budgets are the sums of the judgments of the paper's two predictors: 35 and 50. Judgments from 0 to 1.",
    needs=face_judgments,
)
