"""Figure 1 of Murata and Suzuki 2018: sparse learners along a stream of synthetic examples."""

from __future__ import annotations

from ..runner.paper import Claim, Experiment, Rows
from .by_the_letter import AS_PRINTED
from .results import PROPOSED, Curves, draw, order_claims, table
from .setting import HOW, curve_tasks
from .stream_curves import RDA, RDA_2018, SYNTHETIC


def claims(rows: Rows) -> list[Claim]:
    """The order at the end, and that RDA is good at first."""
    curves = Curves(rows, AS_PRINTED)
    early = [
        stop
        for stop in sorted({int(row["examples"]) for row in curves.rows if row["learner"] == "Hybrid"})
        if curves.best(*PROPOSED, RDA, RDA_2018, stop=stop) in (RDA, RDA_2018)
    ]
    ahead = f"ahead of both up to {max(early):,} examples" if early else "never ahead of both"
    return [
        *order_claims(rows, "Synthetic"),
        Claim.with_verdict(
            "Synthetic: RDA is good at first, then slows down",
            "ahead early, behind at the end",
            f"{ahead}; at the end {curves.words(RDA, RDA_2018, *PROPOSED)}",
            bool(early) and curves.best(*PROPOSED, RDA, RDA_2018) in PROPOSED,
            "Hybrid and Exploration as printed. The better of the two forms of RDA counts.",
        ),
        Claim.with_verdict(
            "Synthetic: Dantzig is the worst of all",
            "worst",
            curves.words("Dantzig", RDA, RDA_2018),
            curves.mean("Dantzig") > max(curves.mean(name) for name in (*PROPOSED, RDA, RDA_2018)),
            "It learns from products of two attributes, and few examples show both.",
        ),
    ]


FIG1 = Experiment(
    name="fig1",
    title="Figure 1: synthetic data",
    tasks=curve_tasks(SYNTHETIC, budget=50, sparsity=25),
    table=table,
    claims=claims,
    draw=draw,
    caption="Excess of the squared error over that of the true weights against training examples, mean over runs."
    " Bars are standard errors.",
    about="500 independent normal attributes, 25 of weight 1 or -1, noise 1, 100,000 examples of which a tenth is for"
    " testing, 50 attributes of an example at most. The excess is exact, from the weights, and for"
    " KeyholeRegressor, which maps values, that on the test examples." + HOW,
    figure_size=(11, 6.5),
)
