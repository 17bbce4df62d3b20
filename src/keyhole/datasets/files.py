"""Where data files are looked for: ``$KEYHOLE_DATA``, then ``~/.cache/keyhole``, then OpenML through scikit-learn."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np


def find_file(
    names: str | tuple[str, ...], what: str, fetch: Callable[[], dict[str, np.ndarray]] | None = None
) -> Path:
    """The path of a data file, under the first of its names that is there; else an error that says what to put where.

    ``fetch`` downloads the arrays of an .npz file, which is then kept in ``~/.cache/keyhole`` by the first name.
    """
    names = (names,) if isinstance(names, str) else names
    for folder in folders():
        for name in names:
            if (folder / name).is_file():
                return folder / name
    places = " or ".join(str(folder) for folder in folders())
    missing = f"{' or '.join(names)} is not in {places}"
    advice = f"Put there {what}, or set KEYHOLE_DATA to its folder."
    if fetch is None:
        raise FileNotFoundError(f"{missing}. {advice}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of retries: what failed is said once, below
            arrays = fetch()
    except (OSError, ValueError) as failure:  # no network, no such set, a checksum that is wrong
        raise FileNotFoundError(f"{missing}, and the download failed ({failure}). {advice}") from failure
    return _keep(folders()[-1] / names[0], arrays)


def folders() -> list[Path]:
    """The folders to look in, in this order."""
    given = [Path(os.environ["KEYHOLE_DATA"])] if os.environ.get("KEYHOLE_DATA") else []
    return [*given, Path.home() / ".cache" / "keyhole"]


def _keep(path: Path, arrays: dict[str, np.ndarray]) -> Path:
    """Write the arrays so that the file is whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as half:
        try:
            np.savez_compressed(half, **arrays)  # type: ignore[arg-type]
        except BaseException:
            os.unlink(half.name)
            raise
    os.replace(half.name, path)
    return path
