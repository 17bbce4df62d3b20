"""A database that is full, locked, read-only or gone in the middle of a tell.

A clear error, nothing of the call is stored, and the same call works when the trouble is over.
"""

import os
import sqlite3
from contextlib import contextmanager

import psycopg
import pytest

import keyhole as kh
from keyhole.errors import StoreError
from keyhole.study.conformance.shared import contents
from keyhole.study.store.transaction import Transaction


@pytest.fixture
def study(place):
    study = kh.Study.create(place, "trouble", ["age", "pulse"], budget=2, seed=0, renewals="by hand", wait=0.3)
    study.tell(study.ask("before"), {"age": 50.0, "pulse": 61.0}, label=0.5)
    yield study
    study.close()


def on_its_connection(study, command):
    """Run a command on the connection that the study will use next."""
    with study.store.engine.connect() as connection:
        connection.exec_driver_sql(command)
        connection.commit()


@contextmanager
def read_only(study, server):
    on, off = (
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
        if study.store.is_file
        else ("SET default_transaction_read_only = on", "RESET default_transaction_read_only")
    )
    on_its_connection(study, on)
    yield
    on_its_connection(study, off)


@contextmanager
def locked(study, server):
    """Another program has begun to write, and does not go on."""
    if study.store.is_file:
        other = sqlite3.connect(study.store.url.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        other = psycopg.connect(study.store.address.replace("+psycopg", ""))
        other.execute("SELECT * FROM keyhole_study FOR UPDATE")
    yield
    other.rollback()
    other.close()


@contextmanager
def gone(study, server):
    """The server crashes, or the file is moved away, when all is written but for the commit."""
    if study.store.is_file:
        path = study.store.url.database

        def leave():
            os.rename(path, path + ".away")

        def come_back():
            os.rename(path + ".away", path)
    else:
        leave, come_back = (lambda: server.stop("immediate")), server.start
    finish = Transaction.finish

    def finish_and_leave(self):
        finish(self)
        leave()

    Transaction.finish = finish_and_leave
    try:
        yield
    finally:
        Transaction.finish = finish
        come_back()


TROUBLES = {
    read_only: "the database cannot be written to, and nothing was written",
    locked: "another program holds the database, and nothing was written",
    gone: "cannot be reached|is gone",
}


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_trouble_in_the_middle_of_a_tell(trouble, study, request):
    server = None if study.store.is_file else request.getfixturevalue("postgres")
    ask = study.ask("patient")
    before = contents(study)
    with trouble(study, server), pytest.raises(StoreError, match=TROUBLES[trouble]):
        study.tell(ask, {"age": 61.0, "pulse": 70.0}, label=1.0)
    assert contents(study) == before
    assert study.tell(ask, {"age": 61.0, "pulse": 70.0}, label=1.0).recorded == ("age", "pulse", "label")
    study.close()
    again = kh.Study.open(study.store.address, "trouble", renewals="by hand")
    assert again.verify() == []
    assert again.status()["values"] == 4
    again.close()


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_full_disk(study):
    """SQLite is told that its file may not grow; what was acknowledged until then is there."""
    with study.store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    on_its_connection(study, f"PRAGMA max_page_count = {pages}")
    asked: list[str] = []
    acknowledged: list[str] = []

    def go_on():
        for n in range(1_000):
            asked.append(study.ask(f"p{n}").example)
            study.tell(study.find_ask(n + 2), {"age": 20.0}, not_obtainable={"pulse": "long words " * 200})
            acknowledged.append(f"p{n}")

    with pytest.raises(StoreError, match="the disk is full, and nothing was written"):
        go_on()
    on_its_connection(study, "PRAGMA max_page_count = 1000000")
    status = study.status()
    assert (status["not obtainable"], status["examples"]) == (len(acknowledged), len(asked) + 1)
    assert study.verify() == []
    ask = study.ask(f"p{len(acknowledged)}")
    study.tell(ask, {"age": 20.0}, not_obtainable={"pulse": "long words " * 200})
    assert study.status()["not obtainable"] == len(acknowledged) + 1
    assert study.verify() == []


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_a_server_that_is_not_there(study, postgres):
    """A study cannot be opened, nor asked; afterwards it can, by the same object."""
    postgres.stop("immediate")
    try:
        with pytest.raises(StoreError, match="cannot be reached"):
            study.ask("patient")
        with pytest.raises(StoreError, match="cannot be reached"):
            kh.Study.open(study.store.address, "trouble", wait=1)
    finally:
        postgres.start()
    assert study.ask("patient").example == "patient"
    assert study.verify() == []


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_file_that_may_only_be_read(study):
    url = f"sqlite:///file:{study.store.url.database}?mode=ro&uri=true"
    reader = kh.Study.open(url, "trouble", renewals="by hand")
    assert reader.status()["values"] == 2
    with pytest.raises(StoreError, match="the database cannot be written to, and nothing was written"):
        reader.label("before", 3.0)
    assert reader.verify() == []
    reader.close()
