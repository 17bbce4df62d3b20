"""What the measurements of a bound share: a picture of both, how fast the error falls, and whether it is below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from ..paper import Claim, Rows
from ..style import curve, grouped, legend_below, look, mean_and_error, tidy


def rate(rows: Rows, learner: str, value: str = "excess") -> tuple[float, float]:
    """The exponent a of error ~ examples^a, fitted run by run: mean and standard error over runs."""
    runs = grouped([row for row in rows if row["learner"] == learner], value, "seed", "examples")
    exponents = []
    for seed in dict.fromkeys(seed for seed, _ in runs):
        points = [(n, values[0]) for (s, n), values in runs.items() if s == seed]
        n, error = np.array(points).T
        exponents.append(float(np.polyfit(np.log(n), np.log(error), 1)[0]))
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

    def judge(rows: Rows, learner: str) -> Claim:
        points = [row for row in summary(rows) if row["learner"] == learner]
        ratios = [float(row["excess"]) / float(row["bound"]) for row in points]
        holds = all(float(r["excess"]) - 2 * float(r["standard error"]) <= float(r["bound"]) for r in points)
        measured = (
            f"at most {max(ratios):.2g} of the bound, from {points[0]['examples']:,} to {points[-1]['examples']:,}"
        )
        return Claim.judged(text, published, f"{measured} examples", holds)

    return judge


def falls(rows: Rows, learner: str, text: str, published: float, value: str = "excess") -> Claim:
    """The claim that the error falls at least as fast as a power of the number of examples."""
    exponent, error = rate(rows, learner, value)
    return Claim.judged(
        text,
        f"examples^{published:g}",
        f"examples^({exponent:.2f} ± {error:.2f})",
        exponent - 2 * error <= published,
        "the exponent of a line through all points, run by run" if value == "excess" else "",
    )


def draw_bounds(rows: Rows, figure: Figure, ylabel: str, title: str, constant: str = "") -> None:
    """Mean excess of each learner, and its bound as a thin line of the same colour."""
    axes = figure.subplots()
    points = summary(rows)
    for learner in dict.fromkeys(str(row["learner"]) for row in points):
        own = [row for row in points if row["learner"] == learner]
        columns = ("examples", "excess", "standard error", "bound")
        examples, excess, error, bound = ([float(row[name]) for row in own] for name in columns)
        curve(axes, examples, excess, error, learner)
        colour, label = look(learner)["color"], f"bound of {learner}{constant}"
        axes.plot(examples, bound, color=colour, linewidth=1, linestyle=(0, (6, 2)), label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    tidy(axes, "examples", ylabel, title)
    legend_below(figure, axes, 3)
