"""How the attributes of a pilot go together: Keyhole's factor model of their normal scores, label included.

The number of factors is the one with the largest likelihood of held-out examples: too many would make attributes
look more alike than they are, and too few less. Missing cells of a partial pilot are drawn from the model
given the cells that are there and the label.
"""

from __future__ import annotations

import numpy as np

from ...moments.factors import FactorModel, fit_factor_model
from ...moments.standard.rows import Rows

NUMBERS_OF_FACTORS = (1, 2, 4, 6, 9, 13, 18, 26)
FOLDS, ITERATIONS = 3, 60


def best_factor_model(scores: np.ndarray, labels: np.ndarray, seed: int) -> FactorModel:
    """The factor model of standardised scores, with NaN for missing cells, and of standardised labels, which come last.

    Attributes that have nothing in common get loadings of 0.
    """
    table = np.column_stack([scores, labels])
    present = ~np.isnan(table)
    most = max(1, min(scores.shape[1] // 2, len(table) // 2, round(present.sum() / len(table))))
    fold = np.random.default_rng(seed).permutation(len(table)) % FOLDS
    best, likelihood = 0, _held_out(table, fold, 0, seed)
    for rank in (number for number in NUMBERS_OF_FACTORS if number <= most):
        now = _held_out(table, fold, rank, seed)
        if now > likelihood:
            best, likelihood = rank, now
    return _fitted(table, best, seed)


def drawn_completion(
    scores: np.ndarray, labels: np.ndarray, model: FactorModel, rng: np.random.Generator
) -> np.ndarray:
    """The scores with each missing cell drawn given those of its row and its label."""
    table, missing = np.column_stack([scores, labels]), np.isnan(scores)
    filled = scores.copy()
    for t in np.flatnonzero(missing.any(axis=1)):
        seen = ~np.isnan(table[t])
        W, noise = model.loadings[seen], model.noise[seen]
        covariance = np.linalg.inv(np.eye(W.shape[1]) + (W.T / noise) @ W)
        mean = covariance @ (W.T @ ((table[t, seen] - model.mean[seen]) / noise))
        factors = mean + np.linalg.cholesky(covariance) @ rng.standard_normal(len(mean))
        own = np.flatnonzero(missing[t])
        noises = rng.standard_normal(len(own)) * np.sqrt(model.noise[own])
        filled[t, own] = model.mean[own] + model.loadings[own] @ factors + noises
    return filled


def _fitted(table: np.ndarray, rank: int, seed: int) -> FactorModel:
    present = ~np.isnan(table)
    start = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    rows = Rows(start, np.nonzero(present)[1], table[present], table.shape[1], 1)
    if rank == 0:
        d = table.shape[1]
        return FactorModel(np.zeros(d), np.zeros((d, 1)), np.ones(d), present.sum(axis=0).astype(np.float64), 0)
    return _with_spread_of_factors(table, fit_factor_model(rows, rank, ITERATIONS, seed))


def _with_spread_of_factors(table: np.ndarray, model: FactorModel) -> FactorModel:
    """Loadings that take over the variances of the factors of the rows, which a prior on loadings makes larger than 1.

    Without it, the attributes of a simulated study would have less in common than those of the pilot.
    """
    r = model.loadings.shape[1]
    second = np.zeros((r, r))
    for row in table:
        seen = ~np.isnan(row)
        W, noise = model.loadings[seen], model.noise[seen]
        covariance = np.linalg.inv(np.eye(r) + (W.T / noise) @ W)
        mean = covariance @ (W.T @ ((row[seen] - model.mean[seen]) / noise))
        second += covariance + np.outer(mean, mean)
    return model._replace(loadings=model.loadings @ np.linalg.cholesky(second / len(table)))


def _held_out(table: np.ndarray, fold: np.ndarray, rank: int, seed: int) -> float:
    """The log-likelihood of each row given a model of the other folds, added up; without what does not depend on it."""
    total = 0.0
    for f in range(FOLDS):
        model = _fitted(table[fold != f], rank, seed)
        for row in table[fold == f]:
            seen = ~np.isnan(row)
            W, noise = model.loadings[seen], model.noise[seen]
            z = row[seen] - model.mean[seen]
            inner = np.eye(W.shape[1]) + (W.T / noise) @ W
            projected = W.T @ (z / noise)
            fit = np.sum(z**2 / noise) - projected @ np.linalg.solve(inner, projected)
            total -= 0.5 * (np.linalg.slogdet(inner)[1] + np.sum(np.log(noise)) + fit)
    return total
