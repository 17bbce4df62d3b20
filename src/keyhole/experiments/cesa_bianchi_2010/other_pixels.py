"""Not in the paper: ridge and Lasso with every cell on raw, binarised and unit-norm pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...common.style import learner_colour, tidy
from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import NOT_JUDGED, Claim, Experiment, Rows, Size, Task
from ..shared.full_information import Linear, Moments, lasso_path_of, moments_of, ridge_path
from ..shared.mnist_curves import split_of
from ..shared.protocol import folds, squared_error, wrong_sign
from ..shared.rows import grouped
from .pixels import (
    BINARISED,
    EVERY_PAIR,
    INK,
    RAW,
    UNIT_NORM,
    development_and_others,
    name_of,
    pairs_of,
    splits_in_words,
    treated,
)
from .setting import NEAR, PUBLISHED, PUBLISHED_WRONG, draw_pairs, needs_mnist

PIXELS = (RAW, BINARISED, INK, UNIT_NORM)
INTERCEPTS = ("with intercept", "no intercept")
RIDGE_PENALTIES = tuple(float(f"{penalty:.3g}") for penalty in np.logspace(-6, 0, 19))
LASSO_PENALTIES = tuple(float(f"{penalty:.3g}") for penalty in np.logspace(-5, -1.5, 15))
PATHS = {"ridge": (ridge_path, RIDGE_PENALTIES), "Lasso": (lasso_path_of, LASSO_PENALTIES)}


def tasks(size: Size, seed: int) -> list[Task]:
    """All 45 pairs with two splits each, or in a quick run three pairs with one split; each treatment of the pixels."""
    pairs, splits, n_folds = (EVERY_PAIR, 2, 5) if size == Size.full else (pairs_of(size)[-3:], 1, 2)
    return [
        Task(errors, {"pixels": pixels, "pair": pair, "split": split, "seed": seed, "n_folds": n_folds})
        for split in range(splits)
        for pair in pairs
        for pixels in PIXELS
    ]


def errors(pixels: str, pair: list[int], split: int, seed: int, n_folds: int) -> Rows:
    """Task: ridge and Lasso with penalties chosen by cross-validation, with and without an intercept."""
    data = treated(pixels, split_of(pair, split, seed))
    parts = [
        (start, stop, moments_of(data.X[start:stop], data.y[start:stop])) for start, stop in folds(len(data.y), n_folds)
    ]
    whole = parts[0][2]
    for _, _, part in parts[1:]:
        whole = whole.plus(part)
    rows: Rows = []
    for learner, (path, penalties) in PATHS.items():
        for intercept in INTERCEPTS:
            held_out = sum(
                path(_prepared(whole.plus(part, -1.0), intercept), penalties).errors(
                    data.X[start:stop], data.y[start:stop]
                )
                for start, stop, part in parts
            )
            penalty = penalties[int(np.argmin(held_out))]
            predictor: Linear = path(_prepared(whole, intercept), [penalty])
            predicted = predictor.predict(data.X_test)
            rows.append(
                {
                    "learner": learner,
                    "pixels": pixels,
                    "intercept": intercept,
                    "pair": name_of(pair),
                    "split": split,
                    "error": squared_error(predicted, data.y_test),
                    "wrong": wrong_sign(predicted, data.y_test),
                    "penalty": penalty,
                }
            )
    return rows


def _prepared(moments: Moments, intercept: str) -> Moments:
    """Without an intercept all means are taken as 0, so that nothing is centred."""
    return moments if intercept == INTERCEPTS[0] else moments._replace(x=np.zeros_like(moments.x), y=0.0)


def by_form(rows: Rows, value: str) -> dict[tuple[str, str, str], dict[str, float]]:
    """For each learner, treatment of the pixels and intercept, the mean over splits of each pair."""
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for (*form, pair), values in grouped(rows, value, "learner", "pixels", "intercept", "pair").items():
        found.setdefault((form[0], form[1], form[2]), {})[pair] = float(np.mean(values))
    return found


def table(rows: Rows) -> Rows:
    """A row per learner, treatment of the pixels and intercept: medians over pairs, beside the published ones."""
    wrong = by_form(rows, "wrong")
    return [
        {
            "learner": form[0],
            "pixels": form[1],
            "intercept": form[2],
            "pairs": len(values),
            "median error": float(np.median(list(values.values()))),
            "published error": PUBLISHED[form[0]],
            **development_and_others(values),
            "median wrong signs, %": 100 * float(np.median(list(wrong[form].values()))),
            "published, %": PUBLISHED_WRONG[form[0]],
            "penalty (median)": float(np.median([float(row["penalty"]) for row in rows if _form(row) == form])),
        }
        for form, values in by_form(rows, "error").items()
    ]


def _form(row: dict[str, Any]) -> tuple[str, str, str]:
    return str(row["learner"]), str(row["pixels"]), str(row["intercept"])


def claims(rows: Rows) -> list[Claim]:
    """For each treatment of the pixels, whether ridge without an intercept has the published median error."""
    lines = [row for row in table(rows) if row["learner"] == "ridge"]
    published = PUBLISHED["ridge"]
    found = []
    for pixels in dict.fromkeys(str(row["pixels"]) for row in lines):
        mine = [row for row in lines if row["pixels"] == pixels]
        measured = "; ".join(
            f"{row['intercept']} {float(row['median error']):.3f} and {float(row['median wrong signs, %']):.1f}%"
            for row in mine
        )
        kind = THE_PAPER if pixels == RAW else OTHER_FORM
        text, n = f"Ridge has the published median error, pixels {pixels}.", int(mine[0]["pairs"])
        about = f"{published:g} and {PUBLISHED_WRONG['ridge']:g}% wrong signs"
        if n < len(EVERY_PAIR):
            why = f"The published number is a median over all 45 pairs, and {n} were run."
            found.append(Claim(text, about, measured, NOT_JUDGED, why, kind))
            continue
        median = float(mine[-1]["median error"])
        above = 100 * (median / published - 1)
        share = f"Without an intercept, as in the paper, the difference from the published error is {above:+.1f}%."
        near = abs(median - published) <= NEAR * published
        found.append(Claim.with_verdict(text, about, measured, near, share, about=kind))
    return found


def draw(rows: Rows, figure: Any) -> None:
    """A dot per pair and the median as a bar, for each treatment of the pixels, without an intercept."""
    panels, *_ = figure.subplots(1, 2, sharey=True, squeeze=False)
    found = by_form(rows, "error")
    for axes, learner in zip(panels, PATHS, strict=True):
        kinds = [form for form in found if form[0] == learner and form[2] == INTERCEPTS[1]]
        for at, form in enumerate(kinds):
            draw_pairs(axes, at, np.array(list(found[form].values())), learner_colour(learner))
        axes.axvline(PUBLISHED[learner], color="black", linewidth=1, linestyle=":")
        side = "left" if learner == "ridge" else "right"
        axes.text(PUBLISHED[learner], -0.62, " published median ", fontsize=9, horizontalalignment=side)
        axes.set_yticks(range(len(kinds)), [form[1] for form in kinds])
        axes.set_ylim(len(kinds) - 0.5, -0.8)
        axes.set_xlim(left=0)
        tidy(axes, "test squared error, a dot for each pair", "", learner)


OTHER_PIXELS = Experiment(
    name="other-pixels",
    title="Why numbers differ: ridge and Lasso on other pixels",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Test squared error of ridge (left) and Lasso (right) with every cell, for four treatments of the pixels: a"
    " dot for each pair of digits, and the median as a bar.",
    about="Ridge and Lasso with every cell and a penalty chosen by cross-validation, on raw pixels (from 0 to 1), on"
    " pixels that are 1 above a half and 0 elsewhere, on pixels that are 1 wherever there is ink, and on images of"
    " Euclidean norm 1. The figure has no intercept, as the paper's problem has none; bars are medians over pairs.",
    needs=needs_mnist,
    part=splits_in_words,
    figure_size=(10.0, 4.0),
)
