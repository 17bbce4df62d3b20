"""The upper bounds of the streaming learners, on a distribution whose risk is known exactly.

Examples are drawn uniformly from the threes and fives of scikit-learn's small digits (``digits``), without limit.
Learners follow the theorems exactly (``as_printed``): their draws, their steps, no scaling, and two phases that are
averaged separately.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...online import AELR, AER, AERR, DDAELR, DDAERR, Baseline
from ...planning import bound_formulas as bounds
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from .digits import RADIUS, digits
from .rates import below_bound, draw_bounds, summary

BUDGET, DELTA = 5, 0.1
CHUNK = 50_000


class Theorem(NamedTuple):
    """A learner exactly as in its theorem for m examples, and its bound."""

    norm: int
    learner: Callable[[int, np.ndarray], Any]
    bound: Callable[[int, np.ndarray], float]
    factor: float = 1.0  # of the excess: 2 where the paper's risk is the squared error itself


def _as_printed(kind: Any, m: int, **settings: Any) -> Any:
    return kind.as_printed(BUDGET, radius=RADIUS, n_expected=m, **settings)


_K = BUDGET - 1  # draws of x, one being left for the inner product
THEOREMS = {
    "AERR": Theorem(
        2,
        lambda m, moments: _as_printed(AERR, m),
        lambda m, moments: bounds.aerr(len(moments), m, _K, RADIUS),
    ),
    "DDAERR": Theorem(
        2,
        lambda m, moments: _as_printed(DDAERR, m, moments=moments),
        lambda m, moments: bounds.ddaerr(moments, m, _K, RADIUS),
    ),
    "Two-Phased DDAERR": Theorem(
        2,
        lambda m, moments: _as_printed(DDAERR, m, confidence=DELTA),
        lambda m, moments: bounds.two_phased_ddaerr(moments, m // 10, m - m // 10, _K, RADIUS, DELTA),
    ),
    "AELR": Theorem(
        1,
        lambda m, moments: _as_printed(AELR, m),
        lambda m, moments: bounds.aelr(len(moments), m, _K, RADIUS),
    ),
    "DDAELR": Theorem(
        1,
        lambda m, moments: _as_printed(DDAELR, m, moments=moments),
        lambda m, moments: bounds.ddaelr(moments, m, _K, RADIUS),
    ),
    "Two-Phased DDAELR": Theorem(
        1,
        lambda m, moments: _as_printed(DDAELR, m, confidence=DELTA),
        lambda m, moments: bounds.two_phased_ddaelr(moments, m // 10, m - m // 10, _K, RADIUS, DELTA),
    ),
    "AER": Theorem(
        1,
        lambda m, moments: AER.as_printed(4, radius=RADIUS, n_expected=m),
        lambda m, moments: bounds.aer(len(moments), m, 4, RADIUS),
        factor=2.0,
    ),
    "Baseline": Theorem(
        1,
        lambda m, moments: Baseline.as_printed(4, radius=RADIUS),
        lambda m, moments: bounds.baseline(len(moments), m, 4, RADIUS, DELTA),
        factor=2.0,
    ),
}


def excess_of(learner: str, examples: list[int], seed: int) -> Rows:
    """Task: the excess risk of a learner after each number of examples, each from a separate run."""
    theorem = THEOREMS[learner]
    pool = digits(theorem.norm)
    moments = np.mean(pool.X.astype(np.float64) ** 2, axis=0) + 1e-12
    rows: Rows = []
    for m in examples:
        model = theorem.learner(m, moments).set_params(random_state=seed)
        drawn = np.random.default_rng([seed, m]).integers(len(pool.y), size=m)
        for start in range(0, m, CHUNK):
            chosen = drawn[start : start + CHUNK]
            model.partial_fit(pool.X[chosen], pool.y[chosen])
        excess = theorem.factor * (pool.risk(model.coef_) - pool.least_risk)
        bound = theorem.bound(m, moments)
        rows.append({"learner": learner, "examples": m, "seed": seed, "excess": excess, "bound": bound})
    return rows


def tasks(learners: tuple[str, ...], size: Size, seed: int) -> list[Task]:
    """Each learner, a task for each seed."""
    examples, seeds = ([1000, 10_000, 100_000], 5) if size == Size.quick else ([1000, 10_000, 100_000, 1_000_000], 20)
    return [
        Task(excess_of, {"learner": learner, "examples": examples, "seed": seed + s}, cost=sum(examples) / 1e5)
        for learner in learners
        for s in range(seeds)
    ]


PRINTED = {
    "AERR": "4 B² sqrt(2d / (k m)) (Hazan and Koren 2012, Theorem 3.1)",
    "DDAERR": "4 B² sqrt((|E x²|½ / k + 1) / m) (Kukliansky and Shamir 2015, Theorem 3.3)",
    "Two-Phased DDAERR": "Kukliansky and Shamir 2015, Theorem 3.4, delta 0.1",
    "AELR": "4 B² sqrt(10 d log(2d) / (k m)) (Hazan and Koren 2012, Theorem 3.4)",
    "DDAELR": "4 B² sqrt(5 log(2d) (|E x²|₁ + k) / (k m)) (Kukliansky and Shamir 2015, Theorem 4.4)",
    "Two-Phased DDAELR": "Kukliansky and Shamir 2015, Theorem 4.5, delta 0.1",
    "AER": "O(d (B + 1) B sqrt(log(m) / (k m))), constant taken as 1 (Cesa-Bianchi et al. 2010, Theorem 2)",
    "Baseline": "O((d B)² / k sqrt(log(d / delta) / m)), constant taken as 1 (the same, Theorem 1), delta 0.1",
}


def claims(learners: tuple[str, ...], rows: Rows) -> list[Claim]:
    """That the excess of each learner is below its bound."""
    return [below_bound(f"{name}: the excess is below the bound", PRINTED[name])(rows, name) for name in learners]


ABOUT = (
    "Examples are drawn uniformly from the 365 threes and fives of scikit-learn's digits (64 attributes), so the risk"
    " and its least value in the ball (radius 2) are exact. Learners are as printed, with the theorem's draws, step and"
    " budget (5; 4 for AER and Baseline) and no scaling; the second phase of a two-phased learner starts from the"
    " average of the first, a tenth of the examples, and is averaged alone. Bars are standard errors over runs."
)
HALF = "excess risk (half the squared error)"
L1_BALL = ("AER", "Baseline")
RIDGE, LASSO = ("AERR", "DDAERR", "Two-Phased DDAERR"), ("AELR", "DDAELR", "Two-Phased DDAELR")

CAPTION = (
    "Excess risk of each learner against examples, mean over runs, and the bound of its theorem as a dashed line. Bars"
    " are standard errors, mostly smaller than the marks."
)
RIDGE_BOUNDS = Experiment(
    name="ridge",
    title="Ridge: bound against measured excess risk",
    tasks=partial(tasks, RIDGE),
    table=summary,
    claims=partial(claims, RIDGE),
    draw=partial(draw_bounds, ylabel=HALF, title="l2 ball: bounds (dashed) and measured excess"),
    caption=CAPTION,
    about=ABOUT,
)
LASSO_BOUNDS = Experiment(
    name="lasso",
    title="Lasso: bound against measured excess risk",
    tasks=partial(tasks, LASSO),
    table=summary,
    claims=partial(claims, LASSO),
    draw=partial(draw_bounds, ylabel=HALF, title="l1 ball: bounds (dashed) and measured excess"),
    caption=CAPTION,
    about=ABOUT,
)
AER_BOUND = Experiment(
    name="aer",
    title="AER and Baseline: bounds against measured excess risk",
    tasks=partial(tasks, L1_BALL),
    table=summary,
    claims=partial(claims, L1_BALL),
    draw=partial(
        draw_bounds,
        ylabel="excess risk (squared error)",
        title="AER and Baseline: bounds (dashed) and measured excess",
        constant=", constant taken as 1",
    ),
    caption=CAPTION,
    about=ABOUT,
)
