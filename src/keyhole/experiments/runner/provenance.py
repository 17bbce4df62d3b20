"""Where numbers come from: the version and a hash of the code, checksums of data files, the date and the machine."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..._version import __version__
from ...datasets.files import recorded_files

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")
SHORT = 12  # digits of a hash in a caption


@cache
def code_hash(folder: Path | None = None) -> str:
    """The SHA-256 of all .py files of the installed package (or of a folder), with their paths in it.

    >>> len(code_hash())
    64
    """
    folder = folder or Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def file_checksums(load: Callable[[], object]) -> dict[str, str]:
    """Call a function that loads data, and return the SHA-256 of each data file that it found, by the file's name."""
    with recorded_files() as paths:
        load()
    return {path.name: _checksum(path, path.stat().st_mtime_ns) for path in sorted(paths)}


@cache
def _checksum(path: Path, changed_ns: int) -> str:
    """The SHA-256 of a file, computed again when the file has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code() -> dict[str, str]:
    """The version of Keyhole and the hash of its code."""
    return {"keyhole": __version__, "code": code_hash()}


def this_run() -> dict[str, Any]:
    """The date (UTC), the processor, the number of its cores, and the versions of Python and of packages."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def runs_in_words(runs: list[dict[str, Any]]) -> list[str]:
    """When something was run, on which machine and with which versions: a sentence for each machine and versions.

    >>> runs_in_words([{"date": "Monday", "cores": 2}, {"date": "Tuesday", "cores": 2}])[0][:26]
    'Monday; Tuesday: 2 cores o'
    """
    dates: dict[str, list[str]] = {}
    for run in runs:
        dates.setdefault(_place_in_words(run), []).append(run.get("date", "date unknown"))
    return [f"{'; '.join(when)}: {place}" for place, when in dates.items()]


def _place_in_words(run: dict[str, Any]) -> str:
    names = {"scikit-learn": "scikit-learn", "numpy": "NumPy", "scipy": "SciPy", "numba": "Numba"}
    versions = ", ".join(f"{names[name]} {run.get(name, 'unknown')}" for name in PACKAGES)
    return (
        f"{run.get('cores', 'unknown number of')} cores of"
        f" {run.get('processor', 'an unknown processor')}, Python {run.get('python', 'unknown')}, {versions}."
    )


def _processor() -> str:
    """The model of the processor, as far as the system tells it; never the name of the host."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
