"""Figures 3 to 7 of Sabato and Kalai 2013: loss against budget, on CT slices and, in place of photos, on faces."""

from __future__ import annotations

from collections.abc import Callable

from ...datasets import ct_slices, face_judgments
from ..runner.paper import NOT_RUN, Claim, Experiment, Rows
from .claims import comparison_claims
from .comparison import comparison_table, comparison_tasks, draw_comparison
from .setting import BUDGETS, FIRST, ON_FRAGMENT, OTHER_DATA, SECOND, SPLITS
from .splits import CT, CT_FRAGMENT, FACES, MOST_SLICES, ct_fragment

FEW = 60  # training faces in Figures 6 and 7; the paper does not say how many it had there
SLICE_BUDGETS = [5, 10, 20, 40, 80]
REFERENCE_LINES = (
    " To the right are learners that take each of the two judgments as an attribute: the screened panel predicts from"
    " as many as its budget, the others from all; ridge and Lasso have the means of both judgments of every attribute."
    " Losses above the axes are written at their upper edge. Full, Scoring, Averages and Copies have nothing to tune."
)
NO_ESTIMATES = Claim(
    "Full is better than averaging the crowd's own estimates of the label, at four times the price",
    "better",
    "",
    NOT_RUN,
    "Here the label is the crowd's mean, so its estimates have no bias that other attributes could correct; the paper's"
    " labels were measured. The figure fig4-estimates has simulated labels instead.",
)


def face_figure(number: int, label: str, n_train: int) -> Experiment:
    """One of Figures 4 to 7, on faces."""
    few = n_train == FEW
    size = f"{FEW} training faces" if few else "half of 502 faces to train on"

    def claims(rows: Rows) -> list[Claim]:
        found = comparison_claims(rows, f"{label}, {size}", OTHER_DATA, few)
        return found if few else [*found, NO_ESTIMATES]

    return Experiment(
        name=f"fig{number}",
        title=f"Like Figure {number}: {label} of faces, {size}",
        tasks=comparison_tasks(FACES, BUDGETS, label, n_train),
        table=comparison_table,
        claims=claims,
        draw=draw_comparison,
        caption="Squared loss on test faces against the budget of judgments of one face, mean over splits. Bars are"
        " standard errors.",
        about=f"The label is the mean of 24 impressions of {label}; the attributes are the 33 others."
        + SPLITS
        + REFERENCE_LINES,
        needs=face_judgments,
        figure_size=(11, 5.8),
    )


def slice_figure(name: str, title: str, data: str, needs: Callable[[], object], remark: str) -> Experiment:
    """Figure 3, on the full set or on the fragment."""
    return Experiment(
        name=name,
        title=title,
        tasks=comparison_tasks(data, SLICE_BUDGETS),
        table=comparison_table,
        claims=lambda rows: comparison_claims(rows, data, remark),
        draw=draw_comparison,
        caption="Squared loss on test slices against the budget of judgments of one slice, mean over splits. Bars are"
        " standard errors.",
        about="A judgment is one of 8 adjacent bins of a histogram, at random; 48 attributes; the label is the location"
        f" of the slice, half of the slices to train on, {MOST_SLICES:,} slices at most." + SPLITS + REFERENCE_LINES,
        needs=needs,
        figure_size=(11, 5.8),
    )


FIG3 = slice_figure("fig3", "Figure 3: CT slices", CT, ct_slices, "")
FIG3_FRAGMENT = slice_figure(
    "fig3-fragment", "Figure 3 on a fragment of the CT slices", CT_FRAGMENT, ct_fragment, ON_FRAGMENT
)
FIG4, FIG5 = face_figure(4, FIRST, 0), face_figure(5, SECOND, 0)
FIG6, FIG7 = face_figure(6, FIRST, FEW), face_figure(7, SECOND, FEW)
