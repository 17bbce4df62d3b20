"""CT slices: the paper's simulated judgments (8 adjacent bins make one noisy attribute, 48 in all).

With the full UCI file (53,500 slices) this is the paper's experiment; with a fragment of it the protocol is
the same and the results are the fragment's. The last part is that of the paper, too: for a fixed total of training
judgments, how many judgments of each cell give the lowest loss?
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from faces import mean_and_error, visible_bars
from threadpoolctl import threadpool_limits

from keyhole.datasets.ct_slices import load_ct_slices, simulated_judgments
from keyhole.experiments.sabato_kalai_2013.splits import method_losses, slice_parts
from keyhole.judgments import plot_comparison, plot_tradeoff, tradeoff
from keyhole.judgments.core.methods import METHODS
from keyhole.judgments.data.columns import Columns

BUDGETS = (5, 10, 20, 40, 80)


def find(folder: Path) -> Path:
    """The full file if it is there, else the fragment."""
    full = folder / "slice_localization_data.csv"
    return full if full.exists() else folder / "ct_slice_fragment.npz"


def compare(path: Path, splits: int) -> tuple[np.ndarray, int]:
    """Losses over the label's variance (splits, methods, budgets), and the number of slices."""
    slices = load_ct_slices(path)
    losses = np.empty((splits, len(METHODS), len(BUDGETS)))
    for split in range(splits):
        parts = slice_parts(slices, len(slices.y) // 2, max(BUDGETS), np.random.default_rng(split))
        losses[split] = np.reshape([row["loss"] for row in method_losses(parts, BUDGETS)], losses[split].shape)
    return losses, len(slices.y)


def summary(losses: np.ndarray, slices: int) -> str:
    """The table of the documentation."""
    splits, means, errors = len(losses), *mean_and_error(losses)
    head = "| method | " + " | ".join(f"budget {b}" for b in BUDGETS) + " |\n|---|" + "---:|" * len(BUDGETS)
    rows = [
        f"| {name} | " + " | ".join(f"{x:.3f} ± {e:.3f}" for x, e in zip(means[i], errors[i], strict=True)) + " |"
        for i, name in enumerate(METHODS)
    ]
    return "\n".join(
        [
            f"Test loss over the variance of the location, {slices} slices, {splits} random halves, ± standard error:",
            "",
            head,
            *rows,
        ]
    )


def how_many_each(path: Path, splits: int) -> Columns:
    """The paper's last experiment, at a budget of 20."""
    slices = load_ct_slices(path)
    values = simulated_judgments(slices.X, 24, 0)
    with threadpool_limits(1):
        return tradeoff(
            values,
            slices.y,
            budget=20,
            totals=(8000, 16000, 32000),
            k=(2, 3, 4, 6, 8),
            n_splits=splits,
            random_state=0,
        )


def tradeoff_table(found: Columns) -> str:
    """Loss for each total and k."""
    k = sorted(set(found["k"]))
    head = "| total judgments | " + " | ".join(f"k = {each}" for each in k) + " |\n|---|" + "---:|" * len(k)
    cell = {(t, each): f"{loss:.3f} ± {error:.3f}" for t, each, _, loss, error in found.rows()}
    return "\n".join(
        [
            head,
            *(f"| {t} | " + " | ".join(cell[t, each] for each in k) + " |" for t in sorted(set(found["total"]))),
        ]
    )


def draw(losses: np.ndarray, slices: int, found: Columns, folder: Path) -> None:
    """Losses against budget, and against k."""
    means, errors = mean_and_error(losses)
    lines, bars = dict(zip(METHODS, means, strict=True)), dict(zip(METHODS, errors, strict=True))
    title = f"{slices} CT slices, mean ± standard error of {len(losses)} halves"
    figure = plot_comparison(lines, BUDGETS, title, bars)
    visible_bars(figure)
    figure.savefig(folder / "judgments_ct.png")
    plot_tradeoff(found).savefig(folder / "judgments_tradeoff.png")
