"""KeyholeClassifier: one joint model of the attributes and the coordinates of the classes."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..observe.ask import Ask
from ..observe.attributes import Prices, has_unit_prices
from ..observe.tables import check_classes, check_table
from .base import TURNS, MomentLearner
from .borne_out import share_borne_out
from .chances import chances_alone
from .classes import Discriminant, class_coordinates, discriminant
from .held_out import Risk
from .held_out_classes import Calibration, HeldOutClasses, check_number, explained_by_few, held_out_classes
from .prediction import by_pattern, tables_with_holes
from .refits import Refits, refit


class KeyholeClassifier(ClassifierMixin, MomentLearner):
    """Keyhole's own classifier: keeps every revealed cell, and fits one model of the second moments to all of them.

    Two classes are one label, and K classes K - 1 uncorrelated ones, of the one model that KeyholeRegressor fits. Class
    probabilities are those of the linear discriminant that the model implies for the attributes that are known of an
    example, all of them or some: what is not known is NaN.

    ``error_at``, ``auc_at`` and ``calibration_at`` say how good predictions from a few revealed attributes are, on
    examples that were not fitted to.

    Parameters
    ----------
    budget : int or float, default=None
        The most attributes of one training example that may be revealed, free ones not counted; where attributes have
        costs other than 1, the most that one example may cost. None: the table is partial already. All that is there
        is used, and a cell that is not (NaN, None) is simply not observed.
    costs : array or dict, default=None
        What each attribute costs, as for ``KeyholeRegressor``.
    keep_ledger : bool, default=False
        Keep every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted: numbers or text.
    family_, candidates_, policy_
        As of KeyholeRegressor.

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

    def __init__(
        self,
        budget: float | None = None,
        costs: Any = None,
        *,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        self.budget = budget  # type: ignore[assignment]
        self.costs = costs
        self.keep_ledger = keep_ledger
        self.random_state = random_state

    # Learning.

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning from more examples; a call that fails changes nothing.

        ``classes``, given with the first, says that there are no others: one that is not among them is then refused.
        Otherwise a class is added when it is first seen.
        """
        trial = copy.copy(self)
        if classes is not None:
            trial._declare(classes)
        return self._become(super(KeyholeClassifier, trial).partial_fit(X, y))

    def tell(self, ask: Ask, values: Any, label: Any) -> Self:
        """Learn from the values of ``ask.attributes``, in their order, and the class.

        ``None`` among the values says that it could not be had: the example is skipped.
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
                f"class {given[0]!r}, but the classes so far are {known.tolist()}: text or numbers, not both"
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
        """Log odds: of the second of two classes against the first; or log p(class) of each, up to a constant by row.

        They are those of the model as it stands, of which ``predict_proba`` believes as much as held-out rows bear out.
        A cell that is not known is NaN or None.
        """
        log_odds = self._log_odds(X, self._model())
        return log_odds[:, 1] - log_odds[:, 0] if log_odds.shape[1] == 2 else log_odds

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of ``classes_``; a cell that is not known is NaN or None."""
        return softmax(self._log_odds(X, self._derived()[1]), axis=1)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class; a cell that is not known is NaN or None."""
        most = self._log_odds(X, self._model()).argmax(axis=1)
        return self.classes_[most]

    def error_at(self, n_attributes: int) -> Risk:
        """The share of wrong classes when predicting from so many of the attributes that the policy chose.

        At most the budget, free ones not counted. Rows are predicted by a model that was fitted without them, from some
        of the cells that they revealed, so nothing more is read and the estimate is honest.
        """
        return self._held_out(check_number("error_at", n_attributes, self.budget)).error()

    def auc_at(self, n_attributes: int) -> Risk:
        """The area under the ROC curve, mean over classes against the others; otherwise as ``error_at``."""
        return self._held_out(check_number("auc_at", n_attributes, self.budget)).auc()

    def calibration_at(self, n_attributes: int) -> Calibration:
        """Probabilities beside the shares that came true; otherwise as ``error_at``."""
        return self._held_out(check_number("calibration_at", n_attributes, self.budget)).calibration()

    def _predictor(self) -> tuple[Any, Any]:
        """Of the log odds from whole rows: arrays (d,) and a number for two classes, else (K, d) and (K,)."""
        model = self._model()
        slopes, offsets = (part[0] for part in model._rules(model.used[None, :]))
        coef = np.zeros((len(offsets), len(model.units.mean)))
        coef[:, model.used] = slopes.T / model.units.scale[model.used]
        centre = model.units.mean + model.units.scale * model.joint.mean
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
        for table in tables_with_holes(source):
            part = np.empty((len(table), len(model.shares)))
            for rows, S, which in by_pattern(~np.isnan(table[:, used]), used):
                z = model.standard(np.take_along_axis(table[rows], S[which], axis=1), S[which])
                part[rows] = model.log_odds(S, which, z)
            found[done : done + len(table), present] = part
            done += len(table)
        return found

    def _model(self) -> Discriminant:
        check_is_fitted(self, "observed_")
        solution = self._solution()
        shares = self._shares()
        return discriminant(solution.joint, solution.units, shares, class_coordinates(shares))

    def _derived(self) -> tuple[Refits, Discriminant]:
        """Refits without each fold, and the model with what they bear out of it."""
        model, solution, cells = self._model(), self._solution(), self.cells_
        if cells.derived is None or cells.derived[0] is not solution:
            refits = refit(solution, cells, self._targets(), TURNS, self.seed_)
            if refits.fits and len(model.used):
                alone = chances_alone(cells, self.policy_, len(self.attributes_))
                model = model._replace(
                    kept_of_all=share_borne_out(refits, cells, self._targets(), alone).share,
                    seen=(explained_by_few(model, cells, self.seed_), float(model.explained(model.used[None])[0])),
                )
            cells.derived = solution, (refits, model)
        return cells.derived[1]

    def _held_out(self, n_attributes: int) -> HeldOutClasses:
        refits, d = self._derived()[0], len(self.attributes_)
        free = np.zeros(d, dtype=bool) if has_unit_prices(self.attributes_) else Prices(self.attributes_).free
        return held_out_classes(refits, self.cells_, self._places()[1], free, n_attributes, self.seed_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags = None
        tags.classifier_tags.poor_score = True
        return tags
