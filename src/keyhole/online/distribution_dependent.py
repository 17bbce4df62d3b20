"""What DDAERR and DDAELR add to AERR and AELR: draws by second moments, given or estimated in a warm-up."""

from __future__ import annotations

import math
import numbers
import warnings
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..common.parameters import ParameterError, check_choice, check_positive, is_whole
from .gradient import GradientLearner
from .kernels.averaging import average
from .kernels.draw_distribution import moment_distribution, moment_norm
from .kernels.ridge import CLOCK, STEPS
from .kernels.update_rule import UpdateRule

# Without an expected number of examples, the warm-up ends when each attribute was drawn so often on average.
DRAWS_PER_ATTRIBUTE = 10


class DistributionDependent(GradientLearner):
    """Mixed in before AERR or AELR; ``power`` is that of the second moments in the draw of x."""

    power: ClassVar[float]
    printed_parameters: ClassVar[Mapping[str, Any]] = {"scaling": "none", "draws": "textbook", "phases": "separate"}

    @classmethod
    def as_printed(cls, budget: int, **inputs: Any) -> Self:
        """Make the algorithm exactly as its paper prints it.

        The class attribute ``printed_parameters`` holds the parameters that this sets; the Notes of the class say what
        they are and what of the two-phased form was not in the text that was available.

        Parameters
        ----------
        budget : int
            The most attributes of one training example that may be revealed.
        **inputs : object
            The parameters that the paper leaves to the user, by their names in the constructor, such as ``radius``,
            ``moments``, ``n_expected``, ``confidence`` or ``random_state``.

        Returns
        -------
        Self
            An unfitted learner of the same class.

        Raises
        ------
        ParameterError
            If an input is one that the print fixes; if neither ``step_size`` nor ``n_expected`` is given; or if neither
            ``moments`` nor ``confidence`` nor ``step_size`` is, since the printed step for estimated moments follows
            from the confidence.
        """
        printed = super().as_printed(budget, **inputs)
        if printed.moments is None and printed.confidence is None and printed.step_size is None:
            needs = (
                f"{cls.__name__} as printed needs it where moments are estimated, since the step of the theorem follows"
                " from it; or give step_size, of the second phase, and warmup_step_size where the first has another"
            )
            raise ParameterError("confidence", needs)
        return printed

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        step_size: float | None = None,
        moments: Any = None,
        warmup: float = 0.1,
        *,
        confidence: float | None = None,
        phases: str = "continued",
        warmup_step_size: float | None = None,
        warmup_radius: float | None = None,
        scaling: str = "running",
        draws: str = "even",
        n_expected: int | None = None,
        keep_ledger: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            budget,
            radius,
            step_size,
            scaling=scaling,
            draws=draws,
            n_expected=n_expected,
            keep_ledger=keep_ledger,
            random_state=random_state,
        )
        self.moments = moments
        self.warmup = warmup
        self.confidence = confidence
        self.phases = phases
        self.warmup_step_size = warmup_step_size
        self.warmup_radius = warmup_radius

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from one pass over the examples, after forgetting everything learned before.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Source of shape (n_samples, n_features)
            The examples; at most ``budget`` attributes of each are revealed.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        Self
            The fitted learner.

        Warns
        -----
        UserWarning
            If the examples ended before the warm-up did, so that all draws were uniform.
        """
        super().fit(X, y)
        if self.moments is None and not self.state_.distribution.on[0]:
            warnings.warn(
                f"{type(self).__name__} was still in its warm-up, which takes {self.rule_.warmup} examples: all draws"
                " were uniform. Give a smaller warmup, as a share of the examples or a number of them.",
                stacklevel=2,
            )
        return self

    def _new_state(self, d: int, rng: np.ndarray) -> tuple[Any, UpdateRule]:
        rule = self._rule(d)
        warmup, confidence = self._warmup_examples(d), self._checked_confidence()
        if self.moments is None:
            rule = rule._replace(
                warmup=warmup,
                confidence=confidence,
                separate=self.phases == "separate",
                warmup_radius=float(self.warmup_radius or 0.0),
            )
            moments, step = None, self._uniform_step(rule, d, warmup)
            if self.warmup_step_size is not None:
                rule, step = rule._replace(second_step=0.0 if rule.theorem else step), float(self.warmup_step_size)
        else:
            moments, step = self._checked_moments(d), self._uniform_step(rule, d, rule.horizon)
            if rule.theorem:
                step = self._theorem_step(d, rule.horizon, moment_norm(moments, self.power) / rule.x_draws + 1.0)
        distribution = moment_distribution(d, moments, self.power, improved=self.draws == "even")
        return self._empty(rng, d, step, distribution), rule

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        name = type(self).__name__
        check_choice(name, "phases", self.phases, ("continued", "separate"))
        for given in ("warmup_step_size", "warmup_radius"):
            if getattr(self, given) is not None:
                check_positive(name, given, getattr(self, given))
        theorem = self.n_expected is not None and self.scaling == "none"
        if self.warmup_step_size is not None and self.step_size is None and not theorem:
            needs = f"{name} takes it together with step_size, the step size of the second phase"
            raise ParameterError("warmup_step_size", needs, self.warmup_step_size)
        apart = self.phases == "separate" or self.warmup_radius is not None
        if apart and self._radius_is_chosen():
            needs = f"{name} needs a number where the phases are separate or the warm-up has its own radius"
            raise ParameterError("radius", needs, self.radius)

    def _average(self) -> np.ndarray:
        """The average over all steps, or over those of the second phase where the phases are separate."""
        state, rule = self.state_, self.rule_
        steps = state.numbers[STEPS]  # CLOCK and STEPS have the same places in both kernels
        if rule.separate and steps >= rule.warmup:
            steps -= rule.warmup
            if steps == 0:
                return self._present_weights()
        return average(state.weights, state.numbers[CLOCK], steps)

    @abstractmethod
    def _present_weights(self) -> np.ndarray:
        """The weights that the next example is asked with."""

    def _warmup_examples(self, d: int) -> int:
        """The given number of examples, or a share of ``n_expected``.

        Without it, 10 draws of each attribute on average are enough, and no more than a share of the table in ``fit``.
        Separate phases have that share of the table, as in the paper.
        """
        warmup = self.warmup
        if is_whole(warmup) and warmup >= 1:
            return int(warmup)
        if isinstance(warmup, numbers.Real) and 0 < warmup < 1:
            enough = math.ceil(DRAWS_PER_ATTRIBUTE * d / self.budget)
            share = enough if self.expected_examples_ is None else math.ceil(warmup * self.expected_examples_)
            exact = self.n_expected is not None or self.phases == "separate"
            return share if exact else min(share, enough)
        name = type(self).__name__
        raise ValueError(f"warmup={warmup!r}: {name} needs a share between 0 and 1, or a whole number of examples")

    def _checked_moments(self, d: int) -> np.ndarray:
        name, given = type(self).__name__, np.asarray(self.moments, dtype=np.float64)
        if given.shape != (d,):
            raise ValueError(
                f"moments of shape {given.shape}: {name} needs one second moment for each of the {d} attributes"
            )
        wrong = np.flatnonzero(~(np.isfinite(given) & (given >= 0)))
        if len(wrong):
            raise ValueError(f"moments[{wrong[0]}]={given[wrong[0]]}: a second moment is a finite number, 0 or more")
        if not given.any():
            raise ValueError(f"moments are all 0: {name} would have nothing to draw")
        return given

    def _checked_confidence(self) -> float:
        """The theorem's delta, or 0 without its margin."""
        given = self.confidence
        if given is not None and not (isinstance(given, numbers.Real) and 0 < given < 1):
            name = type(self).__name__
            raise ValueError(f"confidence={given!r}: {name} needs None or a number between 0 and 1")
        return 0.0 if given is None else float(given)
