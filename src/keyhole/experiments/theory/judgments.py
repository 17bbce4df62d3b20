"""Theorem 3.1 of Sabato and Kalai 2013: the estimated objective converges to the true one for all repeats at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ...judgments.core.estimated_moments import Moments, estimate
from ...judgments.core.projected_loss import predictor
from ...judgments.core.repair import repaired
from ...planning import bound_formulas as bounds
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from .rates import draw_bounds, falls, summary

D, BUDGET, JUDGMENTS_EACH, DELTA = 4, 6, 2, 0.1
SHARED = 0.6  # the correlation of each attribute of the correlated population with a common sign
SPREAD = 0.25  # variance of an attribute: its true value is -1/2 or 1/2
NOISE = 1 / 12  # variance of a judgment around it: evenly within 1/2
WEIGHTS = np.array([0.8, 0.5, -0.4, 0.3])


def truth(correlated: bool) -> tuple[np.ndarray, np.ndarray]:
    """Covariance of the true values, and their covariance with the label."""
    common = SHARED**2 if correlated else 0.0
    sigma = SPREAD * ((1 - common) * np.eye(D) + common)
    return sigma, sigma @ WEIGHTS


def population(m: int, correlated: bool, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Judgments (m, D, 2) from -1 to 1, and labels."""
    signs = rng.choice([-1.0, 1.0], size=(m, D))
    if correlated:
        common = rng.choice([-1.0, 1.0], size=(m, 1))
        signs = common * np.where(rng.random((m, D)) < (1 + SHARED) / 2, 1.0, -1.0)
    value = 0.5 * signs
    judgments = value[:, :, None] + rng.uniform(-0.5, 0.5, size=(m, D, JUDGMENTS_EACH))
    return judgments, value @ WEIGHTS


def all_repeats() -> Iterator[np.ndarray]:
    """Every way to spend at most the budget."""
    for repeats in np.ndindex(*(BUDGET + 1,) * D):
        if 0 < sum(repeats) <= BUDGET:
            yield np.array(repeats)


def objective(moments: Moments, repeats: np.ndarray) -> float:
    """b' (Sigma + v/r)^-1 b over the attributes with judgments: what the selection maximises."""
    return float(predictor(moments, moments.sigma, repeats)[0] @ moments.b)


def largest_error(learner: str, examples: list[int], seed: int) -> Rows:
    """Task: the largest error of the estimated objective over all repeats; Scoring has uncorrelated attributes."""
    correlated = learner == "full"
    sigma, b = truth(correlated)
    scales = np.ones(D)
    true = Moments(np.zeros(D), 0.0, float(WEIGHTS @ b), b, np.full(D, NOISE), sigma, scales)
    least = float(np.linalg.eigvalsh(sigma)[0])
    bound = bounds.full_objective if correlated else bounds.scoring_objective
    rows: Rows = []
    for m in examples:
        values, y = population(m, correlated, np.random.default_rng([seed, m]))
        found = repaired(estimate(values, y, [f"a{i}" for i in range(D)]), scales)
        if not correlated:
            found = found._replace(sigma=np.diag(np.maximum(np.diag(found.sigma), 0.0)))
        error = max(abs(objective(found, r) - objective(true, r)) for r in all_repeats())
        limit = bound(D, m, BUDGET, least, DELTA)
        rows.append({"learner": learner, "examples": m, "seed": seed, "excess": error, "bound": limit})
    return rows


def tasks(size: Size, seed: int) -> list[Task]:
    """Both algorithms, a task for each seed."""
    examples, seeds = ([100, 400, 1600, 6400], 20) if size == Size.quick else ([100, 400, 1600, 6400, 25_600], 100)
    return [
        Task(largest_error, {"learner": learner, "examples": examples, "seed": seed + s})
        for learner in ("full", "scoring")
        for s in range(seeds)
    ]


def claims(rows: Rows) -> list[Claim]:
    """How fast the error falls."""
    return [
        falls(rows, name, f"{name.capitalize()}: the worst error of the objective falls with the objects", -0.5)
        for name in ("full", "scoring")
    ]


def draw(rows: Rows, figure: Figure) -> None:
    """The largest error against objects, with the names of the algorithms as elsewhere."""
    named: Rows = [row | {"learner": str(row["learner"]).capitalize()} for row in rows]
    title, constant = "Sabato and Kalai: rates (dashed) and measured error", ", constant taken as 1"
    draw_bounds(named, figure, "largest error of the objective", title, constant, "objects with judgments")


JUDGMENTS = Experiment(
    name="judgments",
    title="Feature multi-selection: the error of the estimated objective",
    tasks=tasks,
    table=summary,
    claims=claims,
    draw=draw,
    caption="Largest error of the estimated objective against objects with judgments, mean over runs, and the"
    " rate of the theorem as a dashed line. Bars are standard errors.",
    about=(
        "4 attributes with two judgments each, a budget of 6 judgments; the covariances are known, so the error of the"
        " estimated objective is exact, and the largest of all 209 ways to spend the budget is shown. Full has"
        " correlated attributes, Scoring uncorrelated ones, as its theorem asks. Constants of the O() are"
        " taken as 1. Examples are objects with judgments. Bars are standard errors."
    ),
)
