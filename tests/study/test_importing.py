"""Results in tables: all recorded, or none; and what a site fills in."""

import csv

import pytest

import keyhole as kh
from keyhole.study.files.allocation import write_allocation
from keyhole.study.files.importing import WrongLines
from study.small_clinic import facts_of, new_study, told_study, value_of


@pytest.fixture
def study(tmp_path):
    return new_study(tmp_path / "study.db", n=6)


def table(tmp_path, *lines):
    (tmp_path / "results.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "results.csv"


def wrong_lines(study, path):
    before = facts_of(study)
    with pytest.raises(WrongLines) as caught:
        study.import_results(path)
    assert facts_of(study) == before
    return dict(caught.value.lines)


def test_a_site_fills_in_its_list(place, tmp_path):
    """In a file and on a server."""
    study = new_study(place, n=6)
    asks = study.allocate(8)  # two examples are added
    path = write_allocation(tmp_path / "list.csv", asks)
    assert study.import_results(path) == (0, 0, (), sum(len(ask.attributes) + 1 for ask in asks), False)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        i = int(row["ask"])
        if row["attribute"] == "label":
            row["value"] = str(i)
        elif row["attribute"] == "Größe":
            row["not_obtainable"] = "no ruler"
        else:
            row["value"] = str(value_of(row["attribute"], i))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    tried = study.import_results(path, dry_run=True)
    assert (tried.recorded, tried.dry_run, study.status()["values"]) == (len(rows), True, 0)
    assert study.import_results(path, person="anna").recorded == len(rows)
    assert study.verify() == []
    assert study.open_asks() == []
    before = facts_of(study)
    again = study.import_results(path)
    assert (again.recorded, again.repeated, again.conflicts) == (0, len(rows), ())
    assert facts_of(study) == before
    with study.store.snapshot(study.record) as now:
        assert {event.person for event in now.events() if event.kind == "value"} == {"anna"}
    study.close()


@pytest.mark.parametrize("name", ["long.csv", "long.parquet"])
def test_an_export_is_imported_again(name, tmp_path):
    """The study with its asks and without its values, and the table of another that has the values."""
    full = told_study(tmp_path / "full.db", n=14)
    full.correct("p0", None, 99, "it was right")
    full.export(tmp_path / name)
    empty = new_study(tmp_path / "empty.db", n=20)
    empty.ask_many(14)
    empty.ask(unavailable=["iron"])
    empty.ask()
    empty.import_results(tmp_path / name)
    assert empty.verify() == []

    def values(study):
        with study.store.snapshot(study.record) as now:
            cells = [(*cell[:3], cell[3].replace("cancelled", "asked"), *cell[4:]) for cell in now.cells()]
            return cells, [label[2:5] for label in now.labels()]

    assert values(empty) == values(full)


def test_values_of_another_study_are_found(study, tmp_path):
    path = table(tmp_path, "ask,example,attribute,value,label", "77,p1,iron,3,1", "77,p1,age,40,1", "78,p2,label,2,NA")
    assert list(wrong_lines(study, path)) == [2, 3, 4]
    done = study.import_results(path, found=True)
    assert (done.recorded, done.repeated) == (4, 0)
    assert study.status()["spent or reserved"] == 0
    assert study.verify() == []


def test_every_wrong_line_is_listed(study, tmp_path):
    ask = study.ask()
    asked, other = ask.names[1], next(a.name for a in study.attributes if a.name not in ask.names)
    path = table(
        tmp_path,
        "ask,example,attribute,value,unit,not_obtainable,person",
        f"{ask.id},,age,40,,,",
        f"{ask.id},,age,41,,,",
        "99,,age,40,,,",
        "x,,age,40,,,",
        f"{ask.id},p5,age,40,,,",
        ",nobody,age,40,,,",
        ",p5,iron,-3,,,",
        ",p5,iron,3,g,,",
        ",p5,irn,3,,,",
        f"{ask.id},,{other},3,,,",
        ",p5,age,,,lost,",
        f"{ask.id},,{asked},3,,lost,",
        ",,age,3,,,",
        ",p5,,3,,,",
        ",p4,label,many,,,",
        ",p3,age,40,,,nobody",
        ",p3,stage,severe,,,",
        ",p3,pulse rate,NA,,,",
    )
    found = wrong_lines(study, path)
    expected = {
        3: "line 2 tells 40, and this one 41",
        4: "there is no ask 99",
        5: "ask 'x' is no number",
        6: "is of example 'p0', and the line is of 'p5'",
        7: "there is no example 'nobody'",
        8: "iron",
        9: "it was told in 'g', and in this study it is in 'umol/l'",
        10: "did you mean 'iron'?",
        11: "was not asked for; it asks for",
        12: "was not asked for, so it cannot be not obtainable",
        13: "and a reason why there is none",
        14: "names neither an ask nor an example",
        15: "name it in the column attribute",
        16: "'many' is not a number",
        17: "there is no person 'nobody'",
        18: "must be one of the choices 'none', 'mild|early', 'NA'",
    }
    assert list(found) == list(expected)
    for line, words in expected.items():
        assert words in found[line], (line, found[line])


def test_what_contradicts_the_study_is_a_conflict(study, tmp_path):
    study.tell_found("p0", {"age": 40})
    path = table(tmp_path, "example,attribute,value", "p0,age,41", "p0,iron,1")
    with pytest.warns(UserWarning, match="line 2: example 'p0', attribute 'age' contradicts"):
        done = study.import_results(path)
    assert (done.recorded, len(done.conflicts), study.status()["conflicts"]) == (1, 1, 1)
    assert study.import_results(path).repeated == 2
    assert study.verify() == []


def test_not_obtainable_after_a_value_is_a_wrong_line(study, tmp_path):
    ask = study.ask()
    study.tell(ask, {"age": 40})
    found = wrong_lines(study, table(tmp_path, "ask,attribute,not_obtainable", f"{ask.id},age,lost"))
    assert "a value was told before" in found[2]


def test_labels_in_a_column_of_their_own(study, tmp_path):
    done = study.import_results(table(tmp_path, "example,label", "p0,1", "p1,NA", "p2,-2.5"))
    assert (done.recorded, done.awaited) == (2, 1)
    assert study.status()["labels"] == 2


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("patient,attribute,value", "results need a column ask or example"),
        ("ask,value", "results need a column ask or example, and the columns attribute and value"),
        ("ask,attribute", "the column value is missing"),
        ("ask,ask,attribute,value", "there are two columns 'ask'"),
    ],
)
def test_a_table_of_another_kind_is_refused(study, tmp_path, header, message):
    with pytest.raises(kh.StudyError, match=message):
        study.import_results(table(tmp_path, header))
    with pytest.raises(kh.StudyError, match=r"a table is a \.csv or a \.parquet file"):
        study.import_results(tmp_path / "results.txt")


def test_a_short_line_and_a_reader(study, tmp_path):
    with pytest.raises(kh.StudyError, match="line 2: it has 2 cells, but the header names 3 columns"):
        study.import_results(table(tmp_path, "example,attribute,value", "p0,age"))
    study.add_person("eve", "reader")
    with pytest.raises(kh.StudyError, match="'eve' is a reader"):
        study.import_results(table(tmp_path, "example,attribute,value", "p0,age,3"), person="eve")
