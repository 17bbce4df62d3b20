"""Sabato and Kalai 2013: which attributes to ask a crowd for, and how many judgments of each.

The CT simulation (Figures 3 and 8) needs the UCI file; a fragment of it, where that is all there is, runs under its own
name. The paper's photos of people with their height and weight were never published, so Figures 1, 2 and 4 to 7 and
Tables 1 and 2 are in kind: raters' impressions of synthetic faces, with the mean impression of one attribute for a
label. None of the paper's methods has anything to tune, so there is but one tuning.
"""

from __future__ import annotations

from collections.abc import Callable

from ..datasets import ct_slices, face_judgments
from .judgment_comparison import comparison_claims, comparison_table, comparison_units, draw_comparison
from .judgment_labels import BUDGETS, draw_labels, label_claims, label_units, mean_over_labels
from .judgment_properties import (
    draw_properties,
    measured_attributes,
    predictor_claims,
    predictor_table,
    property_claims,
    property_units,
    reliability_claims,
)
from .judgment_splits import CT, CT_FRAGMENT, FACES, MOST_SLICES, ct_fragment
from .judgment_tradeoff import draw_tradeoff, tradeoff_claims, tradeoff_table, tradeoff_units
from .paper import NOT_RUN, Claim, Experiment, Paper, Rows

# The two labels of the figures: like height and weight, they are quantities that a photo shows.
FIRST, SECOND = "age", "weight"
FEW = 60  # training faces in Figures 6 and 7; the paper does not say how many it had there
SLICE_BUDGETS = [5, 10, 20, 40, 80]
PREDICTOR_BUDGETS = {FIRST: 35, SECOND: 50}  # the judgments that the paper's two predictors add up to
PUBLISHED_REPEATS = {FIRST: "height: 1 to 17", SECOND: "weight: 1 to 17"}
KIND = "In kind: impressions of faces, not the paper's photos."


ABOUT_SPLITS = (
    " Repeats are chosen from 2 judgments of each attribute, then judged as often as chosen; least squares, tested on"
    " other objects; mean and standard error over random splits. To the right, learners that take each of the two"
    " judgments as an attribute: the screened panel predicts from as many as its budget, the others from all; ridge and"
    " Lasso have the means of both judgments of every attribute. What lies above the picture is written at its edge."
    " Full, Scoring, Averages and Copies have nothing to tune."
)
NO_ESTIMATES = Claim(
    "Full is better than averaging the crowd's own estimates of the label, at four times the price",
    "better",
    "",
    NOT_RUN,
    "Here the label is the crowd's mean, so its estimates have no bias that other attributes could mend; the paper's"
    " labels were measured.",
)


def face_figure(number: int, label: str, n_train: int) -> Experiment:
    """One of Figures 4 to 7 in kind."""
    few = n_train == FEW
    size = f"{FEW} training faces" if few else "half of 502 faces to train on"

    def claims(rows: Rows) -> list[Claim]:
        judged = comparison_claims(rows, f"{label}, {size}", KIND, few)
        return judged if few else [*judged, NO_ESTIMATES]

    return Experiment(
        f"fig{number}",
        f"Figure {number} in kind: {label} of faces, {size}",
        comparison_units(FACES, BUDGETS, label, n_train),
        comparison_table,
        claims,
        draw_comparison,
        f"The label is the mean of 24 impressions of {label}; the attributes are the 33 others." + ABOUT_SPLITS,
        needs=face_judgments,
        figure_size=(11, 5.8),
    )


def slice_figure(name: str, title: str, data: str, needs: Callable[[], object], why: str) -> Experiment:
    """Figure 3, on the full set or on the fragment."""
    return Experiment(
        name,
        title,
        comparison_units(data, SLICE_BUDGETS),
        comparison_table,
        lambda rows: comparison_claims(rows, data, why),
        draw_comparison,
        "A judgment is one of 8 adjacent bins of a histogram, at random; 48 attributes; the label is the location of"
        f" the slice, half of the slices to train on, {MOST_SLICES:,} slices at most." + ABOUT_SPLITS,
        needs=needs,
        figure_size=(11, 5.8),
    )


def slice_tradeoff(
    name: str, title: str, data: str, totals: list[int], needs: Callable[[], object], why: str
) -> Experiment:
    """Figure 8, on the full set or on the fragment."""
    return Experiment(
        name,
        title,
        tradeoff_units(data, totals),
        tradeoff_table,
        lambda rows: tradeoff_claims(rows, why),
        draw_tradeoff,
        "With a total of judgments for training, k of each attribute leave total / (48 k) slices; a budget of 20"
        " judgments of a slice. The totals of the paper are not printed. The other learners are left out: they have no"
        " k to choose.",
        needs=needs,
        figure_size=(10, 4.8),
    )


def property_figure(number: int, label: str) -> Experiment:
    """Figure 1 or 2 in kind."""
    return Experiment(
        f"fig{number}",
        f"Figure {number} in kind: attributes of faces, for {label}",
        property_units({label: PREDICTOR_BUDGETS[label]}),
        measured_attributes,
        lambda rows: property_claims(rows, KIND),
        draw_properties,
        "Estimated from 2 judgments of each attribute of 502 faces. The axes are free of units: correlation with the"
        " label, and the variance of judgments over that between faces (the paper divides by the deviation).",
        needs=face_judgments,
        figure_size=(9, 6.5),
    )


ON_FRAGMENT = "On the first 682 slices of 53,500, of 2 patients: not the paper's figure."
PAPER = Paper(
    "sabato-kalai-2013",
    "Feature multi-selection among subjective features",
    "S. Sabato and A. Kalai, ICML 2013. Faces: raters' impressions of synthetic faces from the One Million Impressions"
    " data (J. Peterson et al., PNAS 2022); impressions, not facts about people.",
    [
        property_figure(1, FIRST),
        property_figure(2, SECOND),
        Experiment(
            "table1",
            "Table 1 in kind: reliability and correlation of all attributes",
            property_units(PREDICTOR_BUDGETS),
            measured_attributes,
            lambda rows: reliability_claims(rows, "v/σ from 0.39 (male) to 3.26 (good posture)", KIND),
            about="v/σ and b/σ as the paper prints them, with judgments from 0 to 1.",
            needs=face_judgments,
        ),
        Experiment(
            "table2",
            "Table 2 in kind: predictors of the full algorithm",
            property_units(PREDICTOR_BUDGETS),
            predictor_table,
            lambda rows: predictor_claims(rows, PUBLISHED_REPEATS, KIND),
            about="Budgets as the paper's two predictors add up to: 35 and 50 judgments. Judgments from 0 to 1.",
            needs=face_judgments,
        ),
        slice_figure("fig3", "Figure 3: CT slices", CT, ct_slices, ""),
        slice_figure("fig3-fragment", "Figure 3 on a fragment of the CT slices", CT_FRAGMENT, ct_fragment, ON_FRAGMENT),
        face_figure(4, FIRST, 0),
        face_figure(5, SECOND, 0),
        face_figure(6, FIRST, FEW),
        face_figure(7, SECOND, FEW),
        Experiment(
            "fig4-all-labels",
            "Figures 4 and 5 in kind, for every attribute of the faces as the label",
            label_units,
            lambda rows: comparison_table(mean_over_labels(rows)),
            lambda rows: label_claims(rows, KIND),
            draw_labels,
            "Half of 502 faces to train on. Other learners are in Figures 4 and 5; 34 labels would take too long."
            + ABOUT_SPLITS.split(" To the right")[0],
            needs=face_judgments,
            figure_size=(11, 5.2),
        ),
        slice_tradeoff("fig8", "Figure 8: CT slices", CT, [16_000, 64_000, 256_000], ct_slices, ""),
        slice_tradeoff(
            "fig8-fragment",
            "Figure 8 on a fragment of the CT slices",
            CT_FRAGMENT,
            [8000, 16_000, 32_000],
            ct_fragment,
            ON_FRAGMENT,
        ),
    ],
)
