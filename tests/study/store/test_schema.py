"""The tables that migrations make are those that queries expect."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from keyhole.errors import StoreError, StudyError
from keyhole.study.store import schema
from keyhole.study.store.connect import connect, url_of
from keyhole.study.store.schema import MIGRATIONS, VERSIONS, check_version, upgrade, version_of
from keyhole.study.store.tables import VERSION_TABLE, metadata


@pytest.fixture
def engine(tmp_path):
    engine = connect(url_of(tmp_path / "s.db"))
    yield engine
    engine.dispose()


def test_migrations_make_the_tables_of_the_queries(engine):
    upgrade(engine)
    with engine.connect() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, VERSION_TABLE}


def test_the_versions_are_those_of_the_migrations():
    revisions = [one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
    assert tuple(reversed(revisions)) == VERSIONS


def test_upgrading_what_is_new_changes_nothing(engine):
    upgrade(engine)
    upgrade(engine)
    with engine.connect() as connection:
        assert version_of(connection) == VERSIONS[-1]
        check_version(connection, "s.db")


def test_an_empty_database_holds_no_study_and_stays_empty(engine):
    with engine.connect() as connection:
        with pytest.raises(StudyError, match=r"s\.db: this database holds no study"):
            check_version(connection, "s.db")
        assert inspect(connection).get_table_names() == []


def test_another_version_is_refused_and_both_are_named(engine, monkeypatch):
    upgrade(engine)
    monkeypatch.setattr(schema, "VERSIONS", ("0001", "0002"))
    with engine.connect() as connection, pytest.raises(StoreError, match=r"version 0001, and this .* version 0002"):
        check_version(connection, "s.db")
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0009'"))
    with (
        engine.connect() as connection,
        pytest.raises(StoreError, match="version 0009, which is newer than version 0002"),
    ):
        check_version(connection, "s.db")


def test_other_tables_are_left_alone(engine):
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE theirs (x INTEGER)"))
        connection.execute(text("INSERT INTO theirs VALUES (7)"))
    upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT x FROM theirs")).scalar_one() == 7
