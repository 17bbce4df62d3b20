"""How certain a choice is: bootstrap intervals of the repeats and of the projected loss.

Resamples are Bayesian (Rubin 1981): exponential weights on objects, on workers, or on both, so that no cell
becomes empty. A worker's weight is that of all their judgments, so that their common part is resampled together;
``core.cells`` takes weighted judgments without counting a judgment as two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from ...common.parameters import check_choice, check_share, check_whole
from ..data.columns import Columns
from ..data.inputs import as_judgments_and_labels
from ..data.table import require_workers
from ..selector import MultiSelector


@dataclass(frozen=True)
class Stability:
    """The result of ``bootstrap``.

    Parameters
    ----------
    selector : MultiSelector
        The selector, fitted to all judgments.
    repeats : ndarray of int of shape (n_resamples, n_attributes)
        The repeats that were chosen from each resample.
    losses : ndarray of shape (n_resamples,)
        The projected loss of each resample.
    level : float
        The level of the intervals.

    Attributes
    ----------
    loss_interval : tuple of float
        Basic bootstrap interval of the projected loss.
    """

    selector: MultiSelector
    repeats: np.ndarray
    losses: np.ndarray
    level: float

    @property
    def loss_interval(self) -> tuple[float, float]:
        """Basic bootstrap interval of the projected loss: 2 loss - upper quantile to 2 loss - lower quantile.

        A loss that was minimised on the data is too low, and on a resample too low again by about as much; reflecting
        the quantiles removes that bias, which the quantiles themselves would double. The interval is too narrow all
        the same (docs/judgments.md reports how often it contains the true loss), and may exclude the projected loss.
        """
        low, high = np.quantile(self.losses, [(1 - self.level) / 2, (1 + self.level) / 2])
        loss = self.selector.projected_loss_
        return float(2 * loss - high), float(2 * loss - low)

    def table(self) -> Columns:
        """Describe the repeats of each attribute over the resamples.

        Returns
        -------
        Columns
            One row per attribute: ``attribute``; its ``repeats``; ``low`` and ``high``, their interval over the
            resamples; and ``chosen_share``, the share of resamples in which it has any repeats.
        """
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
    """Repeat the choice on resamples of objects, of workers, or of both.

    Parameters
    ----------
    selector : MultiSelector
        The selector whose parameters are used.
    judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
        The judgments, in any form that ``as_judgments`` takes.
    labels : array-like of shape (n_objects,), dict, table or path
        A label for each object, in the order of the objects or by their names (a dict, a table with the columns object
        and label, or a file).
    n_resamples : int, default=200
        The number of resamples.
    by : {"objects", "workers", "both"}, optional
        What is resampled. By default both where the workers are known, else objects.
    level : float, default=0.95
        The level of the intervals.
    random_state : int, RandomState instance or None, default=None
        Seed of the resamples.

    Returns
    -------
    Stability
        The choices and losses of the resamples; ``table()`` gives intervals of the repeats, and ``loss_interval``
        that of the projected loss.

    Raises
    ------
    BadValue
        If workers are to be resampled, but were not recorded.
    ParameterError
        If a parameter has a wrong value.

    References
    ----------
    .. [1] D. B. Rubin, "The Bayesian Bootstrap", Annals of Statistics 9, 1981.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import MultiSelector, bootstrap
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(60, 2))
    >>> judgments = truth[:, :, None] + 2 * rng.normal(size=(60, 2, 2))
    >>> label = truth[:, 0] + 0.5 * truth[:, 1]
    >>> print(bootstrap(MultiSelector(4), judgments, label, n_resamples=50, random_state=0).table())
    attribute  repeats  low  high  chosen_share
    x0               1    0     4          0.68
    x1               3    0     4          0.96
    """
    table, y = as_judgments_and_labels(judgments, labels)
    if by is None:
        by = "objects" if table.worker is None else "both"
    check_choice("bootstrap", "by", by, ("objects", "workers", "both"))
    if by != "objects":
        require_workers(table, "resamples of workers")
    check_share("bootstrap", "level", level)
    check_whole("bootstrap", "n_resamples", n_resamples, 2)
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
