"""How often the 90% bootstrap intervals contain the true loss of the choice, in four settings.

200 objects, 12 attributes that share 4 factors, 2 judgments of each cell, a label from two of the factors; the
population is known, and with it the loss of the best predictor from the chosen repeats.
"""

from __future__ import annotations

import warnings

import numpy as np

from keyhole.judgments import ImpossibleLoss, MultiSelector, bootstrap

OBJECTS, ATTRIBUTES, FACTORS, SAMPLES, RESAMPLES, LEVEL = 200, 12, 4, 80, 100, 0.9


def covered(noise: float, budget: float, seed: int) -> tuple[bool, bool]:
    """Whether the interval contains the true loss, and whether it contains the projected loss."""
    rng = np.random.default_rng(seed)
    loading = rng.normal(size=(ATTRIBUTES, FACTORS)) / 2
    factors = rng.normal(size=(OBJECTS, FACTORS))
    weight = np.array([1.0, 1.0, 0.0, 0.0])
    truth = factors @ loading.T + 0.3 * rng.normal(size=(OBJECTS, ATTRIBUTES))
    values = truth[:, :, None] + np.sqrt(noise) * rng.normal(size=(OBJECTS, ATTRIBUTES, 2))
    y = factors @ weight + rng.normal(size=OBJECTS)
    found = bootstrap(MultiSelector(budget), values, y, RESAMPLES, level=LEVEL, random_state=seed)
    chosen = np.flatnonzero(found.selector.repeats_)
    sigma = (loading @ loading.T + 0.09 * np.eye(ATTRIBUTES))[np.ix_(chosen, chosen)]
    b = (loading @ weight)[chosen]
    true = weight @ weight + 1 - b @ np.linalg.solve(sigma + np.diag(noise / found.selector.repeats_[chosen]), b)
    low, high = found.loss_interval
    return low <= true <= high, low <= found.selector.projected_loss_ <= high


def main() -> None:
    """Print the shares for each setting."""
    warnings.simplefilter("ignore", ImpossibleLoss)
    for noise in (1.0, 4.0):
        for budget in (10, 40):
            shares = np.mean([covered(noise, budget, seed) for seed in range(SAMPLES)], axis=0)
            print(f"noise {noise:g}, budget {budget}: true loss inside {shares[0]:.0%}, projected {shares[1]:.0%}")


if __name__ == "__main__":
    main()
