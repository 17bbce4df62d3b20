"""The table and the picture of the page on layouts."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from keyhole.common.line_names import label_directly
from keyhole.common.style import CYCLE, plain_log, tidy
from layouts.sets import SETS
from pages import cells_of

GENERATED = ("factors", "independent", "nearly exact", "Kukliansky-Shamir")  # how names of generated data begin
Results = dict[tuple[str, int, Any], dict[str, Any]]


def errors(results: Results, name: str, size: Any, part: str = "error") -> np.ndarray:
    """Of all splits of which every size was measured."""
    sizes = {b for a, _, b in results if a == name}
    whole = {split for a, split, _ in results if a == name and all((name, split, b) in results for b in sizes)}
    found = [results[name, split, size] for split in sorted(whole) if (name, split, size) in results]
    return np.array([one[part] for one in found if part in one])


def fixed_sizes(results: Results, name: str) -> list[int]:
    return sorted({size for a, _, size in results if a == name and isinstance(size, int)})


def number(values: np.ndarray) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{np.mean(values):.3f} ± {error:.3f}" if len(values) > 1 else f"{np.mean(values):.3f}"


def layouts_table(results: Results) -> str:
    head = ["data", "splits", "cells per example: error", "one total", "its sizes", "total / best fixed size"]
    rows = []
    for name in SETS:
        fixed = {size: errors(results, name, size) for size in fixed_sizes(results, name)}
        total = errors(results, name, "total")
        if not fixed or not len(total):
            continue
        best = min(fixed, key=lambda size: fixed[size].mean())
        cells = [
            f"**{size}: {e.mean():.3f}**" if size == best else f"{size}: {e.mean():.3f}" for size, e in fixed.items()
        ]
        steps = [tuple(one["sizes"]) for (a, _, b), one in results.items() if (a, b) == (name, "total")]
        usual = max(set(steps), key=steps.count)
        ratio = total.mean() / fixed[best].mean()
        error = np.std(total - ratio * fixed[best], ddof=1) / np.sqrt(len(total)) / fixed[best].mean()
        words = ", then ".join(f"{size:g}" for size in usual)
        rows.append([name, str(len(total)), ", ".join(cells), number(total), words, f"{ratio:.2f} ± {error:.2f}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def pairs_line(results: Results) -> str:
    """What one total gives on MNIST: all pairs of digits, common units, and the time."""
    pairs = [one for (name, _, _), one in results.items() if name.startswith("MNIST pair")]
    lines = []
    if pairs:
        error, wrong = (np.median([one[part] for one in pairs]) for part in ("error", "wrong"))
        lines.append(
            f"- All {len(pairs)} pairs of MNIST's digits, 4 pixels per image, one total: median error {error:.3f},"
            f" median share of wrong digits {wrong:.1%}."
        )
    name = "MNIST 3 vs 5, 4 per image"
    common = errors(results, name, "total, common units")
    if len(common):
        lines.append(f'- MNIST 3 vs 5, 4 per image, one total and `units="common"`: error {number(common)}.')
    total, thin = errors(results, name, "total", "seconds"), errors(results, name, 4, "seconds")
    if len(total) and len(thin):
        lines.append(
            f"- Time of a fit there: {total.mean():.1f} s with one total, {thin.mean():.1f} s with a budget of 4, on"
            " one core of the same machine."
        )
    return "\n".join(lines)


def picture(table: str, path: Path) -> None:
    """Error against cells per example, one line for each data set, drawn from the rows of the table.

    Measured data are in the left panel, and generated data in the right one.
    """
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(13.5, 6.0), layout="constrained")
    rows = [cells_of(row) for row in table.splitlines()[2:]]
    for axes, generated, title in zip(panels, (False, True), ("measured data", "generated data"), strict=True):
        shown = [row for row in rows if row[0].startswith(GENERATED) == generated]
        for (name, _, fixed, total, steps, _), color in zip(shown, cycle(CYCLE), strict=False):
            found = [tuple(map(float, one.split(": "))) for one in fixed.replace("*", "").split(", ")]
            axes.plot(*zip(*found, strict=True), marker=".", color=color, label=name)
            last, error = float(steps.split(", then ")[-1]), float(total.split(" ± ")[0])
            axes.plot(last, error, marker="*", markersize=12, color=color)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_log(axes.xaxis)
        plain_log(axes.yaxis)
        words = "cells per example, at the same number of cells\n(stars: the size that one total ends with)"
        tidy(axes, words, "test squared error relative to the mean label's", title)
    label_directly(figure)
    figure.savefig(path, dpi=120)
    plt.close(figure)
