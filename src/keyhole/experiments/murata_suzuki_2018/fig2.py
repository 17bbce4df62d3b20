"""Figure 2 of Murata and Suzuki 2018: sparse learners on CT slices, and on BlogFeedback, which is not in the paper."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...datasets import blogfeedback, ct_slices
from ..runner.paper import Claim, Experiment, Rows
from ..shared.comparing import paired
from ..shared.rows import mean_and_error
from .by_the_letter import AS_PRINTED
from .results import EARLIER, PROPOSED, Curves, draw, order_claims, table
from .setting import HOW, curve_tasks
from .stream_curves import BLOG, CT, RDA, RDA_2018


def claims(rows: Rows, where: str, remark: str = "") -> list[Claim]:
    """The order, the stability of Hybrid, and where RDA and Dantzig stand."""
    curves = Curves(rows, AS_PRINTED)
    spread = {name: float(np.std(list(curves.at(name).values()), ddof=1)) for name in (*PROPOSED, *EARLIER)}
    dantzig, compared = curves.at("Dantzig"), curves.at(RDA)
    mean, error = mean_and_error([dantzig[split] - compared[split] for split in dantzig])
    difference, doubt = paired(dantzig, curves.at(curves.best(RDA, RDA_2018)))
    return [
        *order_claims(rows, where, remark),
        Claim.with_verdict(
            f"{where}: Hybrid is stable",
            "error bars shorter than those of RDA",
            ", ".join(f"{name} {value:.2g}" for name, value in spread.items()) + " (standard deviation over splits)",
            spread["Hybrid"] < min(spread[RDA], spread[RDA_2018]),
            f"{remark} Hybrid and Exploration as printed.".strip(),
        ),
        Claim.with_verdict(
            f"{where}: RDA converges slowly, and Dantzig better than RDA",
            "Dantzig near Exploration, RDA behind",
            curves.words("Dantzig", "Exploration", RDA, RDA_2018),
            difference < 0,
            f"{remark} Exploration as printed. The better of the two forms of RDA counts. {doubt}".strip(),
            f"RDA 2018 is later than the paper; against {RDA}, its rival, Dantzig is at {mean:+.3f} ± {error:.3f}.",
        ),
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
    figure_size=(11, 6.5),
)
FIG2_BLOGFEEDBACK = Experiment(
    name="fig2-blogfeedback",
    title="Like Figure 2: BlogFeedback, which is not the paper's data",
    tasks=curve_tasks(BLOG, budget=20, sparsity=10),
    table=table,
    claims=partial(claims, where="BlogFeedback", remark="On other data; the paper has CT slices."),
    draw=draw,
    caption="Squared error on test examples against training examples, mean over runs. Bars are standard errors.",
    about="A real regression of the same size as the CT slices: 280 attributes of 52,397 blog posts in random order,"
    " labels log(1 + comments), tested on 4,121 later posts; 20 attributes of an example at most, 10 for a prediction."
    " Attributes have very long tails, and learners that square them can fail badly." + HOW,
    needs=blogfeedback,
    figure_size=(11, 6.5),
)
