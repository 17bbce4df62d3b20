"""Predictions in files and streams."""

import io
import sys

import numpy as np
import pytest
from pyarrow import parquet

from keyhole.observe.predictions import write_predictions


def test_csv(tmp_path):
    stream = io.StringIO()
    write_predictions(np.array([0.1, 1 / 3]), stream)
    write_predictions(np.array([0.1, 1 / 3]), tmp_path / "p.csv")
    assert stream.getvalue() == (tmp_path / "p.csv").read_text() == f"prediction\n0.1\n{1 / 3!r}\n"


def test_parquet(tmp_path):
    write_predictions(np.array([0.1, 1e300]), tmp_path / "p.parquet")
    assert parquet.read_table(tmp_path / "p.parquet").to_pydict() == {"prediction": [0.1, 1e300]}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_failure_leaves_the_earlier_file(suffix, tmp_path):
    path = tmp_path / f"p{suffix}"
    write_predictions(np.ones(2), path)
    before = path.read_bytes()
    with pytest.raises((TypeError, ValueError)):
        write_predictions([1.0, object()], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_other_formats_and_a_missing_package(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"p.xlsx: a table is a .csv or a .parquet file"):
        write_predictions(np.ones(1), tmp_path / "p.xlsx")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "keyhole\[data\]"'):
        write_predictions(np.ones(1), tmp_path / "p.parquet")
