"""What cannot be predicted: the distribution of Theorem 4 of Cesa-Bianchi et al. 2010.

The label is the mean of three fair signs. It can be learned from two of them per example, as long as a prediction may
use all three; the error of a prediction from two is a third of a sign, whatever was learned.
"""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.figure import Figure

from ...common.style import PALE, learner_colour, tidy
from ...datasets import three_signs
from ...moments import KeyholeRegressor
from ...online import AERR
from ...rivals import ScreenedPanel
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.rows import grouped, mean_and_error

LIMIT = 1 / 9
BEST = "best strategy of all"
BUDGET = 2


def best_strategy() -> float:
    """The least loss of any way to reveal two of three signs, where the second may depend on the value of the first."""
    patterns = np.array(list(itertools.product([-1.0, 1.0], repeat=3)))
    label = patterns.mean(axis=1)
    losses = []
    for first, if_low, if_high in itertools.product(range(3), repeat=3):
        if first in (if_low, if_high):
            continue
        second = np.where(patterns[:, first] < 0, if_low, if_high)
        seen = np.column_stack([patterns[:, first], patterns[np.arange(8), second]])
        alike = [np.all(seen == one, axis=1) for one in seen]  # the best prediction is the mean over equal patterns
        losses.append(np.mean([(y - label[same].mean()) ** 2 for y, same in zip(label, alike, strict=True)]))
    return float(min(losses))


def loss_of(predictor: str, examples: int, seed: int) -> Rows:
    """Task: the exact loss of a predictor after learning from two attributes of each example."""
    n_used = 3 if predictor in ("AERR", "KeyholeRegressor") else 2
    if predictor == BEST:
        loss = best_strategy()
    else:
        stream = three_signs(examples, random_state=seed)
        model = {"AERR": AERR, "KeyholeRegressor": KeyholeRegressor, "screened panel": ScreenedPanel}[predictor]
        learned = model(BUDGET, random_state=seed).fit(stream.X, stream.y)
        loss = stream.excess(learned.coef_, learned.intercept_)
        n_used = min(n_used, int(np.count_nonzero(learned.coef_)))
    return [{"predictor": predictor, "attributes used": n_used, "examples": examples, "seed": seed, "loss": loss}]


def tasks(size: Size, seed: int) -> list[Task]:
    """Each predictor, a task for each seed."""
    examples, seeds = (4000, 3) if size == Size.quick else (50_000, 10)
    return [
        Task(loss_of, {"predictor": predictor, "examples": examples, "seed": seed + s})
        for predictor in (BEST, "screened panel", "AERR", "KeyholeRegressor")
        for s in range(1 if predictor == BEST else seeds)
    ]


def table(rows: Rows) -> Rows:
    """Mean and standard error of the loss of each predictor."""
    found: Rows = []
    for (predictor, n_used), losses in grouped(rows, "loss", "predictor", "attributes used").items():
        mean, error = mean_and_error(losses)
        found.append({"predictor": predictor, "attributes used": n_used, "loss": mean, "standard error": error})
    return found


def claims(rows: Rows) -> list[Claim]:
    """Predictions from two attributes, and from three."""
    two = min(float(row["loss"]) for row in rows if int(row["attributes used"]) <= 2)
    three = [float(row["loss"]) for row in rows if int(row["attributes used"]) == 3]
    return [
        Claim.with_verdict(
            "A prediction from 2 of the 3 attributes has a loss of at least 1/9",
            "at least 0.1111",
            f"{two:.4f}, the least of all strategies, which were enumerated, and of what was learned",
            two >= LIMIT - 1e-9,
        ),
        Claim.with_verdict(
            "Learning from 2 attributes of each example suffices if a prediction uses all 3",
            "loss 0 is possible",
            f"loss {max(three):.4f} at most",
            max(three) < LIMIT / 2,
            "The loss of AERR falls with the number of examples and is not 0 after finitely many.",
        ),
    ]


def draw(rows: Rows, figure: Figure) -> None:
    """A bar for each predictor, and the least loss of predictions from two attributes."""
    axes = figure.subplots()
    points = table(rows)
    names = [f"{row['predictor']}\nuses {row['attributes used']} of 3" for row in points]
    colours = [PALE if row["predictor"] == BEST else learner_colour(str(row["predictor"])) for row in points]
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
    title="Predicting: three signs of which two are revealed (Cesa-Bianchi et al. 2010, Theorem 4)",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Squared loss of predictions from two and from three of the signs, after training on two signs of"
    " each example, mean over runs. Bars are standard errors.",
    about=(
        "All learners reveal two attributes of each training example. The screened panel predicts from two as well,"
        " the others from all three. The best strategy is found by enumerating every way to reveal two in turn."
    ),
    figure_size=(8.0, 4.5),
)
