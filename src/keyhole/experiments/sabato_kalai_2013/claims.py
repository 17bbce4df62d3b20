"""Claims about the losses of the methods of Sabato and Kalai, paired over random splits."""

from __future__ import annotations

import numpy as np

from ..runner.paper import Claim, Rows
from ..shared.comparing import paired
from ..shared.rows import grouped, mean_and_error

BASELINES = ("Averages", "Copies")
CORRELATED = (
    " Full uses the correlations between attributes, which Scoring takes as 0, and here that outweighs the noise of"
    " estimating them; in separate runs for age, with the defaults of MultiSelector, it did so with 15, 20, 30 and 120"
    " training faces as well."
)


class Losses:
    """Losses of the methods by budget and split, from which claims are computed; over several labels, their mean."""

    def __init__(self, rows: Rows) -> None:
        self.rows = [row for row in rows if "attributes" in row]
        self.budgets = sorted({int(row["budget"]) for row in self.rows})
        self.n_splits = len({row["split"] for row in self.rows})

    def at(self, method: str, budget: int, value: str = "loss") -> dict[int, float]:
        """The values of a method at a budget, by split."""
        own = [row for row in self.rows if (row["learner"], row["budget"]) == (method, budget)]
        return {split: float(np.mean(found)) for (split,), found in grouped(own, value, "split").items()}

    def mean(self, method: str, value: str = "loss") -> np.ndarray:
        """The mean value of a method at each budget."""
        return np.array([np.mean(list(self.at(method, budget, value).values())) for budget in self.budgets])

    def better(self, first: str, *others: str) -> tuple[list[bool], str]:
        """At which budgets a method has a lower mean than all others, and where this is within two standard errors."""
        lower, uncertain = [], []
        for budget in self.budgets:
            pairs = [paired(self.at(first, budget), self.at(other, budget)) for other in others]
            lower.append(all(difference < 0 for difference, _ in pairs))
            if any(remark for _, remark in pairs):
                uncertain.append(str(budget))
        note = (
            f" At budget {', '.join(uncertain)} the difference is within two standard errors of 0." if uncertain else ""
        )
        return lower, f"{self.n_splits} splits.{note}"

    def behind(self, first: str, *others: str) -> str:
        """Where and by how much a method has the higher mean, in words."""
        found = [
            f"{gap:+.3f} ± {error:.3f} above {other} at budget {budget}"
            for budget in self.budgets
            for other in others
            for gap, error in [self.gap(first, other, budget)]
            if gap >= 0
        ]
        least = self.mean(first).min()
        no_gain = (
            f" {first} has a loss of {least:.2f} at best, and predicting the mean label has 1: here the methods learn"
            " nothing from so few objects, and their order is due to noise."
        )
        return f"{first} is {', '.join(found)}.{no_gain if least > 1 else ''}" if found else ""

    def gap(self, first: str, second: str, budget: int) -> tuple[float, float]:
        """The loss of one method less that of another, paired over splits: mean and standard error."""
        one, two = self.at(first, budget), self.at(second, budget)
        return mean_and_error([one[split] - two[split] for split in one])

    def words(self, *methods: str, value: str = "loss") -> str:
        """The means of methods at all budgets, in words."""
        shown = "; ".join(f"{m} " + ", ".join(f"{x:.3g}" for x in self.mean(m, value)) for m in methods)
        return f"{shown} (budgets {', '.join(map(str, self.budgets))})"


def comparison_claims(rows: Rows, where: str, remark: str = "", few: bool = False) -> list[Claim]:
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
        Claim.with_verdict(
            f"{where}: Full has a lower test error than Averages and Copies at every budget",
            "lower in all experiments",
            losses.words("Full", *BASELINES),
            all(lower),
            f"{remark} {doubt}".strip(),
            losses.behind("Full", *BASELINES),
        ),
        Claim.with_verdict(
            f"{where}: Full tends to choose fewer attributes than the baselines",
            "sparser",
            ", ".join(f"{name} {number:.1f}" for name, number in chosen.items()) + " on average over budgets",
            chosen["Full"] < min(chosen[name] for name in BASELINES),
            remark,
        ),
        Claim.with_verdict(
            f"{where}: {text}",
            published,
            losses.words("Full", "Scoring"),
            holds,
            f"{remark} {scoring_doubt}".strip(),
            losses.behind("Scoring" if few else "Full", "Full" if few else "Scoring") + (CORRELATED if few else ""),
        ),
    ]
