"""The file that a model is kept in: one JSON document and numbered arrays, in NumPy's ``.npz`` format.

Reading it runs no code from the file: JSON holds plain values only, and arrays are read with ``allow_pickle=False``.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..common.atomic import write_whole

DOCUMENT = "document"
UNREADABLE = (zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, OSError, KeyError, NotImplementedError)
NOT_WHOLE = "not a whole Keyhole model file (was it cut short?)"


class Container(NamedTuple):
    """A document of plain values, and the arrays that it refers to by name."""

    document: dict[str, Any]
    arrays: dict[str, np.ndarray]


def write_container(path: str | Path, container: Container) -> None:
    """Write the file whole, or not at all."""
    text = json.dumps(container.document, allow_nan=False)
    buffer = io.BytesIO()
    encoded = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez_compressed(buffer, allow_pickle=False, **{DOCUMENT: encoded}, **container.arrays)
    write_whole(path, buffer.getvalue())


def is_container(content: bytes) -> bool:
    """Whether a file begins as a zip archive does, which is what ``.npz`` is."""
    return content[:2] == b"PK"


def read_container(content: bytes) -> Container:
    """The document and the arrays of a file; a ValueError says what is wrong with it."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise ValueError("it holds a pickled array, which could run code when loaded; it is not read") from None
        raise ValueError(f"{NOT_WHOLE}: {error}") from None
    except UNREADABLE as error:
        raise ValueError(f"{NOT_WHOLE}: {error}") from None
    encoded = arrays.pop(DOCUMENT, None)
    if encoded is None or encoded.dtype != np.uint8 or encoded.ndim != 1:
        raise ValueError("not a Keyhole model: the archive holds no document")
    try:
        document = json.loads(encoded.tobytes().decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its document is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise ValueError("not a Keyhole model: its document has no named parts")
    return Container(document, arrays)


def refuse_constant(constant: str) -> NoReturn:
    """NaN and infinity are not JSON."""
    raise ValueError(f"{constant} is not JSON")
