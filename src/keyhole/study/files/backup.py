"""Backups, and the upgrade of a database's tables, which makes a backup first."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ...errors import StoreError, StudyError
from ..store import schema
from ..store.base import Store, StudyRecord
from ..store.connect import WAIT, connect, copy_sqlite, in_words, place_in_words, url_of
from .beside import written_beside
from .dump import write_dump

UNCHANGED = "Nothing was changed"


class Upgraded(NamedTuple):
    """What became of the tables of a database.

    Attributes
    ----------
    before : str
        The version that they had.
    now : str
        The version that they have.
    backup : str or None
        The file of the backup; None where there was nothing to do.
    """

    before: str
    now: str
    backup: str | None


def backup(store: Store, study: StudyRecord, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Copy a study to a file, while it is in use: a database of SQLite where it is in one, or lines of JSON."""
    place = Path(path)
    if overwrite and place.exists() and _is_the_same(store.address, place):
        raise StudyError(f"{place}: this is the study itself; give the backup another name")
    with written_beside(place, overwrite) as beside:
        if not store.copy_to(beside):
            write_dump(store, study, beside)
    return place


def _is_the_same(address: str, place: Path) -> bool:
    url = url_of(address)
    return url.get_backend_name() == "sqlite" and place.samefile(str(url.database))


def upgrade(place: str | os.PathLike[str], path: str | os.PathLike[str] | None = None) -> Upgraded:
    """Bring the tables of a database to the present version, after a backup; see ``Study.upgrade``."""
    url = url_of(place)
    shown, is_file = place_in_words(url), url.get_backend_name() == "sqlite"
    if is_file and not os.path.exists(str(url.database)):
        raise StudyError(f"{url.database}: there is no such file; give the file of a study")
    engine = connect(url, WAIT)
    try:
        with in_words(shown, UNCHANGED):
            with engine.connect() as connection:
                before, now = schema.version_of(connection), schema.VERSIONS[-1]
                if before not in schema.VERSIONS[:-1]:
                    schema.check_version(connection, shown)  # none of ours, or a newer one
                    return Upgraded(now, now, None)
            if is_file:
                copy = _free_name(f"{url.database}.version-{before}") if path is None else Path(path)
                with written_beside(copy) as beside:
                    copy_sqlite(engine, beside)
            elif path is None:
                raise StoreError(
                    f"{shown}: its tables are of version {before}. Make a backup with pg_dump, and name its file with"
                    " the option --backup; nothing was changed"
                )
            else:
                copy = Path(path)
                if not copy.is_file() or not copy.stat().st_size:
                    raise StoreError(f"{copy}: this is no backup that pg_dump has made; nothing was changed")
            schema.upgrade(engine)
    finally:
        engine.dispose()
    return Upgraded(str(before), now, str(copy))


def _free_name(name: str) -> Path:
    """A name that no file has yet."""
    free, n = Path(name), 1
    while free.exists():
        n += 1
        free = Path(f"{name}-{n}")
    return free
