"""Every attribute of the faces in turn as the label: for how many is the full algorithm best?"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ..common.style import BLUE, tidy
from ..datasets import face_judgments
from .judgment_comparison import BASELINES, Losses, budget_axis, compared, comparison_claims
from .judgment_splits import FACES
from .paper import Claim, Rows, Size, Unit
from .protocol import draw_seed
from .rows import draw_curves, grouped

BUDGETS = [5, 10, 20, 40]
SHOWN_BUDGET = 20


def label_units(size: Size, seed: int) -> list[Unit]:
    """Every attribute in turn as the label."""
    splits = [draw_seed(seed, split) for split in range(3 if size == Size.quick else 50)]
    return [Unit(compared_labels, {"budgets": BUDGETS, "split": split}, cost=4.0) for split in splits]


def compared_labels(budgets: list[int], split: int) -> Rows:
    """Unit: the four methods on one random half, for every label."""
    return [row for label in face_judgments().attributes for row in compared(FACES, budgets, [split], label)]


def mean_over_labels(rows: Rows) -> Rows:
    """A row per method, budget and split, so that errors are over splits and not over labels."""
    found = grouped(rows, "loss", "learner", "budget", "split")
    return [
        {"learner": name, "budget": budget, "split": split, "loss": float(np.mean(losses))}
        for (name, budget, split), losses in found.items()
    ]


def label_claims(rows: Rows, kind: str) -> list[Claim]:
    """For how many labels Full is best at every budget."""
    labels = list(dict.fromkeys(str(row["label"]) for row in rows))
    by_label = {label: Losses([row for row in rows if row["label"] == label]) for label in labels}
    left_over = [label for label, losses in by_label.items() if not all(losses.better("Full", *BASELINES)[0])]
    clear = [label for label in left_over if _clearly_behind(by_label[label])]
    named = f"{len(clear)}: {', '.join(clear)}" if clear else "none"
    worse = f"; not for {', '.join(left_over)}" if left_over else ""
    return [
        Claim.judged(
            "Full has a lower test error than Averages and Copies at every budget, for every label",
            "lower in all experiments, which had two labels of people",
            f"for {len(labels) - len(left_over)} of {len(labels)} labels{worse}",
            not left_over,
            f"{kind} {len({row['split'] for row in rows})} splits; near ties are decided by noise.",
            f"Beyond two standard errors at some budget it is behind for {named}.",
        ),
        *comparison_claims(rows, "Mean over all labels", kind),
    ]


def _clearly_behind(losses: Losses) -> bool:
    """Whether Full has a higher loss than a baseline, beyond two standard errors, at some budget."""
    gaps = [losses.gap("Full", other, budget) for other in BASELINES for budget in losses.budgets]
    return any(gap > 2 * error for gap, error in gaps)


def draw_labels(rows: Rows, figure: Figure) -> None:
    """Left the mean over labels, right each label at one budget: Full against the better baseline."""
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
    right.scatter(*zip(*points.values(), strict=True), s=22, color=BLUE)
    named: list[tuple[float, float]] = []
    for label, (x, y) in points.items():
        if all(abs(x - other) > 0.17 or abs(y - at) > 0.025 for other, at in named):  # no name on another
            right.annotate(label, (x, y), xytext=(5, -3), textcoords="offset points", fontsize=7)
            named.append((x, y))
    title = f"each label at budget {SHOWN_BUDGET}: below the line, Full is better"
    tidy(right, "loss of the better of Averages and Copies", "loss of Full", title)
