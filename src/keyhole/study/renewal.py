"""A new design when enough examples have come: made by a process of its own, so that asking never waits for it.

``python -m keyhole.study.renewal`` renews the study that two environment variables name: a URL may hold a password,
which does not belong on a command line.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings
from typing import Any

import numpy as np

from .._version import __version__
from ..errors import StoreError, StudyError
from .learning import can_be_learned, fingerprint, learned, renewed
from .store.base import Store, StudyRecord
from .store.replay import replay

LEASE = 6 * 3600.0  # seconds after which a renewal that has not ended is taken for dead
AGAIN_AFTER = 60.0  # seconds before a process is started again
PLACE, NAME = "KEYHOLE_STUDY_URL", "KEYHOLE_STUDY_NAME"
_BESIDE: list[subprocess.Popen[bytes]] = []


def start_beside(store: Store, study: StudyRecord) -> bool:
    """Start a process that renews the design, if one is due; whether it was started."""
    if not store.wants_renewal(study, again_after=AGAIN_AFTER):
        return False
    environment = os.environ | {PLACE: store.address, NAME: study.name}
    _BESIDE[:] = [process for process in _BESIDE if process.poll() is None]  # those that have ended are let go
    process = subprocess.Popen(
        [sys.executable, "-m", "keyhole.study.renewal"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _BESIDE.append(process)
    return True


def renew(store: Store, study: StudyRecord, person: str) -> int:
    """Make all designs that are due, here and now; how many were made."""
    made = 0
    while store.wants_renewal(study, claim=LEASE):
        try:
            _renew_once(store, study, person)
        except BaseException as error:
            with contextlib.suppress(StoreError):  # its lease will expire
                store.fail_renewal(study, f"{type(error).__name__}: {error}")
            raise
        made += 1
    return made


def _renew_once(store: Store, study: StudyRecord, person: str) -> None:
    with store.snapshot(study) as moment:
        watermark, committed = moment.seq, moment.committed
        designs, examples = moment.designs(), replay(moment.events())
    n = sum(can_be_learned(one) for one in examples.values())
    learner = learned(study, designs, examples)
    design = renewed(learner)
    summary = {"fingerprint": fingerprint(learner), "keyhole": __version__, "committed": committed}
    store.finish_renewal(study, person, watermark, design, n, summary | summary_of(learner))


def summary_of(learner: Any) -> dict[str, Any]:
    """The error that held-out examples show, and how useful each attribute is, as plain numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution, column_of = learner._solution(), learner._training().attribute_of
        useful = np.sqrt(np.bincount(column_of, solution.usefulness**2))
        found: dict[str, Any] = {"family": learner.family_, "usefulness": [round(float(u), 6) for u in useful]}
        try:
            usual = learner._usual_number()
            risk = learner.risk_at(usual) if hasattr(learner, "risk_at") else learner.error_at(usual)
            found |= {"error": float(risk.estimate), "standard_error": float(risk.standard_error), "attributes": usual}
        except (StudyError, ValueError) as error:  # too few examples are held out
            found["error_unknown"] = str(error)
    return found


def main() -> None:
    """Renew the study that the environment names."""
    from .store.sql import SqlStore

    store = SqlStore(os.environ[PLACE])
    study = store.open(os.environ[NAME])
    renew(store, study, study.settings["owner"])


if __name__ == "__main__":
    main()
