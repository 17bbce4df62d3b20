"""Connections, places, and the clock."""

from __future__ import annotations

import sys
import time

import pytest

from keyhole.errors import StudyError
from keyhole.study.store import connect as module
from keyhole.study.store.connect import clock, connect, url_of


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("", "the place of a study is empty"),
        ("mysql://host/db", "kept in SQLite or PostgreSQL, not in mysql"),
        ("sqlite://", "a study needs a file; one in memory would be lost"),
        ("sqlite:///:memory:", "a study needs a file"),
        ("nonsense://", "is kept in SQLite or PostgreSQL|is no URL"),
    ],
)
def test_wrong_places(place, message):
    with pytest.raises(StudyError, match=message):
        url_of(place)


def test_a_place_without_a_folder_or_that_is_a_folder(tmp_path):
    with pytest.raises(StudyError, match="there is no folder"):
        connect(url_of(tmp_path / "nowhere" / "s.db"))
    with pytest.raises(StudyError, match=r"this is a folder; a study is a file, as .*study\.db"):
        connect(url_of(tmp_path))


def test_a_driver_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StudyError, match=r"the driver .* is not installed.*keyhole\[postgres\]"):
        connect(url_of("postgresql://localhost/clinic"))


def test_network_file_systems_are_refused(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"disk / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    real = module.Path
    monkeypatch.setattr(module, "Path", lambda given: real(mounts if given == "/proc/mounts" else given))
    with pytest.raises(StudyError, match=r"on a network file system \(nfs4\)"):
        connect(url_of(tmp_path / "s.db"))
    mounts.write_text("disk / ext4 rw 0 0\n")
    connect(url_of(tmp_path / "s.db")).dispose()


def test_writes_are_durable_and_the_clock_is_that_of_the_database(tmp_path):
    engine = connect(url_of(tmp_path / "s.db"))
    with engine.connect() as connection:
        for name, wanted in (("synchronous", 2), ("journal_mode", "wal")):
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() == wanted
        assert abs(clock(connection) - time.time()) < 5
    engine.dispose()
