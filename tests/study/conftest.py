"""Where the tests of studies keep them: a SQLite file, and a database of a real PostgreSQL server."""

import pytest

from study.servers import PostgreSQL


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server for all tests of this process; under pytest-xdist every worker has its own."""
    try:
        server = PostgreSQL()
    except Exception as error:
        pytest.skip(f"no PostgreSQL server can be started here: {type(error).__name__}: {error}")
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """The URL of an empty place for studies."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'study.db'}"
    return request.getfixturevalue("postgres").new_database()
