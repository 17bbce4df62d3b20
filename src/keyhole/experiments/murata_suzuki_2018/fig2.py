"""Figure 2 of Murata and Suzuki 2018: sparse learners on CT slices, and on BlogFeedback, which is not in the paper."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...datasets import blogfeedback, ct_slices
from ..runner.paper import Claim, Experiment, Rows
from ..shared.comparing import paired
from .order import in_forms, order_claims, reconstructed, sentences
from .panels import draw
from .printed_rivals import DANTZIG, RDA
from .results import EARLIER, FORMS, PROPOSED, Curves, table
from .setting import HOW, curve_tasks
from .stream_curves import BLOG, CT

BLOG_SCALES = (
    "The standard deviations of the attributes that vary are between 0.009 and 3,800, and an algorithm as printed has"
    " one step, radius or constant for all of them."
)


def claims(rows: Rows, where: str, remark: str = "", scales: str = "") -> list[Claim]:
    """The order, the stability of Hybrid, and where RDA and Dantzig stand."""

    def stable(curves: Curves) -> Claim:
        spread = {name: float(np.std(list(curves.at(name).values()), ddof=1)) for name in (*PROPOSED, *EARLIER)}
        return Claim.with_verdict(
            f"{where}, {curves.form.words}: Hybrid is stable",
            "error bars shorter than those of RDA",
            ", ".join(f"{name} {value:.2g}" for name, value in spread.items()) + " (standard deviation over splits)",
            spread["Hybrid"] < spread[RDA],
            sentences(remark, reconstructed(curves)),
        )

    def slow(curves: Curves) -> Claim:
        difference, doubt = paired(curves.at(DANTZIG), curves.at(RDA))
        return Claim.with_verdict(
            f"{where}, {curves.form.words}: RDA converges slowly, and Dantzig better than RDA",
            "Dantzig near Exploration, RDA behind",
            curves.words(DANTZIG, "Exploration", RDA),
            difference < 0,
            sentences(remark, reconstructed(curves), doubt),
        )

    tuned = FORMS[:2]
    return [
        *order_claims(rows, where, remark, scales),
        *in_forms(rows, stable, scales, tuned),
        *in_forms(rows, slow, scales, tuned),
    ]


FIG2 = Experiment(
    name="fig2",
    title="Figure 2: CT slices",
    tasks=curve_tasks(CT, budget=20, sparsity=10),
    table=table,
    claims=partial(claims, where="CT slices"),
    draw=draw,
    caption="Squared error on test examples against training examples, mean over runs. Bars are standard errors.",
    about="53,500 slices, a random tenth for testing, 20 attributes of an example at most, 10 for a prediction (the"
    " paper does not say how many)." + HOW,
    needs=ct_slices,
    figure_size=(11, 9.5),
)
FIG2_BLOGFEEDBACK = Experiment(
    name="fig2-blogfeedback",
    title="Like Figure 2: BlogFeedback, which is not the paper's data",
    tasks=curve_tasks(BLOG, budget=20, sparsity=10),
    table=table,
    claims=partial(claims, where="BlogFeedback", remark="On other data; the paper has CT slices.", scales=BLOG_SCALES),
    draw=draw,
    caption="Squared error on test examples against training examples, mean over runs. Bars are standard errors.",
    about="A real regression of the same size as the CT slices: 280 attributes of 52,397 blog posts in random order,"
    " labels log(1 + comments), tested on 4,121 later posts; 20 attributes of an example at most, 10 for a prediction."
    " Attributes have very long tails, and learners that square them can fail badly." + HOW,
    needs=blogfeedback,
    figure_size=(11, 9.5),
)
