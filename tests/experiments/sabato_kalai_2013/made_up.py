"""Losses made up for the tests of Sabato and Kalai's figures."""

from __future__ import annotations

BUDGETS = [5, 10, 20, 40]


def losses(**means: float) -> list[dict]:
    """Made-up losses of two splits, falling with the budget; Full chooses one attribute, the others three."""
    return [
        {"learner": name, "label": label, "split": split, "budget": budget, "loss": (loss + 0.001 * split) / budget,
         "attributes": 1 if name == "Full" else 3, "most repeats": 2}
        for name, loss in means.items() for label in ("age", "weight") for split in range(2) for budget in BUDGETS
    ]  # fmt: skip


def attribute(correlation: float, noise: float) -> dict:
    """A row of an attribute."""
    return {"label": "age", "attribute": "x", "correlation": correlation, "noise": noise, "v/σ": noise, "b/σ": 1.0}
