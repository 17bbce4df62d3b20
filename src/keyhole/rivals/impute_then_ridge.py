"""ImputeThenRidge: multiple imputation of the cells that were not revealed, then ridge regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ..common.parameters import check_whole
from ..observe.cells import of_columns, standardised, summarised, unscaled
from .ridge import check_alphas, ridge
from .uniform import UniformCollector


class ImputeThenRidge(UniformCollector):
    """Multiple imputation of the cells that were not revealed, then ridge regression.

    ``budget`` attributes of each example are drawn uniformly. scikit-learn's ``IterativeImputer`` fills in the others
    several times, by draws from a posterior; each table gets a ridge regression, and the coefficients are averaged. The
    predictor uses all attributes.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed, free attributes not counted.
    n_imputations : int, default=5
        The number of imputed tables to average over.
    total : int or float, default=None
        The most attributes of all examples together: so many examples are looked at, evenly spread over those that are
        expected, that each has the whole budget. None: all examples are looked at.
    alphas : array-like of float or None, default=None
        The penalties to choose from, for standardised attributes. None: 28 penalties from 0.001 to 1,000,000, at equal
        distances on the logarithm.
    turns : int, default=10
        Iterations of each imputation over all attributes.
    n_nearest_features : int, default=100
        The most attributes that another is predicted from, drawn in proportion to their correlation with it. With more
        attributes than that, the label is left out of the imputation; see the Notes.
    n_expected : int or None, default=None
        The number of examples that will come, over which a total is spread. ``fit`` takes the length of its table.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, solved for when they are first read.
    intercept_ : float
        The intercept.
    expected_examples_ : int or None
        The length of the table of ``fit``, or ``n_expected``; None without either.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes; only if the table had names that are all strings.
    attributes_ : sequence of Attribute
        The attributes, with their descriptions.
    observed_ : Meter
        Counts of the revealed cells: in total, by attribute and by example.
    ledger_ : Ledger
        Every revealed cell, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    cells_ : Cells
        The revealed cells and the labels.
    credit_ : float
        What has been saved for the next example, with a total.
    left_ : float or None
        What is left of the total, less than ``budget`` where the total is spent; None without a total.

    Notes
    -----
    The imputer predicts every attribute from the others by Bayesian ridge regression, in several iterations, and fills
    in draws from the posterior. The label, which is always available, takes part: an imputation without it would
    weaken the relation between attributes and label. With more than ``n_nearest_features`` attributes it does not take
    part, since attributes that are imputed from the label and a few others would predict the label too well and mislead
    the ridge regression (on MNIST 3 against 5 with 4 pixels per image: test squared error 28, where the mean label has
    1). The penalty of each ridge regression is chosen by leave-one-out cross-validation. An attribute that was never
    revealed, or always with the same value, has the coefficient 0.

    It is slow: seconds for 30 attributes, and many minutes for hundreds.

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
        total: float | None = None,
        alphas: Any = None,
        turns: int = 10,
        n_nearest_features: int = 100,
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.n_imputations = n_imputations
        self.total = total
        self.alphas = alphas
        self.turns = turns
        self.n_nearest_features = n_nearest_features
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    def _begin(self, n_examples: int | None) -> None:
        super()._begin(n_examples)
        name = type(self).__name__
        for parameter in ("n_imputations", "turns", "n_nearest_features"):
            check_whole(name, parameter, getattr(self, parameter), 1)
        check_alphas(name, self.alphas)

    def _solve(self) -> tuple[np.ndarray, float]:
        d, labels = self.n_features_in_, self.cells_.labels
        _, mean, deviation, _ = summarised(self.cells_.attributes, self.cells_.values, d)
        varies = deviation > 0
        if not varies.any():
            return self._mean_label("no attribute was seen with two different values")
        table = standardised(self.cells_.table(np.arange(d)), mean, deviation)[:, varies]
        alphas = check_alphas(type(self).__name__, self.alphas)
        # Thousands of small regressions, for which the threads of BLAS cost more time than they save.
        with threadpool_limits(1, user_api="blas"):
            fits = [ridge(filled, labels, alphas) for filled in self._imputations(table, labels)]
        weights = np.zeros(d)
        weights[varies] = np.mean([own for own, _ in fits], axis=0)
        return unscaled(weights, float(np.mean([intercept for _, intercept in fits])), mean, deviation)

    def _imputations(self, table: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
        """The table with its NaN imputed, several times."""
        if not np.isnan(table).any():
            return [table]
        # Here, since they take long to import.
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
