"""Footnote 2 of Cesa-Bianchi, Shalev-Shwartz and Shamir 2010: weights as if pixels were uncorrelated.

The footnote reports that the averaged vector of y x did badly on MNIST, without a number or a figure. Here it is
measured in squared error, the paper's measure, and in wrong signs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import online
from ...common.style import learner_colour, tidy
from ..runner.kinds import OWN_QUESTION, THE_PAPER
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.mnist_curves import split_of
from ..shared.mnist_grids import PRINTED
from ..shared.protocol import Split, draw_seed, squared_error, wrong_sign
from ..shared.reference_lines import rivals
from .pixels import TEN_MORE, development_and_others, name_of
from .setting import BUDGET, PAIR, draw_pairs, needs_mnist
from .table1 import by_pair

KIND, MEAN_LABEL, COMPLETE = "IdentityCorrelation", "mean label", "complete rows"
IDENTITY, AER, BASELINE = (f"{kind}, {PRINTED}" for kind in (KIND, "AER", "Baseline"))
EVERY_CELL, MULTIPLE = f"{KIND}, every pixel", f"{KIND}, best multiple"
# Not tuned: the middle of the grids of table1.
SETTINGS: dict[str, dict[str, float]] = {"AER": {"radius": 8.0, "reg": 20.0}, "Baseline": {"radius": 1.0}}


def tasks(size: Size, seed: int) -> list[Task]:
    """Eleven pairs with five splits each, or in a quick run three pairs with one split."""
    pairs, splits = ([PAIR, *TEN_MORE], 5) if size == Size.full else ([PAIR, *TEN_MORE[:2]], 1)
    return [Task(errors, {"pair": pair, "split": at, "seed": seed}) for at in range(splits) for pair in pairs]


def errors(pair: list[int], split: int, seed: int) -> Rows:
    """Task: a row per learner, with its error and wrong signs on whole test rows, and the best multiple of it."""
    data, draws = split_of(pair, split, seed), draw_seed(seed, split)
    predictions = {
        name: model.fit(data.X, data.y).predict(data.X_test) for name, model in models(data.X.shape[1], draws).items()
    }
    predictions[MULTIPLE] = best_multiple(predictions[IDENTITY], data) * predictions[IDENTITY]
    predictions[MEAN_LABEL] = np.full(len(data.y_test), data.y.mean())
    return [
        {
            "learner": name,
            "pair": name_of(pair),
            "split": split,
            "error": squared_error(predicted, data.y_test),
            "wrong": wrong_sign(predicted, data.y_test),
            "multiple": best_multiple(predicted, data),
        }
        for name, predicted in predictions.items()
    ]


def models(d: int, draws: int) -> dict[str, Any]:
    """The learners, by the names that the figure shows."""
    return {
        IDENTITY: online.IdentityCorrelation.as_printed(BUDGET, random_state=draws),
        EVERY_CELL: online.IdentityCorrelation.as_printed(d, random_state=draws),
        KIND: online.IdentityCorrelation(BUDGET, random_state=draws),
        AER: online.AER.as_printed(BUDGET, random_state=draws, **SETTINGS["AER"]),
        BASELINE: online.Baseline.as_printed(BUDGET, random_state=draws, **SETTINGS["Baseline"]),
        COMPLETE: rivals(BUDGET, draws)[COMPLETE],
    }


def best_multiple(predicted: np.ndarray, data: Split) -> float:
    """The number by which predictions must be multiplied for the smallest error on the test rows."""
    square = float(predicted @ predicted)
    return float(predicted @ data.y_test) / square if square > 0 else 0.0


def table(rows: Rows) -> Rows:
    """A row per learner: medians over pairs of the means over splits."""
    wrong, multiple = by_pair(rows, "wrong"), by_pair(rows, "multiple")
    return [
        {
            "learner": learner,
            "pairs": len(values),
            "median error": _median(values),
            **development_and_others(values),
            "median wrong signs, %": 100 * _median(wrong[learner]),
            "best multiple on test rows (median)": _median(multiple[learner]),
        }
        for learner, values in by_pair(rows, "error").items()
    ]


def _median(values: dict[str, float]) -> float:
    return float(np.median(list(values.values())))


def claims(rows: Rows) -> list[Claim]:
    """Whether it is worse than both algorithms of the paper, by squared error and by wrong signs."""
    error, wrong = by_pair(rows, "error"), by_pair(rows, "wrong")
    scaled, multiple = _median(error[MULTIPLE]), _median(by_pair(rows, "multiple")[IDENTITY])
    long = (
        f"Its weights are too long: times the best number on the test rows (median {multiple:.2g}), its median error"
        f" would be {scaled:.3f}. With every pixel it is {_median(error[EVERY_CELL]):.3g}, so four pixels are not the"
        " reason."
    )
    signs = (
        "The footnote names no measure, and the paper compares algorithms by squared errors. AER and Baseline are not"
        " tuned here."
    )
    length = "Signs do not depend on the length of the weights, which makes its squared error large."
    return [
        *(_worse("a larger squared error", error, other, 1.0, THE_PAPER, long) for other in (AER, BASELINE)),
        *(_worse("more wrong signs", wrong, other, 100.0, OWN_QUESTION, signs, length) for other in (AER, BASELINE)),
    ]


def _worse(
    what: str,
    found: dict[str, dict[str, float]],
    other: str,
    factor: float,
    about: str,
    why: str,
    otherwise: str = "",
) -> Claim:
    """Whether the median over pairs is larger than that of another learner, with the number of pairs where it is."""
    mine, others = found[IDENTITY], found[other]
    development, sign = name_of(PAIR), "%" if factor > 1 else ""
    medians, pair = (
        " against ".join(f"{factor * value:.3g}{sign}" for value in values)
        for values in ((_median(mine), _median(others)), (mine[development], others[development]))
    )
    more = sum(mine[name] > others[name] for name in mine)
    return Claim.with_verdict(
        f"The averaged vector of y x has {what} than {other}.",
        "poor beside the paper's own algorithms on MNIST; no number",
        f"medians {medians}; {what} on {more} of {len(mine)} pairs; {development}: {pair}",
        _median(mine) > _median(others),
        why,
        otherwise,
        about,
    )


def draw(rows: Rows, figure: Any) -> None:
    """A dot per pair and the median as a bar, for each learner: squared error left, wrong signs right."""
    left, right = figure.subplots(1, 2, sharey=True)
    error, wrong = by_pair(rows, "error"), by_pair(rows, "wrong")
    order = sorted(error, key=lambda learner: _median(error[learner]))
    for at, learner in enumerate(order):
        draw_pairs(left, at, np.array(list(error[learner].values())), learner_colour(learner))
        draw_pairs(right, at, 100 * np.array(list(wrong[learner].values())), learner_colour(learner))
    left.axvline(1, color="0.55", linewidth=1.2, zorder=1)
    left.set_xscale("log")
    left.set_yticks(range(len(order)), order)
    left.invert_yaxis()
    right.set_xlim(left=0)
    tidy(left, "test squared error, mean over splits", "")
    tidy(right, "wrong signs on test rows, %, mean over splits", "")


FOOTNOTE_2 = Experiment(
    name="footnote-2",
    title="Footnote 2: weights as if pixels were uncorrelated",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Test squared error (left, logarithmic; the grey line is the error of predicting 0) and share of wrong"
    " signs (right) of the averaged vector of y x and of other learners: a dot for each pair of digits, and the median"
    " as a bar.",
    about="The footnote takes the mean of y x as weights, which minimises the squared error where the correlation"
    f" matrix of the pixels is the identity, and estimates it from {BUDGET} pixels of each training image. 'As printed'"
    " is on raw pixels and without an intercept; 'every pixel' is the same without a budget; 'best multiple' is the"
    " same predictor times the number that is best on the test rows, so no choice of a length can do better; without a"
    " suffix it is the learner of this library, centred and scaled by running estimates. AER (radius 8, regularisation"
    " 20) and Baseline (radius 1) have one setting for all pairs, from the middle of the grids of table1, and are not"
    " tuned. Complete rows cost as many pixels in all. Learners were developed on 3 vs 5.",
    needs=needs_mnist,
    figure_size=(10.0, 4.2),
)
