"""Like Figures 4 and 5, with every attribute of the faces in turn as the label: for how many is Full best?"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...common.style import learner_colour, tidy
from ...datasets import face_judgments
from ...judgments.report.point_names import name_points
from ..runner.kinds import OWN_QUESTION
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.protocol import draw_seed
from ..shared.rows import draw_curves, grouped
from .claims import BASELINES, Losses, comparison_claims
from .comparison import budget_axis, compared, comparison_table
from .setting import BUDGETS, OTHER_DATA, SPLITS
from .splits import FACES

SHOWN_BUDGET = 20


def tasks(size: Size, seed: int) -> list[Task]:
    """One task for each split."""
    splits = [draw_seed(seed, split) for split in range(3 if size == Size.quick else 50)]
    return [Task(compared_labels, {"budgets": BUDGETS, "split": split}, cost=4.0) for split in splits]


def compared_labels(budgets: list[int], split: int) -> Rows:
    """Task: the four methods on one random half of the faces, for every label."""
    return [row for label in face_judgments().attributes for row in compared(FACES, budgets, [split], label)]


def mean_over_labels(rows: Rows) -> Rows:
    """A row per method, budget and split, so that errors are over splits and not over labels."""
    found = grouped(rows, "loss", "learner", "budget", "split")
    return [
        {"learner": name, "budget": budget, "split": split, "loss": float(np.mean(losses))}
        for (name, budget, split), losses in found.items()
    ]


def claims(rows: Rows) -> list[Claim]:
    """For how many labels Full is best at every budget."""
    labels = list(dict.fromkeys(str(row["label"]) for row in rows))
    by_label = {label: Losses([row for row in rows if row["label"] == label]) for label in labels}
    exceptions = [label for label, losses in by_label.items() if not all(losses.better("Full", *BASELINES)[0])]
    clear = [label for label in exceptions if _clearly_worse(by_label[label])]
    words = f"{len(clear)} labels: {', '.join(clear)}" if clear else "no label"
    worse = f"; not for {', '.join(exceptions)}" if exceptions else ""
    return [
        Claim.with_verdict(
            "Full has a lower test error than Averages and Copies at every budget, for every label",
            "lower in all experiments, which had two labels of people",
            f"for {len(labels) - len(exceptions)} of {len(labels)} labels{worse}",
            not exceptions,
            f"{OTHER_DATA} {len({row['split'] for row in rows})} splits; where losses are nearly equal, noise decides.",
            f"At some budget it is worse by more than two standard errors for {words}.",
        ),
        *comparison_claims(rows, "Mean over all labels", OTHER_DATA),
    ]


def _clearly_worse(losses: Losses) -> bool:
    """Whether Full has a loss above that of a baseline by more than two standard errors, at some budget."""
    gaps = [losses.gap("Full", other, budget) for other in BASELINES for budget in losses.budgets]
    return any(gap > 2 * error for gap, error in gaps)


def draw(rows: Rows, figure: Figure) -> None:
    """The mean over labels left; each label at one budget, Full against the better baseline, right."""
    left, right = figure.subplots(1, 2)
    draw_curves(left, mean_over_labels(rows), "budget", "loss")
    budget_axis(left, BUDGETS)
    left.set_ylim(bottom=0)
    left.legend(frameon=False, loc="lower left")
    tidy(left, "judgments of one face", "test loss / variance of the label", "mean over all labels")
    found = grouped([row for row in rows if row["budget"] == SHOWN_BUDGET], "loss", "learner", "label")
    mean = {key: float(np.mean(losses)) for key, losses in found.items()}
    points = {
        str(label): (min(mean["Averages", label], mean["Copies", label]), mean["Full", label])
        for label in dict.fromkeys(label for _, label in mean)
    }
    right.plot([0, 1.1], [0, 1.1], color="0.6", linewidth=1)
    right.scatter(*zip(*points.values(), strict=True), s=22, color=learner_colour("Full"))
    places, named = np.array(list(points.values())), list[int]()
    for i, place in enumerate(places):
        if all(np.any(np.abs(place - places[other]) > (0.17, 0.025)) for other in named):  # names do not overlap
            named.append(i)
    name_points(right, list(points), places[:, 0], places[:, 1], named)
    title = f"each label at budget {SHOWN_BUDGET}: below the line, Full is better"
    tidy(right, "loss of the better of Averages and Copies", "loss of Full", title)


FIG4_ALL_LABELS = Experiment(
    name="fig4-all-labels",
    title="Like Figures 4 and 5, for every attribute of the faces as the label",
    tasks=tasks,
    table=lambda rows: comparison_table(mean_over_labels(rows)),
    claims=claims,
    draw=draw,
    caption="Squared loss on test faces against the budget of judgments of one face, mean over all attributes"
    " as the label (left; bars are standard errors), and Full against the better of Averages and Copies for each label"
    " (right).",
    about="Half of 502 faces to train on. Other learners are in Figures 4 and 5; 34 labels would take too long."
    + SPLITS,
    needs=face_judgments,
    figure_size=(11, 5.2),
    claims_about=OWN_QUESTION,  # the paper has two labels
)
