"""A bound and the measured error: a figure of both, how fast the error falls, and whether it is below the bound."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from ...common.style import curve, learner_colour, legend_below, tidy
from ..runner.paper import Claim, Rows
from ..shared.rows import grouped, mean_and_error


def rate(rows: Rows, learner: str) -> tuple[float, float]:
    """The exponent a of excess ~ examples^a, fitted run by run: mean and standard error over runs.

    Rates are statements on many examples: the upper half of the doublings counts.
    """
    mine = [row for row in rows if row["learner"] == learner]
    sizes = [float(row["examples"]) for row in mine]
    middle = np.sqrt(min(sizes) * max(sizes))
    runs = grouped([row for row in mine if float(row["examples"]) >= 0.999 * middle], "excess", "seed", "examples")
    exponents = []
    for seed in dict.fromkeys(seed for seed, _ in runs):
        points = np.array([(n, values[0]) for (s, n), values in runs.items() if s == seed])
        exponents.append(float(np.polyfit(np.log(points[:, 0]), np.log(points[:, 1]), 1)[0]))
    return mean_and_error(exponents)


def summary(rows: Rows) -> Rows:
    """Mean and standard error of the excess beside its bound, for each learner and number of examples."""
    bounds = grouped(rows, "bound", "learner", "examples")
    found = []
    for (learner, examples), values in grouped(rows, "excess", "learner", "examples").items():
        mean, error = mean_and_error(values)
        bound = bounds[learner, examples][0]
        found.append(
            {"learner": learner, "examples": examples, "excess": mean, "standard error": error, "bound": bound}
        )
    return found


def below_bound(text: str, published: str) -> Callable[[Rows, str], Claim]:
    """The claim that the mean excess is never above the bound."""

    def claim(rows: Rows, learner: str) -> Claim:
        points = [row for row in summary(rows) if row["learner"] == learner]
        ratios = [float(row["excess"]) / float(row["bound"]) for row in points]
        holds = all(float(r["excess"]) - 2 * float(r["standard error"]) <= float(r["bound"]) for r in points)
        measured = (
            f"at most {max(ratios):.2g} of the bound, from {points[0]['examples']:,} to {points[-1]['examples']:,}"
        )
        return Claim.with_verdict(text, published, f"{measured} examples", holds)

    return claim


def late_fall(rows: Rows, learner: str) -> str:
    """How the mean falls over the last two doublings, in a sentence."""
    *_, before, _, last = [row for row in summary(rows) if row["learner"] == learner]
    exponent = np.log(float(last["excess"]) / float(before["excess"])) / np.log(
        float(last["examples"]) / float(before["examples"])
    )
    return f"From {before['examples']:,} to {last['examples']:,} examples the means fall as examples^{exponent:.2f}."


def falls(rows: Rows, learner: str, text: str, published: float, otherwise: str = "") -> Claim:
    """The claim that the error falls at least as fast as a power of the number of examples."""
    exponent, error = rate(rows, learner)
    return Claim.with_verdict(
        text,
        f"examples^{published:g}",
        f"examples^({exponent:.2f} ± {error:.2f})",
        exponent - 2 * error <= published,
        "From a line through the upper half of the doublings of each run; an exponent counts as slower if it is above"
        " by more than two standard errors.",
        f"{late_fall(rows, learner)} {otherwise}".strip(),
    )


def draw_bounds(
    rows: Rows, figure: Figure, ylabel: str, title: str, constant: str = "", xlabel: str = "examples"
) -> None:
    """Mean excess of each learner, and its bound as a thin line of the same colour."""
    axes = figure.subplots()
    points = summary(rows)
    for learner in dict.fromkeys(str(row["learner"]) for row in points):
        own = [row for row in points if row["learner"] == learner]
        columns = ("examples", "excess", "standard error", "bound")
        examples, excess, error, bound = ([float(row[name]) for row in own] for name in columns)
        curve(axes, examples, excess, error, learner)
        colour, label = learner_colour(learner), f"{'rate' if constant else 'bound'} of {learner}{constant}"
        axes.plot(examples, bound, color=colour, linewidth=1, linestyle=(0, (6, 2)), label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    sizes = sorted({int(row["examples"]) for row in points})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
    tidy(axes, xlabel, ylabel, title)
    legend_below(figure, axes, columns=3)
