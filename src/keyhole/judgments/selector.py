"""MultiSelector: which attributes to ask for, and how many judgments of each."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .columns import Columns
from .greedy import Offer, Purchase, buy_greedily
from .independence import warn_if_dependent
from .inputs import as_judgments_and_labels
from .moments import Moments, cell_statistics, estimate, make_psd, second_moments
from .offers import make_offers
from .table import Judgments

METHODS = ("full", "scoring", "averages", "copies")


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
    costs : None (1 each), one cost per attribute, or a dict of names of attributes and bundles to costs.
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
    after each. projected_loss_ : after the last. spent_ : cost of one object. correlation_ (b),
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
        warn_if_dependent(table)
        return self.fit_arrays(table, y)

    def check_arguments(self, attributes: Sequence[str]) -> list[Offer]:
        """The offers, or a ValueError about the first wrong argument."""
        for name, allowed in (
            ("method", METHODS),
            ("rule", ("gain per cost", "gain")),
            ("scaling", ("deviation", "none")),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {allowed}; got {getattr(self, name)!r}")
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
        self.external_covariance_ = make_psd(moments.sigma, self._unit(moments))
        weights = np.ones(len(y)) if object_weights is None else object_weights
        if self.method in ("full", "scoring"):
            sigma = self.external_covariance_ if self.method == "full" else np.diag(self.external_variance_)
            purchases = self._buy(sigma, moments, offers)
            bought = [(offers[p.offer], 1) for p in purchases]
        elif self.method == "averages":
            means = second_moments(
                cell_statistics(table.values, judgment_weights).mean, y, weights, table.attributes
            )
            typical = typical_counts(table)
            size = [int(typical[offer.columns].max()) for offer in offers]
            packs = [
                offer._replace(cost=offer.cost * k, limit=1 if k <= offer.limit else 0)
                for offer, k in zip(offers, size, strict=True)
            ]
            purchases = self._buy(self._psd_if_gaps(means, table), means, packs)
            bought = [(offers[p.offer], size[p.offer]) for p in purchases]
        else:
            singles, names, owner, copy_offers = copies_as_attributes(table, offers)
            each = second_moments(singles, y, weights, names)
            purchases = self._buy(self._psd_if_gaps(each, table), each, copy_offers)
            bought = [
                (copy_offers[p.offer]._replace(columns=owner[copy_offers[p.offer].columns]), 1)
                for p in purchases
            ]
        self._record(bought, purchases)
        return self

    def _unit(self, moments: Moments) -> np.ndarray:
        return moments.deviation if self.scaling == "deviation" else np.ones(len(moments.b))

    def _psd_if_gaps(self, moments: Moments, table: Judgments) -> np.ndarray:
        """Second moments over different objects for different pairs need not be positive semidefinite."""
        return make_psd(moments.sigma, self._unit(moments)) if np.isnan(table.values).any() else moments.sigma

    def _buy(self, sigma: np.ndarray, moments: Moments, offers: list[Offer]) -> list[Purchase]:
        sigma = sigma + np.diag(self.ridge * self._unit(moments) ** 2)
        per_cost = self.rule == "gain per cost"
        return buy_greedily(
            sigma, moments.b, moments.v, offers, self.budget, moments.label_variance, per_cost
        )

    def _record(self, bought: list[tuple[Offer, int]], purchases: list[Purchase]) -> None:
        self.repeats_ = np.zeros(self.n_features_in_, dtype=np.int64)
        self.spent_, self.projected_loss_ = 0.0, self.label_variance_
        rows = []
        for step, ((offer, times), purchase) in enumerate(zip(bought, purchases, strict=True), start=1):
            self.repeats_[offer.columns] += times
            self.spent_ += offer.cost * times
            self.projected_loss_ -= purchase.gain
            rows.append((step, offer.name, int(times), offer.cost * times, self.spent_, self.projected_loss_))
        self.path_ = Columns.from_rows(
            ("step", "bought", "judgments", "cost", "spent", "projected_loss"), rows
        )


def typical_counts(table: Judgments) -> np.ndarray:
    """k[a]: the median number of judgments in the cells of each attribute that have any."""
    counts = table.counts
    return np.array([int(np.median(column[column > 0])) for column in counts.T])


def copies_as_attributes(
    table: Judgments, offers: list[Offer]
) -> tuple[np.ndarray, list[str], np.ndarray, list[Offer]]:
    """Single judgments as attributes: their values, names, the attribute each copies, and the offers."""
    typical = typical_counts(table)
    owner = np.repeat(np.arange(len(typical)), typical)
    copy = np.concatenate([np.arange(k) for k in typical])
    names = [f"{table.attributes[a]} (judgment {j + 1})" for a, j in zip(owner, copy, strict=True)]
    copy_offers = []
    for offer in offers:
        for j in range(int(typical[offer.columns].max())):
            if j < offer.limit:
                columns = np.flatnonzero(np.isin(owner, offer.columns) & (copy == j))
                copy_offers.append(offer._replace(columns=columns, limit=1))
    return table.values[:, owner, copy], names, owner, copy_offers
