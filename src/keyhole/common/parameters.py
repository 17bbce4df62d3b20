"""Checks of parameters, and the one error that they raise: what was wrong, and what would be right."""

from __future__ import annotations

import math
import numbers
from typing import Any


class ParameterError(ValueError):
    """A parameter has a wrong value; the error knows the parameter's name in Python and on the command line.

    Parameters
    ----------
    parameter : str
        The name of the parameter in Python.
    message : str
        What is wrong, and what would be right. It follows the name and the value after a colon. Other parameters
        are mentioned by plain nouns ("a larger budget"), so that the sentence is right in Python and on the
        command line.
    value : object, optional
        The value that was given. It is left out of the text where it is not stated here.

    Examples
    --------
    >>> error = ParameterError("max_repeats", "MultiSelector needs a whole number, 1 or more", 0)
    >>> str(error)
    'max_repeats=0: MultiSelector needs a whole number, 1 or more'
    >>> error.as_option()
    '--max-repeats 0: MultiSelector needs a whole number, 1 or more'
    """

    def __init__(self, parameter: str, message: str, value: Any = ...) -> None:
        super().__init__(parameter, message, value)  # with all arguments, so that the error can be pickled
        self.parameter = parameter
        self.message = message
        self.value = value

    def __str__(self) -> str:
        shown = "" if self.value is ... else f"={self.value!r}"
        return f"{self.parameter}{shown}: {self.message}"

    def as_option(self) -> str:
        """The same text with the name of the command line's option in place of the parameter's name."""
        shown = "" if self.value is ... or self.value is None else f" {self.value}"
        return f"--{self.parameter.replace('_', '-')}{shown}: {self.message}"


def check_budget(owner: str, budget: Any, least: int, d: int) -> None:
    """Raise unless a budget is a whole number of attributes, from the least that a learner needs to all d."""
    if not is_whole(budget):
        raise ParameterError("budget", f"{owner} needs a whole number of attributes per example", budget)
    if budget < least:
        raise ParameterError("budget", f"{owner} needs at least {least} attributes per example", budget)
    if budget > d:
        raise ParameterError("budget", f"this is more than n_features = {d}, all attributes of an example", budget)


def is_whole(value: Any) -> bool:
    """Whether a parameter is a whole number (and not a truth value)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a parameter is a finite number (and not a truth value)."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(float(value))


def check_positive(owner: str, name: str, value: Any) -> None:
    """Raise unless a parameter is a finite number above 0."""
    if not is_number(value) or not value > 0:
        raise ParameterError(name, f"{owner} needs a finite number above 0", value)


def check_not_negative(owner: str, name: str, value: Any) -> None:
    """Raise unless a parameter is a finite number, 0 or more."""
    if not is_number(value) or not value >= 0:
        raise ParameterError(name, f"{owner} needs a finite number, 0 or more", value)


def check_share(owner: str, name: str, value: Any) -> None:
    """Raise unless a parameter is a number between 0 and 1, both excluded."""
    if not is_number(value) or not 0 < value < 1:
        raise ParameterError(name, f"{owner} needs a number between 0 and 1, both excluded", value)


def check_choice(owner: str, name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Raise unless a parameter is one of some words or numbers."""
    if value not in choices:
        raise ParameterError(name, f"{owner} takes {' or '.join(map(repr, choices))}", value)


def check_horizon(owner: str, n_expected: Any) -> None:
    """Raise unless the expected number of examples is None or a whole number above 0."""
    if n_expected is not None and not (is_whole(n_expected) and n_expected >= 1):
        raise ParameterError("n_expected", f"{owner} needs None or a whole number of examples, 1 or more", n_expected)


def check_whole(owner: str, name: str, value: Any, least: int) -> None:
    """Raise unless a parameter is a whole number of at least so much."""
    if not is_whole(value) or value < least:
        raise ParameterError(name, f"{owner} needs a whole number, {least} or more", value)


def check_sparsity(owner: str, sparsity: Any, budget: int, room: int) -> None:
    """Raise unless a sparsity is a whole number that leaves so much of the budget for other attributes."""
    check_whole(owner, "sparsity", sparsity, 1)
    if sparsity + room > budget:
        raise ParameterError(
            "sparsity",
            f"with budget={budget}, {owner} observes the support of every example and at least {room} more of its"
            f" attributes; take a sparsity of {budget - room} or less, or a larger budget",
            sparsity,
        )
