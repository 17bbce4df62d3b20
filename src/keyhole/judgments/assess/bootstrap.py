"""How firm is a choice? Bootstrap intervals on the repeats and on the projected loss.

Resamples are Bayesian (Rubin 1981): exponential weights on objects, on workers, or on both, so that no cell
is ever emptied. A worker's weight goes to all their judgments, which keeps what they have in common together;
``moments`` takes weighted judgments without counting anyone twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from ...common.parameters import check_choice
from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..selector import MultiSelector
from ..workers.variance_components import require_workers


@dataclass(frozen=True)
class Stability:
    """Repeats (resamples, attributes) and projected losses of the resamples, beside those of the data."""

    selector: MultiSelector
    repeats: np.ndarray
    losses: np.ndarray
    level: float

    @property
    def loss_interval(self) -> tuple[float, float]:
        """Basic bootstrap interval of the projected loss: 2 loss - upper quantile to 2 loss - lower quantile.

        A loss minimised on the data is too low, and on a resample too low again by about as much; reflecting
        the quantiles takes that off, where the quantiles themselves would double it. It is too narrow all the same
        (see docs/judgments.md for how often it holds the true loss), and may leave out the projected loss.
        """
        low, high = np.quantile(self.losses, [(1 - self.level) / 2, (1 + self.level) / 2])
        loss = self.selector.projected_loss_
        return float(2 * loss - high), float(2 * loss - low)

    def table(self) -> Columns:
        """Each attribute's repeats, their interval over the resamples, and how often it was chosen at all."""
        low, high = np.quantile(
            self.repeats, [(1 - self.level) / 2, (1 + self.level) / 2], axis=0, method="closest_observation"
        )
        return Columns(
            attribute=[str(name) for name in self.selector.feature_names_in_],
            repeats=[int(r) for r in self.selector.repeats_],
            low=[int(r) for r in low],
            high=[int(r) for r in high],
            chosen_share=[float(s) for s in (self.repeats > 0).mean(axis=0)],
        )


def bootstrap(
    selector: MultiSelector,
    judgments: Any,
    labels: Any,
    n_resamples: int = 200,
    by: str | None = None,
    level: float = 0.95,
    random_state: Any = None,
) -> Stability:
    """Refit on resamples of objects, of workers, or of both (the default where workers are known)."""
    table, y = as_judgments_and_labels(judgments, labels)
    if by is None:
        by = "objects" if table.worker is None else "both"
    check_choice("bootstrap", "by", by, ("objects", "workers", "both"))
    if by != "objects":
        require_workers(table, "resamples by worker")
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1; got {level!r}")
    if n_resamples < 2:
        raise ValueError(f"n_resamples must be at least 2; got {n_resamples!r}")
    rng = check_random_state(random_state)
    fitted = clone(selector).fit_arrays(table, y)
    again = clone(selector)
    repeats, losses = [], []
    for _ in range(n_resamples):
        object_weights = None if by == "workers" else rng.exponential(size=len(y))
        judgment_weights = None
        if by != "objects":
            assert table.worker is not None
            judgment_weights = rng.exponential(size=len(table.workers))[np.maximum(table.worker, 0)]
        again.fit_arrays(table, y, object_weights, judgment_weights)
        repeats.append(again.repeats_)
        losses.append(again.projected_loss_)
    return Stability(fitted, np.array(repeats), np.array(losses), level)
