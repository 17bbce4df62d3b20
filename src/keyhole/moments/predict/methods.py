"""What KeyholeRegressor and MomentsPredictor share: purchases for a prediction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from sklearn.base import RegressorMixin

from ...observe.attributes import Attribute
from ...observe.tables import check_table
from ..policy.offers import with_costs
from .partial import Offer, PartialPredictor, PredictionPath


class BuyingRegressor(RegressorMixin):
    """A regressor that says which attributes to buy for a prediction."""

    attributes_: Sequence[Attribute]

    @abstractmethod
    def _partial(self) -> PartialPredictor:
        """The predictor from whatever is known of an example; NotFittedError where there is none."""

    def next_attributes(self, x: Any, n: int = 1, costs: Any = None) -> list[Offer]:
        """Say which attributes to look at next, for a prediction.

        The best offer reduces the error variance of the prediction most per cost; free attributes come first, and a
        bundle is one offer, paid for once. Attributes without a coefficient are offered only where one that has a
        coefficient cannot be had.

        Parameters
        ----------
        x : array-like of shape (n_attributes,)
            What is known of the example; NaN for what is not.
        n : int, default=1
            How many offers are wanted, each on top of those before it.
        costs : array-like or dict, default=None
            Costs that replace those of ``attributes_``: one for each attribute, or by name.

        Returns
        -------
        list of Offer
            The offers, the best first; fewer than n where no other attribute would change the prediction.
        """
        predictor = self._partial()
        return predictor.next_offers(x, n, with_costs(type(self).__name__, self.attributes_, costs))

    def predict_path(self, X: Any, prediction_budget: float, costs: Any = None) -> PredictionPath:
        """Buy attributes of each example one after another, as ``next_attributes`` says, and predict after each.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows, of which nothing is read but what is bought: first what is free. An attribute that could not be
            had (None, NaN) costs nothing, and the next best is bought instead.
        prediction_budget : float
            The most that the attributes of one example may cost.
        costs : array-like or dict, default=None
            Costs that replace those of ``attributes_``: one for each attribute, or by name.

        Returns
        -------
        PredictionPath
            The predictions after each purchase, with their standard deviations and costs.
        """
        predictor, source = self._partial(), check_table(self, X, reset=False)
        attributes = with_costs(type(self).__name__, self.attributes_, costs)
        return predictor.buy_one_by_one(source, prediction_budget, attributes)
