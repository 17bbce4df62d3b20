"""What tests of several papers use: an experiment by its name, a figure that is drawn, learning curves made up."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from keyhole.experiments import load_paper


def experiment(paper: str, name: str):
    """One table or figure of a paper."""
    return next(e for e in load_paper(paper).experiments if e.name == name)


def drawn(experiment, rows) -> Figure:
    """The figure of an experiment, rendered to find errors that appear only then."""
    figure = Figure(figsize=experiment.figure_size, layout="constrained")
    experiment.draw(rows, figure)
    figure.savefig(io.BytesIO())
    return figure


def curve_rows(**last_errors: float) -> list[dict]:
    """Made-up curves: two prefixes and two splits of each learner, whose errors at the end are given."""
    rows = []
    for name, error in last_errors.items():
        name, cells = (
            name.replace("__", ", ").replace("_", " "),
            784 if name in ("ridge", "Lasso", "online_Lasso") else 4,
        )
        for split in range(2):
            for examples in (61, 12_000):
                shift = 0.5 * (examples == 61) * (1 + split)
                rows.append(
                    {"learner": name, "split": split, "examples": examples, "attributes": cells * examples,
                     "error": error + 0.01 * split + shift, "wrong": 0.1, "settings": "radius 2"}
                )  # fmt: skip
    return rows
