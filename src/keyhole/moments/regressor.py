"""KeyholeRegressor: all products of all revealed cells, in one model."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import is_whole
from ..learner import with_poor_score
from ..observe.attributes import has_unit_prices
from ..observe.tables import check_labels, check_table
from .curve_learner import CurveLearner
from .describe.bootstrap import CoefInterval, coef_interval
from .describe.learning_curve import SquaredErrors
from .describe.plots import plot_weights
from .describe.settings import BOOTSTRAP_SAMPLES, LEVEL
from .describe.summary import COEFFICIENTS, Lines, coefficient_lines, error_lines
from .families.origin import through_origin
from .honest.risk import RiskInterval, risk_interval
from .predict.held_out import CheckedSubsets, Risk, checked_subsets, risk_at
from .predict.intervals import half_widths
from .predict.methods import BuyingRegressor
from .predict.partial import PartialPredictor
from .solution import Solution, Training


class KeyholeRegressor(BuyingRegressor, CurveLearner):
    """Keyhole's own learner: keeps every revealed cell, and fits one model of the joint moments to all of them.

    A published learner uses a few products of each example once. This one keeps the revealed cells, and describes the
    label and a column for each attribute (a monotone map of its values, see ``values``) by means, loadings on up to 48
    unobserved factors under a strong prior, and noise, fitted by EM to the revealed cells alone; the predictor follows
    from it. Where held-out products of cells give no sign that attributes have something in common, a diagonal model
    takes its place: each attribute by its own, shrunk covariance with the label. This start is averaged with other
    families and with the mean label, with the weights that held-out rows support; where they support no predictor, the
    mean label is returned, with a warning. Predictions are held within the range of the labels seen. With every cell
    revealed it is ridge regression, of raw or of mapped values; with ``values="raw"`` it is scikit-learn's RidgeCV.
    There is nothing to tune, and units never matter.

    The policy draws attributes uniformly until each was revealed some twelve times, and then a fifth uniformly and the
    rest in proportion to the standardised weights so far; it is renewed whenever the number of examples has doubled. A
    share of the examples may show one fixed set of attributes together, for a regression on complete rows of these.
    ``fit`` solves the model at its end; after ``partial_fit`` and ``tell`` it is solved when it is wanted.

    Parameters
    ----------
    budget : int or float, default=None
        The most attributes of one training example that may be revealed, free ones not counted; where attributes have
        costs other than 1, the most that one example may cost. None: the table is partial already. Every cell that is
        present is used, and a missing one (NaN, None) is not observed.
    total : int or float, default=None
        The most attributes of all examples together, free ones not counted; where attributes have costs other than 1,
        the most that all examples together may cost. The learner decides how many attributes of how many examples are
        revealed (``layout_``), by a pilot of a few complete examples where the total pays for it; an example that is
        not looked at tells its label alone. A ``budget`` remains the limit of one example, and may be None. Without a
        budget the number of examples must be known, as ``n_expected`` or the length of the table of ``fit``; with one
        and without that number every example is looked at until the total is spent. Attributes that it cannot pay for
        often enough are left out, with a warning. None: there is no such limit.
    costs : array-like or dict, default=None
        What each attribute costs: a number for each, or by name for some. 0 makes an attribute free: always revealed.
        None: the costs of the source's own ``Attribute`` descriptions, which are 1 if it has none. The attributes of
        one bundle are revealed together, and paid for once. An attribute that costs more than the budget is left out,
        with a warning.
    sparsity : int, default=None
        The most attributes that a prediction may need. They are selected on the way, and half of the budget or
        more is then spent on them.
    fit_intercept : bool, default=True
        Whether the predictor has an intercept. False: it goes through the origin, by moments about 0; 'auto' then means
        'raw', and predictions are not held within the labels seen.
    values : str, list of str or dict of str to str, default='auto'
        What the columns of the model are made of: one choice for all attributes, one for each, or a dict by name, with
        'auto' for the rest. 'raw': the values as they are. 'winsorised': held at the third value from each end. 'log':
        a logarithm of the distance from the median, or from the edge of the shorter tail, with a scale of the
        attribute's own. 'rank': normal scores of the ranks. 'auto': the average of these maps, each weighted by its
        probability given the revealed cells and labels; with every cell revealed, raw or mapped values by their
        leave-one-out error. Maps are learned from revealed cells alone and have no unit, and a new value beyond those
        revealed is held at the edge.
    units : {'own', 'common'}, default='own'
        'own': every column has a scale of its own, so units never matter. 'common': all attributes share a unit
        (pixels, spectra, counts, prices) and one scale, so that those which vary little count little, and the first
        draws go by spread; 'auto' then means 'raw'.
    n_expected : int, default=None
        The number of examples to come. The uniform start of the policy then takes at most three eighths of them and,
        where they cannot show every attribute 12 times, a random part of the attributes is asked for, with a warning.
        None: ``fit`` takes the length of its table; ``partial_fit`` and ``ask`` know of no end, and ask for every
        attribute. The three agree for equal ``n_expected``.
    keep_ledger : bool, default=False
        Whether every revealed cell is recorded in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        The seed of the draws.

    Attributes
    ----------
    coef_ : ndarray of shape (n_columns,)
        The coefficients of the columns, which ``get_feature_names_out()`` names: one for each attribute, and one for
        each value of a choice. They are coefficients of raw attributes only where ``values_`` says 'raw'.
    intercept_ : float
        The intercept.
    family_ : str
        The family with the largest weight: "factors", "diagonal", "pairwise", "lasso", "panel", "ridge", "sparse", or
        "mean" while nothing is known or supported.
    candidates_ : list of dict
        The families that were compared, the weight of each in the average, whether it was kept, and why.
    values_ : dict of str to str
        What was made of the values of each attribute, by its name: 'raw', 'winsorised', 'log', 'log from the edge',
        'rank', 'averaged' where no map has most of the weight, or 'choice'.
    expected_examples_ : int or None
        The number of examples that the policy follows: ``n_expected``, or the length of the table of ``fit``; None
        without either.
    layout_ : Layout or None
        How the total was laid out over examples: what was spent and what is left, and the sizes of examples one after
        another, each with its reason; None without a total, or where every attribute is free.
    policy_ : Policy
        The designs that attributes were drawn by, with the number of examples at which each began.
    risk_interval_ : RiskInterval
        The squared error on new, fully observed examples, with a 95% confidence interval.
    learning_curve_ : LearningCurve
        The squared error against the number of revealed cells, with what 2, 4 and 8 times as many would give:
        ``n_cells``, ``error``, ``standard_error`` and ``extrapolated``.
    coef_interval_ : CoefInterval
        Intervals of the coefficients at the level 0.9, from 100 bootstrap fits.
    attributes_ : sequence of Attribute
        The attributes, with their costs.
    observed_ : Meter
        What was revealed, and what it cost.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    n_features_in_ : int
        The number of attributes.
    feature_names_in_ : ndarray of shape (n_attributes,)
        The names of the attributes, where the table has names.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import KeyholeRegressor
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> learner = KeyholeRegressor(budget=8, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    8
    >>> learner.family_
    'panel'
    >>> learner.values_["x21"], learner.get_feature_names_out()[21]
    ('averaged', 'x21 (averaged)')
    >>> round(learner.score(X, y), 2)
    0.96
    """

    compares_alternatives = True

    def __init__(
        self,
        budget: float | None = None,
        total: float | None = None,
        costs: Any = None,
        sparsity: int | None = None,
        fit_intercept: bool = True,
        *,
        values: Any = "auto",
        units: str = "own",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget
        self.total = total
        self.costs = costs
        self.sparsity = sparsity
        self.fit_intercept = fit_intercept
        self.values = values
        self.units = units
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    # Predictions.

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict from whatever is known of each row.

        A whole row is predicted by ``coef_`` and ``intercept_``, a row with missing cells by the linear predictor that
        suits its known cells, and an empty row by the mean label.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.
        return_std : bool, default=False
            Whether to return standard deviations as well.

        Returns
        -------
        ndarray of shape (n_examples,), or tuple of two of them
            The predictions and, with ``return_std``, the standard deviation of the label around each, which is infinite
            before the second example.
        """
        check_is_fitted(self, "observed_")
        source = check_table(self, X, reset=False)
        predictor = self._partial()
        predictions, variances = predictor.predict(source, return_std)
        if not return_std:
            return predictions
        if self._spread_is_unknown():
            return predictions, np.full(len(predictions), np.inf)
        return predictions, predictor.label_scale * np.sqrt(variances)

    def predict_interval(self, X: Any, level: float = 0.9) -> np.ndarray:
        """Predict an interval for the label of each row.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.
        level : float, default=0.9
            The probability with which an interval contains the label, on average over examples. Where labels have two
            values and little is known, an interval contains both or one of them, and none of exactly that probability
            may exist.

        Returns
        -------
        ndarray of shape (n_examples, 2)
            The lower and the upper end of each interval.
        """
        if not (isinstance(level, int | float) and 0.0 < level < 1.0):
            raise ValueError(f"level={level!r}: predict_interval needs a number between 0 and 1, such as 0.9")
        predictions, deviations = self.predict(X, return_std=True)
        if self._spread_is_unknown():
            return np.column_stack([predictions - deviations, predictions + deviations])
        scales = self._solution().scales
        scale = scales.label_scale[0]
        labels = (self._targets()[:, 0] - scales.label_mean[0]) / (scale or 1.0)
        shares = (deviations / (scale or 1.0)) ** 2
        wide = scale * half_widths(shares, float(level), labels, self._checked_subsets().rows)
        return np.column_stack([predictions - wide, predictions + wide])

    # Errors.

    def risk_at(self, n_attributes: int) -> Risk:
        """Estimate the squared error of predictions from a few of the attributes that the policy chose.

        Rows are predicted by a model that was fitted without them, from some of the cells that they revealed, so
        nothing more is read and the estimate is honest.

        Parameters
        ----------
        n_attributes : int
            How many attributes, at most the budget; free ones are always used, and not counted.

        Returns
        -------
        Risk
            The mean squared error, its standard error, and the number of held-out examples.
        """
        check_is_fitted(self, "observed_")
        if not is_whole(n_attributes) or n_attributes < 0:
            raise ValueError(f"n_attributes={n_attributes!r}: risk_at needs a whole number, 0 or more")
        if self.budget is not None and n_attributes > self.budget and has_unit_prices(self.attributes_):
            raise ValueError(
                f"n_attributes={n_attributes}: risk_at needs at most {self.budget}, the budget, since no example"
                " revealed more"
            )
        return risk_at(self._checked_subsets(), self.cells_, self._free(), int(n_attributes), self.seed_)

    @property
    def risk_interval_(self) -> RiskInterval:
        """The squared error on new, fully observed examples, by cross-validation when it is first wanted."""
        solution = self._solution()
        return self.cache_.get("risk interval", lambda: risk_interval(solution, self._training(), self._fold_fits))

    def coef_interval(
        self,
        level: float = LEVEL,
        n_bootstrap: int = BOOTSTRAP_SAMPLES,
        groups: Any = None,
        random_state: Any = None,
    ) -> CoefInterval:
        """Estimate how much each coefficient would vary with other examples, or with other groups of them.

        Parameters
        ----------
        level : float, default=0.9
            The level of the intervals.
        n_bootstrap : int, default=100
            How often the model is fitted again.
        groups : array-like of shape (n_examples,), default=None
            The group that each example belongs to (a site, a patient). Whole groups are then drawn again, since
            examples of one group resemble each other.
        random_state : int, RandomState instance or None, default=None
            The seed of the bootstrap samples.

        Returns
        -------
        CoefInterval
            The coefficients with their intervals and standard errors.
        """
        solution = self._solution()
        return coef_interval(solution, self._training(), self._refine, level, n_bootstrap, groups, random_state)

    @property
    def coef_interval_(self) -> CoefInterval:
        """``coef_interval()`` with its defaults and the learner's own seed, computed when it is first wanted."""
        check_is_fitted(self, "cells_")
        return self.cache_.get("coef interval", lambda: self.coef_interval(random_state=self.seed_))

    # Descriptions.

    def plot_weights(self, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
        """Plot the change of the prediction per standard deviation of each attribute.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; None makes a figure.
        shape : tuple of int, default=None
            Rows and columns of an image, where attributes are pixels; None draws bars.

        Returns
        -------
        matplotlib Axes
            The axes.
        """
        return plot_weights(self._solution(), self._deviations(), self.get_feature_names_out().tolist(), ax, shape)

    # What the base class needs.

    def _errors(self, X: Any, y: Any) -> SquaredErrors:
        data, held_out = self._training(), self._held_out_rows(X)
        if X is None:
            return SquaredErrors(data, held_out)
        source = check_table(self, X, reset=False)
        return SquaredErrors(data, held_out, (source, check_labels(y, source.n_examples)))

    def _choose_columns(self) -> None:
        super()._choose_columns()
        if not self.fit_intercept and isinstance(self.values, str) and self.values == "auto":
            self.allowed_ = None  # the origin is that of raw values

    def _error_lines(self) -> Lines:
        many = self._usual_number()
        try:
            few: Risk | str = self.risk_at(many)
        except ValueError as error:  # it gives the reason why there is no estimate
            few = str(error)
        return error_lines(many, few, self.risk_interval_)

    def _coefficients_in_words(self) -> tuple[str, Lines]:
        solution = self._solution()
        spread = self._deviations(), self.get_feature_names_out().tolist(), solution.scales.label_scale
        return COEFFICIENTS, coefficient_lines(solution.coef, *spread)

    def _predictor(self) -> tuple[np.ndarray, float]:
        solution = self._solution()
        return solution.coef[0].copy(), float(solution.intercept[0])

    def _refine(self, solution: Solution, data: Training) -> Solution:
        return solution if self.fit_intercept else through_origin(solution, data)

    def _targets(self) -> np.ndarray:
        return self.cells_.labels[:, None]

    def _other_targets(self) -> np.ndarray | None:
        return np.array(self.other_labels_)[:, None] if self.other_labels_ else None

    def _checked_subsets(self) -> CheckedSubsets:
        solution, data = self._solution(), self._training()
        return self.cache_.get("subsets", lambda: checked_subsets(solution, data, self._fold_fits()))

    def _partial(self) -> PartialPredictor:
        return PartialPredictor(self._solution(), lambda: self._checked_subsets().subsets)

    def _spread_is_unknown(self) -> bool:
        return not self._solution().family.learns and self.cells_.n_examples < 2

    def __sklearn_tags__(self) -> Any:
        return with_poor_score(super().__sklearn_tags__())
