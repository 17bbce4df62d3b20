"""A simulated crowd whose few workers differ in severity: coverage of the intervals, effect of the correction."""

from __future__ import annotations

import warnings

import numpy as np
from threadpoolctl import threadpool_limits

from keyhole.judgments import Judgments, MultiSelector, bootstrap, correct_severity

MIXING = np.random.default_rng(1).normal(size=(6, 6)) / 2 + np.eye(6)
WEIGHTS = np.array([1.0, 0.6, -0.5, 0.0, 0.0, 0.2])
OBJECTS, WORKERS, NOISE, BUDGET = 200, 12, 1.0, 10


def sample(rng: np.random.Generator, severity: float) -> tuple[Judgments, np.ndarray]:
    """Two judgments of each of 6 attributes of 200 objects by a crowd of 12."""
    truth = rng.normal(size=(OBJECTS, 6)) @ MIXING
    y = truth @ WEIGHTS + 0.5 * rng.normal(size=OBJECTS)
    effect = severity * rng.normal(size=(WORKERS, 6))
    worker = rng.permuted(np.tile(np.arange(WORKERS), (OBJECTS, 6, 1)), axis=2)[:, :, :2]
    values = truth[:, :, None] + effect[worker, np.arange(6)[None, :, None]]
    values = values + NOISE * rng.normal(size=values.shape)
    objects, names = [str(i) for i in range(OBJECTS)], [f"x{a}" for a in range(6)]
    return Judgments(values, objects, names, worker, tuple(f"w{w}" for w in range(WORKERS))), y


def true_loss(repeats: np.ndarray, severity: float) -> float:
    """The loss of the best predictor from so many judgments by workers who are new each time."""
    sigma = MIXING.T @ MIXING
    b = sigma @ WEIGHTS
    chosen = np.flatnonzero(repeats)
    noise = np.diag((NOISE**2 + severity**2) / repeats[chosen])
    explained = b[chosen] @ np.linalg.solve(sigma[np.ix_(chosen, chosen)] + noise, b[chosen])
    return float(WEIGHTS @ b + 0.25 - explained)


def coverage(severity: float, by: str, samples: int) -> tuple[float, float]:
    """How often the 90% interval contains the true loss of the choice, and its mean width over the true loss."""
    rng = np.random.default_rng(0)
    covered, width = [], []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(samples):
            judgments, y = sample(rng, severity)
            found = bootstrap(MultiSelector(BUDGET), judgments, y, 100, by, 0.9, int(rng.integers(1 << 30)))
            low, high = found.loss_interval
            truth = true_loss(found.selector.repeats_, severity)
            covered.append(low <= truth <= high)
            width.append((high - low) / truth)
    return float(np.mean(covered)), float(np.mean(width))


def correction(severity: float, samples: int) -> tuple[float, float]:
    """Mean true loss of the choice without and with severity correction, when the same workers continue to judge."""
    rng = np.random.default_rng(0)
    losses = []
    with threadpool_limits(1):
        for _ in range(samples):
            judgments, y = sample(rng, severity)
            choices = [
                MultiSelector(BUDGET).fit_arrays(j, y).repeats_ for j in (judgments, correct_severity(judgments))
            ]
            # Severities that are known and subtracted are no longer noise.
            losses.append([true_loss(choices[0], severity), true_loss(choices[1], 0.0)])
    plain, corrected = np.mean(losses, axis=0)
    return float(plain), float(corrected)


def summary(samples: int = 150) -> str:
    """The table of the documentation."""
    rows = []
    for severity in (0.0, 1.0):
        for by in ("objects", "workers", "both"):
            covered, width = coverage(severity, by, samples)
            share = severity**2 / (severity**2 + NOISE**2)
            rows.append(f"| {share:.0%} | {by} | {covered:.0%} | {width:.2f} |")
    plain, corrected = correction(1.0, samples)
    table = "\n".join(rows)
    return f"""{OBJECTS} objects, 6 attributes, {WORKERS} workers, 2 judgments of each cell, {samples} samples:

| share of the disagreement due to severity | resampled | 90% intervals that contain the true loss | mean width / loss |
|---|---|---:|---:|
{table}

Where severity causes half of the disagreement, the true loss of the choice is {plain:.2f} without a correction, and
{corrected:.2f} where the same workers continue to judge and their severities are subtracted."""
