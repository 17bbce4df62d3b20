"""Measures the honest risk and the intervals of coefficients, and writes tables into docs/evidence.md.

    python benchmarks/keyhole/risk.py risk-coverage --runs 200
    python benchmarks/keyhole/risk.py risk-mnist --splits 3 --budgets 4 16
    python benchmarks/keyhole/risk.py coef-coverage --runs 50

Without names all of them are measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from rich.progress import track

import keyhole as kh
from keyhole.datasets import mnist_pair
from keyhole.moments.honest.fold_losses import all_folds, losses_of_fold
from keyhole.moments.honest.inclusion import pairs_of_columns, singles_of_columns
from keyhole.moments.honest.risk import RiskInterval, interval_of
from keyhole.moments.standard.joint import JointMoments
from keyhole.moments.standard.scales import Scales

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, split_data, write_named

ATTRIBUTES, FACTORS, EXAMPLES, BUDGET = 20, 3, 1000, 4
EVERY = 5  # runs; the interval with the true moments takes as long as the interval itself
FRESH = 200_000  # examples that true errors and true moments are taken from
LOADINGS = np.random.default_rng(0).normal(size=(ATTRIBUTES, FACTORS))
WEIGHTS = 0.8 ** np.arange(ATTRIBUTES) * np.where(np.arange(ATTRIBUTES) % 2, -1.0, 1.0)


def correlated(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian attributes that share three factors, and a label from the factors."""
    h = rng.normal(size=(n, FACTORS))
    X = h @ LOADINGS.T + 0.7 * rng.normal(size=(n, ATTRIBUTES))
    return X, h @ [1.0, -1.0, 0.5] + 0.5 * rng.normal(size=n)


def heavy(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Independent attributes with the tails of Student's distribution of 6 degrees; weights that fall off."""
    X = rng.standard_t(6, size=(n, ATTRIBUTES))
    return X, X @ WEIGHTS + rng.normal(size=n)


def binary(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Yes or no, attributes (rare ones among them) and label, from three factors."""
    h = rng.normal(size=(n, FACTORS))
    X = h @ LOADINGS.T + 0.7 * rng.normal(size=(n, ATTRIBUTES)) > np.linspace(-2.0, 2.0, ATTRIBUTES)
    return X.astype(float), np.where(h @ [1.0, -1.0, 0.5] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


SETS = {"correlated, Gaussian": correlated, "independent, heavy tails": heavy, "correlated, yes or no": binary}


def fresh_examples(make) -> tuple[np.ndarray, np.ndarray]:
    """What true errors and true moments are taken from."""
    return make(FRESH, np.random.default_rng(10**6))


def moments_of(X: np.ndarray, y: np.ndarray) -> tuple[JointMoments, Scales]:
    """The means and covariances of columns and label in the form of a model."""
    both, d = np.column_stack([X, y]), X.shape[1]
    mean, covariance = both.mean(axis=0), np.cov(both.T)
    values, vectors = np.linalg.eigh(covariance[:d, :d])
    loadings = vectors * np.sqrt(np.maximum(values, 0.0))
    joint = JointMoments(
        mean=np.zeros(d),
        loadings=loadings,
        noise=np.zeros(d),
        label_mean=np.zeros(1),
        label_loadings=np.zeros((1, d)),
        label_noise=covariance[d:, d],
        residual_cross=covariance[:d, d:],
    )
    return joint, Scales(mean[:d], np.ones(d), mean[d:], np.ones(1))


def with_true_moments(learner, X: np.ndarray, y: np.ndarray) -> RiskInterval:
    """The same interval, of the same predictors, with the moments of fresh examples in place of those of fold fits."""
    data, fits = learner._training(), learner._fold_fits()
    cells, pairs, inclusion = data.as_revealed, pairs_of_columns(data), singles_of_columns(data)
    predictors = np.array([[np.append(fit.coef[0], fit.intercept[0]) for fit in fits.fits]])
    losses = []
    for f, fit in enumerate(fits.fits):
        values = fit.scales.values  # the columns that this fit made of the attributes
        held_out = values.of_cells(cells.rows_of(fits.fold == f))
        losses.append(losses_of_fold(f, predictors, moments_of(values.of_table(X), y), held_out, pairs, inclusion))
    return interval_of(all_folds(losses, fits.fold), cells.designs, float(data.labels.var()))


def coverage_table(runs: int) -> str:
    lines = [
        f"| data | true error | mean estimate | mean standard error | 95% intervals that contain it, {runs} runs"
        " | width, relative to that with the true moments |",
        "|---|---|---|---|---|---|",
    ]
    for name, make in SETS.items():
        fresh, labels = fresh_examples(make)
        found, widths = np.empty((runs, 4)), []
        for run in track(range(runs), name):
            X, y = make(EXAMPLES, np.random.default_rng(1000 + run))
            learner = kh.KeyholeRegressor(BUDGET, random_state=run).fit(X, y)
            risk = learner.risk_interval_
            truth = np.mean((learner.predict(fresh) - labels) ** 2)
            found[run] = truth, risk.estimate, risk.standard_error, risk.low <= truth <= risk.high
            if run % EVERY == 0:
                widths.append(risk.standard_error / with_true_moments(learner, fresh, labels).standard_error)
        truth, estimate, error, held = found.mean(axis=0)
        lines.append(
            f"| {name} | {truth:.3f} | {estimate:.3f} | {error:.3f} | {held:.1%}"
            f" | {np.mean(widths):.2f}, at most {max(widths):.2f} in {len(widths)} runs |"
        )
        print(lines[-1], f"spread of the estimate about the truth: {np.std(found[:, 1] - found[:, 0]):.3f}")
    return "\n".join(lines)


def mnist_table(splits: int, budgets: list[int]) -> str:
    X, y = mnist_pair(3, 5)
    lines = [
        "| budget | split | test error | estimate | standard error | relative difference | 95% interval | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for budget in budgets:
        for split in track(range(10, 10 + splits), f"MNIST, budget {budget}"):
            X_train, y_train, X_test, y_test = split_data(X, y, split)
            learner = kh.KeyholeRegressor(budget, random_state=split).fit(X_train, y_train)
            truth = float(np.mean((learner.predict(X_test) - y_test) ** 2))
            begun = time.perf_counter()
            risk = learner.risk_interval_
            seconds = time.perf_counter() - begun
            interval = f"{risk.low:.3f} to {risk.high:.3f}" + (" (wide)" if risk.too_wide else "")
            lines.append(
                f"| {budget} | {split} | {truth:.3f} | {risk.estimate:.3f} | {risk.standard_error:.3f}"
                f" | {risk.estimate / truth - 1:+.0%} | {interval} | {seconds:.0f} |"
            )
            print(lines[-1], flush=True)
    return "\n".join(lines)


def coef_table(runs: int) -> str:
    """An interval is for the mean coefficient over all runs; that of the best linear predictor is beside it.

    Values are raw, so that coefficients of all runs belong to the same columns.
    """
    lines = [
        f"| data | standard deviation over {runs} runs | bootstrap standard error, median over runs | the largest |"
        " 90% intervals that contain the mean coefficient | that of the best linear predictor |",
        "|---|---|---|---|---|---|",
    ]
    for name, make in SETS.items():
        covariance = np.cov(np.column_stack(fresh_examples(make)).T)
        best = np.linalg.solve(covariance[:-1, :-1], covariance[:-1, -1])
        found = []
        for run in track(range(runs), name):
            X, y = make(EXAMPLES, np.random.default_rng(2000 + run))
            learner = kh.KeyholeRegressor(BUDGET, values="raw", random_state=run).fit(X, y)
            interval = learner.coef_interval(n_bootstrap=50, random_state=0)
            found.append((interval.coef, interval.low, interval.high, interval.standard_error))
        coef, low, high, error = np.swapaxes(found, 0, 1)
        spread = np.sqrt(np.mean(coef.var(axis=0, ddof=1)))
        held = [np.mean((low <= target) & (target <= high)) for target in (coef.mean(axis=0), best)]
        of_runs = np.sqrt(np.mean(error**2, axis=1))
        errors = f"{np.median(of_runs):.4f} | {of_runs.max():.3g}"
        lines.append(f"| {name} | {spread:.4f} | {errors} | {held[0]:.1%} | {held[1]:.1%} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    makers = {
        "risk-coverage": lambda: coverage_table(given.runs),
        "risk-mnist": lambda: mnist_table(given.splits, given.budgets),
        "coef-coverage": lambda: coef_table(given.runs),
    }
    parser.add_argument("tables", nargs="*", metavar="table", help=f"of {', '.join(makers)}; all if none is named")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--budgets", type=int, nargs="+", default=[4, 16])
    given = parser.parse_args()
    write_named(EVIDENCE, makers, given.tables, parser)
