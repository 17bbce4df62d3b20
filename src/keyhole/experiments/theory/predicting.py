"""What cannot be predicted: the distribution of Theorem 4 of Cesa-Bianchi et al. 2010.

The label is the mean of three fair signs. Learning from two of them per example is no obstacle, as long as a prediction
may see all three; a prediction that sees two errs by a third, whatever was learned.
"""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.figure import Figure

from ...common.style import BLUE, GREY, tidy
from ...datasets import three_signs
from ...moments import KeyholeRegressor
from ...online import AERR
from ...rivals import ScreenedPanel
from ..paper import Claim, Experiment, Rows, Size, Unit
from ..rows import grouped, mean_and_error

LIMIT = 1 / 9
BEST = "best strategy of all"
BUDGET = 2


def best_strategy() -> float:
    """The least loss of any way to look at two of three signs, the second look depending on what the first showed."""
    patterns = np.array(list(itertools.product([-1.0, 1.0], repeat=3)))
    label = patterns.mean(axis=1)
    losses = []
    for first, if_low, if_high in itertools.product(range(3), repeat=3):
        if first in (if_low, if_high):
            continue
        second = np.where(patterns[:, first] < 0, if_low, if_high)
        seen = np.column_stack([patterns[:, first], patterns[np.arange(8), second]])
        alike = [np.all(seen == one, axis=1) for one in seen]  # the best prediction is the mean of what looks alike
        losses.append(np.mean([(y - label[same].mean()) ** 2 for y, same in zip(label, alike, strict=True)]))
    return float(min(losses))


def loss_of(predictor: str, examples: int, seed: int) -> Rows:
    """The exact loss of a predictor after learning from two attributes of each example."""
    looks = 3 if predictor in ("AERR", "KeyholeRegressor") else 2
    if predictor == BEST:
        loss = best_strategy()
    else:
        stream = three_signs(examples, random_state=seed)
        model = {"AERR": AERR, "KeyholeRegressor": KeyholeRegressor, "screened panel": ScreenedPanel}[predictor]
        learned = model(BUDGET, random_state=seed).fit(stream.X, stream.y)
        loss = stream.excess(learned.coef_, learned.intercept_)
        looks = min(looks, int(np.count_nonzero(learned.coef_)))
    return [{"predictor": predictor, "attributes seen": looks, "examples": examples, "seed": seed, "loss": loss}]


def units(size: Size, seed: int) -> list[Unit]:
    examples, seeds = (4000, 3) if size == Size.quick else (50_000, 10)
    return [
        Unit(loss_of, {"predictor": predictor, "examples": examples, "seed": seed + s})
        for predictor in (BEST, "screened panel", "AERR", "KeyholeRegressor")
        for s in range(1 if predictor == BEST else seeds)
    ]


def table(rows: Rows) -> Rows:
    found: Rows = []
    for (predictor, looks), losses in grouped(rows, "loss", "predictor", "attributes seen").items():
        mean, error = mean_and_error(losses)
        found.append({"predictor": predictor, "attributes seen": looks, "loss": mean, "standard error": error})
    return found


def claims(rows: Rows) -> list[Claim]:
    two = min(float(row["loss"]) for row in rows if int(row["attributes seen"]) <= 2)
    three = [float(row["loss"]) for row in rows if int(row["attributes seen"]) == 3]
    return [
        Claim.judged(
            "Whoever sees 2 of the 3 attributes when predicting has a loss of at least 1/9",
            "at least 0.1111",
            f"{two:.4f}, the least of all strategies tried one by one and of what was learned",
            two >= LIMIT - 1e-9,
        ),
        Claim.judged(
            "Learning from 2 attributes of each example suffices, if a prediction sees all 3",
            "loss 0 is possible",
            f"loss {max(three):.4f} at most",
            max(three) < LIMIT / 2,
            "the loss of AERR shrinks with the examples and is not 0 after finitely many",
        ),
    ]


def draw(rows: Rows, figure: Figure) -> None:
    axes = figure.subplots()
    points = table(rows)
    names = [f"{row['predictor']}\nsees {row['attributes seen']} of 3" for row in points]
    colours = [GREY if int(row["attributes seen"]) <= 2 else BLUE for row in points]
    losses, errors = ([float(row[name]) for row in points] for name in ("loss", "standard error"))
    axes.bar(names, losses, yerr=errors, color=colours, width=0.6, capsize=3)
    for at, loss in enumerate(losses):
        axes.annotate(f"{loss:.2g}", (at, loss), xytext=(0, 6), textcoords="offset points", ha="center")
    axes.axhline(LIMIT, color="black", linewidth=1, linestyle="--", label="1/9: no prediction from two can be better")
    tidy(axes, "", "squared error", "Three fair signs, the label their mean; two revealed per training example")
    axes.set_ylim(0, 1.35 * max(losses))
    axes.legend(frameon=False, loc="upper right")


PREDICTING = Experiment(
    name="predicting",
    title="Predicting: three signs of which two are seen (Cesa-Bianchi et al. 2010, Theorem 4)",
    units=units,
    table=table,
    claims=claims,
    draw=draw,
    about=(
        "All learners see two attributes of each training example. The screened panel predicts from two as well, the"
        " others from all three. The best strategy is found by trying every way to look at two, one after the other."
    ),
    figure_size=(8.0, 4.5),
)
