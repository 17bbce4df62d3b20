"""A whole study as lines of JSON, and made again from them in any database."""

import json
import warnings

import numpy as np
import pytest

import keyhole as kh
from study.small_clinic import facts_of, new_study, postgres, told_study


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return told_study(tmp_path_factory.mktemp("study") / "study.db")


@pytest.fixture(scope="module")
def dump(study, tmp_path_factory):
    return study.export(tmp_path_factory.mktemp("dump") / "study.jsonl")[0]


def test_the_study_has_everything(study):
    with study.store.snapshot(study.record) as now:
        kinds = {event.kind for event in now.events()}
        assert now.models()
    assert kinds >= {"value", "not obtainable", "conflict label", "corrected", "cancelled", "design"}


def test_a_round_trip_is_exact(study, dump, tmp_path):
    again = kh.Study.restore(tmp_path / "again.db", dump)
    assert again.name == "clinic"
    assert again.verify() == []
    assert facts_of(again) == facts_of(study)
    assert again.settings == study.settings
    model, before = again.model(), study.model()
    np.testing.assert_array_equal(model.coef_, before.coef_)
    assert model.intercept_ == before.intercept_
    again.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == dump.read_bytes()


def test_the_restored_study_goes_on_as_the_first_would(study, dump, tmp_path):
    one, other = (kh.Study.restore(tmp_path / f"{i}.db", dump) for i in range(2))
    one.renewals = other.renewals = "by hand"
    for _ in range(2):
        first, second = one.ask(), other.ask()
        assert (first.id, first.example, first.attributes) == (second.id, second.example, second.attributes)
    assert first.id > max(ask.id for ask in study.open_asks())


def test_sqlite_postgresql_sqlite(study, dump, tmp_path):
    with postgres(tmp_path / "server") as url:
        there = kh.Study.restore(url, dump, "in the clinic")
        there.renewals = "by hand"
        assert there.verify() == []
        np.testing.assert_array_equal(there.model().coef_, study.model().coef_)
        there.backup(tmp_path / "back.jsonl")
        new = there.ask("somebody new")  # the numbers of new asks do not meet those that were restored
        assert new.id == max(ask.id for ask in facts_of(study)[1]) + 1
        assert there.verify() == []
        back = kh.Study.restore(tmp_path / "back.db", tmp_path / "back.jsonl", "clinic")
        assert facts_of(back) == facts_of(study)
        np.testing.assert_array_equal(back.model().coef_, study.model().coef_)
        with pytest.warns(UserWarning, match="raised by"):
            twice = kh.Study.restore(url, dump, "twice")
        assert twice.verify() == []
        there.close()
        twice.close()


def test_a_second_study_in_the_same_database(study, dump, tmp_path):
    kh.Study.restore(tmp_path / "two.db", dump)
    with pytest.raises(kh.StudyError, match="there is a study 'clinic' in this database already; give another name"):
        kh.Study.restore(tmp_path / "two.db", dump)
    n = max(ask.id for ask in facts_of(study)[1])
    with pytest.warns(UserWarning, match=f"all of its numbers are raised by {n}"):
        copy = kh.Study.restore(tmp_path / "two.db", dump, "copy")
    assert copy.verify() == []
    assert copy.find_ask(n + 1).example == study.find_ask(1).example
    assert copy.status() == study.status() | {"study": "copy"}


def test_an_empty_study(tmp_path):
    study = new_study(tmp_path / "s.db", n=0)
    study.export(tmp_path / "s.jsonl")
    again = kh.Study.restore(tmp_path / "t.db", tmp_path / "s.jsonl")
    assert again.verify() == []
    assert facts_of(again) == facts_of(study)


def broken(dump, tmp_path, change):
    lines = dump.read_text().splitlines(keepends=True)
    changed = change(lines)
    assert changed != lines
    (tmp_path / "broken.jsonl").write_text("".join(changed))
    return tmp_path / "broken.jsonl"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:50], "it ends after line 50, and its last lines are missing"),
        (lambda lines: [*lines[:50], lines[50][:30]], "line 51: the line was changed or cut off"),
        (lambda lines: [*lines[:50], *lines[51:]], "line 51: the line was changed or cut off"),
        (
            lambda lines: [*lines[:50], lines[50].replace('"name": "p', '"name": "q'), *lines[51:]],
            "line 51: the line was changed",
        ),
        (lambda lines: [*lines[:50], lines[51], lines[50], *lines[52:]], "line 51: the line was changed"),
        (lambda lines: [*lines, lines[-1]], r"line \d+: the line was changed"),
        (lambda lines: ["{}\n"], "line 1: this is no file of a whole study"),
        (lambda lines: ["age,iron\n", "3,4\n"], "line 1: this is no file of a whole study"),
        (lambda lines: [], "the file is empty"),
    ],
)
def test_a_damaged_file_is_refused_whole_with_the_line(dump, tmp_path, change, message):
    path = broken(dump, tmp_path, change)
    with pytest.raises(kh.StudyError, match=message):
        kh.Study.restore(tmp_path / "new.db", path)
    assert not (tmp_path / "new.db").exists()


def rewritten(dump, tmp_path, change):
    """The file with rows changed, and the checksums made right again."""
    from keyhole.study.files.dump import _checksum

    rows = [json.loads(line) for line in dump.read_text().splitlines()]
    last, text = "", ""
    for row in change(rows):
        row.pop("check", None)
        body = json.dumps(row)
        last = _checksum(last, body)
        text += f'{body[:-1]}, "check": "{last}"}}\n'
    (tmp_path / "changed.jsonl").write_text(text)
    return tmp_path / "changed.jsonl"


def first(rows, table):
    return next(row for row in rows if row["table"] == table)


@pytest.mark.parametrize(
    ("table", "field", "value", "message"),
    [
        ("keyhole study", "format", 2, "line 1: the file is of format 2, .* reads format 1"),
        ("event", "person", "nobody", "there is no person 'nobody'"),
        ("event", "example", 999, "there is no example number 999"),
        ("event", "seq", 7, "this is event 7, and event 1 was to come"),
        ("ask", "attributes", [0], "the draw of ask 1 is not the one that the log has"),
        ("attribute", "definition", {"name": "age", "kind": "text"}, "this is no attribute"),
        ("end", "rows", 3, "there should be 3"),
        ("example", "table", "patient", "a row of 'patient' is none of"),
    ],
)
def test_rows_that_contradict_each_other_are_refused(dump, tmp_path, table, field, value, message):
    def change(rows):
        first(rows, table)[field] = value
        return rows

    new_study(tmp_path / "there.db", "another", n=1)
    with pytest.raises(kh.StudyError, match=message):
        kh.Study.restore(tmp_path / "there.db", rewritten(dump, tmp_path, change))
    assert kh.Study.open(tmp_path / "there.db").name == "another"


def test_a_file_that_is_there_is_left_as_it_is(study, dump, tmp_path):
    (tmp_path / "a.jsonl").write_text("mine")
    with pytest.raises(kh.StudyError, match="there is such a file already"):
        study.export(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study.export(tmp_path / "a.jsonl", overwrite=True)
    assert (tmp_path / "a.jsonl").read_bytes() == dump.read_bytes()
