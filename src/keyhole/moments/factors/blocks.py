"""Cells in the order in which an EM iteration goes through them, and pieces of them for all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from joblib import cpu_count

from ..standard.rows import Rows
from .settings import BLOCK_ROWS, LEAST_PER_PIECE, PIECES

RunPieces = Callable[..., None]


class CellBlocks(NamedTuple):
    """Cells of attributes by row (``start``, ``columns``, ``values``), and the labels; the ``row`` of each cell; the
    ``order`` of cells by block of rows and then by column; and the positions in it at which each piece of a block
    begins, (blocks, pieces + 1)."""

    start: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    labels: np.ndarray
    row: np.ndarray
    order: np.ndarray
    bounds: np.ndarray


def blocks_of(rows: Rows) -> CellBlocks:
    """The cells of some rows, in both orders."""
    n, d, L = rows.n_rows, rows.n_attributes, rows.n_labels
    inside = rows.columns < d
    start = rows.start - L * np.arange(n + 1)
    columns, values = rows.columns[inside], rows.values[inside]
    row = np.repeat(np.arange(n), np.diff(start))
    key = row // BLOCK_ROWS * d + columns
    order = np.argsort(key, kind="stable")
    edges = np.array([first for first, _ in pieces_of(0, d)] + [d])
    blocks = np.arange(-(-n // BLOCK_ROWS))
    bounds = np.searchsorted(key[order], blocks[:, None] * d + edges)
    return CellBlocks(
        start=start, columns=columns, values=values, labels=rows.labels, row=row, order=order, bounds=bounds
    )


def pieces_of(first: int, last: int) -> list[tuple[int, int]]:
    """Even pieces of a range, as many as its length is worth."""
    n = min(max((last - first) // LEAST_PER_PIECE, 1), PIECES)
    edges = np.linspace(first, last, n + 1).astype(int)
    return list(pairwise(edges.tolist()))


@contextmanager
def all_cores() -> Iterator[RunPieces]:
    """Yields run_pieces(kernel, pieces, *arguments), which calls a kernel with each piece in turn, on all cores."""
    cores = cpu_count()
    with ThreadPoolExecutor(cores) as pool:  # compiled code releases the interpreter lock

        def run_pieces(kernel: Callable[..., Any], pieces: list[tuple[Any, ...]], *arguments: Any) -> None:
            run = pool.map if len(pieces) > 1 and cores > 1 else map
            list(run(lambda piece: kernel(*piece, *arguments), pieces))

        yield run_pieces
