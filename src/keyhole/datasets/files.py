"""Where data files are searched: ``$KEYHOLE_DATA``, then ``~/.cache/keyhole``, then OpenML through scikit-learn."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..common.atomic import write_whole

_found: list[set[Path]] = []  # one set for each `recorded_files` that is open


def find_file(
    names: str | tuple[str, ...], what: str, fetch: Callable[[], dict[str, np.ndarray]] | None = None
) -> Path:
    """The path of a data file, under the first of its names that is present.

    ``fetch`` downloads the arrays of an .npz file, which is then kept in ``~/.cache/keyhole`` under the first name.
    Where a file is missing and cannot be downloaded, FileNotFoundError says what to put where.
    """
    names = (names,) if isinstance(names, str) else names
    for folder in folders():
        for name in names:
            if (folder / name).is_file():
                return record_file(folder / name)
    places = " or ".join(str(folder) for folder in folders())
    missing = f"{' or '.join(names)} is not in {places}"
    advice = f"Put there {what}, or set KEYHOLE_DATA to its folder."
    if fetch is None:
        raise FileNotFoundError(f"{missing}. {advice}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of retries: a failure is reported once, below
            arrays = fetch()
    except (OSError, ValueError) as failure:  # no network, no such set, a checksum that is wrong
        raise FileNotFoundError(f"{missing}, and the download failed ({failure}). {advice}") from failure
    return record_file(_keep(folders()[-1] / names[0], arrays))


@contextmanager
def recorded_files() -> Iterator[set[Path]]:
    """The data files that are found inside the ``with``, so that their checksums can be kept with results."""
    paths: set[Path] = set()
    _found.append(paths)
    try:
        yield paths
    finally:
        _found[:] = [other for other in _found if other is not paths]


def record_file(path: Path) -> Path:
    """Note that a data file is used, for each `recorded_files` that is open; returns the path."""
    for paths in _found:
        paths.add(path)
    return path


def folders() -> list[Path]:
    """The folders to search, in this order."""
    given = [Path(os.environ["KEYHOLE_DATA"])] if os.environ.get("KEYHOLE_DATA") else []
    return [*given, Path.home() / ".cache" / "keyhole"]


def _keep(path: Path, arrays: dict[str, np.ndarray]) -> Path:
    """Write the arrays so that the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    write_whole(path, content.getvalue())
    return path
