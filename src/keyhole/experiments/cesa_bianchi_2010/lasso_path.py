"""Not in the paper: error and wrong signs of Lasso against the radius of its constraint, beside the published medians.

The paper solves Lasso in its constrained form, without an intercept. Every radius is a point of one path, so the
published pair of numbers, an error and a share of wrong signs, can be looked for on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...common.style import learner_colour, tidy
from ..runner.kinds import OWN_QUESTION
from ..runner.paper import NOT_JUDGED, Claim, Experiment, Rows, Size, Task
from ..shared.full_information import RIDGE_PENALTIES, Linear, lasso_path_of, moments_of, ridge_path
from ..shared.mnist_curves import split_of
from .pixels import EVERY_PAIR, name_of, pairs_of, splits_in_words
from .setting import NEAR, PUBLISHED, PUBLISHED_WRONG, needs_mnist

PENALTIES = tuple(np.logspace(-4.5, -0.5, 41).tolist())
RADII = tuple(float(f"{radius:.3g}") for radius in np.logspace(-1, 5, 25, base=2.0))
TOLERANCE = 1e-5
LASSO, RIDGE = "Lasso", "ridge, best penalty"
ERROR, WRONG = PUBLISHED["Lasso"], PUBLISHED_WRONG["Lasso"]


def tasks(size: Size, seed: int) -> list[Task]:
    """All 45 pairs with two splits each, or in a quick run three pairs with one split."""
    pairs, splits = (EVERY_PAIR, 2) if size == Size.full else (pairs_of(size)[-3:], 1)
    return [Task(path, {"pair": pair, "split": at, "seed": seed}) for at in range(splits) for pair in pairs]


def path(pair: list[int], split: int, seed: int) -> Rows:
    """Task: the error on whole test rows at each radius, and that of ridge with its best penalty."""
    data = split_of(pair, split, seed)
    moments = moments_of(data.X, data.y)
    origin = moments._replace(x=np.zeros_like(moments.x), y=0.0)  # means taken as 0: no centring and no intercept
    along = lasso_path_of(origin, PENALTIES, TOLERANCE)
    radii, weights = at_radii(along)
    ridge = ridge_path(origin, RIDGE_PENALTIES)
    best = int(ridge.errors(data.X_test, data.y_test).argmin())
    found = [(LASSO, radius, weights[:, at]) for at, radius in enumerate(radii)]
    found.append((RIDGE, float(np.abs(ridge.coef[:, best]).sum()), ridge.coef[:, best]))
    return [
        {
            "learner": learner,
            "pair": name_of(pair),
            "split": split,
            "radius": radius,
            "error": float(np.mean((predicted - data.y_test) ** 2)),
            "wrong": float(np.mean(np.sign(predicted) != data.y_test)),
        }
        for learner, radius, coef in found
        for predicted in [data.X_test @ coef]
    ]


def at_radii(along: Linear) -> tuple[list[float], np.ndarray]:
    """The radii that the path reaches, and its weights there, a column each.

    Between two penalties the path of Lasso is nearly straight, so weights in between are interpolated.
    """
    norms = np.abs(along.coef).sum(axis=0)
    order = np.argsort(norms)
    radii = [radius for radius in RADII if norms.min() <= radius <= norms.max()]
    columns = [[np.interp(radius, norms[order], weight[order]) for weight in along.coef] for radius in radii]
    return radii, np.array(columns).reshape(len(radii), len(along.coef)).T


def table(rows: Rows) -> Rows:
    """A row per radius that every split reaches: medians over pairs; and ridge."""
    lines: Rows = []
    n_pairs = len({str(row["pair"]) for row in rows})
    for learner, radius in ((LASSO, radius) for radius in RADII):
        mine = [row for row in rows if row["learner"] == learner and row["radius"] == radius]
        if len({str(row["pair"]) for row in mine}) == n_pairs:
            lines.append({"learner": learner, "l1 radius": radius, "pairs": n_pairs, **_medians(mine)})
    ridge = [row for row in rows if row["learner"] == RIDGE]
    norm = float(np.median([float(row["radius"]) for row in ridge]))
    return [*lines, {"learner": RIDGE, "l1 radius": norm, "pairs": n_pairs, **_medians(ridge)}]


def _medians(rows: Rows) -> dict[str, float]:
    """Medians over pairs of the means over splits."""
    pairs = list(dict.fromkeys(str(row["pair"]) for row in rows))
    error, wrong = (
        float(np.median([np.mean([float(row[value]) for row in rows if row["pair"] == pair]) for pair in pairs]))
        for value in ("error", "wrong")
    )
    return {"median error": error, "median wrong signs, %": 100 * wrong}


def claims(rows: Rows) -> list[Claim]:
    """Whether both published medians lie on the path, and whether the published error is twice what ridge implies."""
    *along, ridge = table(rows)
    errors, wrong = (
        np.array([float(row[name]) for row in along]) for name in ("median error", "median wrong signs, %")
    )
    radii = [float(row["l1 radius"]) for row in along]
    nearest, best = int(np.abs(errors - ERROR).argmin()), int(errors.argmin())
    ratio = float(errors[best]) / float(ridge["median error"])
    implied = PUBLISHED["ridge"] * ratio
    on_path = bool(np.maximum(np.abs(errors / ERROR - 1), np.abs(wrong / WRONG - 1)).min() <= NEAR)
    measured = (
        f"at radius {radii[nearest]:g} the median error is {errors[nearest]:.3f}, with {wrong[nearest]:.1f}% wrong"
        f" signs; the least median error is {errors[best]:.3f}, at radius {radii[best]:g}, with {wrong[best]:.1f}%"
    )
    found = [
        Claim.with_verdict(
            "Some radius has the published error of Lasso and the published share of wrong signs.",
            f"median error {ERROR:g}, {WRONG:g}% wrong signs",
            measured,
            on_path,
            otherwise="A ball too small cannot explain the published error, since it would also have more wrong signs."
            " The next claim has the suspected reason.",
        ),
        Claim.with_verdict(
            "A suspicion: the published error of Lasso is twice the mean squared error.",
            f"Lasso {ERROR:g}, which is twice {ERROR / 2:g}; ridge {PUBLISHED['ridge']:g}",
            f"Lasso's least median error is {ratio:.3f} times that of ridge; {ratio:.3f} times the published error of"
            f" ridge is {implied:.3f}",
            abs(2 * implied / ERROR - 1) <= NEAR,
            "This is not a statement of the paper. It holds if twice what the ratio implies is within a tenth of the"
            " published error.",
        ),
    ]
    if int(ridge["pairs"]) == len(EVERY_PAIR):
        return found
    why = f"The published numbers are medians over all 45 pairs, and {ridge['pairs']} were run."
    return [Claim(claim.text, claim.published, claim.measured, NOT_JUDGED, why) for claim in found]


def draw(rows: Rows, figure: Any) -> None:
    """Each pair as a thin line, the median as a thick one, the published medians as levels; errors left."""
    panels, *_ = figure.subplots(1, 2, squeeze=False)
    lines = table(rows)[:-1]
    shown = (("error", "median error", 1.0, ERROR), ("wrong", "median wrong signs, %", 100.0, WRONG))
    for axes, (value, column, factor, level) in zip(panels, shown, strict=True):
        for pair in dict.fromkeys(str(row["pair"]) for row in rows):
            mine = [row for row in rows if row["pair"] == pair and row["learner"] == LASSO and row["split"] == 0]
            heights = [factor * float(row[value]) for row in mine]
            axes.plot([row["radius"] for row in mine], heights, color="0.8", linewidth=0.7, zorder=1)
        where, medians = [line["l1 radius"] for line in lines], [line[column] for line in lines]
        axes.plot(where, medians, color=learner_colour(LASSO), linewidth=2.5, label="median over pairs")
        axes.axhline(level, color="black", linewidth=1, linestyle=":", label=f"published median, {level:g}")
        axes.plot([], [], color="0.8", label="a pair of digits, one split")
        axes.set_xscale("log", base=2)
        axes.set_xticks([2.0**at for at in range(-1, 6)], [f"{2.0**at:g}" for at in range(-1, 6)])
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
        tidy(axes, "l1 radius", "test squared error" if value == "error" else "wrong signs, %")


LASSO_PATH = Experiment(
    name="lasso-path",
    title="Why numbers differ: Lasso along its constraint",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Test squared error (left) and share of wrong signs (right) of Lasso against the radius of its l1"
    " ball, on raw pixels and without an intercept.",
    about="Lasso on raw pixels of all training rows, without an intercept, for l1 balls of growing radius, computed"
    f" from a path of {len(PENALTIES)} penalties. No radius is chosen: every one is shown, with its error on the test"
    " rows. Ridge, without an intercept too, has the penalty that is best on the test rows.",
    needs=needs_mnist,
    part=splits_in_words,
    figure_size=(10.0, 4.5),
    claims_about=OWN_QUESTION,
)
