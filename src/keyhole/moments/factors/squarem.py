"""Fewer EM iterations: from two of them in a row follows where many more would lead.

EM ends with many small steps in nearly the same directions. SQUAREM (Varadhan and Roland 2008, scheme S3) takes two
iterations, with steps r and then r + v, and goes on to first + 2 a r + a^2 v, with a = |r| / |v|; one more iteration
repairs what went too far. The extrapolation a is at most ``longest``, which grows with success. Where an extrapolation
diverged, the iterations after it are much larger than those before, and it is taken back.
"""

from __future__ import annotations

import numpy as np

from .settings import DIVERGENCE, GROWTH, PLAIN_ITERATIONS


class Extrapolation:
    """Remembers the last iterations; ``next`` says from where to take another."""

    def __init__(self) -> None:
        self._steps: list[np.ndarray] = []
        self._iterations, self._longest = 0, 1.0
        # The parameters before the last extrapolation, and the size of its step r.
        self._safe: tuple[np.ndarray, float] | None = None

    def next(self, now: np.ndarray) -> np.ndarray:
        """The parameters to iterate from, given those after one more iteration."""
        self._iterations += 1
        if self._iterations < PLAIN_ITERATIONS:
            return now
        self._steps.append(now)
        if len(self._steps) == 2 and self._safe is not None:
            before, size = self._safe
            if not np.linalg.norm(now - self._steps[0]) <= DIVERGENCE * size:  # true of NaN as well
                self._steps, self._safe, self._longest = [before], None, 1.0
                return before
        if len(self._steps) < 3:
            return now
        first, second, third = self._steps
        r, v = second - first, third - 2.0 * second + first
        size = float(np.linalg.norm(r))
        length = min(max(size / max(float(np.linalg.norm(v)), 1e-300), 1.0), self._longest)
        if length == self._longest:
            self._longest *= GROWTH
        self._steps, self._safe = [], (third, size)
        return first + 2.0 * length * r + length**2 * v
