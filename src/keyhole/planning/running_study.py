"""How many more examples a running study needs for a target, from the learning curve of its learner."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..common.parameters import ParameterError, is_number
from ..common.wording import counted
from .curves import Curve

DEVIATIONS = 1.645  # of a 90% interval


class MoreExamples(NamedTuple):
    """How many more examples reach a target error.

    Attributes
    ----------
    n_more : int or None
        The number of further examples; 0 where the target is reached, None where ``n_last`` examples would not do.
    low : int or None
        The lower end of a 90% interval.
    high : int or None
        The upper end.
    n_now : int
        The number of examples so far; with a total, of those that were looked at.
    error_now : float
        The error now, as a share of that of the mean label.
    error_last : float
        The error that ``n_last`` examples are expected to have.
    target : float
        The target.
    n_last : int
        The most examples that the learning curve is extrapolated to, more than six times those so far.
    compared_with : str
        What errors are shares of the error of: "the mean label", or for classes "the most frequent class".
    """

    n_more: int | None
    low: int | None
    high: int | None
    n_now: int
    error_now: float
    error_last: float
    target: float
    n_last: int
    compared_with: str = "the mean label"

    def __str__(self) -> str:
        now = f"With {self.n_now:,} examples the error is {self.error_now:.3f} of that of {self.compared_with}"
        high = "more than can be extrapolated" if self.high is None else f"{self.high:,}"
        interval = f"90% interval {self.low or 0:,} to {high}"
        if self.n_more == 0:
            doubt = "" if self.high == 0 else f" by this estimate (further examples that are needed: {interval})"
            return f"{now}, and the target of {self.target:g} is reached{doubt}."
        if self.n_more is None:
            doubt = "" if self.low is None else f" (further examples that are needed: {interval})"
            return (
                f"{now}. Even {self.n_last:,} examples are expected to have an error of {self.error_last:.3f}, above"
                f" the target of {self.target:g}{doubt}."
            )
        return f"{now}. About {self.n_more:,} more are expected to reach {self.target:g} ({interval})."


def more_examples(learner: Any, target: float) -> MoreExamples:
    """Estimate how many more examples a running study needs.

    Parameters
    ----------
    learner : KeyholeRegressor or KeyholeClassifier
        The learner, fitted to the examples so far. Its ``learning_curve_`` is used: the error on held-out examples,
        predicted from the attributes that they revealed.
    target : float
        The error to reach, between 0 and 1: the squared error as a share of that of predicting the mean label, or the
        share of wrong classes divided by that of always predicting the most frequent class.

    Returns
    -------
    MoreExamples
        The number of further examples with a 90% interval; printed, it is a sentence.

    Raises
    ------
    ParameterError
        If the target is no share, or the learner has no learning curve.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from keyhole import KeyholeRegressor, planning
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> learner = KeyholeRegressor(budget=4, random_state=0).fit(X[:200], y[:200])
    >>> planning.more_examples(learner, 0.9).n_more
    0
    """
    simplest = f"the {getattr(learner, 'simplest_prediction', 'mean label')}"
    if not is_number(target) or not 0 < target < 1:
        raise ParameterError("target", f"a share of the error of {simplest} is wanted, between 0 and 1", target)
    if not hasattr(type(learner), "simplest_prediction"):
        own = "Keyhole's own learners have one"
        raise ParameterError("learner", f"{type(learner).__name__} has no learning curve of this kind; {own}")
    found = learner.learning_curve_
    if found.extrapolated is None:
        raise ParameterError(
            "learner",
            f"its learning curve has {counted(len(found.n_cells), 'point')}, and 3 are needed; take more examples",
        )
    if not found.error_of_mean > 0:
        raise ParameterError("learner", "the labels of its held-out examples are all equal, so no error can fall")
    layout = learner.layout_
    # Examples that a total passed over showed nothing.
    beyond, n_now = found.extrapolated, layout.n_looked_at if layout else learner.observed_.n_examples
    # The curve leaves a fifth of the examples out; numbers of cells become numbers of examples.
    per_example = found.n_cells[-1] / found.n_rows[-1]
    n = np.concatenate([found.n_cells, beyond.n_cells]) / per_example
    error = np.concatenate([found.error, np.minimum.accumulate(np.append(found.error[-1:], beyond.error))[1:]])
    spread = np.concatenate([found.standard_error, beyond.standard_error])

    def needed(errors: np.ndarray) -> int | None:
        errors = np.minimum.accumulate(np.maximum(errors, 1e-12)) / found.error_of_mean
        at = Curve(n, errors, spread, len(found.n_cells), None).cost_of(target)
        return None if at is None else max(0, round(at - n_now))

    last = float(error[-1] / found.error_of_mean)
    now = float(np.interp(n_now, n, error) / found.error_of_mean)
    return MoreExamples(
        n_more=needed(error),
        low=needed(error - DEVIATIONS * spread),
        high=needed(error + DEVIATIONS * spread),
        n_now=n_now,
        error_now=now,
        error_last=last,
        target=float(target),
        n_last=round(n[-1]),
        compared_with=simplest,
    )
