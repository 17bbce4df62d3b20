"""The base of the sparse learners: a support, and predictions that reveal nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_sparsity, check_whole
from ..compiled import CompiledLearner
from ..observe.attributes import Attribute
from ..observe.meter import Meter
from ..observe.tables import check_table, linear_predictions
from .learning_curve import LearningCurve, learning_curve


class SparseLearner(CompiledLearner):
    """Base of the learners whose predictions, too, need at most ``budget`` attributes of an example.

    Fitted: ``support_`` (the attributes that a prediction reveals), ``attributes_per_prediction_`` (their number),
    ``predicted_`` (a meter of the cells that predictions revealed) and ``learning_curve_``.
    """

    sparsity: int
    curve_points: int
    # Attributes of each example that are needed beside the support.
    least_room: ClassVar[int] = 1

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
            The predicted labels.
        """
        check_is_fitted(self, "observed_")
        coef, intercept = self._predictor()
        return linear_predictions(
            check_table(self, X, reset=False), coef, intercept, np.flatnonzero(coef), self.predicted_
        )

    def _check_parameters(self, d: int) -> None:
        name = type(self).__name__
        super()._check_parameters(d)
        check_whole(name, "curve_points", self.curve_points, 2)
        self._check_sparsity(d)

    def _check_sparsity(self, d: int) -> None:
        check_sparsity(type(self).__name__, self.sparsity, self.budget, self.least_room)

    def _start(self, attributes: Sequence[Attribute], n_examples: int | None) -> None:
        super()._start(attributes, n_examples)
        self.predicted_ = Meter(self.budget, attributes)

    def _detach(self) -> None:
        super()._detach()
        self.predicted_ = self.predicted_.copy()
