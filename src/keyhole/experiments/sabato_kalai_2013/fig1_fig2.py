"""Figures 1 and 2 of Sabato and Kalai 2013, on faces: the noise of attributes and their correlation with the label."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...datasets import face_judgments
from ...judgments.report.plot_selection import scatter_attributes
from ..runner.paper import Claim, Experiment, Rows
from .properties import measured_attributes, property_tasks
from .setting import FIRST, OTHER_DATA, PREDICTOR_BUDGETS, SECOND

USEFUL, NOISY = 0.3, 1.0  # a correlation, and the noise of a judgment over the variance between faces


def claims(rows: Rows) -> list[Claim]:
    """All four combinations of useful or not, stable or noisy."""
    found = []
    for label in dict.fromkeys(str(row["label"]) for row in rows):
        own = [row for row in measured_attributes(rows) if row["label"] == label]
        useful = np.array([abs(float(row["correlation"])) for row in own]) > USEFUL
        noisy = np.array([float(row["noise"]) for row in own]) > NOISY
        counts = {
            "useful and stable": int(np.sum(useful & ~noisy)),
            "useful and noisy": int(np.sum(useful & noisy)),
            "not useful and stable": int(np.sum(~useful & ~noisy)),
            "not useful and noisy": int(np.sum(~useful & noisy)),
        }
        stable = [row for row, is_noisy in zip(own, noisy, strict=True) if not is_noisy]
        nearest = max(stable, key=lambda row: abs(float(row["correlation"])), default=None)
        found.append(
            Claim.with_verdict(
                f"{label}: attributes of all combinations of useful or not, stable or noisy",
                "all four exist",
                ", ".join(f"{count} {name}" for name, count in counts.items()),
                min(counts.values()) > 0,
                f"{OTHER_DATA} Useful: a correlation above {USEFUL}; noisy: judgments vary more than faces.",
                f"The most useful of the stable ones is {nearest['attribute']}, with a correlation of"
                f" {nearest['correlation']:.3f} and a noise of {nearest['noise']:.2f}."
                if nearest
                else "No attribute is stable.",
            )
        )
    return found


def draw(rows: Rows, figure: Figure) -> None:
    """Correlation against noise, a point for each attribute."""
    own = [row for row in measured_attributes(rows) if np.isfinite(float(row["noise"]))]
    names = [str(row["attribute"]) for row in own]
    correlation, noise, repeats = (
        np.array([float(row[name]) for row in own]) for name in ("correlation", "noise", "repeats")
    )
    axes = figure.subplots()
    axes.margins(x=0.13, y=0.08)
    scatter_attributes(axes, names, correlation, noise, repeats, most_names=len(names))
    axes.set_title(
        f"Predicting {rows[0]['label']}: useful attributes left and right, reliable ones below; size: repeats"
    )


def figure(number: int, label: str) -> Experiment:
    """Figure 1 or 2, for one label."""
    return Experiment(
        name=f"fig{number}",
        title=f"Like Figure {number}: attributes of faces, for {label}",
        tasks=property_tasks({label: PREDICTOR_BUDGETS[label]}),
        table=measured_attributes,
        claims=claims,
        draw=draw,
        caption="Each attribute by its correlation with the label and by the variance of its judgments.",
        about="Estimated from 2 judgments of each attribute of 502 faces. The axes have no units: correlation with the"
        " label, and the variance of judgments over that between faces (the paper divides by the standard deviation).",
        needs=face_judgments,
        figure_size=(9, 6.5),
    )


FIG1, FIG2 = figure(1, FIRST), figure(2, SECOND)
