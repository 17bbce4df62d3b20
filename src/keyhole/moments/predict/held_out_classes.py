"""How good class probabilities are, on held-out rows, from some of the cells that these revealed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from ...common.parameters import is_whole
from ...observe.cells import Cells
from ..honest.fold_fits import FoldFits
from ..honest.settings import LEAST_ROWS_HELD_OUT
from .discriminant import Discriminant, class_coordinates, discriminant
from .held_out import Risk
from .settings import CALIBRATION_GROUPS, MAX_ROWS_AVERAGED


class Calibration(NamedTuple):
    """Predicted probabilities beside observed shares, of examples sorted by probability, in up to ten equal groups.

    With two classes the probability is that of the second, with more that of the class that was predicted.

    Attributes
    ----------
    predicted : ndarray
        The mean predicted probability in each group.
    observed : ndarray
        The share of examples of each group that have the class.
    error : float
        The mean absolute difference of the two, over examples.
    n_examples : int
        The number of held-out examples.
    """

    predicted: np.ndarray
    observed: np.ndarray
    error: float
    n_examples: int


class HeldOutClasses(NamedTuple):
    """Class probabilities (n, K) of rows by a fold fit without them, their classes, and their folds."""

    probabilities: np.ndarray
    classes: np.ndarray
    fold: np.ndarray

    def error(self) -> Risk:
        """The share of wrong classes."""
        wrong = self.probabilities.argmax(axis=1) != self.classes
        return Risk(float(wrong.mean()), float(wrong.std(ddof=1) / np.sqrt(len(wrong))), len(wrong))

    def auc(self) -> Risk:
        """The area under the curve of each class against the others, mean over classes and then over folds.

        Log odds of one model are compared with one another, and not with those of the model of another fold.
        """
        from sklearn.metrics import roc_auc_score

        areas = []
        for f in np.unique(self.fold):
            p, own = self.probabilities[self.fold == f], self.classes[self.fold == f]
            found = [roc_auc_score(own == c, p[:, c]) for c in range(p.shape[1]) if 0 < np.sum(own == c) < len(own)]
            areas += [np.mean(found)] if found else []
        error = np.std(areas, ddof=1) / np.sqrt(len(areas)) if len(areas) > 1 else np.nan
        return Risk(float(np.mean(areas)) if areas else np.nan, float(error), len(self.fold))

    def calibration(self) -> Calibration:
        """Probabilities beside shares."""
        p, own = self.probabilities, self.classes
        shown = p.argmax(axis=1) if p.shape[1] > 2 else np.ones(len(p), dtype=np.int64)
        probability, true = p[np.arange(len(p)), shown], shown == own
        groups = [g for g in np.array_split(np.argsort(probability, kind="stable"), CALIBRATION_GROUPS) if len(g)]
        predicted, observed = (np.array([part[g].mean() for g in groups]) for part in (probability, true))
        sizes = [len(g) for g in groups]
        error = np.average(np.abs(predicted - observed), weights=sizes)
        return Calibration(predicted, observed, float(error), len(p))


def held_out_classes(
    fits: FoldFits, cells: Cells, classes: np.ndarray, free: np.ndarray, n_attributes: int, seed: int
) -> HeldOutClasses:
    """Of rows that revealed at least so many attributes, from these; ``free`` ones are not counted and always used.

    ``classes`` are numbers from 0 to K - 1, of which each occurs. Values that were given beforehand are not used. Where
    nothing was learned of the classes, probabilities are their shares.
    """
    cells = cells.drawn()
    start, order = cells.row_starts, np.random.default_rng(seed).random(len(cells.values))
    order[free[cells.attributes]] = -1.0  # first, whatever the others drew
    sorted_cells = np.lexsort([order, cells.rows])
    free_before = np.concatenate([[0], np.cumsum(free[cells.attributes])])
    n_free = free_before[start[1:]] - free_before[start[:-1]]
    rows = np.flatnonzero(np.diff(start) - n_free >= n_attributes)
    if len(rows) < 2 or cells.n_examples < LEAST_ROWS_HELD_OUT:
        raise ValueError(
            f"n_attributes={n_attributes}: {len(rows)} of {cells.n_examples} examples revealed so many attributes. At"
            f" least 2 are needed, of at least {LEAST_ROWS_HELD_OUT} examples"
        )
    shares = np.bincount(classes) / len(classes)
    if not fits.fits:
        return HeldOutClasses(np.tile(shares, (len(rows), 1)), classes[rows], fits.fold[rows])
    known = {t: sorted_cells[start[t] : start[t] + n_free[t] + n_attributes] for t in rows.tolist()}
    log_odds, coordinates = np.empty((len(rows), len(shares))), class_coordinates(shares)
    known = {t: fits.places(cells, places) for t, places in known.items()}
    cells = fits.columns(cells)
    for f, fit in enumerate(fits.fits):
        without = np.bincount(classes[fits.fold != f], minlength=len(shares)) / np.sum(fits.fold != f)
        model = discriminant(fit.joint, fit.scales, without, coordinates)
        mine = np.flatnonzero(fits.fold[rows] == f)
        log_odds[mine] = log_odds_from_cells(model, cells, [known[t] for t in rows[mine].tolist()])
    return HeldOutClasses(softmax(log_odds, axis=1), classes[rows], fits.fold[rows])


def explained_by_few(model: Discriminant, cells: Cells, seed: int) -> float:
    """What the cells that a row revealed explain of the classes, on average over some rows."""
    start, found = cells.row_starts, []
    for t in np.random.default_rng(seed).permutation(cells.n_examples)[:MAX_ROWS_AVERAGED]:
        seen = cells.attributes[start[t] : start[t + 1]]
        found.append(model.explained(seen[model.scales.scale[seen] > 0][None])[0])
    return float(np.mean(found))


def log_odds_from_cells(model: Discriminant, cells: Cells, known: list[np.ndarray]) -> np.ndarray:
    """Log odds of rows, each from the cells of columns at some positions."""
    known = [at[model.scales.scale[cells.attributes[at]] > 0] for at in known]
    lengths, found = np.array([len(at) for at in known]), np.empty((len(known), len(model.shares)))
    for k in np.unique(lengths):
        rows = np.flatnonzero(lengths == k)
        at = np.array([known[t] for t in rows], dtype=np.int64).reshape(len(rows), k)
        S = cells.attributes[at]
        found[rows] = model.log_odds(S, np.arange(len(rows)), model.standardise(cells.values[at], S))
    return found


def check_number(name: str, n_attributes: Any, budget: int | None) -> int:
    """The number of attributes to predict from, if it is one that examples can have revealed."""
    if not is_whole(n_attributes) or n_attributes < 0:
        raise ValueError(f"n_attributes={n_attributes!r}: {name} needs a whole number, 0 or more")
    if budget is not None and n_attributes > budget:
        raise ValueError(
            f"n_attributes={n_attributes}: {name} needs at most {budget}, the budget, since no example revealed more"
        )
    return int(n_attributes)
