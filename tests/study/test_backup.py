"""Backups while a study is in use, and upgrades of its tables."""

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text

import keyhole as kh
from keyhole.study.store import schema
from study.small_clinic import facts_of, new_study, told_study

OLD = Path(__file__).parent / "data" / "version_0001.db"
# The migration of a version that does not exist yet.
NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade():
    op.add_column("keyhole_study", sa.Column("note", sa.Text()))
"""


def version_in(path):
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM keyhole_schema_version")).scalar_one()
    engine.dispose()
    return found


@pytest.fixture
def old(tmp_path):
    """A copy of a database that was made when version 0001 was the newest."""
    shutil.copy(OLD, tmp_path / "old.db")
    return tmp_path / "old.db"


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """As if this Keyhole knew a version more; a function writes its migration."""

    def write(migration=NEXT):
        folder = tmp_path / "migrations"
        shutil.copytree(schema.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "v0002.py").write_text(migration)
        monkeypatch.setattr(schema, "MIGRATIONS", folder)
        monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, "0002"))

    return write


def test_a_backup_is_a_study(tmp_path):
    study = told_study(tmp_path / "study.db", n=10)
    assert study.backup(tmp_path / "copy.db") == tmp_path / "copy.db"
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    copy = kh.Study.open(tmp_path / "copy.db")
    assert copy.verify() == []
    assert facts_of(copy) == facts_of(study)


def test_a_backup_replaces_nothing_unless_asked(tmp_path):
    study = new_study(tmp_path / "study.db", n=1)
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(kh.StudyError, match=r"copy\.db: there is such a file already, and it was left as it is"):
        study.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"
    study.backup(tmp_path / "copy.db", overwrite=True)
    assert kh.Study.open(tmp_path / "copy.db").verify() == []
    for path, message in [
        (tmp_path / "study.db", "this is the study itself"),
        (tmp_path, "this is a folder"),
        (tmp_path / "no" / "copy.db", "there is no folder"),
    ]:
        with pytest.raises(kh.StudyError, match=message):
            study.backup(path, overwrite=True)
    (tmp_path / "used.db-wal").write_text("")
    with pytest.raises(kh.StudyError, match="a database of that name is in use"):
        study.backup(tmp_path / "used.db")
    assert study.verify() == []


def test_a_backup_while_others_write(tmp_path):
    study = new_study(tmp_path / "study.db", n=0, total=None)
    done = threading.Event()

    def write():
        other, i = kh.Study.open(tmp_path / "study.db", renewals="by hand"), 0
        while not done.is_set():
            other.tell(other.ask(f"q{i}"), {"age": i}, label=i)
            i += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for i in range(5):
            copy = kh.Study.open(study.backup(tmp_path / f"{i}.db"))
            assert copy.verify() == []
    finally:
        done.set()
        writer.join()
    assert study.status()["examples"] > 0
    assert study.verify() == []


@pytest.mark.filterwarnings("ignore:KeyholeRegressor")
def test_a_database_of_version_0001_opens(old):
    study = kh.Study.open(old, renewals="by hand")
    assert study.verify() == []
    counts = study.status()
    assert {name: counts[name] for name in ("examples", "done", "labels", "learned from", "queued", "events")} == {
        "examples": 16,
        "done": 15,
        "labels": 14,
        "learned from": 14,
        "queued": 1,
        "events": counts["values"] + 14 + 16 + 15 + 1,
    }
    assert study.settings["seed"] == 7
    with study.store.snapshot(study.record) as now:
        assert [one["name"] for one in now.people()] == ["owner", "anna"]
    model = study.model()
    assert model.observed_.n_examples == 14
    assert np.isfinite(model.coef_).all()
    assert study.ask().example == "p15"
    assert study.verify() == []


def test_nothing_is_done_where_the_version_is_right(old):
    assert kh.Study.upgrade(old) == ("0001", "0001", None)
    assert [path.name for path in old.parent.iterdir() if "old" in path.name] == ["old.db"]


def test_an_older_version_is_upgraded_after_a_backup(old, next_version):
    next_version()
    with pytest.raises(kh.StoreError, match="version 0001, and this Keyhole works with version 0002; keyhole study"):
        kh.Study.open(old)
    done = kh.Study.upgrade(old)
    assert done == ("0001", "0002", f"{old}.version-0001")
    assert (version_in(old), version_in(done.backup)) == ("0002", "0001")
    study = kh.Study.open(old, renewals="by hand")
    assert study.verify() == []
    assert study.status()["learned from"] == 14


def test_an_upgrade_that_fails_changes_nothing(old, next_version):
    next_version(NEXT + "    raise RuntimeError('no')\n")
    with pytest.raises(RuntimeError, match="no"):
        kh.Study.upgrade(old)
    assert version_in(old) == "0001"
    engine = create_engine(f"sqlite:///{old}")
    with engine.connect() as connection:
        columns = [row[1] for row in connection.execute(text("PRAGMA table_info(keyhole_study)"))]
    assert "note" not in columns
    engine.dispose()


def test_on_a_server_an_upgrade_needs_the_file_of_a_backup(postgres, tmp_path, next_version):
    place = postgres.new_database()
    study = kh.Study.create(place, "s", ["a", "b", "c"], budget=2, seed=0, renewals="by hand")
    ask = study.ask("p1")
    study.tell(ask, dict.fromkeys(ask.names, 1.0), label=2.0)
    study.close()
    next_version()
    with pytest.raises(kh.StoreError, match=r"Make a backup with pg_dump.*nothing was changed"):
        kh.Study.upgrade(place)
    copy = tmp_path / "backup.sql"
    with pytest.raises(kh.StoreError, match="no backup that pg_dump has made; nothing was changed"):
        kh.Study.upgrade(place, copy)
    with pytest.raises(kh.StoreError, match="version 0001, and this Keyhole works with version 0002"):
        kh.Study.open(place)
    copy.write_text("-- a dump")
    assert kh.Study.upgrade(place, copy) == ("0001", "0002", str(copy))
    again = kh.Study.open(place, renewals="by hand")
    assert again.status()["values"] == 2
    assert again.verify() == []
    again.close()


def test_the_backup_of_an_upgrade_replaces_nothing(old, next_version):
    next_version()
    Path(f"{old}.version-0001").write_text("mine")
    assert kh.Study.upgrade(old).backup == f"{old}.version-0001-2"
    assert Path(f"{old}.version-0001").read_text() == "mine"


def test_a_newer_version_is_refused(old):
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE keyhole_schema_version SET version_num = '0099'"))
    engine.dispose()
    for action in (kh.Study.open, kh.Study.upgrade):
        with pytest.raises(kh.StoreError, match="version 0099, which is newer than version 0001"):
            action(old)


def test_what_is_no_study_is_not_upgraded(tmp_path):
    with pytest.raises(kh.StudyError, match="there is no such file"):
        kh.Study.upgrade(tmp_path / "nothing.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'other.db'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE mine (a INTEGER)"))
    engine.dispose()
    with pytest.raises(kh.StudyError, match="this database holds no study"):
        kh.Study.upgrade(tmp_path / "other.db")
