"""Intervals of the coefficients, by the bootstrap over examples, or over groups of them.

Rows are drawn again with replacement, each with the cells it revealed, and the model is fitted again: the same family,
in the same scales, for ``BOOTSTRAP_ITERATIONS`` iterations from where the first fit ended. An interval is the
coefficient plus or minus a normal quantile of the standard deviation over the fits, so what more iterations do to all
of them alike does not matter.

It tells how much the coefficient would vary had other examples been drawn; where the selection of the family is not
clear, it would vary more. A coefficient is shrunk on purpose, and the interval does not make up for that: it is one for
what the procedure estimates, not for the coefficients of some true predictor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri
from sklearn.utils import check_random_state

from ...common.parameters import check_whole
from ...common.progress import steps
from ..families.averaging import resumed
from ..solution import Solution, Training
from ..standard.rows import standardised_rows
from .settings import BOOTSTRAP_ITERATIONS


@dataclass(frozen=True)
class CoefInterval:
    """An interval of each coefficient, for raw units.

    Attributes
    ----------
    coef : ndarray of shape (n_attributes,)
        The coefficients.
    low, high : ndarray of shape (n_attributes,)
        The ends of their intervals.
    standard_error : ndarray of shape (n_attributes,)
        The standard deviation of each coefficient over the bootstrap fits.
    level : float
        The probability that an interval is made for.
    n_bootstrap : int
        The number of bootstrap fits.
    drawn : str
        What was drawn again: examples, or groups of them.
    """

    coef: np.ndarray
    low: np.ndarray
    high: np.ndarray
    standard_error: np.ndarray
    level: float
    n_bootstrap: int
    drawn: str

    def __str__(self) -> str:
        away = int(np.sum((self.low > 0) | (self.high < 0)))
        return (
            f"{self.level:.0%} intervals of {len(self.coef)} coefficients, from {self.n_bootstrap} bootstrap fits to"
            f" {self.drawn} drawn with replacement; {away} intervals do not contain 0"
        )


def coef_interval(
    solution: Solution,
    data: Training,
    refine: Callable[[Solution, Training], Solution],
    level: float,
    n_bootstrap: int,
    groups: Any,
    random_state: Any,
) -> CoefInterval:
    """Of a solution for one label; ``refine`` is what the learner makes of a solution."""
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}: coef_interval needs a number between 0 and 1, such as 0.9")
    check_whole("coef_interval", "n_bootstrap", n_bootstrap, 2)
    drawn, numbers = _numbered(groups, data.n_rows)
    seed = int(check_random_state(random_state).randint(2**31))
    fits = bootstrap_fits(solution, data, numbers, int(n_bootstrap), seed)
    coefficients = np.array([refine(fit, data).coef[0] for fit in fits])
    coef, error = solution.coef[0].copy(), coefficients.std(axis=0, ddof=1)
    reach = float(ndtri(0.5 + 0.5 * level)) * error
    return CoefInterval(
        coef=coef,
        low=coef - reach,
        high=coef + reach,
        standard_error=error,
        level=float(level),
        n_bootstrap=int(n_bootstrap),
        drawn=drawn,
    )


def bootstrap_fits(
    solution: Solution, data: Training, groups: np.ndarray, n_bootstrap: int, seed: int
) -> Iterator[Solution]:
    """A solution per bootstrap sample; ``groups`` numbers the group of every row from 0."""
    rows = standardised_rows(data.cells, data.labels, solution.scales)
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    rng = np.random.default_rng(seed)
    with steps("bootstrap", n_bootstrap) as step:
        for _ in range(n_bootstrap):
            chosen = rng.integers(len(members), size=len(members))
            drawn = rows.take(np.concatenate([members[g] for g in chosen]))
            yield resumed(solution, drawn, BOOTSTRAP_ITERATIONS)
            step()


def _numbered(groups: Any, n: int) -> tuple[str, np.ndarray]:
    """What is drawn, in words, and the group of every row as a number from 0."""
    if groups is None:
        return f"{n} examples", np.arange(n)
    names, numbers = np.unique(np.asarray(groups), return_inverse=True)
    if numbers.shape != (n,):
        raise ValueError(
            f"groups has the shape {numbers.shape}: coef_interval needs one entry for each of the {n} examples"
        )
    if len(names) < 2:
        raise ValueError(f"groups: all examples are in the group {names[0]!r}; coef_interval needs two groups or more")
    return f"{len(names)} groups", numbers
