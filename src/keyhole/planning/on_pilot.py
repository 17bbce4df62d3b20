"""Designs simulated on the pilot itself, where it has enough complete examples: how wrong worlds are as models.

Worlds are linear, and what they stand for need not be. So each design that needs at most four fifths of the pilot's
complete examples also learns from as many of them, and predicts the other fifth; five times, so that every example is
predicted once. Where no design of a learner is so small, it learns from every test of these four fifths instead.

The logarithm r of the ratio of this error to the one expected from worlds tells how wrong worlds are, with a standard
error s from the squared errors of the examples. Over tables, worlds are wrong by a logarithm with the standard
deviation t, WRONG_WORLDS, so its expectation given r is r t^2 / (t^2 + s^2), and expected errors are moved by it: by
a part of r after a pilot of a hundred examples, and by nearly all of it after one of thousands. A design for which
the pilot is too small is moved as the others of its learner are on average.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.one_thread import one_thread
from .designs import KEYHOLE, ROWS, Design
from .learners import predictions_of
from .pilot import Pilot
from .settings import FOLDS, LEAST_PILOT, WRONG_WORLDS
from .simulate import in_parallel


class Check(NamedTuple):
    """A design on the pilot itself, for predictions from all attributes and from few.

    Attributes
    ----------
    design : Design
        The design.
    error : ndarray of shape (2,)
        Its mean squared error on the pilot, as a share of the label's variance.
    standard_error : ndarray of shape (2,)
        The standard errors of its logarithm.
    expected : ndarray of shape (2,)
        The error that worlds expect.
    factor : ndarray of shape (2,)
        What expected errors of this design are multiplied by.
    """

    design: Design
    error: np.ndarray
    standard_error: np.ndarray
    expected: np.ndarray
    factor: np.ndarray


class Fold(NamedTuple):
    """Examples to learn from and to predict, and the designs."""

    learned: np.ndarray
    predicted: np.ndarray
    designs: tuple[Design, ...]
    seed: int


def designs_on(pilot: Pilot, designs: Sequence[Design]) -> list[Design]:
    """The designs that fit into the pilot; for a learner without one, every test of as many examples as a part has."""
    most = _most_learned(complete_examples(pilot))
    fitting = [design for design in designs if design.n_examples <= most]
    if most < LEAST_PILOT:
        return fitting
    others = {design.learner for design in designs} - {design.learner for design in fitting}
    row, d = pilot.row_price, pilot.n_attributes
    return fitting + [Design(learner, most, row, d, most * row) for learner in sorted(others & {KEYHOLE, ROWS})]


def complete_examples(pilot: Pilot) -> np.ndarray:
    """The examples of which every test was made."""
    return np.flatnonzero(~np.isnan(pilot.values).any(axis=1))


def _most_learned(complete: np.ndarray) -> int:
    """The examples that are left to learn from, whichever part is predicted."""
    return len(complete) - -(-len(complete) // FOLDS)


def checks_of(
    pilot: Pilot, expected: dict[Design, np.ndarray], few: int, rng: np.random.Generator, n_jobs: int | None
) -> list[Check]:
    """Designs simulated on the pilot; ``expected`` has their errors by worlds."""
    complete, designs = complete_examples(pilot), tuple(expected)
    if not designs or np.ptp(pilot.labels[complete]) == 0:
        return []
    order = rng.permutation(complete)
    tasks = []
    for fold in range(FOLDS):
        predicted = order[fold::FOLDS]
        learned = rng.permutation(np.setdiff1d(order, predicted))
        tasks.append((Fold(learned, predicted, designs, int(rng.integers(2**31))), pilot, few))
    squared = np.full((len(designs), 2, pilot.n_examples), np.nan)
    for rows, errors in in_parallel(squared_errors, tasks, n_jobs, "folds of the pilot"):
        squared[:, :, rows] = errors
    found = squared[:, :, complete] / pilot.labels[complete].var()
    error = found.mean(axis=2)
    standard_error = found.std(axis=2, ddof=1) / np.sqrt(len(complete)) / error
    return [
        Check(one, error[i], standard_error[i], expected[one], factor(error[i], standard_error[i], expected[one]))
        for i, one in enumerate(designs)
    ]


def factor(error: np.ndarray, standard_error: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """What expected errors are multiplied by, given errors on the pilot and the standard errors of their logarithms.

    >>> factor(np.array([0.2]), np.array([0.0]), np.array([0.3])).round(2)
    array([0.67])
    >>> factor(np.array([0.2]), np.array([WRONG_WORLDS]), np.array([0.3])).round(2)
    array([0.82])
    """
    trusted = WRONG_WORLDS**2 / (WRONG_WORLDS**2 + standard_error**2)
    return (error / expected) ** trusted


def factors_of(designs: Sequence[Design], checks: list[Check]) -> np.ndarray:
    """What the errors of designs are multiplied by, of shape (n_designs, 2).

    A design that was not simulated on the pilot has the geometric mean of those with the same layout and learner at
    other totals, else of those with the same learner, else of all.
    """
    found = np.ones((len(designs), 2))
    for i, design in enumerate(designs):
        for same in (Design.__eq__, _same_family, _same_learner, _any):
            logs = [np.log(check.factor) for check in checks if same(check.design, design)]
            if logs:
                found[i] = np.exp(np.mean(logs, axis=0))
                break
    return found


def _same_family(one: Design, other: Design) -> bool:
    return one.family == other.family


def _same_learner(one: Design, other: Design) -> bool:
    return one.learner == other.learner


def _any(one: Design, other: Design) -> bool:
    return True


def squared_errors(fold: Fold, pilot: Pilot, few: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows that were predicted, and the squared errors of all designs, of shape (n_designs, 2, n_rows)."""
    labels = pilot.labels[fold.predicted]
    errors = np.empty((len(fold.designs), 2, len(labels)))
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, design in enumerate(fold.designs):
            errors[i] = _of_design(design, fold, pilot, few)
    return fold.predicted, errors


def _of_design(design: Design, fold: Fold, pilot: Pilot, few: int) -> np.ndarray:
    """The squared errors from all attributes and from few; of the only label, where the learner sees no other."""
    learned = fold.learned[: design.n_examples]
    values, labels = pilot.values[learned], pilot.labels[learned]
    new, wanted = pilot.values[fold.predicted], pilot.labels[fold.predicted]
    if np.ptp(labels) == 0:
        return np.tile((labels[0] - wanted) ** 2, (2, 1))
    predicted = predictions_of(design, values, labels, new, pilot.attributes, few, fold.seed)
    return np.array([(some - wanted) ** 2 for some in predicted])
