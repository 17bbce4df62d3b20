"""KeyholeClassifier: one joint model of the attributes and the coordinates of the classes."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..learner import with_poor_score
from ..observe.ask import Ask
from ..observe.attributes import has_unit_prices
from ..observe.tables import check_classes, check_table
from .curve_learner import CurveLearner
from .describe.learning_curve import WrongClasses
from .describe.summary import LOG_ODDS, Lines, coefficient_lines
from .honest.explained_share import confirmed_share
from .honest.inclusion import singles_of_columns
from .predict.discriminant import Discriminant, class_coordinates, discriminant
from .predict.held_out import Risk
from .predict.held_out_classes import Calibration, HeldOutClasses, check_number, explained_by_few, held_out_classes
from .predict.partial_rows import by_pattern, tables_with_gaps


class KeyholeClassifier(ClassifierMixin, CurveLearner):
    """Keyhole's own classifier: keeps every revealed cell, and fits one model of the joint moments to all of them.

    Two classes are one label, and K classes K - 1 uncorrelated ones, of the one model that KeyholeRegressor fits. Class
    probabilities are those of the linear discriminant that the model implies for the attributes that are known of an
    example, all of them or some. The model is shrunk toward the shares of the classes as far as held-out rows demand;
    where they support nothing, these shares are returned, with a warning.

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
        None: the costs of the source's own ``Attribute`` descriptions, which are 1 if it has none.
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
    classes_ : ndarray
        The classes, sorted: numbers or text.
    coef_ : ndarray of shape (n_columns,) or (n_classes, n_columns)
        The coefficients of the log odds from whole rows: one row for two classes, else one for each class. They belong
        to the columns that ``get_feature_names_out()`` names, and to raw attributes only where ``values_`` says 'raw'.
    intercept_ : float or ndarray of shape (n_classes,)
        The intercepts of the log odds.
    family_ : str
        The name of the family that was selected.
    candidates_ : list of dict
        The families that were compared, the weight of each, whether it was kept, and why.
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
    learning_curve_ : LearningCurve
        The share of wrong classes of held-out examples against the number of revealed cells, and its extrapolation.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from keyhole import KeyholeClassifier
    >>> X, y = load_digits(n_class=3, return_X_y=True)
    >>> learner = KeyholeClassifier(budget=8, random_state=0).fit(X, y)
    >>> learner.observed_.max_per_example
    8
    >>> round(learner.score(X, y), 1)
    1.0
    """

    error_in_words = "share of wrong classes"
    simplest_prediction = "most frequent class"

    def __init__(
        self,
        budget: float | None = None,
        total: float | None = None,
        costs: Any = None,
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
        self.values = values
        self.units = units
        self.n_expected = n_expected
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    # Learning.

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning from more examples; a call that fails changes nothing.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            More training examples, of which only cells within the budget are read.
        y : array-like of shape (n_examples,)
            The classes of the examples.
        classes : array-like, default=None
            All classes there are, given with the first call: another class is then refused. None: a class is added when
            it is first seen.

        Returns
        -------
        Self
            The learner.
        """
        trial = copy.copy(self)
        if classes is not None:
            trial._declare(classes)
        return self._become(super(KeyholeClassifier, trial).partial_fit(X, y))

    def tell(self, ask: Ask, values: Any = None, label: Any = None) -> Self:
        """Learn from the values of an open ask and the class; this closes the ask.

        Parameters
        ----------
        ask : Ask
            What ``ask`` returned.
        values : sequence of shape (n_asked,), default=None
            The values of ``ask.attributes``, in their order. None or NaN among them says that a value is missing; the
            others are learned from. None in place of all of them: they were told before, without a class.
        label : int or str, default=None
            The class of the example. None: it is not there yet. The values are kept, and learned from when the class is
            told by ``tell(ask, label=...)``; the ask stays open until then.

        Returns
        -------
        Self
            The learner.
        """
        before = {name: value for name, value in vars(self).items() if name == "known_"}
        try:
            return super().tell(ask, values, label)
        except BaseException:
            self.__dict__.pop("known_", None)
            self.__dict__.update(before)
            raise

    @property
    def classes_(self) -> np.ndarray:
        """The classes, sorted."""
        if not hasattr(self, "known_"):
            raise AttributeError(f"{type(self).__name__} has seen no class yet")
        return np.sort(self.known_)

    def _declare(self, classes: Any) -> None:
        classes = np.unique(check_classes(classes, None, type(self).__name__))
        if hasattr(self, "declared_") and not np.array_equal(self.classes_, classes):
            raise ValueError(f"classes={classes.tolist()}: they were {self.classes_.tolist()} at the first call")
        unknown = np.setdiff1d(getattr(self, "known_", classes[:0]), classes)
        if len(unknown):
            raise ValueError(f"classes={classes.tolist()} lacks {unknown[0]!r}, which was seen already")
        self.known_, self.declared_ = classes, True

    def _labels(self, y: Any, n_examples: int) -> np.ndarray:
        """Each class as its place in ``known_``, which keeps the order in which classes came."""
        given = check_classes(y, n_examples, type(self).__name__)
        known = getattr(self, "known_", None)
        if known is None:
            known = np.unique(given)
        elif (known.dtype.kind in "OUS") != (given.dtype.kind in "OUS"):
            raise ValueError(
                f"y: class {given[0]!r}, but the classes so far are {known.tolist()}: text or numbers, not both"
            )
        new = np.setdiff1d(given, known)
        if len(new) and getattr(self, "declared_", False):
            at = int(np.flatnonzero(given == new[0])[0])
            raise ValueError(f"class {new[0]!r} of example {at} is none of the classes {np.sort(known).tolist()}")
        known = np.concatenate([known, new]) if len(new) else known
        self.known_, order = known, np.argsort(known)
        return order[np.searchsorted(known[order], given)].astype(np.float64)

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """The classes that occurred so far, as places in ``classes_``, and the one of each example among these."""
        check_is_fitted(self, "known_")
        rank = np.empty(len(self.known_), dtype=np.int64)
        rank[np.argsort(self.known_)] = np.arange(len(self.known_))
        return np.unique(rank[self.cells_.labels.astype(np.int64)], return_inverse=True)

    def _shares(self) -> np.ndarray:
        """Of the classes that occurred: it must not matter when a class became known."""
        return np.bincount(self._places()[1]) / self.cells_.n_examples

    def _targets(self) -> np.ndarray:
        return class_coordinates(self._shares())[self._places()[1]]

    # The learned predictor.

    def decision_function(self, X: Any) -> np.ndarray:
        """Compute log odds of the classes, by the model as it stands.

        ``predict_proba`` lowers them by the share that held-out rows confirm.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.

        Returns
        -------
        ndarray of shape (n_examples,) or (n_examples, n_classes)
            Of two classes the log odds of the second against the first; of more the logarithm of each class's
            probability, up to a constant by row.
        """
        log_odds = self._log_odds(X, self._model())
        return log_odds[:, 1] - log_odds[:, 0] if log_odds.shape[1] == 2 else log_odds

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probabilities of the classes.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
            The probabilities, in the order of ``classes_``.
        """
        return softmax(self._log_odds(X, self._confirmed_model()), axis=1)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Source of shape (n_examples, n_attributes)
            The rows; a cell that is not known is NaN or None.

        Returns
        -------
        ndarray of shape (n_examples,)
            The classes.
        """
        most = self._log_odds(X, self._model()).argmax(axis=1)
        return self.classes_[most]

    def error_at(self, n_attributes: int) -> Risk:
        """Estimate the share of wrong classes when predicting from a few of the attributes that the policy chose.

        Rows are predicted by a model that was fitted without them, from some of the cells that they revealed, so
        nothing more is read and the estimate is honest.

        Parameters
        ----------
        n_attributes : int
            How many attributes, at most the budget; free ones are always used, and not counted.

        Returns
        -------
        Risk
            The share of wrong classes, its standard error, and the number of held-out examples.
        """
        return self._held_out("error_at", n_attributes).error()

    def auc_at(self, n_attributes: int) -> Risk:
        """Estimate the area under the ROC curve, averaged over classes, when predicting from a few attributes.

        Parameters
        ----------
        n_attributes : int
            How many attributes, at most the budget; free ones are always used, and not counted.

        Returns
        -------
        Risk
            The area, its standard error, and the number of held-out examples.
        """
        return self._held_out("auc_at", n_attributes).auc()

    def calibration_at(self, n_attributes: int) -> Calibration:
        """Compare predicted probabilities with observed shares, when predicting from a few attributes.

        Parameters
        ----------
        n_attributes : int
            How many attributes, at most the budget; free ones are always used, and not counted.

        Returns
        -------
        Calibration
            Mean predicted probabilities and observed shares in groups of held-out examples.
        """
        return self._held_out("calibration_at", n_attributes).calibration()

    # What the base class needs.

    def _errors(self, X: Any, y: Any) -> WrongClasses:
        data, held_out, (present, classes) = self._training(), self._held_out_rows(X), self._places()
        if X is None:
            return WrongClasses(data, held_out, classes)
        source = check_table(self, X, reset=False)
        given = check_classes(y, source.n_examples, type(self).__name__)
        # A class that never occurred is wrong whatever is predicted.
        known = self.classes_[present]
        places = np.where(np.isin(given, known), np.searchsorted(known, given), len(known))
        return WrongClasses(data, held_out, classes, (lambda model: self._log_odds(source, model)[:, present], places))

    def _predictor(self) -> tuple[Any, Any]:
        """Of the log odds from whole rows: arrays (d,) and a number for two classes, else (K, d) and (K,)."""
        model = self._model()
        slopes, offsets = (part[0] for part in model.rules(model.used[None, :]))
        coef = np.zeros((len(offsets), len(model.scales.mean)))
        coef[:, model.used] = slopes.T / model.scales.scale[model.used]
        centre = model.scales.mean + model.scales.scale * model.joint.mean
        intercept = offsets - coef @ centre
        present = self._places()[0]
        if len(self.classes_) == len(present) == 2:
            return coef[1] - coef[0], float(intercept[1] - intercept[0])
        whole, last = np.zeros((len(self.classes_), coef.shape[1])), np.full(len(self.classes_), -np.inf)
        whole[present], last[present] = coef, intercept
        return whole, last

    def _log_odds(self, X: Any, model: Discriminant) -> np.ndarray:
        source, (present, _) = check_table(self, X, reset=False), self._places()
        found = np.full((source.n_examples, len(self.classes_)), -np.inf)
        done, used = 0, model.used
        for table in tables_with_gaps(source):
            table = model.scales.values.of_table(table)
            part = np.empty((len(table), len(model.shares)))
            for rows, S, which in by_pattern(~np.isnan(table[:, used]), used):
                z = model.standardise(np.take_along_axis(table[rows], S[which], axis=1), S[which])
                part[rows] = model.log_odds(S, which, z)
            found[done : done + len(table), present] = part
            done += len(table)
        return found

    def _error_lines(self) -> Lines:
        many = self._usual_number()
        try:
            risk = self.error_at(many)
        except ValueError as error:  # it gives the reason why there is no estimate
            return [(f"predictions from {many} attributes", str(error))]
        return [
            (
                f"predictions from {many} attributes",
                f"share of wrong classes {risk.estimate:.3g} ± {risk.standard_error:.2g} (standard error), on"
                f" {risk.n_examples:,} held-out examples",
            )
        ]

    def _coefficients_in_words(self) -> tuple[str, Lines]:
        coef, scale = np.atleast_2d(self.coef_), self._deviations()
        heading = LOG_ODDS if len(coef) == 1 else f"{LOG_ODDS}; one number for each class"
        return heading, coefficient_lines(coef, scale, self.get_feature_names_out().tolist(), np.ones(len(coef)))

    def _model(self) -> Discriminant:
        check_is_fitted(self, "observed_")
        solution = self._solution()
        shares = self._shares()
        return discriminant(solution.joint, solution.scales, shares, class_coordinates(shares))

    def _confirmed_model(self) -> Discriminant:
        """The model with the share of its explained variance that held-out rows confirm."""
        check_is_fitted(self, "observed_")
        return self.cache_.get("confirmed model", self._confirm)

    def _confirm(self) -> Discriminant:
        model, fits, data = self._model(), self._fold_fits(), self._training()
        if not fits.fits or not len(model.used):
            return model
        inclusion = singles_of_columns(data)
        return model._replace(
            confirmed_all=confirmed_share(fits, data.as_revealed, data.labels, inclusion).share,
            explained_range=(
                explained_by_few(model, data.cells, self.seed_),
                float(model.explained(model.used[None])[0]),
            ),
        )

    def _held_out(self, name: str, n_attributes: Any) -> HeldOutClasses:
        """Of the method that has this name; with costs other than 1 the budget is no number of attributes."""
        classes = self._places()[1]
        many = check_number(name, n_attributes, self.budget if has_unit_prices(self.attributes_) else None)
        return held_out_classes(self._fold_fits(), self.cells_, classes, self._free(), many, self.seed_)

    def __sklearn_tags__(self) -> Any:
        return with_poor_score(super().__sklearn_tags__())
