"""Predictions as a file with one column."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from ..common.atomic import write_whole
from .formats import import_pyarrow, is_csv


def write_predictions(predictions: Iterable[float], to: Path | TextIO) -> None:
    """Write one column, ``prediction``, to a ``.csv`` or ``.parquet`` file or, as CSV, to an open stream.

    >>> import sys
    >>> write_predictions([0.5, 2.0], sys.stdout)
    prediction
    0.5
    2.0
    """
    if not isinstance(to, Path):
        to.write("prediction\n")
        to.writelines(f"{float(value)!r}\n" for value in predictions)
        return
    if is_csv(to):
        text = io.StringIO()
        write_predictions(predictions, text)
        write_whole(to, text.getvalue())
    else:
        arrow, parquet = import_pyarrow(to)
        data = io.BytesIO()
        parquet.write_table(arrow.table({"prediction": predictions}), data)
        write_whole(to, data.getvalue())
