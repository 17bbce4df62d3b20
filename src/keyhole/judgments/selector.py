"""MultiSelector: which attributes to ask for, and how many judgments of each."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ..common.parameters import check_choice
from ..errors import BadValue
from .core.estimated_moments import Moments, estimate
from .core.greedy import Offer, buy_greedily
from .core.impossible_loss import warn_if_impossible
from .core.methods import METHODS, Problem, averages, copies, full, scoring
from .core.offers import make_offers
from .core.repair import repaired
from .data.columns import Columns
from .data.inputs import as_judgments_and_labels
from .data.table import Judgments
from .workers.independence import warn_if_dependent


class MultiSelector(BaseEstimator):
    """Feature multi-selection (Sabato and Kalai 2013): repeats of each attribute under a budget per object.

    From at least two judgments of each attribute on labelled objects, project the loss of the best linear
    predictor from means of any numbers of judgments, and spend the budget greedily on what lowers it most.

    Methods. ``full`` uses the covariances between attributes. ``scoring`` takes attributes as uncorrelated;
    with unit costs its choice is then optimal (Theorem 3.2; with other costs no greedy choice is). The two
    others are what one would do without the theory: ``averages`` selects among the attributes' means and
    asks for as many judgments as there were, ``copies`` selects among single judgments as if each were an
    attribute.

    Parameters
    ----------
    budget : most that the judgments of one object may cost.
    method : "full", "scoring", "averages" or "copies".
    costs : None (1 each), one cost per attribute, or a dict from all names on offer (attributes, bundles) to costs.
    ridge : added to the variance of each attribute, in units of its variance under ``scaling="deviation"``.
        With it, losses on the path include the penalty.
    bundles : dict of names to lists of attributes that are asked on one screen and paid for once.
    rule : "gain per cost", or "gain" (the paper's, which has unit costs).
    max_repeats : at most so many judgments of an attribute (None: no limit); a crowd is not endless.
    scaling : "deviation" repairs the covariance with each attribute in its own unit, so that units never
        matter; "none" repairs it in raw units, as the paper does.

    Attributes
    ----------
    repeats_ : judgments to take of each attribute. path_ : the purchases in order, with the projected loss
    after each. projected_loss_ : after the last. spent_ : cost of one object. offers_ : what was on
    offer, at which price. correlation_ (b),
    internal_variance_ (v), external_variance_ (sigma^2, rounded up to 0), external_covariance_ (Sigma,
    repaired): the estimates. label_variance_ : the loss of predicting the mean label.

    Examples
    --------
    Two raters of 300 objects; "calm" is a noisy view of the label, "loud" a noisier one, "dull" is unrelated.

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
    ) -> None:
        self.budget = budget
        self.method = method
        self.costs = costs
        self.ridge = ridge
        self.bundles = bundles
        self.rule = rule
        self.max_repeats = max_repeats
        self.scaling = scaling

    def fit(self, judgments: Any, labels: Any) -> MultiSelector:
        """Choose from an array (objects, attributes, judgments), a long table or a file, and labels."""
        table, y = as_judgments_and_labels(judgments, labels)
        self.check_arguments(table.attributes)
        if np.ptp(y) == 0:
            raise BadValue(f"all {len(y)} labels are {y[0]:g}; there is nothing to predict")
        warn_if_dependent(table)
        self.fit_arrays(table, y)
        warn_if_impossible(self.projected_loss_, self.label_variance_, table.counts, self.method)
        return self

    def check_arguments(self, attributes: Sequence[str]) -> list[Offer]:
        """The offers, or a ValueError about the first wrong argument."""
        check_choice("MultiSelector", "method", self.method, METHODS)
        check_choice("MultiSelector", "rule", self.rule, ("gain per cost", "gain"))
        check_choice("MultiSelector", "scaling", self.scaling, ("deviation", "none"))
        for name in ("budget", "ridge"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not 0 <= float(value) < np.inf:
                raise ValueError(f"{name} must be a non-negative number; got {value!r}")
        offers = make_offers(attributes, self.costs, self.bundles, self.max_repeats)
        cheapest = min(offers, key=lambda offer: offer.cost)
        if self.budget < cheapest.cost:
            raise ValueError(
                f"a budget of {self.budget:g} buys nothing: the cheapest judgment, of {cheapest.name!r}, "
                f"costs {cheapest.cost:g}"
            )
        return offers

    def fit_arrays(
        self,
        table: Judgments,
        y: np.ndarray,
        object_weights: np.ndarray | None = None,
        judgment_weights: np.ndarray | None = None,
    ) -> MultiSelector:
        """``fit`` on what is already checked, with the weights of a resample if any."""
        offers = self.check_arguments(table.attributes)
        moments = estimate(table.values, y, table.attributes, object_weights, judgment_weights)
        self.n_features_in_ = len(table.attributes)
        self.feature_names_in_ = np.array(table.attributes, dtype=object)
        self.label_variance_ = moments.label_variance
        self.correlation_, self.internal_variance_ = moments.b, moments.v
        self.external_variance_ = np.maximum(np.diag(moments.sigma), 0.0)
        whole = self.repaired(moments)
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
        self._spend(problem)
        return self

    def repaired(self, moments: Moments) -> Moments:
        """The estimates as those of a population: with empty cells, together with the label."""
        return repaired(moments, self._unit(moments))

    def _unit(self, moments: Moments) -> np.ndarray:
        return moments.deviation if self.scaling == "deviation" else np.ones(len(moments.b))

    def _spend(self, problem: Problem) -> None:
        """Buy, and record what was bought."""
        moments, offers, gives = problem
        sigma = moments.sigma + np.diag(self.ridge * self._unit(moments) ** 2)
        per_cost = self.rule == "gain per cost"
        purchases = buy_greedily(sigma, moments.b, moments.v, offers, self.budget, moments.label_variance, per_cost)
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
