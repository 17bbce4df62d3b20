"""MultiSelector: which attributes to ask for, and how many judgments of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from ..common.as_printed import AsPrinted
from ..common.parameters import ParameterError, check_choice, check_not_negative
from ..errors import BadValue
from .core.estimated_moments import estimate
from .core.greedy import buy_greedily
from .core.impossible_loss import warn_if_impossible
from .core.methods import METHODS, Problem, averages, copies, full, scoring
from .core.offers import Offer, make_offers
from .core.repair import SCALINGS, repaired, unit_of
from .data.columns import Columns
from .data.inputs import as_judgments_and_labels
from .data.table import Judgments
from .workers.independence import warn_if_dependent

RULES = ("gain per cost", "gain")


class MultiSelector(AsPrinted, BaseEstimator):
    """Feature multi-selection: which attributes to ask a crowd for, and how many judgments of each.

    From at least two judgments of each attribute on labelled objects, the selector estimates the squared loss of the
    best linear predictor from means of any numbers of judgments (the projected loss), and spends a budget per object
    greedily on the judgments that lower this loss most [1]_.

    Parameters
    ----------
    budget : float
        The most that the judgments of one object may cost.
    method : {"full", "scoring", "averages", "copies"}, default="full"
        ``"full"`` uses the covariances between attributes. ``"scoring"`` takes attributes as uncorrelated; if they
        are, its choice is optimal under unit costs (Theorem 3.2 of the paper; with other costs no greedy choice is
        always optimal). The two others serve for comparison: ``"averages"`` selects among the attributes' means and
        asks for as many judgments as there were, ``"copies"`` selects among single judgments as if each were an
        attribute.
    costs : sequence of float or dict of str to float, optional
        One cost per attribute, or a cost for the name of every offer (each bundle, and each attribute outside
        bundles). Every offer costs 1 by default.
    ridge : float, default=0.0
        Added to the variance of each attribute, in units of its variance under ``scaling="deviation"``. With it,
        losses on the path include the penalty.
    bundles : dict of str to list of str, optional
        Attributes that are asked on one screen and paid for once, by the name of the bundle.
    rule : {"gain per cost", "gain"}, default="gain per cost"
        What the greedy choice maximises. ``"gain"`` is the rule of the paper, which has unit costs.
    max_repeats : int, optional
        The most judgments of one attribute; no limit by default.
    scaling : {"deviation", "none"}, default="deviation"
        Units in which an indefinite covariance estimate is repaired: each attribute's standard deviation, so that the
        choice does not depend on units, or raw units as in the paper.
    spend_all : bool, default=False
        Whether judgments are bought, as in the paper, until the budget pays for none, also where none lowers the loss
        (then of the first attribute). By default the rest of the budget is kept.

    Attributes
    ----------
    repeats_ : ndarray of int of shape (n_attributes,)
        Judgments to take of each attribute.
    path_ : Columns
        The purchases in order: ``step``, ``bought`` (the offer), ``judgments`` (of each of its attributes), ``cost``,
        ``spent`` (until then) and ``projected_loss`` (after it).
    projected_loss_ : float
        The projected loss after the last purchase.
    spent_ : float
        The cost of the judgments of one object.
    offers_ : list of Offer
        Name, columns, cost and limit of everything that could be bought.
    covariance_with_label_ : ndarray of shape (n_attributes,)
        Estimated covariance of the attributes with the label (b in the paper).
    internal_variance_ : ndarray of shape (n_attributes,)
        Estimated variance between judgments of one object (v in the paper).
    external_variance_ : ndarray of shape (n_attributes,)
        Estimated variance between the objects' own values, negative estimates rounded up to 0.
    external_covariance_ : ndarray of shape (n_attributes, n_attributes)
        Estimated covariance matrix of the objects' own values (Sigma in the paper), repaired.
    label_variance_ : float
        Variance of the labels, the loss of predicting their mean.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of str of shape (n_attributes,)
        Names of the attributes.

    See Also
    --------
    JudgmentRegressor : Least squares on the judgments that were chosen.
    bootstrap : Intervals of the repeats and of the projected loss.
    validated_losses : The loss on held-out objects, against the budget.

    Notes
    -----
    ``MultiSelector.as_printed(budget, method=...)`` is Algorithm 1 of the paper, or one of the two methods that it is
    compared with: ``rule="gain"``, ``scaling="none"`` and ``spend_all=True``. The print takes the means of attributes
    and labels as 0; they are subtracted here. Of several attributes with the same gain, a choice that the print leaves
    open, the first is taken. The print has no ``ridge``, bundles, limit or costs; of costs it says only that a
    numerical judgment counts as four others.

    References
    ----------
    .. [1] S. Sabato and A. Kalai, "Feature Multi-Selection among Subjective Features", Proceedings of the 30th
       International Conference on Machine Learning (ICML), 2013.

    Examples
    --------
    Two judgments of each of three attributes of 300 objects. The label is the sum of the first two attributes, of
    which the second is judged with more noise; the third has nothing to do with it.

    >>> import numpy as np
    >>> from keyhole.judgments import MultiSelector
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(300, 3))
    >>> label = truth[:, 0] + truth[:, 1]
    >>> noise = np.array([0.7, 1.4, 0.7])[:, None]
    >>> judgments = truth[:, :, None] + noise * rng.normal(size=(300, 3, 2))
    >>> selector = MultiSelector(budget=10).fit(judgments, label)
    >>> selector.repeats_
    array([4, 6, 0])
    >>> print(f"{selector.label_variance_:.2f} {selector.projected_loss_:.2f}")
    1.96 0.25
    """

    printed_parameters: ClassVar[Mapping[str, Any]] = {"rule": "gain", "scaling": "none", "spend_all": True}

    def __init__(
        self,
        budget: float,
        method: str = "full",
        costs: Mapping[str, float] | Sequence[float] | None = None,
        ridge: float = 0.0,
        bundles: Mapping[str, Sequence[str]] | None = None,
        rule: str = "gain per cost",
        max_repeats: int | None = None,
        scaling: str = "deviation",
        spend_all: bool = False,
    ) -> None:
        self.budget = budget
        self.method = method
        self.costs = costs
        self.ridge = ridge
        self.bundles = bundles
        self.rule = rule
        self.max_repeats = max_repeats
        self.scaling = scaling
        self.spend_all = spend_all

    def fit(self, judgments: Any, labels: Any) -> MultiSelector:
        """Choose the repeats.

        Parameters
        ----------
        judgments : array-like of shape (n_objects, n_attributes, n_judgments), table, path or Judgments
            The judgments, in any form that ``as_judgments`` takes. Every attribute needs two judgments of some object.
        labels : array-like of shape (n_objects,), dict, table or path
            A label for each object. With an array of judgments, labels are in the order of the objects; with a long
            table, they name their objects: a dict, a table with the columns object and label, or a file of it.

        Returns
        -------
        MultiSelector
            The fitted selector.

        Raises
        ------
        BadValue
            If judgments or labels are missing or are not finite numbers, or all labels are equal.
        ParameterError
            If a parameter has a wrong value, or the budget pays for no judgment.

        Warns
        -----
        DependentJudgments
            If the workers are known, and the judgments are not independent.
        ImpossibleLoss
            If the projected loss is negative.
        """
        table, y = as_judgments_and_labels(judgments, labels)
        self._offers(table.attributes)
        if np.ptp(y) == 0:
            raise BadValue(f"all {len(y)} labels are {y[0]:g}; labels must vary for a prediction to be possible")
        warn_if_dependent(table)
        self.fit_arrays(table, y)
        warn_if_impossible(self.projected_loss_, self.label_variance_, table.counts, self.method)
        return self

    def _offers(self, attributes: Sequence[str]) -> list[Offer]:
        """What can be bought, or an error about the first parameter that has a wrong value."""
        check_choice("MultiSelector", "method", self.method, METHODS)
        check_choice("MultiSelector", "rule", self.rule, RULES)
        check_choice("MultiSelector", "scaling", self.scaling, SCALINGS)
        for name in ("budget", "ridge"):
            check_not_negative("MultiSelector", name, getattr(self, name))
        offers = make_offers(attributes, self.costs, self.bundles, self.max_repeats)
        cheapest = min(offers, key=lambda offer: offer.cost)
        if self.budget < cheapest.cost:
            raise ParameterError(
                "budget",
                f"it pays for no judgment; the cheapest, of {cheapest.name!r}, costs {cheapest.cost:g}",
                self.budget,
            )
        return offers

    def fit_arrays(
        self,
        table: Judgments,
        y: np.ndarray,
        object_weights: np.ndarray | None = None,
        judgment_weights: np.ndarray | None = None,
    ) -> MultiSelector:
        """Choose the repeats from judgments that are already checked, with weights if they are a resample.

        Parameters
        ----------
        table : Judgments
            The judgments.
        y : ndarray of shape (n_objects,)
            The labels, in the order of the objects.
        object_weights : ndarray of shape (n_objects,), optional
            Weights of the objects.
        judgment_weights : ndarray of shape (n_objects, n_attributes, n_judgments), optional
            Weights of the judgments.

        Returns
        -------
        MultiSelector
            The fitted selector. Nothing is warned about.
        """
        offers = self._offers(table.attributes)
        moments = estimate(table.values, y, table.attributes, object_weights, judgment_weights)
        self.n_features_in_ = len(table.attributes)
        self.feature_names_in_ = np.array(table.attributes, dtype=object)
        self.label_variance_ = moments.label_variance
        self.covariance_with_label_, self.internal_variance_ = moments.b, moments.v
        self.external_variance_ = np.maximum(np.diag(moments.sigma), 0.0)
        whole = repaired(moments, unit_of(moments, self.scaling))
        self.external_covariance_ = whole.sigma
        weights = np.ones(len(y)) if object_weights is None else object_weights
        if self.method == "full":
            problem = full(whole, offers)
        elif self.method == "scoring":
            problem = scoring(moments, offers)
        elif self.method == "averages":
            problem = averages(table, y, weights, judgment_weights, offers)
        else:
            problem = copies(table, y, weights, offers)
        self.offers_ = offers
        self._buy(problem)
        return self

    def _buy(self, problem: Problem) -> None:
        """Spend the budget, and record the purchases."""
        moments, offers, gives = problem
        sigma = moments.sigma + np.diag(self.ridge * unit_of(moments, self.scaling) ** 2)
        purchases = buy_greedily(
            sigma,
            moments.b,
            moments.v,
            offers,
            self.budget,
            moments.label_variance,
            per_cost=self.rule == "gain per cost",
            spend_all=self.spend_all,
        )
        self.repeats_ = np.zeros(self.n_features_in_, dtype=np.int64)
        self.spent_, self.projected_loss_ = 0.0, self.label_variance_
        rows = []
        for step, (bought, gain) in enumerate(purchases, start=1):
            offer = offers[bought]
            self.repeats_ += gives[bought]
            self.spent_ += offer.cost
            self.projected_loss_ -= gain
            judgments = int(gives[bought].max())
            rows.append((step, offer.name, judgments, offer.cost, self.spent_, self.projected_loss_))
        self.path_ = Columns.from_rows(("step", "bought", "judgments", "cost", "spent", "projected_loss"), rows)
