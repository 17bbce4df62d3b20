"""Checks of constructor arguments, made when fitting starts: what was wrong, and what would be right."""

from __future__ import annotations

import math
import numbers
from typing import Any


def check_budget(owner: str, budget: Any, least: int, d: int) -> None:
    """Raise unless a budget is a whole number of attributes, from the least that a learner needs to all d."""
    if not is_whole(budget):
        raise ValueError(f"budget={budget!r}: {owner} needs a whole number of attributes per example")
    if budget < least:
        raise ValueError(f"budget={budget}: {owner} needs at least {least} attributes per example")
    if budget > d:
        raise ValueError(f"budget={budget} is more than n_features = {d}: an example has no more attributes")


def is_whole(value: Any) -> bool:
    """Whether a parameter is a whole number (and not a truth value)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_positive(owner: str, name: str, value: Any) -> None:
    """Raise unless a parameter is a finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < math.inf:
        raise ValueError(f"{name}={value!r}: {owner} needs a finite number above 0")


def check_choice(owner: str, name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Raise unless a parameter is one of some words or numbers."""
    if value not in choices:
        raise ValueError(f"{name}={value!r}: {owner} takes {' or '.join(map(repr, choices))}")


def check_horizon(owner: str, n_expected: Any) -> None:
    """Raise unless the expected number of examples is None or a whole number above 0."""
    if n_expected is not None and not (is_whole(n_expected) and n_expected >= 1):
        raise ValueError(f"n_expected={n_expected!r}: {owner} needs None or a whole number of examples, 1 or more")


def check_whole(owner: str, name: str, value: Any, least: int) -> None:
    """Raise unless a parameter is a whole number of at least so much."""
    if not is_whole(value) or value < least:
        raise ValueError(f"{name}={value!r}: {owner} needs a whole number, {least} or more")


def check_sparsity(owner: str, sparsity: Any, budget: int, room: int) -> None:
    """Raise unless a sparsity is a whole number that leaves so much of the budget for other attributes."""
    check_whole(owner, "sparsity", sparsity, 1)
    if sparsity + room > budget:
        raise ValueError(
            f"sparsity={sparsity} with budget={budget}: {owner} observes the support of every example and at least"
            f" {room} more of its attributes; take a sparsity of {budget - room} or less, or a larger budget"
        )
