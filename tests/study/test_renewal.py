"""New designs: made beside, by one process at a time, and never in the way of an ask."""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import keyhole as kh
from keyhole.study import renewal

X, Y = load_diabetes(return_X_y=True)
NAMES = [f"t{i}" for i in range(X.shape[1])]


def filled(path, n, **settings):
    study = kh.Study.create(path, "s", NAMES, budget=3, seed=0, **settings)
    for k in range(n):
        ask = study.ask(f"p{k}")
        study.tell(ask, {name: X[k, NAMES.index(name)] for name in ask.names}, Y[k])
    return study


def test_a_renewal_is_due_after_the_uniform_start_and_claimed_once(tmp_path):
    study = filled(tmp_path / "s.db", 1, renewals="by hand")
    due = study.status()["next design at"]
    for k in range(1, due):
        ask = study.ask(f"p{k}")
        study.tell(ask, dict.fromkeys(ask.names, 1.0 * k), Y[k])
        if k < due - 1:
            assert not study.store.wants_renewal(study.record)
    assert study.store.wants_renewal(study.record, claim=60.0)
    assert not study.store.wants_renewal(study.record, claim=60.0)
    study.store.fail_renewal(study.record, "tried")
    assert study.status()["last renewal failed"] == "tried"
    assert study.renew() >= 1
    assert study.status()["last renewal failed"] is None
    assert study.status()["model"] is not None


def test_a_renewal_that_fails_is_seen_and_asks_go_on(tmp_path, monkeypatch):
    study = filled(tmp_path / "s.db", 60, renewals="by hand")

    def broken(learner):
        raise ArithmeticError("a test")

    monkeypatch.setattr(renewal, "renewed", broken)
    with pytest.raises(ArithmeticError):
        study.renew()
    assert study.status()["last renewal failed"] == "ArithmeticError: a test"
    assert study.ask("next") is not None
    monkeypatch.undo()
    assert study.renew() == 1


def test_a_process_beside_makes_the_design(tmp_path):
    study = filled(tmp_path / "s.db", 60, renewals="by hand")
    beside = kh.Study.open(tmp_path / "s.db")
    started = time.monotonic()
    ask = beside.ask("next")
    assert ask.model is None
    beside.tell(ask, dict.fromkeys(ask.names, 0.0), label=100.0)  # a fact is what may make a renewal due
    while beside.status()["model"] is None and time.monotonic() - started < 120:
        time.sleep(0.2)
    assert beside.status()["model"] is not None
    assert beside.status()["last renewal failed"] is None
    assert beside.ask("after").model is not None
    assert study.verify() == []


def test_a_renewal_that_cannot_be_started_does_not_fail_the_tell(tmp_path, monkeypatch):
    filled(tmp_path / "s.db", 60, renewals="by hand")
    beside = kh.Study.open(tmp_path / "s.db")
    monkeypatch.setattr(renewal.sys, "executable", str(tmp_path / "no such program"))
    ask = beside.ask("next")
    with pytest.warns(UserWarning, match="what was told is stored; a renewal of the design could not be started"):
        told = beside.tell(ask, dict.fromkeys(ask.names, 0.0), label=100.0)
    assert told.recorded == (*ask.names, "label")
    assert beside.verify() == []


def test_a_late_renewal_does_not_replace_a_newer_one(tmp_path):
    study = filled(tmp_path / "s.db", 60, renewals="by hand")
    study.renew()
    last = study.history()[-1]
    with study.store.snapshot(study.record) as moment:
        design = moment.designs()[-1]
    with pytest.raises(kh.StudyError, match=r"a renewal from .* events is there already"):
        study.store.finish_renewal(study.record, "owner", last["events"], renewal_of(design), 60, {})


def renewal_of(design):
    from keyhole.study.store.base import NewDesign

    return NewDesign(design.arrays, design.start, design.selected, design.next_at, design.next_renewal)


def test_designs_favour_what_the_model_uses(tmp_path):
    study = filled(tmp_path / "s.db", 250, renewals="by hand")
    while study.renew():
        pass
    asks = study.ask_many([f"later {k}" for k in range(100)])
    shares = np.array([np.mean([name in ask.names for ask in asks]) for name in NAMES])
    weights = np.abs(study.model().coef_[: len(NAMES)])
    assert shares.min() > 0
    assert shares[np.argmax(weights)] > np.median(shares)
    text = study.why(asks[0])
    assert "model" in text
    assert "inclusion probability" in text
