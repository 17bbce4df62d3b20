"""Figure 1 of Cesa-Bianchi, Shalev-Shwartz and Shamir 2010: six digits, and four revealed pixels of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...common.style import NOT_REVEALED
from ...datasets import mnist_pair
from ..runner.paper import Claim, Experiment, Rows, Task
from .setting import BUDGET, PAIR, needs_mnist


def six_digits(seed: int) -> Rows:
    """Task: the pixels of three images of each digit, and which four of them are revealed, drawn uniformly."""
    X, y = mnist_pair(*PAIR)
    rng = np.random.default_rng(seed)
    chosen = np.concatenate([rng.choice(np.flatnonzero(y == label), 3, replace=False) for label in (-1, 1)])
    rows: Rows = []
    for image in rng.permutation(chosen):
        seen = set(rng.choice(X.shape[1], BUDGET, replace=False).tolist())
        for pixel, value in enumerate(X[image]):
            digit = PAIR[0] if y[image] < 0 else PAIR[1]
            rows.append(
                {"image": int(image), "digit": digit, "pixel": pixel, "ink": float(value), "seen": int(pixel in seen)}
            )
    return rows


def draw(rows: Rows, figure: Any) -> None:
    """Whole images above, and their revealed pixels below."""
    images = list(dict.fromkeys(row["image"] for row in rows))
    axes = figure.subplots(2, len(images))
    for at, image in enumerate(images):
        mine = [row for row in rows if row["image"] == image]
        ink, seen = np.array([row["ink"] for row in mine]), np.array([row["seen"] for row in mine])
        axes[0, at].imshow(ink.reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
        axes[1, at].imshow(np.where(seen, ink, np.nan).reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
        axes[1, at].set_facecolor(NOT_REVEALED)
        axes[0, at].set_title(f"a {mine[0]['digit']}", fontsize=11)
    for each in axes.flat:
        each.set(xticks=[], yticks=[])
    axes[0, 0].set_ylabel("all 784 pixels")
    axes[1, 0].set_ylabel(f"{BUDGET} random pixels")
    figure.supxlabel("light blue: not revealed", fontsize=10)


def table(rows: Rows) -> Rows:
    """A row per image: how many pixels are revealed, and how many of them have ink."""
    lines: Rows = []
    for image in dict.fromkeys(row["image"] for row in rows):
        mine = [row for row in rows if row["image"] == image]
        seen = [row for row in mine if row["seen"]]
        lines.append(
            {
                "image": image,
                "digit": mine[0]["digit"],
                "pixels revealed": len(seen),
                "of them with ink": sum(float(row["ink"]) > 0 for row in seen),
                "pixels with ink": sum(float(row["ink"]) > 0 for row in mine),
            }
        )
    return lines


def claims(rows: Rows) -> list[Claim]:
    """How little of an image is revealed."""
    lines = table(rows)
    most, inked = max(int(row["pixels revealed"]) for row in lines), sum(int(row["of them with ink"]) for row in lines)
    total = sum(int(row["pixels revealed"]) for row in lines)
    return [
        Claim.with_verdict(
            "A learner with a budget of 4 sees very little of an image.",
            "a partial-information algorithm has a much more limited access: four pixels",
            f"at most {most} of 784 pixels; {inked} of the {total} revealed pixels have any ink",
            most == BUDGET and inked < total,
        )
    ]


FIG1 = Experiment(
    name="fig1",
    title="Figure 1: six digits, and four revealed pixels of each",
    tasks=lambda size, seed: [Task(six_digits, {"seed": seed})],
    table=table,
    claims=claims,
    draw=draw,
    about="Images of the digits 3 and 5 drawn at random, and four pixels of each drawn uniformly.",
    needs=needs_mnist,
    figure_size=(9.0, 3.7),
)
