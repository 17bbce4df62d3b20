"""Errors at the end of learning curves or at equal numbers of attributes, and claims about their order."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..runner.kinds import THE_PAPER
from ..runner.paper import Claim, Row, Rows
from .rows import mean_and_error


def final(rows: Rows, learner: str, attributes: float = np.inf, value: str = "error") -> dict[int, float]:
    """By split, the value at the longest prefix with no more than this number of revealed attributes."""
    found: dict[int, Row] = {}
    for row in rows:
        if row["learner"] == learner and float(row["attributes"]) <= attributes:
            best = found.get(int(row["split"]))
            if best is None or float(row["examples"]) > float(best["examples"]):
                found[int(row["split"])] = row
    return {split: float(row[value]) for split, row in found.items()}


def allowance(rows: Rows, budget: int) -> float:
    """The number of attributes that a budget allows in all; learners with every cell are compared at this number."""
    return float(budget * max(int(row["examples"]) for row in rows))


def in_words(values: dict[int, float]) -> str:
    """Mean and standard error over splits."""
    mean, error = mean_and_error(list(values.values()))
    return f"{mean:.3f} ± {error:.3f}" if len(values) > 1 else f"{mean:.3f} (one split)"


def better(
    text: str,
    published: str,
    names: tuple[str, str],
    first: dict[int, float],
    second: dict[int, float],
    otherwise: str = "",
    about: str = THE_PAPER,
) -> Claim:
    """The claim that the first learner has the smaller error, paired over the splits that both have."""
    difference, why = paired(first, second)
    measured = f"{names[0]} {in_words(first)}, {names[1]} {in_words(second)}"
    return Claim.with_verdict(text, published, measured, difference < 0, why, otherwise, about)


def paired(first: dict[int, float], second: dict[int, float]) -> tuple[float, str]:
    """The mean difference over the splits that both have, and a sentence where it is within two standard errors."""
    shared = sorted(first.keys() & second.keys())
    difference, error = mean_and_error([first[split] - second[split] for split in shared])
    if len(shared) < 2:
        return difference, "There is one split, and so no standard error."
    if abs(difference) <= 2 * error:
        return difference, (
            f"The paired difference, {difference:+.3g} ± {error:.2g}, is within two standard errors of 0."
        )
    return difference, ""


def summary(rows: Rows, budget: int) -> Rows:
    """A row per learner: errors with all rows, and at the number of attributes that the budget allows."""
    table: Rows = []
    spent = allowance(rows, budget)
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        last = final(rows, learner)
        error, deviation = mean_and_error(list(last.values()))
        same, same_deviation = mean_and_error(list(final(rows, learner, spent).values()) or [np.nan])
        wrong, _ = mean_and_error(list(final(rows, learner, value="wrong").values()))
        known = len(last) > 1  # of a single split there is no standard error
        seen = max(int(row["attributes"]) for row in rows if row["learner"] == learner)
        settings = Counter(str(row["settings"]) for row in rows if row["learner"] == learner)
        table.append(
            {
                "learner": learner,
                "splits": len(last),
                "attributes revealed": seen,
                "test squared error": error,
                "standard error": deviation if known else "",
                "error at the budget's attributes": same,
                "its standard error": same_deviation if known else "",
                "wrong signs, %": 100 * wrong,
                "settings (most chosen)": settings.most_common(1)[0][0],
            }
        )
    return table
