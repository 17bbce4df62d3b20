"""What attributes are worth, and the predictors that come of it: Figures 1, 2 and Tables 1, 2 of Sabato and Kalai."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..datasets import face_judgments
from ..judgments import JudgmentRegressor, Judgments, MultiSelector
from ..judgments.assess.measured_loss import shuffled
from ..judgments.report.plot_selection import scatter_attributes
from .judgment_splits import JUDGED
from .paper import Claim, Rows, Size, Unit

USEFUL, NOISY = 0.3, 1.0  # a correlation, and the noise of a judgment over the variance between faces


def properties(label: str, budget: int, seed: int) -> Rows:
    """Unit: reliability and correlation of every attribute, and the predictor that Full makes for a budget.

    The choice is made from two judgments of each attribute on all faces, values from 0 to 1.
    """
    faces = face_judgments()
    keep = [at for at, name in enumerate(faces.attributes) if name != label]
    names = [faces.attributes[at] for at in keep]
    table = Judgments(faces.judgments[:, keep] / 100, [str(at) for at in range(len(faces.judgments))], names)
    y = faces.judgments[:, faces.attributes.index(label)].mean(axis=1)
    mixed = shuffled(table, np.random.default_rng(seed))
    selector = MultiSelector(budget, max_repeats=mixed.values.shape[2]).fit(mixed.first(JUDGED), y)
    model = JudgmentRegressor(selector.repeats_).fit(mixed, y)
    sigma = np.sqrt(selector.external_variance_)
    rows: Rows = []
    for at in np.argsort(selector.internal_variance_ / np.maximum(sigma, 1e-12)):
        v, b, s = float(selector.internal_variance_[at]), float(selector.covariance_with_label_[at]), float(sigma[at])
        row: dict[str, Any] = {"label": label, "attribute": names[at], "v/σ": v / s if s else np.inf}
        row |= {"b/σ": b / s if s else 0.0, "noise": v / s**2 if s else np.inf}
        row["correlation"] = row["b/σ"] / float(np.sqrt(selector.label_variance_))
        rows.append(row | {"repeats": int(selector.repeats_[at]), "coefficient": float(model.coef_[at])})
    return [*rows, {"label": label, "attribute": "(bias)", "repeats": 0, "coefficient": float(model.intercept_)}]


def property_units(budgets: dict[str, int]) -> Callable[[Size, int], list[Unit]]:
    """One unit for each label and its budget."""
    return lambda size, seed: [
        Unit(properties, {"label": label, "budget": budget, "seed": seed}) for label, budget in budgets.items()
    ]


def measured_attributes(rows: Rows) -> Rows:
    """The rows of attributes, without that of the bias."""
    return [row for row in rows if "v/σ" in row]


def property_claims(rows: Rows, why: str) -> list[Claim]:
    """All four combinations of useful or not, stable or noisy."""
    claims = []
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
        stable = [row for row, much in zip(own, noisy, strict=True) if not much]
        nearest = max(stable, key=lambda row: abs(float(row["correlation"])), default=None)
        claims.append(
            Claim.judged(
                f"{label}: attributes of all combinations of useful or not, stable or noisy",
                "all four exist",
                ", ".join(f"{count} {name}" for name, count in counts.items()),
                min(counts.values()) > 0,
                f"{why} Useful: correlation beyond {USEFUL}; noisy: a judgment varies more than the faces do.",
                f"The most useful of the stable ones is {nearest['attribute']}, with a correlation of"
                f" {nearest['correlation']:.3f} and a noise of {nearest['noise']:.2f}."
                if nearest
                else "No attribute is stable.",
            )
        )
    return claims


def reliability_claims(rows: Rows, published: str, why: str) -> list[Claim]:
    """How much attributes differ in reliability."""
    first = next(iter(rows))["label"]
    noise = [float(row["v/σ"]) for row in measured_attributes(rows) if row["label"] == first]
    low, high = min(noise), max(noise)
    return [
        Claim.judged(
            "Attributes differ in reliability, eight times and more",
            published,
            f"v/σ from {low:.2f} to {high:.2f}, {high / low:.0f} times",
            high >= 8 * low,
            why,
        )
    ]


def draw_properties(rows: Rows, figure: Figure) -> None:
    """Attributes on correlation against noise."""
    own = [row for row in measured_attributes(rows) if np.isfinite(float(row["noise"]))]
    names = [str(row["attribute"]) for row in own]
    correlation, noise, repeats = (
        np.array([float(row[name]) for row in own]) for name in ("correlation", "noise", "repeats")
    )
    axes = figure.subplots()
    axes.margins(x=0.13, y=0.08)
    scatter_attributes(axes, names, correlation, noise, repeats, most_names=len(names))
    axes.set_title(f"Predicting {rows[0]['label']}: useful to the right and left, reliable below; size: repeats")


def predictor_table(rows: Rows) -> Rows:
    """The paper's Table 2: attributes with repeats, and their coefficients."""
    shown = [row for row in rows if row["repeats"] or row["attribute"] == "(bias)"]
    return [{name: row[name] for name in ("label", "attribute", "repeats", "coefficient")} for row in shown]


def predictor_claims(rows: Rows, published: dict[str, str], why: str) -> list[Claim]:
    """Numbers of judgments differ widely between attributes: ten times and more in the paper."""
    claims = []
    for label, said in published.items():
        repeats = [int(row["repeats"]) for row in rows if row["label"] == label and row["repeats"]]
        claims.append(
            Claim.judged(
                f"{label}: some attributes get one judgment, others many",
                f"{said} judgments of an attribute",
                f"{min(repeats)} to {max(repeats)} of {len(repeats)} attributes; there are 24 judgments of each",
                max(repeats) >= 10 * min(repeats),
                why,
            )
        )
    return claims
