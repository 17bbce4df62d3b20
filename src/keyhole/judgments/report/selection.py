"""A selection with all that a user should know of it: intervals, held-out loss, judgments to collect, warnings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..assess.bootstrap import Stability
from ..data.columns import Columns
from ..selector import MultiSelector


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A fitted selector, and what was computed about its choice."""

    selector: MultiSelector
    stability: Stability | None  # None where nothing was resampled
    missing_judgments: Columns
    losses: Columns | str  # or the reason why the loss on held-out objects could not be estimated
    warnings: list[str]
    excluded: list[str]  # workers

    def table(self) -> Columns:
        """One row per attribute, the chosen ones first."""
        if self.stability is None:
            names, repeats = self.selector.feature_names_in_, self.selector.repeats_
            columns = Columns(attribute=[str(name) for name in names], repeats=[int(r) for r in repeats])
        else:
            columns = self.stability.table()
        offer_of = {int(a): offer for offer in self.selector.offers_ for a in offer.columns}
        offers = [offer_of[a] for a in range(len(offer_of))]
        columns["cost"] = [offer.cost for offer in offers]
        if any(len(offer.columns) > 1 for offer in offers):
            columns["bundle"] = [offer.name if len(offer.columns) > 1 else "" for offer in offers]
        columns["covariance_with_label"] = [float(b) for b in self.selector.covariance_with_label_]
        columns["internal_variance"] = [float(v) for v in self.selector.internal_variance_]
        columns["external_variance_used"] = [float(s) for s in self.selector.external_variance_]
        order = np.argsort(-self.selector.repeats_, kind="stable")
        return Columns({name: [column[a] for a in order] for name, column in columns.items()})

    def loss_sentences(self) -> str:
        """The projected loss with its interval, and the loss on held-out objects with its standard error."""
        loss, variance = self.selector.projected_loss_, self.selector.label_variance_
        interval = "" if self.stability is None else interval_clause(self.stability)
        projected = (
            f"The projected squared loss is {loss:.4g}, {loss / variance:.0%} of the label's variance of"
            f" {variance:.4g}{interval}. "
        )
        if isinstance(self.losses, str):
            return projected + f"The loss on held-out objects could not be estimated: {self.losses}."
        held_out, error = self.losses["held_out_loss"][-1], self.losses["standard_error"][-1]
        return projected + (
            f"The estimated squared loss on held-out objects is {held_out:.4g} ± {error:.2g} (standard error), with a"
            " predictor that is computed from the judgments that there are. Least squares on the judgments once they"
            " are collected has a lower loss, the more so the larger the budget."
        )


def interval_clause(stability: Stability) -> str:
    """The interval, its meaning, and whether it excludes the projected loss."""
    low, high = stability.loss_interval
    words = (
        f"; its {stability.level:.0%} bootstrap interval is {low:.4g} to {high:.4g}, and the uncertainty is at least as"
        " large"
    )
    if not low <= stability.selector.projected_loss_ <= high:
        words += (
            "; the interval excludes the projected loss, because the resamples show a bias of it that is larger than"
            " its variation"
        )
    return words
