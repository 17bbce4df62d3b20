"""A file that is written beside its place and put there when it is whole; over another one only on request."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...errors import StudyError

# What SQLite keeps beside a database that is in use, or was when its program ended.
LOGS = ("-wal", "-shm", "-journal")


@contextmanager
def written_beside(path: str | os.PathLike[str], overwrite: bool = False) -> Iterator[Path]:
    """Yield the path of a file to write; at the end, unless there was an error, it is put in its place."""
    place = checked_place(path, overwrite)
    folder = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    beside = folder / place.name
    try:
        yield beside
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        _put(beside, place, overwrite)
    finally:
        for name in ("", *LOGS):
            with suppress(FileNotFoundError):
                os.unlink(f"{beside}{name}")
        folder.rmdir()


def checked_place(path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """The path of a file that may be written."""
    place = Path(path)
    if not place.absolute().parent.is_dir():
        raise StudyError(f"{place}: there is no folder {place.absolute().parent}")
    if place.is_dir():
        raise StudyError(f"{place}: this is a folder; give the name of a file")
    if place.exists() and not overwrite:
        raise _is_there(place)
    for log in LOGS:
        # A log that is left of another database would be taken for one of the new file.
        if Path(f"{place}{log}").exists():
            raise StudyError(
                f"{place}: there is a {place}{log}, so a database of that name is in use; take another name"
            )
    return place


def _put(beside: Path, place: Path, overwrite: bool) -> None:
    if overwrite:
        os.replace(beside, place)
    else:
        try:
            os.link(beside, place)  # unlike a renaming, it never replaces a file that has come meanwhile
        except FileExistsError:
            raise _is_there(place) from None
        except OSError:  # a file system without links
            if place.exists():
                raise _is_there(place) from None
            os.replace(beside, place)
    with suppress(OSError):  # not every system lets a folder be opened
        handle = os.open(place.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_there(place: Path) -> StudyError:
    return StudyError(
        f"{place}: there is such a file already, and it was left as it is; take another name, or overwrite"
    )
