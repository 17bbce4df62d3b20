"""Bad input: one clear message, and nothing is lost or half recorded."""

import sqlite3
import sys
import warnings

import pytest

import keyhole as kh
from keyhole.errors import BadValue, StudyError
from keyhole.study.conformance.shared import contents

ATTRIBUTES = [
    kh.Attribute("iron", unit="µmol/l", low=0, high=100),
    kh.Attribute("smoker", kind="yes/no"),
    kh.Attribute("site", kind="choice", choices=("north", "south")),
]


@pytest.fixture
def study(place):
    study = kh.Study.create(place, "bad", ATTRIBUTES, seed=0, renewals="by hand", walk_ins=False)
    study.add_examples(["p1", "p2"])
    study.add_person("max", "reader")
    study.tell(study.ask("p1"), {"iron": 14.0}, label=1.0)
    yield study
    study.close()


REFUSED = {
    "out of range": (lambda s: s.tell(1, {"iron": 101.0, "smoker": "yes"}), "iron.*101"),
    "below": (lambda s: s.tell_found("p2", {"iron": -1}), "iron.*-1"),
    "wrong unit": (lambda s: s.tell(1, {"smoker": True, "iron": (14.0, "mg/dl")}), "mg/dl.*µmol/l"),
    "unit of what has none": (lambda s: s.tell(1, {"smoker": (1, "kg")}), "kg.*no unit"),
    "a text for a number": (lambda s: s.tell(1, {"iron": "many"}), "iron.*many"),
    "yes for a number": (lambda s: s.tell(1, {"iron": True}), "iron.*True.*number"),
    "a number for yes": (lambda s: s.tell(1, {"smoker": 7}), "smoker.*7"),
    "no choice": (lambda s: s.tell(1, {"smoker": "no", "site": "east"}), "site.*east"),
    "not a number": (lambda s: s.tell(1, {"iron": float("nan")}), "iron.*no value"),
    "missing in words": (lambda s: s.tell(1, {"iron": "NA"}), "iron.*'NA' is no value.*why it is not obtainable"),
    "infinite": (lambda s: s.tell(1, {"iron": float("inf")}), "iron.*inf"),
    "no value": (lambda s: s.tell(1, {"iron": None}), "iron.*no value"),
    "unknown attribute": (lambda s: s.tell(1, {"irn": 14.0}), "no attribute 'irn'.*did you mean 'iron'"),
    "unknown unavailable": (lambda s: s.ask("p2", unavailable=["blood"]), "no attribute 'blood'"),
    "unknown example": (lambda s: s.ask("p9"), "no example 'p9'"),
    "unknown example, found": (lambda s: s.label("p9", 1.0), "no example 'p9'"),
    "unknown ask": (lambda s: s.tell(99, {"iron": 14.0}), "no ask 99.*the last one is ask 1$"),
    "no ask at all": (lambda s: s.tell("first", {"iron": 14.0}), "'first' is no ask"),
    "unknown person": (lambda s: s.tell(1, {"smoker": 1}, person="eve"), "no person 'eve'"),
    "a reader": (lambda s: s.tell(1, {"smoker": 1}, person="max"), "'max' is a reader"),
    "nothing": (lambda s: s.tell(1), "nothing was told"),
    "no reason": (lambda s: s.tell(1, not_obtainable={"smoker": ""}), "smoker.*why"),
    "both": (lambda s: s.tell(1, {"smoker": 1}, not_obtainable={"smoker": "lost"}), "smoker.*not obtainable as well"),
    "obtained before": (lambda s: s.tell(1, {"smoker": 1}, not_obtainable={"iron": "lost"}), "iron.*told before"),
    "a label in words": (lambda s: s.label("p2", "ill"), "ill.*not a number"),
    "nothing to correct": (lambda s: s.correct("p2", "iron", 3.0, "wrong"), "nothing was told"),
    "the same name": (lambda s: kh.Study.create(s.store.address, "bad", ATTRIBUTES), "a study 'bad' already"),
    "no such study": (lambda s: kh.Study.open(s.store.address, "good"), "no study 'good'.*'bad'"),
}


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_leaves_everything_as_it_was(case, study):
    call, words = REFUSED[case]
    before = contents(study)
    with pytest.raises((StudyError, BadValue), match=words) as error:
        call(study)
    assert "\n" not in str(error.value)
    assert contents(study) == before
    assert study.verify() == []


def test_the_same_ask_told_twice(study):
    assert study.tell(1, {"iron": 14.0}, label=1.0) == ((), ("iron", "label"), ())
    assert study.status()["values"] == 1
    assert study.verify() == []


def test_a_label_that_contradicts_is_kept_beside_the_first(study):
    with pytest.warns(UserWarning, match="label contradicts what was told before"):
        assert study.label("p1", 2.0).conflicts == ("label",)
    assert [one["value"] for one in study.conflicts()[0]["told"]] == [1.0, 2.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study.correct("p1", None, 2.0, "asked again")
    assert study.status()["conflicts"] == 0
    assert study.verify() == []


def test_a_file_that_is_not_a_study(tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database, but long enough to be taken for one " * 40)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = text.read_bytes(), other.read_bytes()
    with pytest.raises(kh.KeyholeError, match="no database of SQLite"):
        kh.Study.open(text, "s")
    with pytest.raises(kh.KeyholeError, match="no database of SQLite"):
        kh.Study.create(text, "s", ATTRIBUTES)
    with pytest.raises(StudyError, match="holds no study"):
        kh.Study.open(other, "s")
    with pytest.raises(StudyError, match="no such file"):
        kh.Study.open(tmp_path / "missing.db", "s")
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(StudyError, match="no folder"):
        kh.Study.create(tmp_path / "nowhere" / "study.db", "s", ATTRIBUTES)
    with pytest.raises(StudyError, match="a folder"):
        kh.Study.create(tmp_path, "s", ATTRIBUTES)
    assert text.read_bytes() == before[0]
    assert sqlite3.connect(other).execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


def test_a_url_without_its_driver(monkeypatch):
    with pytest.raises(StudyError, match="SQLite or PostgreSQL, not in mysql"):
        kh.Study.open("mysql://localhost/clinic", "s")
    with pytest.raises(StudyError, match=r"driver.*not installed.*keyhole\[postgres\]"):
        kh.Study.open("postgresql+nosuchdriver://localhost/clinic", "s")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StudyError, match=r"driver.*not installed.*keyhole\[postgres\]"):
        kh.Study.open("postgresql://owner:secret@localhost/clinic", "s")
