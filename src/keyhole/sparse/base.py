"""The base of the sparse learners: a support, and predictions that reveal nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_choice, check_sparsity, check_whole
from ..common.warn import warn_user
from ..compiled import CompiledLearner
from ..observe.attributes import Attribute
from ..observe.label_range import within_range
from ..observe.meter import Meter
from ..observe.scales import unscale
from ..observe.tables import check_table, linear_predictions
from .learning_curve import LearningCurve, Record, learning_curve, new_record
from .shrinkage import multiple


class SparseLearner(CompiledLearner):
    """Base of the learners whose predictions, too, need at most ``budget`` attributes of an example.

    Fitted: ``support_`` (the attributes that a prediction reveals), ``attributes_per_prediction_`` (their number),
    ``predicted_`` (a meter of the cells that predictions revealed) and ``learning_curve_``.
    """

    sparsity: int
    curve_points: int
    shrink_to_mean: bool
    # Attributes of each example that are needed beside the support.
    least_room: ClassVar[int] = 1

    @property
    def multiple_(self) -> float:
        """What the weights are multiplied by, between 0 (the mean label) and 1; 1 where nothing is shrunk."""
        check_is_fitted(self, "observed_")
        return multiple(self.state_.record.shrinkage, self._weights())

    @property
    def support_(self) -> np.ndarray:
        """The attributes whose coefficient is not 0, in ascending order."""
        return np.flatnonzero(self.coef_)

    @property
    def attributes_per_prediction_(self) -> int:
        """How many attributes of an example a prediction reveals."""
        return len(self.support_)

    @property
    def learning_curve_(self) -> LearningCurve:
        """Examples, cells, squared error and support size during training, at up to ``curve_points`` points."""
        check_is_fitted(self, "observed_")
        return learning_curve(self.state_.record)

    def predict(self, X: Any) -> np.ndarray:
        """Predict from the attributes of ``support_``, and reveal no others.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Source of shape (n_samples, n_features)
            The examples. Only the cells of ``support_`` are read, and ``predicted_`` counts them.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted labels, held within the range of the labels seen unless ``shrink_to_mean=False``.
        """
        check_is_fitted(self, "observed_")
        coef, intercept = self._predictor()
        table = check_table(self, X, reset=False)
        predictions = linear_predictions(table, coef, intercept, np.flatnonzero(coef), self.predicted_)
        return within_range(self.state_.record.shrinkage, predictions)

    def _predictor(self) -> tuple[np.ndarray, float]:
        weights = self._weights()
        return unscale(self.state_.scales, multiple(self.state_.record.shrinkage, weights) * weights)

    def _new_record(self) -> Record:
        """An empty record; without scaling there is no mean label to shrink to."""
        return new_record(self.curve_points, self.shrink_to_mean and self.scaling != "none")

    def _finish(self) -> None:
        if self.multiple_ == 0.0:
            warn_user(
                f"{type(self).__name__} predicts the mean label: the predictions that it made during training are not"
                " better; shrink_to_mean=False returns the weights all the same"
            )

    def _check_parameters(self, d: int) -> None:
        name = type(self).__name__
        super()._check_parameters(d)
        check_whole(name, "curve_points", self.curve_points, 2)
        check_choice(name, "shrink_to_mean", self.shrink_to_mean, (True, False))
        self._check_sparsity(d)

    def _check_sparsity(self, d: int) -> None:
        check_sparsity(type(self).__name__, self.sparsity, self.budget, self.least_room)

    def _start(self, attributes: Sequence[Attribute], n_examples: int | None) -> None:
        super()._start(attributes, n_examples)
        self.predicted_ = Meter(self.budget, attributes)

    def _detach(self) -> None:
        super()._detach()
        self.predicted_ = self.predicted_.copy()
