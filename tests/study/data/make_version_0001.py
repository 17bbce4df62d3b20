"""Makes ``version_0001.db``: a small study in tables of version 0001. It was run once, and the file is kept as it is.

Later versions of Keyhole must open or upgrade it. For a new version, a file of that version is added beside it.
"""

import sqlite3
from pathlib import Path

import keyhole as kh


def main() -> None:
    place = Path(__file__).with_name("version_0001.db")
    attributes = [kh.Attribute("age", free=True), kh.Attribute("iron", unit="umol/l", cost=2), kh.Attribute("pulse")]
    attributes.append(kh.Attribute("stage", kind="choice", choices=("none", "mild", "severe")))
    study = kh.Study.create(place, "clinic", attributes, budget=3, total=60, seed=7, renewals="by hand")
    study.add_person("anna")
    study.add_examples([f"p{i}" for i in range(16)])
    for i in range(14):
        ask = study.ask(person="anna")
        values = {"age": 40 + i, "iron": 10 + (i * 7) % 5, "pulse": 60 + (i * 5) % 9, "stage": "mild"}
        study.tell(ask, {name: values[name] for name in ask.names}, label=float(i % 6))
    study.tell_found("p15", {"pulse": 71})
    study.cancel(study.ask(), "left")
    study.close()
    database = sqlite3.connect(place)
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("VACUUM")
    database.close()


if __name__ == "__main__":
    main()
