"""Connections to the database of a study, its clock, and its errors in words.

SQLite writes ahead (WAL), waits for the disk at every commit (synchronous=FULL), and takes the lock of a writing
transaction at its beginning (BEGIN IMMEDIATE), so that none fails in the middle. In PostgreSQL a writing transaction
locks the row of its study first. So the writes of one study come one after the other in both.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from ...errors import StoreError, StudyError

WAIT = 30.0  # seconds that a writer waits for the others
NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs", "fuse.glusterfs")
CLOCKS = {
    "sqlite": text("SELECT (julianday('now') - 2440587.5) * 86400.0"),
    "postgresql": text("SELECT extract(epoch FROM clock_timestamp())::double precision"),
}
AGAIN = "Nothing that was acknowledged is lost; to tell the same again does no harm"
NOT_OPENED = "No study was opened"


def url_of(place: str | os.PathLike[str]) -> URL:
    """The URL of a database: a URL as it is, anything else is the path of a SQLite file.

    >>> str(url_of("study.db")), url_of("postgresql://localhost/clinic").drivername
    ('sqlite:///study.db', 'postgresql+psycopg')
    """
    given = os.fspath(place)
    if "://" not in given:
        if not given.strip():
            raise StudyError("the place of a study is empty; give a file (study.db) or a URL (postgresql://host/name)")
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        shown = re.sub("://[^/]*@", "://***@", given)  # without the password
        raise StudyError(f"{shown!r} is no URL of a database, as postgresql://user@host/name is") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in CLOCKS:
        shown = url.render_as_string()  # without the password
        raise StudyError(f"{shown!r}: a study is kept in SQLite or PostgreSQL, not in {url.get_backend_name()}")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise StudyError(f"{given!r}: a study needs a file; one in memory would be lost")
    return url


def file_of(url: URL) -> Path:
    """The file of a SQLite database, also where the URL is one of SQLite's own, as sqlite:///file:study.db?mode=ro&uri=true."""
    name = str(url.database)
    return Path(name.removeprefix("file:") if "uri" in url.query else name)


def place_in_words(url: URL) -> str:
    """A place as people write it: the path of a file, or a URL without its password.

    >>> place_in_words(url_of("study.db")), place_in_words(url_of("postgresql://me:secret@host/clinic"))
    ('study.db', 'postgresql+psycopg://me:***@host/clinic')
    """
    return str(file_of(url)) if url.get_backend_name() == "sqlite" else url.render_as_string()


def check_file(connection: Connection, path: Path) -> None:
    """Raise unless the file that a connection writes to is still at its place: SQLite itself would not notice."""
    if _identity(path) == connection.info.get("file"):
        return
    connection.invalidate()
    raise StoreError(f"{path}: the file is gone, or another one is in its place, and nothing was written. {AGAIN}")


def _identity(path: str | Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect(url: URL, wait: float = WAIT) -> Engine:
    """An engine for a database; nothing is made in it."""
    try:
        if url.get_backend_name() == "sqlite":
            _refuse_network(file_of(url))
            engine = create_engine(url, connect_args={"timeout": wait})
            event.listen(engine, "connect", partial(_prepare_sqlite, file_of(url)))
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": max(int(wait), 1)})
        event.listen(engine, "connect", partial(_prepare_postgresql, wait))
        return engine
    except (NoSuchModuleError, ImportError) as error:
        raise StudyError(
            f"{url.render_as_string()}: the driver of this database is not installed ({error}); for PostgreSQL,"
            " pip install 'keyhole[postgres]'"
        ) from None


def clock(connection: Connection) -> float:
    """The time by the clock of the database, in seconds since 1 January 1970."""
    return float(connection.execute(CLOCKS[connection.dialect.name]).scalar_one())


def copy_sqlite(engine: Engine, path: Path) -> None:
    """Copy a SQLite database to a file, while it is in use: what was committed when the copy began, nothing else."""
    copy = sqlite3.connect(path)
    try:
        with engine.connect() as connection:
            original: Any = connection.connection.driver_connection
            original.backup(copy)  # all pages in one step, so that a writer does not make it begin again
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
    except sqlite3.Error as error:
        raise StoreError(f"{path}: the copy could not be made ({error}); the study is as it was") from error
    finally:
        copy.close()


@contextmanager
def in_words(place: str, then: str = AGAIN) -> Iterator[None]:
    """Errors of the database as ``StoreError``, which says what is wrong and what follows from it."""
    try:
        yield
    except DBAPIError as error:
        said = " ".join(str(error.orig).split())
        raise StoreError(f"{place}: {_why(said, error, then == AGAIN)} ({said}). {then}") from error
    except SQLAlchemyError as error:
        raise StoreError(f"{place}: {' '.join(str(error).split())}. {then}") from error


def _why(said: str, error: DBAPIError, in_use: bool) -> str:
    low = said.lower()
    for words, why in (
        (
            ("database or disk is full", "no space left", "could not extend"),
            "the disk is full, and nothing was written",
        ),
        (("database is locked", "lock timeout"), "another program holds the database, and nothing was written"),
        (("readonly", "read-only", "permission denied"), "the database cannot be written to, and nothing was written"),
        (("not a database", "malformed", "encrypted"), "this file is no database of SQLite, or is damaged"),
        (("unable to open",), "the file cannot be opened"),
        (("no such table", "does not exist"), "the database has no such study, or is damaged"),
    ):
        if any(word in low for word in words):
            return why
    if error.connection_invalidated or "connection" in low or "server closed" in low or "terminat" in low:
        unknown = "; whether the last step was written is not known" if in_use else ""
        return f"the database cannot be reached{unknown}"
    return "the database refuses"


def _prepare_sqlite(path: Path, connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        try:
            cursor.execute(f"PRAGMA {pragma}")
        except Exception:  # a file that cannot be written to may still be read
            if not pragma.startswith("journal_mode"):
                raise
    cursor.close()
    record.info["file"] = _identity(path)


def _prepare_postgresql(wait: float, connection: Any, _record: Any) -> None:
    """A lock is waited for as long as in SQLite; a commit returns when it is on the disk, however the server is set."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {max(round(wait * 1000), 1)}")
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) FROM current_setting('synchronous_commit')"
            " AS now WHERE now = 'off'"
        )
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _refuse_network(path: Path) -> None:
    """SQLite's write-ahead log needs memory that processes share, which network file systems do not have."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise StudyError(f"{path}: there is no folder {folder}")
    if path.is_dir():
        raise StudyError(f"{path}: this is a folder; a study is a file, as {path / 'study.db'}")
    found, longest = "", -1
    try:
        mounts = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return
    for line in mounts:
        _, place, kind, *_ = [*line.split(), "", ""]
        if len(place) > longest and folder.is_relative_to(place.replace("\\040", " ")):
            found, longest = kind, len(place)
    if found in NETWORK:
        raise StudyError(
            f"{path}: this folder is on a network file system ({found}), where SQLite may lose what several programs"
            " write; take a folder of this machine, or PostgreSQL"
        )
