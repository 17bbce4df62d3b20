"""The factor model by the textbook: dense matrices, one row at a time."""

from __future__ import annotations

import numpy as np

from keyhole.moments.factors import NOISE_PRIOR, PRIOR


def one_turn(rows, mean, W, noise):
    """One turn of EM: means, loadings and noise by column."""
    columns, r = W.shape
    mean, W, noise = mean.copy(), W.copy(), noise.copy()
    seen = [[] for _ in range(columns)]
    for t in range(len(rows.start) - 1):
        cells = slice(rows.start[t], rows.start[t + 1])
        which, z = rows.columns[cells], rows.values[cells]
        covariance = np.linalg.inv(np.eye(r) + W[which].T @ np.diag(1 / noise[which]) @ W[which])
        h = covariance @ W[which].T @ np.diag(1 / noise[which]) @ (z - mean[which])
        for i, value in zip(which, z, strict=True):
            seen[i].append((value, h, covariance + np.outer(h, h)))
    for i, observations in enumerate(seen):
        if observations:
            z, h, hh = (np.array(part) for part in zip(*observations, strict=True))
            W[i] = np.linalg.solve(hh.sum(axis=0) + PRIOR * r * np.eye(r), h.T @ (z - mean[i]))
            mean[i] = np.mean(z - h @ W[i])
            deviation = z - mean[i]
            left = np.sum(deviation**2 - 2 * deviation * (h @ W[i]) + np.einsum("a,tab,b->t", W[i], hh, W[i]))
            noise[i] = (left + NOISE_PRIOR * r**2) / (len(z) + NOISE_PRIOR * r**2)
    return mean, W, noise
