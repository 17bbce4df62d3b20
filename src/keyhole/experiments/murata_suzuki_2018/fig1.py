"""Figure 1 of Murata and Suzuki 2018: sparse learners along a stream of synthetic examples."""

from __future__ import annotations

from ..runner.paper import Claim, Experiment, Rows
from .order import in_forms, order_claims, reconstructed, sentences
from .panels import draw
from .printed_rivals import DANTZIG, RDA
from .results import FORMS, PROPOSED, Curves, table
from .setting import HOW, curve_tasks
from .stream_curves import SYNTHETIC


def claims(rows: Rows) -> list[Claim]:
    """The order at the end, that RDA is good at first, and that Dantzig is the worst."""
    tuned = FORMS[:2]
    return [
        *order_claims(rows, "Synthetic"),
        *in_forms(rows, _good_at_first, forms=tuned),
        *in_forms(rows, _worst, forms=tuned),
    ]


def _good_at_first(curves: Curves) -> Claim:
    own = [row for row in curves.rows if row["learner"] == curves.line("Hybrid")]
    stops = sorted({int(row["examples"]) for row in own})
    early = [stop for stop in stops if curves.best(*PROPOSED, RDA, stop=stop) == RDA]
    ahead = f"ahead of both up to {max(early):,} examples" if early else "never ahead of both"
    least = min(stops, key=lambda stop: curves.mean(RDA, stop) / min(curves.mean(name, stop) for name in PROPOSED))
    nearest = ", ".join(f"{name} {curves.mean(name, least):.3g}" for name in (RDA, *PROPOSED))
    return Claim.with_verdict(
        f"Synthetic, {curves.form.words}: RDA is good at first, then slows down",
        "ahead early, behind at the end",
        f"{ahead}; best beside them after {least:,}: {nearest}; at the end {curves.words(RDA, *PROPOSED)}",
        bool(early) and curves.best(*PROPOSED, RDA) in PROPOSED,
        reconstructed(curves),
    )


def _worst(curves: Curves) -> Claim:
    return Claim.with_verdict(
        f"Synthetic, {curves.form.words}: Dantzig is the worst of all",
        "worst",
        curves.words(DANTZIG, RDA, *PROPOSED),
        curves.mean(DANTZIG) > max(curves.mean(name) for name in (*PROPOSED, RDA)),
        sentences(reconstructed(curves), "Dantzig learns from products of two attributes, and few examples show both."),
    )


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
    figure_size=(11, 9.5),
)
