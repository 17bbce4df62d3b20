"""The family that a solution chose, fitted once more: to some of the rows, or to rows drawn again.

Families are not compared again, which would take three times as long: the choice among a few of them, made on all rows,
is the one thing that is then not judged.
"""

from __future__ import annotations

import numpy as np

from ..observe.cells import Cells
from .direct import direct
from .factors import Factors, fit_factors, joint_of
from .families import FAMILIES
from .joint import Joint, predictor
from .ridge import ridge
from .rows import FEWEST, Rows, Units, labels_of, standard_rows, units_of
from .solving import FEWEST_ALONE, Solution
from .sparse_choice import confined, joint_of_few


def refit(like: Solution, cells: Cells, labels: np.ndarray, most_turns: int, seed: int) -> Solution:
    """From nothing but these cells: units, and a model of the same family."""
    if like.start is not None:
        return replaced(refit(like.start, cells, labels, most_turns, seed), like.family, cells, labels)
    if like.family == "sparse":
        return confined(like, cells, labels, np.flatnonzero(like.units.scale))
    if like.family == "ridge":
        joint, units, _ = ridge(cells, labels, len(like.units.mean))
    else:
        fewest = FEWEST_ALONE if like.family == "diagonal" else FEWEST
        units = units_of(cells, labels, len(like.units.mean), fewest)
        joint = _fitted(like, standard_rows(cells, labels, units), most_turns, seed)
    return _with(like, joint, units)


def refit_in_units(like: Solution, rows: Rows, most_turns: int) -> Solution:
    """From rows in the units of the solution, starting where it ended; ridge keeps its penalty."""
    if like.start is not None:
        begun = refit_in_units(like.start, rows, most_turns)
        return _with(like, FAMILIES[like.family](begun.joint, rows), like.units)
    if like.family == "ridge":
        return _with(like, _complete(rows, like.joint.noise), like.units)
    if like.family == "sparse":
        chosen = np.flatnonzero(like.units.scale)
        return _with(
            like, joint_of_few(_table(rows)[:, chosen], labels_of(rows), chosen, rows.n_attributes), like.units
        )
    return _with(like, _fitted(like, rows, most_turns, 0, _ended(like.joint)), like.units)


def replaced(start: Solution, family: str, cells: Cells, labels: np.ndarray) -> Solution:
    """Another family in place of the start, from the same cells."""
    joint = FAMILIES[family](start.joint, standard_rows(cells, labels, start.units))
    return _with(start, joint, start.units)._replace(family=family, start=start)


def _fitted(like: Solution, rows: Rows, most_turns: int, seed: int, start: Factors | None = None) -> Joint:
    if like.family == "factors":
        return joint_of(fit_factors(rows, like.joint.loadings.shape[1], most_turns, seed, start), rows.n_labels)
    return direct(rows).joint() if like.family == "diagonal" else like.joint


def _complete(rows: Rows, penalty: np.ndarray) -> Joint:
    """The second moments of complete rows; what ridge adds to the variances is their noise."""
    n, d, labels = len(rows.start) - 1, rows.n_attributes, labels_of(rows)
    table = np.nan_to_num(_table(rows))
    mean, label_mean = table.mean(axis=0), labels.mean(axis=0)
    table, labels = table - mean, labels - label_mean
    values, vectors = np.linalg.eigh(table.T @ table / n)
    loadings = vectors * np.sqrt(np.maximum(values, 0.0))
    unexplained = np.zeros((labels.shape[1], d))
    return Joint(mean, loadings, penalty, label_mean, unexplained, labels.var(axis=0), table.T @ labels / n)


def _table(rows: Rows) -> np.ndarray:
    """All attributes of all rows, NaN where nothing was revealed."""
    table, inside = np.full((len(rows.start) - 1, rows.n_attributes), np.nan), rows.columns < rows.n_attributes
    table[np.repeat(np.arange(len(table)), np.diff(rows.start))[inside], rows.columns[inside]] = rows.values[inside]
    return table


def _ended(joint: Joint) -> Factors:
    """The factors that a joint form came from."""
    return Factors(
        np.concatenate([joint.mean, joint.label_mean]),
        np.concatenate([joint.loadings, joint.label_loadings]),
        np.concatenate([joint.noise, joint.label_noise]),
        np.zeros(len(joint.mean) + len(joint.label_mean)),
        0,
    )


def _with(like: Solution, joint: Joint, units: Units) -> Solution:
    coef, intercept = predictor(joint, joint.weights(), units)
    return like._replace(joint=joint, units=units, coef=coef, intercept=intercept)
