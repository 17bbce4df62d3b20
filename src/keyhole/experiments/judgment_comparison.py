"""Losses against budget for the methods of Sabato and Kalai and for other learners: units, table, picture, claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..common.style import mark_beyond, tidy
from .comparing import paired
from .further import FULL, OWN, RIVALS
from .judgment_splits import full_information_losses, further_losses, method_losses, random_parts
from .paper import Claim, Rows, Size, Unit
from .protocol import draw_seed
from .rows import draw_curves, grouped, mean_and_error

FULL_INFORMATION = "full information"
BASELINES = ("Averages", "Copies")
CORRELATED = (
    " Full gains by the correlations between attributes, which Scoring takes as 0, and here that outweighs the noise of"
    " estimating them; measured apart for age, it did so with 15, 20, 30 and 120 training faces as well."
)


def compared(data: str, budgets: list[int], splits: list[int], label: str = "", n_train: int = 0) -> Rows:
    """Unit: the four methods on some random splits."""
    return [
        {"label": label, "split": split, **row}
        for split in splits
        for row in method_losses(random_parts(data, split, n_train, label), budgets)
    ]


def compared_further(
    data: str, learner: str, budgets: list[int], split: int, label: str = "", n_train: int = 0, n_folds: int = 10
) -> Rows:
    """Unit: another learner, or all with full information, on a random split."""
    parts = random_parts(data, split, n_train, label)
    if learner == FULL_INFORMATION:
        rows = full_information_losses(parts, budgets, split, n_folds)
    else:
        rows = further_losses(parts, learner, budgets, split)
    return [{"label": label, "split": split, **row} for row in rows]


def comparison_units(
    data: str, budgets: list[int], label: str = "", n_train: int = 0
) -> Callable[[Size, int], list[Unit]]:
    """The units of one figure: 50 splits for the methods, 10 for the further lines, which are slow."""

    def units(size: Size, seed: int) -> list[Unit]:
        quick = size == Size.quick
        shared = {"data": data, "label": label, "n_train": n_train}
        splits = [draw_seed(seed, split) for split in range(20 if quick else 50)]
        made = [
            Unit(compared, {**shared, "budgets": budgets, "splits": splits[at : at + 10]}, cost=2.0)
            for at in range(0, len(splits), 10)
        ]
        for split in splits[: 1 if quick else 10]:
            for learner in (OWN, *RIVALS, FULL_INFORMATION):
                fewer = budgets[1::2] if quick else budgets
                settings = {**shared, "learner": learner, "budgets": fewer, "split": split}
                made.append(Unit(compared_further, settings, cost=5.0 if learner == OWN else 1.0))
        return made

    return units


def comparison_table(rows: Rows) -> Rows:
    """Mean loss of each learner at each budget, with its standard error."""
    found = grouped(rows, "loss", "learner", "budget")
    lines = []
    for learner in dict.fromkeys(str(row["learner"]) for row in rows):
        line: dict[str, Any] = {"learner": learner}
        for (name, budget), losses in found.items():
            if name == learner:
                mean, error = mean_and_error(losses)
                line[f"budget {budget}"] = f"{mean:.3f} ± {error:.3f}"
        line["splits"] = len({row["split"] for row in rows if row["learner"] == learner})
        lines.append(line)
    return lines


def draw_comparison(rows: Rows, figure: Figure) -> None:
    """Left the paper's methods, right Full beside other learners."""
    left, right = figure.subplots(1, 2, sharey=True)
    methods = [row for row in rows if "attributes" in row]
    others = [row for row in rows if row["learner"] in ("Full", OWN, *RIVALS, *FULL)]
    draw_curves(left, methods, "budget", "loss")
    draw_curves(right, others, "budget", "loss")
    budgets = sorted({int(row["budget"]) for row in rows})
    tidy(left, "judgments of one object", "test loss / variance of the label", "the paper's methods")
    tidy(right, "judgments of one training object", "", "other learners")
    top = max(float(np.mean(losses)) for losses in grouped(methods, "loss", "learner", "budget").values())
    left.set_ylim(0, 1.1 * max(top, 1.0))  # 1 is the mean label; some of the others go beyond, and the table holds all
    for axes in (left, right):
        budget_axis(axes, budgets)
        mark_beyond(axes)
        axes.axhline(1, color="0.6", linewidth=0.9, zorder=0)
        axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.14))


def budget_axis(axes: Axes, budgets: list[int]) -> None:
    """Budgets that double, each with its number."""
    axes.set_xscale("log")
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.minorticks_off()


class Losses:
    """Losses of the methods by budget and split, to judge claims by; over several labels, their mean."""

    def __init__(self, rows: Rows) -> None:
        self.rows = [row for row in rows if "attributes" in row]
        self.budgets = sorted({int(row["budget"]) for row in self.rows})
        self.n_splits = len({row["split"] for row in self.rows})

    def at(self, method: str, budget: int, value: str = "loss") -> dict[int, float]:
        own = [row for row in self.rows if (row["learner"], row["budget"]) == (method, budget)]
        return {split: float(np.mean(found)) for (split,), found in grouped(own, value, "split").items()}

    def mean(self, method: str, value: str = "loss") -> np.ndarray:
        return np.array([np.mean(list(self.at(method, budget, value).values())) for budget in self.budgets])

    def better(self, first: str, *others: str) -> tuple[list[bool], str]:
        """At which budgets a method has a lower mean than all others, and where that may be noise."""
        lower, unsure = [], []
        for budget in self.budgets:
            pairs = [paired(self.at(first, budget), self.at(other, budget)) for other in others]
            lower.append(all(difference < 0 for difference, _ in pairs))
            if any(doubt for _, doubt in pairs):
                unsure.append(str(budget))
        note = f" Within two standard errors of a tie at {', '.join(unsure)}." if unsure else ""
        return lower, f"{self.n_splits} splits.{note}"

    def behind(self, first: str, *others: str) -> str:
        """Where and by how much a method has the higher mean, for a claim that does not hold."""
        found = [
            f"{gap:+.3f} ± {error:.3f} above {other} at {budget}"
            for budget in self.budgets
            for other in others
            for gap, error in [self.gap(first, other, budget)]
            if gap >= 0
        ]
        lost = self.mean(first).min()
        nothing = (
            f" {first} has a loss of {lost:.2f} at best, and predicting the mean label has 1: here they learn"
            " nothing from so few objects, and the order is that of noise."
        )
        return f"{first} is {', '.join(found)}.{nothing if lost > 1 else ''}" if found else ""

    def gap(self, first: str, second: str, budget: int) -> tuple[float, float]:
        """The loss of one method less that of another, paired over splits: mean and standard error."""
        one, two = self.at(first, budget), self.at(second, budget)
        return mean_and_error([one[split] - two[split] for split in one])

    def words(self, *methods: str, value: str = "loss") -> str:
        shown = "; ".join(f"{m} " + ", ".join(f"{x:.3g}" for x in self.mean(m, value)) for m in methods)
        return f"{shown} (budgets {', '.join(map(str, self.budgets))})"


def comparison_claims(rows: Rows, where: str, kind: str = "", few: bool = False) -> list[Claim]:
    """Full against the baselines, how many attributes are chosen, and Scoring against Full."""
    losses = Losses(rows)
    lower, doubt = losses.better("Full", *BASELINES)
    chosen = {name: float(losses.mean(name, "attributes").mean()) for name in ("Full", *BASELINES)}
    worse, scoring_doubt = losses.better("Full", "Scoring")
    if few:
        text, published, holds = "Scoring is sometimes better than Full", "sometimes better", not all(worse)
    else:
        text, published, holds = (
            "Scoring is usually somewhat worse than Full",
            "usually worse",
            sum(worse) > len(worse) / 2,
        )
    return [
        Claim.judged(
            f"{where}: Full has a lower test error than Averages and Copies at every budget",
            "lower in all experiments",
            losses.words("Full", *BASELINES),
            all(lower),
            f"{kind} {doubt}".strip(),
            losses.behind("Full", *BASELINES),
        ),
        Claim.judged(
            f"{where}: Full tends to choose fewer attributes than the baselines",
            "sparser",
            ", ".join(f"{name} {number:.1f}" for name, number in chosen.items()) + " in the mean over budgets",
            chosen["Full"] < min(chosen[name] for name in BASELINES),
            kind,
        ),
        Claim.judged(
            f"{where}: {text}",
            published,
            losses.words("Full", "Scoring"),
            holds,
            f"{kind} {scoring_doubt}".strip(),
            losses.behind("Scoring" if few else "Full", "Full" if few else "Scoring") + (CORRELATED if few else ""),
        ),
    ]
