"""Where data files are looked for: ``$KEYHOLE_DATA``, then ``~/.cache/keyhole``."""

from __future__ import annotations

import os
from pathlib import Path


def find_file(name: str, what: str) -> Path:
    """The path of a data file; when it is nowhere, an error that says what to put where."""
    folders = [Path(os.environ["KEYHOLE_DATA"])] if os.environ.get("KEYHOLE_DATA") else []
    folders.append(Path.home() / ".cache" / "keyhole")
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    places = " or ".join(str(folder) for folder in folders)
    raise FileNotFoundError(f"{name} is not in {places}. Put there {what}, or set KEYHOLE_DATA to its folder.")
