"""The base of all streaming learners."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import ParameterError, is_number
from ..common.warn import warn_user
from ..compiled import CompiledLearner
from ..observe.label_range import within_range
from ..observe.scales import has_spread
from .kernels.evidence import new_evidence, supported_multiple

# The radius of the ball when there was one draw for x per attribute, by the norm of the ball.
AT_ONE_DRAW = {"l1": 1.0, "l2": 0.0625}


class StreamingLearner(CompiledLearner):
    """Base of the streaming learners: their weights stay in a ball, with a radius that is given or chosen."""

    radius: float | str
    ball: ClassVar[str] = "l1"

    @abstractmethod
    def _average(self) -> np.ndarray:
        """The average of the weights of all steps, in scaled coordinates."""

    @property
    def multiple_(self) -> float:
        """What the average of the weights is multiplied by; 1 where a radius is given."""
        check_is_fitted(self, "observed_")
        return supported_multiple(self.state_.evidence, self._average()) if len(self.state_.evidence) else 1.0

    def predict(self, X: Any) -> np.ndarray:
        """Predict the labels of whole rows.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predictions; with a radius that was chosen, they are held within the range of the labels seen.
        """
        return within_range(self.state_.evidence, super().predict(X)) if hasattr(self, "state_") else super().predict(X)

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        if not self._is_auto() and not (is_number(self.radius) and float(self.radius) > 0):
            needs = f"{type(self).__name__} needs 'auto' or a finite number above 0"
            raise ParameterError("radius", needs, self.radius)

    def _norm(self) -> str:
        """The norm of the ball."""
        return self.ball

    def _is_auto(self) -> bool:
        return isinstance(self.radius, str) and self.radius == "auto"

    def _radius_is_chosen(self) -> bool:
        """Whether the radius follows from the cells: with "auto", unless the theorem is asked for."""
        return self._is_auto() and self.scaling != "none" and getattr(self, "n_expected", None) is None

    def _given_radius(self) -> float:
        """The radius as a number: 1 for "auto"."""
        return 1.0 if self._is_auto() else float(self.radius)

    def _first_radius(self, d: int, x_draws: int) -> float:
        """The radius at the first example; see ``UpdateRule`` for how it grows if it is chosen."""
        if not self._radius_is_chosen():
            return self._given_radius()
        norm = self._norm()
        effective = d * np.log(2.0 * d) if norm == "l1" else float(d)
        return AT_ONE_DRAW[norm] * float(x_draws / effective) ** 0.25

    def _new_evidence(self) -> np.ndarray:
        return new_evidence(self._radius_is_chosen())

    def _weights(self) -> np.ndarray:
        if not len(self.state_.evidence):
            return self._average()
        return np.where(has_spread(self.state_.scales), self.multiple_ * self._average(), 0.0)

    def _finish(self) -> None:
        if len(self.state_.evidence) and self.multiple_ == 0.0:
            warn_user(
                f"{type(self).__name__} predicts the mean label: in {self.observed_.n_examples} examples,"
                " the correlation of its predictions with the labels is not larger than twice its standard error"
            )
