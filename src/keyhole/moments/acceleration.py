"""Fewer turns of EM: from two turns in a row follows where many more would lead.

EM ends with many small steps in nearly the same directions. SQUAREM (Varadhan and Roland 2008, scheme S3) takes two
turns, r and then r + v, and goes on to first + 2 a r + a^2 v, with a = |r| / |v|; one more turn mends what went
too far. A step is at most ``longest``, which grows with success. Where a step led astray, the turns after it are much
larger than those before, and it is taken back.
"""

from __future__ import annotations

import numpy as np

BEGIN = 10  # turns, from small random loadings: far from the end EM is fast, and extrapolates badly
GROWTH = 4.0
ASTRAY = 10.0


class Acceleration:
    """What the last turns were; ``next`` says from where to take another."""

    def __init__(self) -> None:
        self._path: list[np.ndarray] = []
        self._turns, self._longest = 0, 1.0
        self._safe: tuple[np.ndarray, float] | None = None  # the parameters before the last long step, and its r

    def next(self, now: np.ndarray) -> np.ndarray:
        """From the parameters after one more turn."""
        self._turns += 1
        if self._turns < BEGIN:
            return now
        self._path.append(now)
        if len(self._path) == 2 and self._safe is not None:
            before, size = self._safe
            if not np.linalg.norm(now - self._path[0]) <= ASTRAY * size:  # nor is NaN
                self._path, self._safe, self._longest = [before], None, 1.0
                return before
        if len(self._path) < 3:
            return now
        first, second, third = self._path
        r, v = second - first, third - 2.0 * second + first
        size = float(np.linalg.norm(r))
        length = min(max(size / max(float(np.linalg.norm(v)), 1e-300), 1.0), self._longest)
        if length == self._longest:
            self._longest *= GROWTH
        self._path, self._safe = [], (third, size)
        return first + 2.0 * length * r + length**2 * v
