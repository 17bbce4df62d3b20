"""The version of a database's tables: made and upgraded by Alembic, on request and never on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from ...errors import StoreError, StudyError
from .tables import VERSION_TABLE

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = ("0001",)  # in their order; the last is the present one


def version_of(connection: Connection) -> str | None:
    """The version of the tables; None where there are none of ours."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()


def check_version(connection: Connection, place: str) -> None:
    """Raise unless the tables are there, and of the version that this program knows."""
    found, ours = version_of(connection), VERSIONS[-1]
    if found is None:
        raise StudyError(f"{place}: this database holds no study; create one in it, or give the place of another")
    if found == ours:
        return
    if found in VERSIONS:
        raise StoreError(
            f"{place}: its tables are of version {found}, and this Keyhole works with version {ours}; keyhole study"
            " upgrade makes a backup and upgrades them"
        )
    raise StoreError(
        f"{place}: its tables are of version {found}, which is newer than version {ours}, the newest that this Keyhole"
        " knows; install a newer Keyhole. Nothing was changed"
    )


def upgrade(engine: Engine) -> None:
    """Make the tables, or bring them to the present version, in one transaction."""
    from alembic import command
    from alembic.config import Config

    config: Any = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
