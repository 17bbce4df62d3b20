"""What KeyholeRegressor and KeyholeClassifier share: kept cells, a policy, and the solution of a model."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..common.parameters import check_choice, check_whole
from ..common.warn import warn_user
from ..common.wording import counted
from ..learner import Learner
from ..observe.ask import Ask
from ..observe.attributes import Prices, has_unit_prices
from ..observe.cells import Cells, summarised
from ..sampling import Panels, new_generator
from .cache import Cache
from .describe.data_warnings import attributes_left_out, data_warnings
from .describe.plots import plot_reveals
from .describe.summary import Lines, Summary, policy_lines, revealed_lines, selection_lines
from .families.selection import Selected, select, without_folds
from .honest.fold_fits import FoldFits
from .honest.settings import LEAST_ROWS_HELD_OUT
from .policy.offers import with_costs
from .policy.policy import NONE, Policy, ask_of, draw, given_with, new_policy, restricted
from .policy.settings import LEAST_REVEALS
from .renewal import renewed_policy
from .settings import MAX_ITERATIONS, MAX_ROWS_FOR_SPARSE
from .solution import Solution, Training
from .spending import SpendsTotal
from .standard.value_choice import allowed_maps, column_names, columns_of


class MomentLearner(SpendsTotal, Learner):
    """Keeps every revealed cell in ``cells_``; the solution follows from them.

    ``fit`` solves at its end. After ``partial_fit`` and ``tell`` the model is solved when it is wanted, or a stream of
    single rows would take quadratic time. ``cache_`` keeps what was solved until the next example.
    """

    costs: Any = None
    values: Any = "auto"
    units: str = "own"
    n_expected: int | None = None
    sparsity: int | None = None
    predicts_from_subsets = True
    takes_missing = True
    takes_choices = True
    # Whether alternative families are compared with the start.
    compares_alternatives = False

    @abstractmethod
    def _targets(self) -> np.ndarray:
        """The labels so far as numbers, a row per example."""

    @property
    def missing_is_free(self) -> bool:
        """Whether a missing cell is never paid for: without a budget or a total the table is partial already."""
        return self.budget is None and self.total is None

    @property
    def family_(self) -> str:
        """The name of the family with the largest weight."""
        return self._solution().family.name

    @property
    def values_(self) -> dict[str, str]:
        """What was made of the values of each attribute, by its name.

        "raw", "winsorised", "log", "log from the edge", "rank", "averaged" where no map has most of the weight, or
        "choice".
        """
        return {a.name: made for a, made in zip(self.attributes_, self._maps_in_words(), strict=True)}

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Name the columns that ``coef_`` belongs to.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Not used; accepted as by scikit-learn's transformers.

        Returns
        -------
        ndarray of str
            The name of the attribute, with the map of its values in parentheses where they are not raw; of a choice the
            name and each of its values.
        """
        return column_names(self.attributes_, self._maps_in_words())

    def _maps_in_words(self) -> list[str]:
        described = self._solution().scales.values.described(len(self.attributes_))
        choices = np.zeros(len(described)) if self.n_columns_ is None else self.n_columns_ > 1
        return ["choice" if is_choice else made for made, is_choice in zip(described, choices, strict=True)]

    @property
    def candidates_(self) -> list[dict[str, Any]]:
        """The families that were compared, the weight of each, whether it was kept, and why."""
        return [dict(candidate) for candidate in self._solution().candidates]

    # Descriptions.

    def summary(self, risk: bool = True) -> Summary:
        """Describe what was revealed, which family was selected and why, the policy, errors and coefficients.

        Parameters
        ----------
        risk : bool, default=True
            Whether to estimate errors, which takes fits without each fold.

        Returns
        -------
        Summary
            Sections of named lines, to print.
        """
        solution, data = self._solution(), self._training()
        limits = {"budget": self.budget, "total": self.total}
        given = [f"{name} {limit}" for name, limit in limits.items() if limit is not None]
        limit = ", ".join(given) or "every cell that is present"
        summary = Summary(f"{type(self).__name__}: {limit}, {len(self.attributes_):,} attributes")
        left_out = attributes_left_out(solution, self.cells_)
        summary.add("Revealed", revealed_lines(self.observed_, self.attributes_, self.n_skipped_, left_out.rare))
        summary.add("Families", selection_lines(solution))
        if data.n_rows:
            if self.layout_ is not None:
                summary.add("Layout", self.layout_.lines())
            summary.add("Policy", policy_lines(self.policy_, self.attributes_, data.n_rows))
            summary.add("Errors", self._error_lines() if risk else [])
        summary.add(*self._coefficients_in_words())
        if data.n_rows:
            sentences = data_warnings(solution, data, self.attributes_, missing_by_itself=self.missing_is_free)
            summary.add("Data warnings", [("-", sentence) for sentence in sentences])
        return summary

    def plot_reveals(self, ax: Any = None, shape: tuple[int, int] | None = None) -> Any:
        """Plot how often each attribute was revealed.

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
        check_is_fitted(self, "observed_")
        return plot_reveals(self.observed_, self.attributes_, ax, shape)

    def _error_lines(self) -> Lines:
        """Honest estimates of the error, for ``summary``."""
        return []

    @abstractmethod
    def _coefficients_in_words(self) -> tuple[str, Lines]:
        """A heading and the largest coefficients, for ``summary``."""

    # Learning.

    def _begin(self, n_examples: int | None) -> None:
        # Only expected_examples_ is used, so that fit, partial_fit and ask/tell agree for equal n_expected.
        name = type(self).__name__
        if self.sparsity is not None:
            check_whole(name, "sparsity", self.sparsity, 1)
        self.attributes_ = with_costs(name, self.attributes_, self.costs)
        self._choose_columns()
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        self.rng_ = new_generator(self.seed_)
        self.cells_, self.cache_ = Cells(), Cache()
        self.other_labels_: list[float] = []
        self.policy_: Policy | None = None
        offers = self._begin_spending()
        if offers is not None:
            expected = self._expected_rows()
            common = self.units == "common"
            self.policy_ = new_policy(offers, self.sparsity is not None, expected, self.seed_, common)
            self._begin_pilot()
            asked_for = len(self.policy_.offers.cost)
            if expected is not None and asked_for < len(offers.cost):
                warn_user(
                    f"{name}: {counted(expected, 'example')} would show each of {len(offers.cost)} attributes fewer"
                    f" than {LEAST_REVEALS} times, so {asked_for} of them, drawn at random, are asked for, and the"
                    " others never"
                )

    def _choose_columns(self) -> None:
        """What columns attributes have, and which maps their values may have."""
        name = type(self).__name__
        check_choice(name, "units", self.units, ("own", "common"))
        self.n_columns_ = columns_of(self.attributes_)
        self.allowed_ = allowed_maps(name, self.values, self.attributes_)
        if self.units == "common" and isinstance(self.values, str) and self.values == "auto":
            self.allowed_ = None  # a map would take the common unit away

    def _ask(self, want_probabilities: bool) -> Ask:
        self._renew_policy()
        if not self._looks():
            return ask_of(NONE, np.empty(0))
        if self.policy_ is None:
            d = len(self.attributes_)
            return ask_of(np.arange(d), np.ones(d))
        return draw(self.policy_, self.rng_)

    def _ask_for_rest(self, unavailable: np.ndarray, known: tuple[np.ndarray, np.ndarray]) -> Ask:
        excluded = np.union1d(unavailable, known[0])
        self._renew_policy()
        if not self._looks():
            return ask_of(NONE, np.empty(0), given=known)
        if self.policy_ is None:
            rest = np.setdiff1d(np.arange(len(self.attributes_)), excluded)
            return ask_of(rest, np.ones(len(rest)), 0, known)
        self.policy_, number = restricted(self.policy_, excluded)
        return ask_of(*self.policy_.designs[number].draw(self.rng_), number, known)

    def _renew_policy(self) -> None:
        """When an example is asked for, and not in tell, which must not fail: a renewal that is interrupted leaves
        everything as it was."""
        if self.policy_ is None:
            return
        self.policy_ = self._beyond_pilot(self.policy_)
        if self.cells_.n_examples >= self.policy_.next_renewal and not self._awaits_pilot(self.policy_):
            self.policy_ = self._renewed(self.policy_)

    def _tell(self, ask: Ask, values: np.ndarray, label: float) -> None:
        present, (given, given_values) = ~np.isnan(values), given_with(ask)
        self.cache_.clear()
        if self.spending_ is not None and not len(ask.attributes) + len(given):
            self.other_labels_.append(label)
            return
        self.cells_.append(
            np.concatenate([ask.attributes[present], given]),
            np.concatenate([values[present], given_values]),
            label,
            int(ask.notes[0]),
            len(given),
            NONE if self.policy_ is None else ask.attributes[~present],
        )

    def _renewed(self, policy: Policy) -> Policy:
        """The policy with a design for the rows to come."""
        data = self._training()
        if self.spending_ is not None:
            policy = self._laid_out(policy, data)
            if data.n_rows < policy.next_renewal:
                return policy
        return renewed_policy(policy, data, self._expected_rows(), self._max_rows(), self.compares_alternatives)

    def _design_of(self, ask: Ask) -> Panels | None:
        return None if self.policy_ is None else self.policy_.designs[int(ask.notes[0])]

    def _finish(self) -> None:
        self._warn_of_fewer()
        self._solution()

    # The model.

    def _training(self) -> Training:
        return Training(
            cells=self.cells_,
            labels=self._targets(),
            n_attributes=len(self.attributes_) if self.n_columns_ is None else int(self.n_columns_.sum()),
            policy=self.policy_,
            seed=self.seed_,
            sparsity=self.sparsity,
            n_columns=self.n_columns_,
            common_unit=self.units == "common",
            other_labels=self._other_targets(),
        ).with_values(self.allowed_)

    def _other_targets(self) -> np.ndarray | None:
        """The labels, as numbers, of examples of which nothing was revealed."""
        return None

    def _solution(self) -> Solution:
        check_is_fitted(self, "cells_")
        return self.cache_.get("solution", self._solve)

    def _solve(self) -> Solution:
        data = self._training()
        selected = select(data, MAX_ITERATIONS, self.compares_alternatives, self._max_rows())
        self.cache_.put("selected", selected)
        solution = self._refine(selected.solution, data)
        for sentence in data_warnings(solution, data, self.attributes_, missing_by_itself=self.missing_is_free):
            warn_user(f"{type(self).__name__}: {sentence}")
        return solution

    def _fit_again(self, part: Training) -> Solution:
        """The solution from some of the rows, with every choice made again."""
        return self._refine(select(part, MAX_ITERATIONS, self.compares_alternatives).solution, part)

    def _refine(self, solution: Solution, data: Training) -> Solution:
        """What a learner makes of a solution from some rows."""
        return solution

    def _fold_fits(self) -> FoldFits:
        return self.cache_.get("fold fits", self._fit_folds)

    def _fit_folds(self) -> FoldFits:
        """Every choice is made again without each fold."""
        solution, data = self._solution(), self._training()
        if data.n_rows < LEAST_ROWS_HELD_OUT or not solution.family.learns:
            return FoldFits(np.zeros(data.n_rows, dtype=np.int64), [])
        selected: Selected | None = self.cache_.peek("selected")
        folds, fits = without_folds(solution, selected, data, MAX_ITERATIONS, self.compares_alternatives)
        return FoldFits(folds, [self._refine(fit, data.where(folds != f)) for f, fit in enumerate(fits)])

    def _max_rows(self) -> int | None:
        return None if self.sparsity is None else MAX_ROWS_FOR_SPARSE

    def _deviations(self) -> np.ndarray:
        """The standard deviation of the revealed cells of each column."""
        cells, solution = self._solution().scales.values.of_cells(self.cells_), self._solution()
        return summarised(cells.attributes, cells.values, len(solution.scales.mean)).deviation

    def _free(self) -> np.ndarray:
        """Which attributes are free, as a mask."""
        d = len(self.attributes_)
        return np.zeros(d, dtype=bool) if has_unit_prices(self.attributes_) else Prices(self.attributes_).free

    def _usual_number(self) -> int:
        """How many attributes an example revealed on average, free ones not counted: the budget, where each costs 1."""
        counted = ~self._free()[self.cells_.attributes] & ~self.cells_.given
        return max(1, round(np.sum(counted) / self.cells_.n_examples))

    # The machinery.

    def _detach(self) -> None:
        super()._detach()
        self.cells_, self.rng_, self.cache_ = self.cells_.copy(), self.rng_.copy(), self.cache_.copy()
        self.other_labels_ = list(self.other_labels_)

    def _bookmark(self) -> tuple[np.ndarray, Any]:
        return self.rng_.copy(), self.spending_

    def _return_to(self, bookmark: tuple[np.ndarray, Any]) -> None:
        self.rng_[:], self.spending_ = bookmark

    def _forgotten(self, ask: Ask) -> None:
        # A skipped example has come all the same; the next one would otherwise be skipped by the same draw.
        if self.spending_ is not None and len(ask.attributes):
            self.spending_ = self.spending_._replace(passed=self.spending_.passed - 1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
