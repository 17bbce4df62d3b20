"""The crowd's own estimates of the label, at four times the price of another judgment, with simulated labels.

Sabato and Kalai paid four times as much for a numerical estimate of height or weight as for a yes/no judgment, counted
it as four judgments in all algorithms, and compared with the mean of B/4 estimates alone. Their labels were measured,
so that the crowd could be wrong as a whole. The faces have no measured label: here it is simulated, as the crowd's mean
minus an error that the whole crowd makes. One half of that error depends on other attributes, the other half on nothing
that was judged. The estimates and all other judgments are real.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from ...common.style import legend_below, tidy
from ...datasets import face_judgments
from ...judgments import Judgments, MultiSelector
from ...judgments.assess.measured_loss import shuffled
from ...judgments.core.methods import METHODS
from ..runner.kinds import OWN_QUESTION
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from ..shared.protocol import draw_seed
from ..shared.rows import draw_curves
from .claims import Losses
from .comparison import budget_axis, comparison_table
from .setting import BUDGETS, FIRST, SPLITS
from .splits import JUDGMENTS_EACH, Parts, loss_of

PRICE = 4  # of an estimate of the label, in judgments of other attributes, as in the paper
SHARES = [0.0, 0.1, 0.3]  # variance of the crowd's error over that of the crowd's mean
CAUSES = 5  # attributes that the crowd's error depends on
OWN, PER_COST, WITHOUT = "own estimates", "Full, gain per cost", "Full, without estimates"


class Simulated(NamedTuple):
    """A split of the faces with a simulated label; ``own`` is the attribute that estimates the label."""

    parts: Parts
    own: int

    @property
    def prices(self) -> np.ndarray:
        """The price of one judgment of each attribute."""
        prices = np.ones(len(self.parts.seen.attributes))
        prices[self.own] = PRICE
        return prices


def simulated(label: str, share: float, split: int) -> Simulated:
    """A random half of the faces to learn from; the same split has the same faces for every share."""
    faces, rng = face_judgments(), np.random.default_rng(split)
    own, n = faces.attributes.index(label), len(faces.judgments)
    table = shuffled(Judgments(faces.judgments, [str(face) for face in range(n)], faces.attributes), rng)
    means = faces.judgments.mean(axis=2)
    others = (means - means.mean(axis=0)) / means.std(axis=0)
    causes = rng.choice(np.delete(np.arange(len(faces.attributes)), own), min(CAUSES, means.shape[1] - 1), False)
    explained = others[:, causes] @ rng.normal(size=len(causes))
    error = (explained / explained.std() + rng.normal(size=n)) / np.sqrt(2.0)
    y = means[:, own] - np.sqrt(share) * means[:, own].std() * error
    train, test = np.split(rng.permutation(n), [n // 2])
    parts = Parts(table.keep_objects(train), y[train], table.keep_objects(test), y[test], float(y.var()))
    return Simulated(parts, own)


def priced_repeats(
    data: Simulated, method: str, budget: int, prices: Sequence[float] | np.ndarray, rule: str = "gain"
) -> np.ndarray:
    """What a method chooses at these prices, as printed but for the rule, where that is not ``"gain"``."""
    seen, form = data.parts.seen, {**MultiSelector.printed_parameters, "rule": rule}
    selector = MultiSelector(budget, method, costs=list(prices), max_repeats=seen.values.shape[2], **form)
    selector.fit_arrays(seen.first(JUDGMENTS_EACH), data.parts.y)
    return selector.repeats_


def estimates(label: str, share: float, budgets: list[int], splits: list[int]) -> Rows:
    """Task: all methods at the paper's prices, Full with other prices, and the crowd's estimates by themselves."""
    rows: Rows = []
    for split in splits:
        data = simulated(label, share, split)
        never = np.where(np.arange(len(data.prices)) == data.own, 10.0 * max(budgets), 1.0)
        with threadpool_limits(1):
            for budget in budgets:
                chosen = {name.capitalize(): priced_repeats(data, name, budget, data.prices) for name in METHODS}
                chosen[PER_COST] = priced_repeats(data, "full", budget, data.prices, "gain per cost")
                chosen[WITHOUT] = priced_repeats(data, "full", budget, never)
                for name, repeats in chosen.items():
                    found = {"loss": loss_of(data.parts, repeats), "attributes": int(np.count_nonzero(repeats))}
                    cost = float(repeats @ data.prices)
                    rows.append(
                        {"learner": name, "share": share, "split": split, "budget": budget, **found, "cost": cost,
                         "estimates": int(repeats[data.own])}
                    )  # fmt: skip
                rows.append({"share": share, "split": split, "budget": budget, **own_estimates(data, budget)})
    return rows


def own_estimates(data: Simulated, budget: int) -> dict[str, float | int | str]:
    """The loss of the mean of B/4 estimates, without a regression."""
    number = budget // PRICE
    predicted = data.parts.unseen.values[:, data.own, :number].mean(axis=1)
    loss = float(np.mean((predicted - data.parts.y_unseen) ** 2)) / data.parts.variance
    return {"learner": OWN, "loss": loss, "attributes": 1, "cost": float(PRICE * number), "estimates": number}


def tasks(size: Size, seed: int) -> list[Task]:
    """Some splits at a time, for each size of the crowd's error."""
    quick = size == Size.quick
    splits = [draw_seed(seed, split) for split in range(5 if quick else 50)]
    return [
        Task(estimates, {"label": FIRST, "share": share, "budgets": BUDGETS, "splits": splits[at : at + 5]}, cost=2.0)
        for share in SHARES
        for at in range(0, len(splits), 5)
    ]


def table(rows: Rows) -> Rows:
    """Mean losses for each size of the crowd's error."""
    lines: Rows = []
    for share in SHARES:
        own = [row for row in rows if row["share"] == share]
        lines += [{"error of the crowd": f"{share:.0%}", **line} for line in comparison_table(own)]
    return lines


def claims(rows: Rows) -> list[Claim]:
    """Full against the crowd's own estimates, for each size of the crowd's error."""
    found = []
    for share in SHARES:
        losses = Losses([row for row in rows if row["share"] == share])
        lower, doubt = losses.better("Full", OWN)
        found.append(
            Claim.with_verdict(
                f"Simulated label, error of the crowd {share:.0%}: Full is better than the mean of B/4 own estimates,"
                " at four times the price",
                "better at every budget (measured labels)",
                losses.words("Full", OWN),
                all(lower),
                f"Simulated, not the paper's labels. {doubt} For comparison: {losses.words(PER_COST, WITHOUT)}.",
                losses.behind("Full", OWN),
            )
        )
    return found


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each size of the crowd's error."""
    panels = figure.subplots(1, len(SHARES), sharey=True)
    for axes, share in zip(panels, SHARES, strict=True):
        draw_curves(axes, [row for row in rows if row["share"] == share], "budget", "loss")
        budget_axis(axes, BUDGETS)
        tidy(axes, "budget for one face, in judgments", "", f"error of the crowd {share:.0%}")
    panels[0].set_ylabel("test loss / variance of the label")
    panels[0].set_ylim(bottom=0)
    legend_below(figure, *panels)


FIG4_ESTIMATES = Experiment(
    name="fig4-estimates",
    title=f"Like Figure 4, with simulated labels: own estimates of {FIRST} at four times the price",
    tasks=tasks,
    table=table,
    claims=claims,
    draw=draw,
    caption="Squared loss on test faces against the budget for one face, where an estimate of the label costs"
    " as much as four other judgments; the whole crowd errs more from left to right. Bars are standard"
    " errors.",
    about=f"The label is simulated: the mean of 24 impressions of {FIRST}, minus an error that the whole crowd makes."
    f" Half of that error depends on {CAUSES} other attributes, and half on nothing that was judged; the error of the"
    " crowd is its variance over that of the crowd's mean. The judgments are real. An estimate of the label costs as"
    " much as four other judgments, in all algorithms. Own estimates: the mean of B/4 of them, without a regression."
    " Each method buys next the judgment with the largest gain that the budget still pays for, as the paper does at"
    " equal prices; gain per cost, this library's default, divides the gain by the price, and at a small budget buys a"
    " cheap judgment first and has then too little left for an estimate. Without estimates: Full may not buy estimates"
    " of the label. Half of 502 faces to train on." + SPLITS,
    needs=face_judgments,
    figure_size=(12.5, 5.2),
    claims_about=OWN_QUESTION,  # how much the crowd errs is chosen here, and decides the verdict
)
