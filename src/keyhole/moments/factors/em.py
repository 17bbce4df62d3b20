"""The factor model: attributes and labels as linear functions of a few unobserved factors.

A row's standardised cells, its labels among them, are

    z_i = mean_i + loadings_i' h + noise,   h ~ N(0, I) with r factors,   noise ~ N(0, noise_i),

so the covariance of two different columns is loadings_i' loadings_j. The loadings have a ridge prior, worth
r ``LOADING_PRIOR`` more rows of zeros. EM: per row a system over its own cells, as large as r or their number,
whichever is smaller, gives the mean and covariance of h, which are added up by column; per column a ridge regression on
them.

A block of rows at a time, its rows are shared among the cores, and then its columns, each in a number of pieces that
follows from the data, so the result does not depend on the number of cores. Memory is O(columns r^2 + cells),
whatever the number of rows, and where r factors would need more than ``MAX_BYTES`` there are fewer.

The loadings are estimates, and the noise of an attribute is known only as well as the number of its revealed cells
allows: in the predictor it is larger by ``NOISE_CAUTION`` standard errors of a correlation that rests on them. So two
attributes that hardly differ do not get large weights of opposite signs, and one that was rarely revealed has a small
weight.

The iterations end when one changed the loadings by no more than ``TOLERANCE`` of their size, or after a given number.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...common.progress import steps
from ..standard.joint import JointMoments
from ..standard.rows import Rows
from .blocks import CellBlocks, RunPieces, all_cores, blocks_of, pieces_of
from .e_step import Parameters, Sums, add_to_columns, moments_of_rows
from .m_step import labels_as_prior, rotate_columns, update_columns
from .settings import (
    BLOCK_ROWS,
    LOADING_PRIOR,
    MAX_BYTES,
    NOISE_CAUTION,
    NOISE_PRIOR,
    PIECES,
    START,
    TOLERANCE,
)
from .squarem import Extrapolation


class FactorModel(NamedTuple):
    """Means, loadings, noise and number of cells by column (labels last), the iterations that EM took, and the relative
    change of the loadings in the last one."""

    mean: np.ndarray
    loadings: np.ndarray
    noise: np.ndarray
    counts: np.ndarray
    iterations: int
    change: float = np.nan


def fit_factor_model(
    rows: Rows, rank: int, max_iterations: int, seed: int, start: FactorModel | None = None
) -> FactorModel:
    """EM from small random loadings, or from where an earlier fit ended."""
    state = EMState(rows, affordable_rank(rows.n_columns, rank))
    if start is None:
        state.loadings[:] = START * np.random.default_rng(seed).standard_normal(state.loadings.shape)
    else:
        state.mean[:], state.loadings[:], state.noise[:] = start.mean, start.loadings, start.noise
    state.loadings[state.count == 0] = 0.0
    extrapolation, change = Extrapolation(), np.inf
    with all_cores() as run_pieces, steps("factor model", max_iterations) as step:
        for iteration in range(1, max_iterations + 1):
            before = state.loadings.copy()
            state.iterate(run_pieces)
            size = max(float(np.sum(state.loadings**2)), 1e-300)
            change = float(np.sqrt(np.sum((state.loadings - before) ** 2) / size))
            step()
            if change <= TOLERANCE or iteration == max_iterations:
                break
            state.parameters = extrapolation.next(state.parameters)
    return FactorModel(
        mean=state.mean,
        loadings=state.loadings,
        noise=state.noise,
        counts=state.count,
        iterations=iteration,
        change=change,
    )


def joint_moments_of(model: FactorModel, n_labels: int) -> JointMoments:
    """The moments that a factor model implies, with caution about attributes that were revealed few times."""
    d, rank = len(model.mean) - n_labels, model.loadings.shape[1]
    caution = NOISE_CAUTION / np.sqrt(model.counts[:d] + LOADING_PRIOR * rank)
    return JointMoments(
        mean=model.mean[:d],
        loadings=model.loadings[:d],
        noise=model.noise[:d] + caution,
        label_mean=model.mean[d:],
        label_loadings=model.loadings[d:],
        label_noise=model.noise[d:],
        residual_cross=np.zeros((d, n_labels)),
    )


def affordable_rank(n_columns: int, rank: int) -> int:
    """The largest number of factors, up to ``rank``, of which the packed matrices of all columns fit in MAX_BYTES."""
    while rank > 1 and 4 * n_columns * rank * (rank + 1) > MAX_BYTES:
        rank -= 1
    return rank


class EMState:
    """Cells, the parameters so far, and arrays for what an iteration adds up."""

    def __init__(self, rows: Rows, rank: int) -> None:
        columns, d = rows.n_columns, rows.n_attributes
        self.blocks, size = blocks_of(rows), rank * (rank + 1) // 2
        self.count = np.bincount(rows.columns, minlength=columns).astype(np.float64)
        self.total = np.bincount(rows.columns, rows.values, minlength=columns)
        self.squares = np.bincount(rows.columns, rows.values**2, minlength=columns)
        self.mean, self.noise = np.zeros(columns), np.ones(columns)
        self.loadings = np.zeros((columns, rank))
        self.sums = Sums(np.empty((d, size)), np.empty((d, rank)), np.empty((d, rank)))
        self.rotated = np.empty((d, rank))

    @property
    def parameters(self) -> np.ndarray:
        """Means, loadings and the logarithms of noise, in one vector."""
        return np.concatenate([self.mean, self.loadings.ravel(), np.log(self.noise)])

    @parameters.setter
    def parameters(self, vector: np.ndarray) -> None:
        n = len(self.mean)
        self.mean[:], self.loadings[:] = vector[:n], vector[n:-n].reshape(self.loadings.shape)
        with np.errstate(over="ignore"):  # an extrapolation that went too far is taken back
            self.noise[:] = np.exp(vector[-n:])

    def iterate(self, run_pieces: RunPieces) -> None:
        """One expectation and one maximisation step."""
        d, mean, loadings, noise = len(self.rotated), self.mean, self.loadings, self.noise
        M, inverse, squared, label_rotated = labels_as_prior(loadings[d:], noise[d:])
        run_pieces(rotate_columns, pieces_of(0, d), loadings, inverse, self.rotated)
        now = Parameters(mean[:d], noise[:d], self.rotated, mean[d:], label_rotated)
        of_labels = add_rows(self.blocks, now, self.sums, run_pieces)
        r = loadings.shape[1]
        prior, noise_prior = LOADING_PRIOR * r * squared, NOISE_PRIOR * r * r
        for part, sums in ((slice(d), self.sums), (slice(d, None), of_labels)):
            known = self.count[part], self.total[part], self.squares[part], *sums, prior, noise_prior, M
            pieces = pieces_of(0, len(mean[part]))
            run_pieces(update_columns, pieces, *known, mean[part], loadings[part], noise[part])


def add_rows(blocks: CellBlocks, now: Parameters, sums: Sums, run_pieces: RunPieces) -> Sums:
    """The expectation step: sets the sums of the attributes, and returns those of the labels."""
    (n, L), (r, size) = blocks.labels.shape, (sums.cross.shape[1], sums.products.shape[1])
    for part in sums:
        part[:] = 0.0
    h, P = np.empty((min(n, BLOCK_ROWS), r)), np.empty((min(n, BLOCK_ROWS), size))
    of_piece = Sums(np.zeros((PIECES, size)), np.zeros((PIECES, L, r)), np.zeros((PIECES, r)))
    cells = blocks.start, blocks.columns, blocks.values, blocks.labels
    for block, bounds in enumerate(blocks.bounds):
        offset = block * BLOCK_ROWS
        by_row = pieces_of(offset, min(offset + BLOCK_ROWS, n))
        calls = [(*piece, offset, *cells, now, h, P, *(part[p] for part in of_piece)) for p, piece in enumerate(by_row)]
        run_pieces(moments_of_rows, calls)
        by_column = list(pairwise(bounds))
        run_pieces(
            add_to_columns, by_column, offset, blocks.order, blocks.row, blocks.columns, blocks.values, h, P, sums
        )
    products, cross, factors = (part.sum(axis=0) for part in of_piece)
    return Sums(np.tile(products, (L, 1)), cross, np.tile(factors, (L, 1)))
