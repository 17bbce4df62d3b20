"""SQLite and PostgreSQL keep every promise of a store; and the checks notice stores that do not."""

import json
from contextlib import contextmanager

import pytest
from sqlalchemy import update

from keyhole.errors import StudyError
from keyhole.study.conformance import CHECKS, check_store, checks_for
from keyhole.study.store.base import Told
from keyhole.study.store.reading import SqlSnapshot
from keyhole.study.store.sql import SqlStore
from keyhole.study.store.tables import ASK


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_place(request, tmp_path_factory):
    """One place for all checks, which make studies of their own."""
    if request.param == "sqlite":
        place = f"sqlite:///{tmp_path_factory.mktemp('checks') / 'study.db'}"
    else:
        place = request.getfixturevalue("postgres").new_database()
    SqlStore(place, new=True).close()
    return place


@pytest.fixture
def open_store(shared_place):
    opened = []

    def open_one():
        opened.append(SqlStore(shared_place))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_store_keeps_its_promises(check, open_store):
    check(open_store)


def test_check_store_runs_every_check(tmp_path):
    assert check_store(tmp_path / "study.db") == [check.__name__ for check in CHECKS]


class RedrawsLater(SqlStore):
    def _hand_on(self, t, ask, lease):
        other = json.dumps(json.loads(ask["attributes"])[::-1])
        t.run(update(ASK).where(ASK.c.id == ask["id"]).values(attributes=other, lease_until=t.now + 60))
        return int(ask["id"])


class ForgetsLeases(SqlStore):
    def take(self, study, person, draw, examples, lease):
        return super().take(study, person, draw, examples, -1.0)


class LosesFacts(SqlStore):
    def record(self, study, person, facts, label, **about):
        super().record(study, person, dict(list(facts.items())[:1]), None, **about)
        return Told(tuple(study.attributes[i].name for i in facts) + ("label",) * (label is not None), (), ())


class NeverReleases(SqlStore):
    def cancel(self, study, person, ask, reason):
        super().release(study, person, ask)


class SpendsTooMuch(SqlStore):
    def _pays(self, t):
        return True


class ReadsOnTheMove(SqlStore):
    @contextmanager
    def snapshot(self, study):
        with self.engine.connect() as connection:
            snapshot = SqlSnapshot(connection, study)
            connection.exec_driver_sql("COMMIT")
            yield snapshot


class RenewsForEverybody(SqlStore):
    def wants_renewal(self, study, claim=None, again_after=0.0):
        return True


class WritesWhatItRefuses(SqlStore):
    def record(self, study, person, facts, label, **about):
        for attribute, fact in facts.items():
            told = super().record(study, person, {attribute: fact}, label, **about)
        return told


class AnybodyMayWrite(SqlStore):
    @contextmanager
    def _writing(self, study, person):
        with super()._writing(study, "owner") as t:
            yield t


BROKEN = {
    RedrawsLater: {"check_one_draw_per_example"},
    ForgetsLeases: {"check_a_lease_keeps_others_away", "check_no_example_is_handed_out_twice"},
    LosesFacts: {"check_the_same_fact_is_stored_once", "check_a_conflict_keeps_both"},
    NeverReleases: {"check_money_is_exact", "check_the_total_is_kept"},
    SpendsTooMuch: {"check_the_total_is_kept"},
    ReadsOnTheMove: {"check_a_snapshot_is_of_one_moment"},
    RenewsForEverybody: {"check_one_renewal_at_a_time"},
    WritesWhatItRefuses: {"check_what_was_refused_left_nothing"},
    AnybodyMayWrite: {"check_writes_say_who_and_when"},
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda store: store.__name__)
def test_the_checks_notice(broken, tmp_path):
    """A check that passes on a store that breaks its promise would be worth nothing."""
    place = tmp_path / "study.db"
    SqlStore(place, new=True).close()
    for check in checks_for(lambda: broken(place)):
        if check.__name__ in BROKEN[broken]:
            with pytest.raises((AssertionError, LookupError, StudyError)):
                check()
