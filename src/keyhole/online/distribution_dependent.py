"""What DDAERR and DDAELR add to AERR and AELR: draws by second moments, given or estimated in a warm-up."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any, ClassVar, Self

import numpy as np

from ..common.parameters import is_whole
from .gradient import GradientLearner
from .kernels.draw_distribution import moment_distribution, moment_norm
from .kernels.update_rule import UpdateRule

# Without an expected number of examples, the warm-up ends when each attribute was drawn so often on average.
DRAWS_PER_ATTRIBUTE = 10


class DistributionDependent(GradientLearner):
    """Mixed in before AERR or AELR; ``power`` is that of the second moments in the draw of x."""

    power: ClassVar[float]

    def __init__(
        self,
        budget: int = 4,
        radius: float | str = "auto",
        step_size: float | None = None,
        moments: Any = None,
        warmup: float = 0.1,
        *,
        confidence: float | None = None,
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
            rule = rule._replace(warmup=warmup, confidence=confidence)
            moments, step = None, self._uniform_step(rule, d, warmup)
        else:
            moments, step = self._checked_moments(d), self._uniform_step(rule, d, rule.horizon)
            if rule.theorem:
                step = self._theorem_step(d, rule.horizon, moment_norm(moments, self.power) / rule.x_draws + 1.0)
        distribution = moment_distribution(d, moments, self.power, improved=self.draws == "even")
        return self._empty(rng, d, step, distribution), rule

    def _warmup_examples(self, d: int) -> int:
        """The given number of examples, or a share of ``n_expected``.

        Without it, 10 draws of each attribute on average are enough, and no more than a share of the table in ``fit``.
        """
        warmup = self.warmup
        if is_whole(warmup) and warmup >= 1:
            return int(warmup)
        if isinstance(warmup, numbers.Real) and 0 < warmup < 1:
            enough = math.ceil(DRAWS_PER_ATTRIBUTE * d / self.budget)
            share = enough if self.expected_examples_ is None else math.ceil(warmup * self.expected_examples_)
            return share if self.n_expected is not None else min(share, enough)
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
