"""A warning for projected losses that cannot be true."""

from __future__ import annotations

import warnings

import numpy as np


class ImpossibleLoss(UserWarning):
    """The projected loss is negative, which no loss can be: the estimates explain more than the label's variance.

    It happens where objects are few for the number of attributes. The loss is reported as it is.
    """


def warn_if_impossible(loss: float, label_variance: float, counts: np.ndarray, method: str) -> None:
    """Warn when a loss is negative; with empty cells, where the repair raises it to 0, when it is 0."""
    share = loss / label_variance
    if share >= -1e-9 and (share > 1e-9 or counts.all()):
        return
    m, d = counts.shape
    if method == "scoring":
        reason = 'the method "scoring" counts the common part of correlated attributes several times'
        remedy = 'its choice is valid, but take the loss from the method "full"'
    else:
        reason = f"{m} objects are few for {d} attributes, so that the attributes fit the label by accident"
        remedy = "add a ridge, take a smaller budget or fewer attributes, or collect data of more objects"
    warnings.warn(
        f"the projected loss is {loss:.3g}, {share:.1%} of the label's variance, which no loss can be: {reason};"
        f" {remedy}",
        ImpossibleLoss,
        stacklevel=3,
    )
