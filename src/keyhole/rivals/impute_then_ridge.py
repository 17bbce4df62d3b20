"""ImputeThenRidge: fill in what was not seen, several times over, then ridge regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ..common.parameters import is_whole
from ..observe.cells import of_columns, standardised, summarised, unscaled
from .ridge import check_alphas, ridge
from .uniform import UniformCollector


class ImputeThenRidge(UniformCollector):
    """Reveal ``budget`` attributes of each example, drawn uniformly; multiple imputation, then ridge regression.

    scikit-learn's IterativeImputer predicts every attribute from the others by Bayesian ridge regression, in
    turns, and fills in draws from the posterior. The label, which is always seen, helps to fill in: an imputation
    that does not know it hides what attributes say about the label. This is done ``n_imputations`` times; each
    filled-in table gets a ridge regression with its penalty by leave-one-out cross-validation, and the
    coefficients are averaged. The predictor uses all attributes; one that was never revealed, or always with the
    same value, gets no weight.

    It is slow: seconds for 30 attributes, and very many minutes for hundreds.

    Parameters
    ----------
    budget : int
        The most attributes of one training example that may be revealed, free ones not counted.
    n_imputations : int, default=5
        How many filled-in tables to average over.
    alphas : array of float, default=None
        The penalties to choose from, for standardised attributes. None: 28 from 0.001 to a million.
    turns : int, default=10
        Turns over all attributes per imputation.
    n_nearest_features : int, default=100
        The most attributes that another is filled in from, drawn in proportion to their correlation with it. Where
        there are more, the label does not help to fill in: what is filled in from the label and a few others says
        so much about the label that the ridge regression is fooled (test squared error 28, where the mean label
        has 1, on MNIST 3 against 5 with 4 pixels an image).
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from keyhole.rivals import ImputeThenRidge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> rival = ImputeThenRidge(budget=4, n_imputations=2, random_state=0).fit(X, y)
    >>> rival.observed_.max_per_example
    4
    >>> round(rival.score(X, y), 1)
    0.5
    """

    def __init__(
        self,
        budget: int = 4,
        n_imputations: int = 5,
        *,
        alphas: Any = None,
        turns: int = 10,
        n_nearest_features: int = 100,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.n_imputations = n_imputations
        self.alphas = alphas
        self.turns = turns
        self.n_nearest_features = n_nearest_features
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        name = type(self).__name__
        for parameter in ("n_imputations", "turns", "n_nearest_features"):
            value = getattr(self, parameter)
            if not is_whole(value) or value < 1:
                raise ValueError(f"{parameter}={value!r}: {name} needs a whole number, 1 or more")
        check_alphas(name, self.alphas)

    def _solve(self) -> tuple[np.ndarray, float]:
        d, labels = self.n_features_in_, self.cells_.labels
        _, mean, deviation, _ = summarised(self.cells_.attributes, self.cells_.values, d)
        varies = deviation > 0
        if not varies.any():
            return self._mean_label("no attribute was seen with two different values")
        table = standardised(self.cells_.table(np.arange(d)), mean, deviation)[:, varies]
        alphas = check_alphas(type(self).__name__, self.alphas)
        # Thousands of small regressions: the threads of BLAS would spend their time waiting for each other.
        with threadpool_limits(1, user_api="blas"):
            fits = [ridge(filled, labels, alphas) for filled in self._imputations(table, labels)]
        weights = np.zeros(d)
        weights[varies] = np.mean([own for own, _ in fits], axis=0)
        return unscaled(weights, float(np.mean([intercept for _, intercept in fits])), mean, deviation)

    def _imputations(self, table: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
        """The table with its NaN filled in, several times."""
        if not np.isnan(table).any():
            return [table]
        # Here, since they take longer to import than most learners to fit.
        from sklearn.experimental import enable_iterative_imputer  # noqa: F401
        from sklearn.impute import IterativeImputer

        d, nearest = table.shape[1], None
        if d <= self.n_nearest_features:
            _, mean, deviation, _ = of_columns(labels[:, None])
            table = np.column_stack([table, standardised(labels, mean, deviation)])
        else:
            nearest = self.n_nearest_features
        imputers = [
            IterativeImputer(
                sample_posterior=True,
                max_iter=self.turns,
                n_nearest_features=nearest,
                random_state=self.seed_ + i,
            )
            for i in range(self.n_imputations)
        ]
        return [imputer.fit_transform(table)[:, :d] for imputer in imputers]
