"""The factor model: attributes and labels as loadings of a few unseen factors, fitted to revealed cells alone.

A row's standardised cells, its labels among them, are

    z_i = mean_i + loadings_i' h + noise,   h ~ N(0, I) with r factors,   noise ~ N(0, noise_i),

so the covariance of two different columns is loadings_i' loadings_j. The loadings have a ridge prior, worth
r ``PRIOR`` more rows with nothing but zeros: many factors with a strong prior measured better than few with a
weak one. EM: per row a system over its own cells, as large as r or their number, whichever is smaller, gives the
mean and covariance of h, which are added up by column; per column a ridge regression on them.

A block of rows at a time, its rows are shared among the cores, and then its columns, each in a number of pieces that
follows from the data: so the result does not depend on the number of cores. Memory is O(columns r^2 + cells),
whatever the number of rows, and where r factors would need more than ``ROOM`` there are fewer.

The loadings are estimates, and what an attribute says beyond the factors is not known better than by as many looks
as it had: its noise is taken larger by ``CAUTION`` standard errors of a correlation that rests on them. So attributes
that hardly differ are not played off against each other, and what was seen rarely has little weight.

The turns end when a turn changed the loadings by no more than ``CLOSE`` of their size, or after a given number: on
MNIST at 4 pixels per image twice as many changed the error by less than the noise of the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from joblib import cpu_count

from ..common.progress import steps
from .acceleration import Acceleration
from .expectation import Sums, Turn, add_to_columns, moments_of_rows
from .joint import Joint
from .maximisation import labels_as_prior, turn_columns, update_columns
from .rows import Rows, labels_of

PRIOR = 1.0 / 24.0  # rows per factor: the more factors there are, the less each is trusted
NOISE_PRIOR = 1.0 / 81.0  # times r^2 observations of variance 1: no column is explained without a rest
CAUTION = 2.0
CLOSE = 5e-4
START = 0.1  # size of the first loadings
BLOCK = 2048  # rows whose moments are held at a time
PIECES, LEAST = 8, 128  # of a block, and the rows or columns that are worth a piece
ROOM = 2**28  # bytes of one fit; a comparison of families has several at a time

Share = Callable[..., None]


class Factors(NamedTuple):
    """Means, loadings, noise and number of cells by column (labels last), the turns that it took, and how much the last
    one changed."""

    mean: np.ndarray
    loadings: np.ndarray
    noise: np.ndarray
    times: np.ndarray
    turns: int
    change: float = np.nan


class Table(NamedTuple):
    """Cells of attributes by row, ``start``, ``columns`` and ``values``, and of labels; the ``row`` of each cell;
    their ``order`` by block and then column; and the places in it where a piece of a block begins, (blocks, pieces)."""

    start: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    labels: np.ndarray
    row: np.ndarray
    order: np.ndarray
    bounds: np.ndarray


class Fit:
    """Cells, the parameters so far, and room for what a turn adds up."""

    def __init__(self, rows: Rows, rank: int) -> None:
        columns, d = rows.n_columns, rows.n_attributes
        self.table, size = table_of(rows), rank * (rank + 1) // 2
        self.count = np.bincount(rows.columns, minlength=columns).astype(np.float64)
        self.total = np.bincount(rows.columns, rows.values, minlength=columns)
        self.squares = np.bincount(rows.columns, rows.values**2, minlength=columns)
        self.mean, self.noise = np.zeros(columns), np.ones(columns)
        self.loadings = np.zeros((columns, rank))
        self.sums = Sums(np.empty((d, size)), np.empty((d, rank)), np.empty((d, rank)))
        self.white = np.empty((d, rank))

    @property
    def parameters(self) -> np.ndarray:
        """Means, loadings and the logarithms of noise, in one row."""
        return np.concatenate([self.mean, self.loadings.ravel(), np.log(self.noise)])

    @parameters.setter
    def parameters(self, row: np.ndarray) -> None:
        n = len(self.mean)
        self.mean[:], self.loadings[:] = row[:n], row[n:-n].reshape(self.loadings.shape)
        with np.errstate(over="ignore"):  # a step that went too far is taken back
            self.noise[:] = np.exp(row[-n:])

    def turn(self, share: Share) -> None:
        """One turn of EM."""
        d, mean, loadings, noise = len(self.white), self.mean, self.loadings, self.noise
        M, inverse, squared, label_white = labels_as_prior(loadings[d:], noise[d:])
        share(turn_columns, _pieces(0, d), loadings, inverse, self.white)
        now = Turn(mean[:d], noise[:d], self.white, mean[d:], label_white)
        of_labels = add_rows(self.table, now, self.sums, share)
        r = loadings.shape[1]
        prior, noise_prior = PRIOR * r * squared, NOISE_PRIOR * r * r
        for part, sums in ((slice(d), self.sums), (slice(d, None), of_labels)):
            known = self.count[part], self.total[part], self.squares[part], *sums, prior, noise_prior, M
            share(update_columns, _pieces(0, len(mean[part])), *known, mean[part], loadings[part], noise[part])


def fit_factors(rows: Rows, rank: int, most_turns: int, seed: int, start: Factors | None = None) -> Factors:
    """EM from small random loadings, or from where an earlier one ended."""
    fit = Fit(rows, affordable_rank(rows.n_columns, rank))
    if start is None:
        fit.loadings[:] = START * np.random.default_rng(seed).standard_normal(fit.loadings.shape)
    else:
        fit.mean[:], fit.loadings[:], fit.noise[:] = start[:3]
    fit.loadings[fit.count == 0] = 0.0
    faster, change = Acceleration(), np.inf
    with _cores() as share, steps("factors", most_turns) as step:
        for turn in range(1, most_turns + 1):
            before = fit.loadings.copy()
            fit.turn(share)
            size = max(float(np.sum(fit.loadings**2)), 1e-300)
            change = float(np.sqrt(np.sum((fit.loadings - before) ** 2) / size))
            step()
            if change <= CLOSE or turn == most_turns:
                break
            fit.parameters = faster.next(fit.parameters)
    return Factors(fit.mean, fit.loadings, fit.noise, fit.count, turn, change)


def affordable_rank(columns: int, rank: int) -> int:
    """At most so many factors that the packed matrices of all columns fit in ROOM."""
    while rank > 1 and 4 * columns * rank * (rank + 1) > ROOM:
        rank -= 1
    return rank


def table_of(rows: Rows) -> Table:
    """The cells in the orders that a turn goes through."""
    n, d, L = len(rows.start) - 1, rows.n_attributes, rows.n_labels
    inside = rows.columns < d
    start = rows.start - L * np.arange(n + 1)
    columns, values = rows.columns[inside], rows.values[inside]
    row = np.repeat(np.arange(n), np.diff(start))
    key = row // BLOCK * d + columns
    order = np.argsort(key, kind="stable")
    edges = np.array([first for first, _ in _pieces(0, d)] + [d])
    blocks = np.arange(-(-n // BLOCK))
    bounds = np.searchsorted(key[order], blocks[:, None] * d + edges)
    return Table(start, columns, values, labels_of(rows), row, order, bounds)


def add_rows(table: Table, now: Turn, sums: Sums, share: Share) -> Sums:
    """The expectation step: sets the sums of the attributes, and returns those of the labels."""
    (n, L), (r, size) = table.labels.shape, (sums.cross.shape[1], sums.products.shape[1])
    for part in sums:
        part[:] = 0.0
    h, P = np.empty((min(n, BLOCK), r)), np.empty((min(n, BLOCK), size))
    mine = Sums(np.zeros((PIECES, size)), np.zeros((PIECES, L, r)), np.zeros((PIECES, r)))
    cells = table.start, table.columns, table.values, table.labels
    for block, bounds in enumerate(table.bounds):
        offset = block * BLOCK
        by_row = _pieces(offset, min(offset + BLOCK, n))
        jobs = [(*piece, offset, *cells, now, h, P, *(part[p] for part in mine)) for p, piece in enumerate(by_row)]
        share(moments_of_rows, jobs)
        cut = list(pairwise(bounds))
        share(add_to_columns, cut, offset, table.order, table.row, table.columns, table.values, h, P, sums)
    products, cross, factors = (part.sum(axis=0) for part in mine)
    return Sums(np.tile(products, (L, 1)), cross, np.tile(factors, (L, 1)))


def joint_of(factors: Factors, n_labels: int) -> Joint:
    """The second moments that factors imply, with caution about attributes that were seen few times."""
    d, rank = len(factors.mean) - n_labels, factors.loadings.shape[1]
    by_part = [part for whole in factors[:3] for part in (whole[:d], whole[d:])]
    mean, label_mean, loadings, label_loadings, noise, label_noise = by_part
    noise = noise + CAUTION / np.sqrt(factors.times[:d] + PRIOR * rank)
    return Joint(mean, loadings, noise, label_mean, label_loadings, label_noise, np.zeros((d, n_labels)))


def _pieces(first: int, last: int) -> list[tuple[int, int]]:
    """Even pieces of a range, as many as its length is worth."""
    n = min(max((last - first) // LEAST, 1), PIECES)
    edges = np.linspace(first, last, n + 1).astype(int)
    return list(pairwise(edges.tolist()))


@contextmanager
def _cores() -> Iterator[Share]:
    """Yields share(kernel, pieces, *arguments), which calls a kernel with each piece in turn, on all cores."""
    cores = cpu_count()
    with ThreadPoolExecutor(cores) as pool:  # compiled code lets go of the interpreter lock

        def share(kernel: Callable[..., Any], pieces: list[tuple[Any, ...]], *arguments: Any) -> None:
            run = pool.map if len(pieces) > 1 and cores > 1 else map
            list(run(lambda piece: kernel(*piece, *arguments), pieces))

        yield share
