"""Checks of every promise in ``base.py``, on any database: your own as well as those that Keyhole is tested on.

    from keyhole.study.conformance import check_store

    check_store("postgresql://localhost/empty")

``checks_for`` gives the same checks one by one, for pytest or for a store of one's own. Each check makes a study of its
own, which stays there, since a log is never deleted: take a database that can be thrown away. A check raises
AssertionError with what went wrong; afterwards ``verify`` has counted everything again from the log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial

from ..store.sql import SqlStore
from . import asks, facts, log, money, renewals
from .shared import Opener

CHECKS: tuple[Callable[[Opener], None], ...] = (
    log.check_it_survives_reopening,
    log.check_what_was_refused_left_nothing,
    log.check_the_log_only_grows,
    log.check_writes_say_who_and_when,
    log.check_a_snapshot_is_of_one_moment,
    log.check_snapshots_under_writers,
    asks.check_one_draw_per_example,
    asks.check_a_lease_keeps_others_away,
    asks.check_no_example_is_handed_out_twice,
    asks.check_a_walk_in_is_one_example,
    facts.check_the_same_fact_is_stored_once,
    facts.check_a_conflict_keeps_both,
    money.check_money_is_exact,
    money.check_the_total_is_kept,
    money.check_the_budget_is_kept,
    renewals.check_one_renewal_at_a_time,
    renewals.check_studies_are_apart,
)


def check_store(url: str | os.PathLike[str]) -> list[str]:
    """Run all checks on a database, in which the tables are made if there are none; the names of the checks."""
    SqlStore(url, new=True).close()
    done = []
    for check in checks_for(lambda: SqlStore(url)):
        check()
        done.append(check.__name__)
    return done


def checks_for(open_store: Opener) -> Iterator[Callable[[], None]]:
    """The checks, each bound to a function that opens the same store anew."""
    for check in CHECKS:
        bound = partial(check, open_store)
        bound.__name__ = check.__name__  # type: ignore[attr-defined]
        yield bound
