"""The order in which an iteration goes through cells, and the pieces of it for all cores."""

import threading
from itertools import pairwise

import numpy as np
import pytest

from keyhole.moments.factors import blocks
from keyhole.moments.factors.blocks import all_cores, blocks_of, pieces_of
from keyhole.moments.factors.settings import LEAST_PER_PIECE, PIECES
from moments.conftest import random_rows


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 1), (5, 300), (2048, 4096), (0, 100_000)])
def test_pieces_cover_a_range_in_order(first, last):
    pieces = pieces_of(first, last)
    assert pieces[0][0] == first
    assert pieces[-1][1] == last
    assert all(one[1] == two[0] for one, two in pairwise(pieces))
    assert len(pieces) <= PIECES
    if len(pieces) > 1:
        assert min(stop - start for start, stop in pieces) >= LEAST_PER_PIECE


def test_cells_of_attributes_and_labels_are_kept_apart_and_in_both_orders(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 8)
    monkeypatch.setattr(blocks, "LEAST_PER_PIECE", 2)
    rows = random_rows(0, 20, 7, 0, 5, n_labels=2)
    found = blocks_of(rows)
    np.testing.assert_array_equal(found.labels, rows.labels)
    for t in range(20):
        mine = slice(found.start[t], found.start[t + 1])
        cells = slice(rows.start[t], rows.start[t + 1] - 2)
        np.testing.assert_array_equal(found.columns[mine], rows.columns[cells])
        np.testing.assert_array_equal(found.values[mine], rows.values[cells])
        assert (found.row[mine] == t).all()
    np.testing.assert_array_equal(np.sort(found.order), np.arange(len(found.values)))
    edges = [0, *(stop for _, stop in pieces_of(0, 7))]
    assert found.bounds.shape == (3, len(edges))
    for block, bounds in enumerate(found.bounds):
        for piece, (low, high) in enumerate(pairwise(bounds)):
            cells = found.order[low:high]
            assert set(found.row[cells] // 8) <= {block}
            columns = found.columns[cells]
            assert (np.diff(columns) >= 0).all()
            assert ((edges[piece] <= columns) & (columns < edges[piece + 1])).all()
    assert found.bounds[0, 0] == 0
    assert found.bounds[-1, -1] == len(found.order)


@pytest.mark.parametrize("cores", [1, 3])
def test_every_piece_is_run_once_with_the_arguments(monkeypatch, cores):
    monkeypatch.setattr(blocks, "cpu_count", lambda: cores)
    done, lock = [], threading.Lock()

    def kernel(first, last, factor):
        with lock:
            done.append((first, last, factor))

    with all_cores() as run_pieces:
        run_pieces(kernel, [(0, 3), (3, 5), (5, 9)], 2.0)
    assert sorted(done) == [(0, 3, 2.0), (3, 5, 2.0), (5, 9, 2.0)]


def test_an_error_in_a_piece_is_not_lost():
    def kernel(first, last):
        raise ZeroDivisionError(first)

    with all_cores() as run_pieces, pytest.raises(ZeroDivisionError):
        run_pieces(kernel, [(0, 1), (1, 2)])
