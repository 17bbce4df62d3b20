"""Figure 1 of Cesa-Bianchi, Shalev-Shwartz and Shamir 2010: six digits, and what four pixels show of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..datasets import mnist_pair
from .paper import Claim, Rows

PAIR, PIXELS = (3, 5), 4


def six_digits(seed: int) -> Rows:
    """The pixels of three images of each digit, and which four of them a learner happened to look at."""
    X, y = mnist_pair(*PAIR)
    rng = np.random.default_rng(seed)
    chosen = np.concatenate([rng.choice(np.flatnonzero(y == label), 3, replace=False) for label in (-1, 1)])
    rows: Rows = []
    for image in rng.permutation(chosen):
        seen = set(rng.choice(X.shape[1], PIXELS, replace=False).tolist())
        for pixel, value in enumerate(X[image]):
            digit = PAIR[0] if y[image] < 0 else PAIR[1]
            rows.append(
                {"image": int(image), "digit": digit, "pixel": pixel, "ink": float(value), "seen": int(pixel in seen)}
            )
    return rows


def draw_digits(rows: Rows, figure: Any) -> None:
    images = list(dict.fromkeys(row["image"] for row in rows))
    axes = figure.subplots(2, len(images))
    for at, image in enumerate(images):
        mine = [row for row in rows if row["image"] == image]
        ink, seen = np.array([row["ink"] for row in mine]), np.array([row["seen"] for row in mine])
        axes[0, at].imshow(ink.reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
        axes[1, at].imshow(np.where(seen, ink, np.nan).reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
        axes[1, at].set_facecolor("#cfe3f1")
        axes[0, at].set_title(f"a {mine[0]['digit']}", fontsize=11)
    for each in axes.flat:
        each.set(xticks=[], yticks=[])
    axes[0, 0].set_ylabel("all 784 pixels")
    axes[1, 0].set_ylabel(f"{PIXELS} pixels at random")
    figure.supxlabel("light blue: not looked at", fontsize=10)


def digits_table(rows: Rows) -> Rows:
    table: Rows = []
    for image in dict.fromkeys(row["image"] for row in rows):
        mine = [row for row in rows if row["image"] == image]
        seen = [row for row in mine if row["seen"]]
        table.append(
            {
                "image": image,
                "digit": mine[0]["digit"],
                "pixels seen": len(seen),
                "of them with ink": sum(float(row["ink"]) > 0 for row in seen),
                "pixels with ink": sum(float(row["ink"]) > 0 for row in mine),
            }
        )
    return table


def digits_claims(rows: Rows) -> list[Claim]:
    table = digits_table(rows)
    most, inked = max(int(row["pixels seen"]) for row in table), sum(int(row["of them with ink"]) for row in table)
    total = sum(int(row["pixels seen"]) for row in table)
    return [
        Claim.judged(
            "A learner with a budget of 4 sees next to nothing of an image.",
            "a partial-information algorithm has a much more limited access: four pixels",
            f"at most {most} of 784 pixels; {inked} of the {total} pixels seen have any ink",
            most == PIXELS and inked < total,
        )
    ]
