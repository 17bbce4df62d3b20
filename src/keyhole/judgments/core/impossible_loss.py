"""A warning for projected losses that cannot be true."""

from __future__ import annotations

import warnings

import numpy as np


class ImpossibleLoss(UserWarning):
    """The projected loss is negative: the estimates explain more of the label than there is."""


def warn_if_impossible(loss: float, label_variance: float, counts: np.ndarray, method: str) -> None:
    """Warn with figures when a loss is negative; with empty cells, where that is rounded up, when it is 0."""
    share = loss / label_variance
    if share >= -1e-9 and (share > 1e-9 or counts.all()):
        return
    m, d = counts.shape
    if method == "scoring":
        why = 'the method "scoring" counts what correlated attributes have in common several times; its choice stands'
        remedy = 'but take the loss from the method "full"'
    else:
        why = f"{m} objects are few for {d} attributes, so that chance explains the label"
        remedy = "add a ridge, take a smaller budget or fewer attributes, or label and judge more objects"
    warnings.warn(
        f"the projected loss is {loss:.3g}, {share:.0%} of the label's variance, which no loss can be: {why}; {remedy}",
        ImpossibleLoss,
        stacklevel=3,
    )
