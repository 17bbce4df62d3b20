"""The commands ``keyhole study ...``."""

import json
import re
import shlex
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

import keyhole as kh
from keyhole.cli import app

ATTRIBUTES = """attribute,unit,kind,choices,cost,low
age,,,,,
pulse rate,1/min,,,,
iron,umol/l,,,2,0
mri,,,,5,
ct,,,,5,
stage,,choice,none|mild|severe,1,
"""
PAGE = Path(__file__).parents[2] / "docs" / "study.md"
VALUES = {"age": "61", "pulse rate": "70", "iron": "14.2 umol/l", "mri": "1.5", "ct": "2", "stage": "none"}


def run(*words, code=0, **env):
    result = CliRunner().invoke(app, ["study", *map(str, words)], env=env)
    assert result.exit_code == code, result.output
    return result


def run_json(*words, **env):
    return json.loads(run(*words, "--json", **env).stdout)


def error(*words, **env):
    result = run(*words, code=2, **env)
    assert result.stdout == ""
    assert result.stderr.startswith("keyhole: ")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


@pytest.fixture
def place(tmp_path):
    (tmp_path / "attributes.csv").write_text(ATTRIBUTES)
    place = tmp_path / "study.db"
    options = ["--budget", 7, "--total", 100, "--forbid", "mri,ct", "--seed", 0, "--lease", 48, "--n-expected", 20]
    run("create", place, "clinic", "--attributes", tmp_path / "attributes.csv", *options)
    run("add", place, "p1", "p2", "p3")
    return place


def pairs(ask):
    return [f"{a['name']}={VALUES[a['name']]}" for a in ask["attributes"]]


def test_create(place, tmp_path):
    study = kh.Study.open(place)
    assert [a.name for a in study.attributes] == list(VALUES)
    assert study.attributes[2] == kh.Attribute("iron", unit="umol/l", cost=2.0, low=0.0)
    wanted = {"budget": 7, "total": 100, "forbidden": [["mri", "ct"]], "seed": 0, "lease": 172_800.0, "n_expected": 20}
    assert {name: study.settings[name] for name in wanted} == wanted
    made = run_json("create", tmp_path / "b.db", "b", "--attribute", "x", "--attribute", "y", "--classes", "sick, well")
    assert made["settings"]["classes"] == ["sick", "well"]
    assert kh.Study.open(tmp_path / "b.db").is_classifier
    assert "there is a study 'clinic' already" in error("create", place, "clinic", "--attribute", "x")
    assert "--attributes: give a file that describes them" in error("create", place, "other")
    assert "--classes sick: two or more names" in error("create", place, "c", "--attribute", "x", "--classes", "sick")


def test_examples_and_people(place, tmp_path):
    (tmp_path / "ids.txt").write_text("p3\n\n p4 \np5\n")
    assert run_json("add", place, "--file", tmp_path / "ids.txt") == {"added": 2, "there already": 1}
    assert "no example was named" in error("add", place)
    run("person", place, "anna")
    run("person", place, "eve", "--role", "reader", "--person", "anna")
    people = run_json("person", place)
    assert [(one["name"], one["role"], one["added_by"]) for one in people] == [
        ("owner", "owner", None),
        ("anna", "collector", "owner"),
        ("eve", "reader", "anna"),
    ]
    assert "'eve' is a reader" in error("ask", place, "--person", "eve")
    assert "there is no person 'bob'" in error("ask", place, "--person", "bob")


def test_ask_and_tell(place):
    text = run("ask", place).stdout
    assert text.startswith("ask 1, example p1, cost ")
    ask = run_json("ask", place, "--example", "p1")["asks"][0]
    assert (ask["id"], ask["example"]) == (1, "p1")
    assert ask["awaited"] == [a["name"] for a in ask["attributes"]]
    told = run_json("tell", place, 1, *pairs(ask), "--label", "-1.5")
    assert told == {"recorded": [*[a["name"] for a in ask["attributes"]], "label"], "repeated": [], "conflicts": []}
    assert run("tell", place, 1, *pairs(ask)).stdout.startswith("Told before: ")
    both = run_json("ask", place, "-n", 5)["asks"]
    assert [one["example"] for one in both] == ["p2", "p3"]
    assert "No more asks: the queue is empty" in run("ask", place).stdout
    walk_in = run_json("ask", place, "--example", "p9", "--unavailable", "mri", "--unavailable", "ct")["asks"][0]
    assert not {"mri", "ct"} & {a["name"] for a in walk_in["attributes"]}
    missing = both[0]["attributes"][0]["name"]
    run("tell", place, both[0]["id"], "--not-obtainable", f"{missing}=machine = broken")
    assert run_json("status", place)["not obtainable"] == 1
    assert "give the number of the ask first, not 'iron=3'" in error("tell", place, "iron=3")
    assert "'iron' is not NAME=VALUE" in error("tell", place, 1, "iron")
    assert "there is no ask 99" in error("tell", place, 99, "age=3")
    assert "it was told in 'g'" in error("tell", place, "--found", "p1", "iron=14.2 g")
    assert run("verify", place).stdout.startswith("All is right")


def test_labels_corrections_and_conflicts(place):
    run("label", place, "p2", "-1.5")
    run("tell", place, "--found", "p2", "iron=14")
    result = run("tell", place, "--found", "p2", "iron=15")
    assert "In conflict: iron" in result.stdout
    assert "keyhole: warning: example 'p2': iron contradicts what was told before" in result.stderr
    assert "until a correction says which is right" in result.stderr
    assert "conflict: example p2, iron: 14 (owner, " in run("status", place).stdout
    run("correct", place, "p2", "iron", "15", "--reason", "a typing error")
    run("correct", place, "p2", "label", "-2", "--reason", "a typing error")
    status = run_json("status", place)
    assert (status["conflicts"], status["in conflict"], status["labels"]) == (0, [], 1)
    assert "Missing option '--reason'" in error("correct", place, "p2", "iron", "15")


def test_cancel_release_and_the_end_of_the_money(place):
    first = run_json("ask", place)["asks"][0]
    run("release", place, first["id"])
    assert run_json("ask", place)["asks"][0]["id"] == first["id"]
    done = run_json("cancel", place, first["id"], "--reason", "moved away")
    assert (done["state"], done["left"]) == ("cancelled", 100)
    assert "only an open ask can be cancelled" in error("cancel", place, first["id"], "--reason", "again")
    out = run("allocate", place, 40, "--out", place.with_name("list.csv")).stdout
    assert "is left of the total, and an example may cost 7" in out
    assert run_json("ask", place, "--example", "p77") == {"asks": []}


def test_allocate_and_import(place, tmp_path):
    made = run_json("allocate", place, 4, "--out", tmp_path / "list.csv", "--prefix", "basel-")
    assert [one["example"] for one in made["asks"]] == ["p1", "p2", "p3", "basel-4"]
    assert "there is such a file already" in error("allocate", place, 2, "--out", tmp_path / "list.csv")
    assert run_json("status", place)["examples"] == 4
    lines = (tmp_path / "list.csv").read_text().splitlines()
    filled = [lines[0]]
    for line in lines[1:]:
        cells = line.split(",")
        cells[7] = "3" if cells[2] == "label" else VALUES[cells[2]].split()[0]
        filled.append(",".join(cells))
    (tmp_path / "filled.csv").write_text("\n".join(filled))
    assert run_json("import", place, tmp_path / "filled.csv", "--dry-run")["recorded"] == len(lines) - 1
    assert run_json("import", place, tmp_path / "filled.csv")["recorded"] == len(lines) - 1
    assert run_json("import", place, tmp_path / "filled.csv")["recorded"] == 0
    assert run_json("status", place)["learned from"] == 4

    (tmp_path / "wrong.csv").write_text("ask,attribute,value\n1,nothing,3\n99,age,3\n1,stage,bad\n")
    result = run("import", place, tmp_path / "wrong.csv", code=2)
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()[1:]] == ["line 2", "line 3", "line 4"]
    result = run("import", place, tmp_path / "wrong.csv", "--json", code=2)
    assert [one["line"] for one in json.loads(result.stdout)["wrong"]] == [2, 3, 4]


def test_export_backup_and_import_of_the_whole(place, tmp_path):
    run("tell", place, run_json("ask", place)["asks"][0]["id"], "--label", 3)
    files = run_json("export", place, tmp_path / "out")["files"]
    assert [file.rsplit("/", 1)[1] for file in files] == ["long.csv", "wide.csv", "dictionary.csv", "README.txt"]
    run("create", tmp_path / "same.db", "same", "--attributes", tmp_path / "out" / "dictionary.csv")
    run("export", place, tmp_path / "wide.parquet", "--shape", "wide")
    run("export", place, tmp_path / "study.jsonl")
    status = run_json("status", place)
    run("import", tmp_path / "new.db", tmp_path / "study.jsonl", "--study", "copied")
    assert run_json("status", tmp_path / "new.db") == status | {"study": "copied"}
    run("backup", place, tmp_path / "copy.db")
    assert run_json("status", tmp_path / "copy.db") == status
    assert "there is such a file already" in error("backup", place, tmp_path / "copy.db")
    assert "--dry-run and --found are for tables" in error("import", place, tmp_path / "study.jsonl", "--dry-run")
    assert run_json("upgrade", place) == {"before": "0001", "now": "0001", "backup": None}


CALLS = re.compile(r"Study\.|\w+\(|tell_found|add_examples|add_person|not_obtainable=|sqlite:///")


def test_messages_say_what_would_be_right_and_name_no_calls(place, tmp_path):
    run("ask", place)
    (tmp_path / "text.db").write_text("not a database, but long enough to be read as one " * 40)
    (tmp_path / "empty.db").touch()
    sqlite3.connect(tmp_path / "queue.db").close()
    run("create", tmp_path / "queue.db", "queue", "--attribute", "age", "--queue-only")
    known = run_json("ask", place, "--example", "p1")["asks"][0]["awaited"]
    other = next(name for name in VALUES if name not in known)
    for words, message in [
        (("create", place, "clinic", "--attribute", "x"), "go on with it, or take another name"),
        (("status", tmp_path / "no.db"), "give the file of a study, or create one"),
        (("status", tmp_path / "empty.db"), "holds no study; create one in it, or give the place of another"),
        (("status", tmp_path / "text.db"), "(file is not a database). No study was opened"),
        (("upgrade", tmp_path / "text.db"), "(file is not a database). Nothing was changed"),
        (("upgrade", tmp_path / "no.db"), "give the file of a study"),
        (("status", place, "--study", "other"), "there is no study 'other'; the studies there are: 'clinic'"),
        (("tell", place, 99, "age=3"), "there is no ask 99 in the study 'clinic'; the last one is ask 1"),
        (("tell", place, 1, f"{other}={VALUES[other]}"), "is told of the example as found, without an ask"),
        (("tell", place, 1, f"{known[0]}=NA"), "'NA' is no value; leave it out until it is there"),
        (("tell", place, 1, f"{known[0]}=nan"), "'nan' is no value; leave it out until it is there"),
        (("tell", place, 1, "--not-obtainable", known[0]), "is not NAME=REASON, as in iron=refused"),
        (("label", place, "nobody", 1), "there is no example 'nobody' in the study 'clinic'; add it first"),
        (("label", place, "p1", "many"), "labels of this study are numbers"),
        (("correct", place, "nobody", "age", 3, "--reason", "typing"), "there is nothing to correct"),
        (("ask", place, "--person", "eve"), "the people are 'owner'. Add a new person first"),
        (("ask", tmp_path / "queue.db", "--example", "p9"), "asks only for examples that were added; add it first"),
    ]:
        said = error(*words)
        assert message in said
        assert not CALLS.search(said.replace(str(tmp_path), "")), said


def test_verify_exits_with_1_where_something_is_wrong(place):
    run("ask", place)
    database = sqlite3.connect(place)
    database.execute("UPDATE keyhole_study SET committed = committed + 1000000")
    database.commit()
    database.close()
    assert "the study counts" in run("verify", place, code=1).stdout
    found = json.loads(run("verify", place, "--json", code=1).stdout)
    assert (found["right"], len(found["wrong"])) == (False, 1)


def test_reports(place):
    assert run("history", place).stdout == "No design was renewed yet.\n"
    assert run_json("history", place) == []
    assert "Seed 0" in run("protocol", place).stdout
    assert run_json("renew", place)["made"] == 0
    text = run("report", place, "--target", 0.5).stdout
    assert text.startswith(f"Study 'clinic' in {place}\n\nStatus\n")
    assert "not known yet: no example can be learned from yet" in text
    assert {"name": "examples", "text": "3"} in run_json("report", place)["Status"]
    assert "--target 3" in error("plan", place, "--target", 3)
    text = run("plan", place).stdout
    assert "0 examples can be learned from so far, and a plan from them needs 12" in text


def test_plan_from_the_examples_so_far(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", ["a", "b", "c"], budget=2, seed=0, renewals="by hand")
    for i in range(24):
        ask = study.ask(f"p{i}")
        study.tell(ask, {name: (i * (3 + ord(name)) % 7) + 0.1 * i for name in ask.names}, label=float(i * 5 % 9))
    assert "the study has no total" in error("plan", tmp_path / "s.db")
    result = run("plan", tmp_path / "s.db", "--total", 60, "--worlds", 4, "--jobs", 1, "--json")
    plan = json.loads(result.stdout)
    assert plan["pilot"]["examples"] == 24
    assert plan["totals"][0]["designs"]


def test_the_place_from_the_environment(place, tmp_path):
    env = {"KEYHOLE_STUDY": str(place)}
    assert run_json("add", "p8", "p9", **env)["added"] == 2
    ask = run_json("ask", **env)["asks"][0]
    run("tell", ask["id"], *pairs(ask), **env)
    run("label", "p1", "2", **env)
    run("backup", tmp_path / "copy.db", **env)
    run("export", tmp_path / "out", **env)
    run("import", tmp_path / "out" / "long.csv", **env)
    run("add", tmp_path / "copy.db", "only in the copy", **env)  # a place that is named is taken
    assert run_json("status", tmp_path / "copy.db", **env)["examples"] == 6
    assert run_json("status", **env)["examples"] == 5


def test_wrong_places(tmp_path):
    assert "Missing argument 'PLACE'" in error("status", KEYHOLE_STUDY="")
    assert "there is no such file" in error("status", tmp_path / "no.db")
    (tmp_path / "text.db").write_text("not a database, but long enough to be read as one " * 40)
    assert "this file is no database of SQLite" in error("status", tmp_path / "text.db")
    for url, message in [("mysql://me:secret@host/name", "not in mysql"), ("mysql://me:secret@host:x/name", "no URL")]:
        assert message in error("status", url)
        assert "secret" not in error("status", url)
    assert "No such command 'nothing'" in error("nothing")
    assert "Usage: keyhole study" in run().stdout


def test_the_commands_of_the_page(tmp_path, monkeypatch):
    """All commands of docs/study.md, one after the other, with its table of attributes."""
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    [table] = re.findall(r"^```csv\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    Path("attributes.csv").write_text(table)
    commands = [shlex.split(line, comments=True) for line in re.findall(r"^\$ (keyhole study .*)$", page, re.MULTILINE)]
    said = {}
    for command in commands:
        said[command[2]] = said.get(command[2], "") + run(*command[2:]).output
    assert {"create", "correct", "allocate", "import", "backup", "verify", "upgrade"} <= set(said)
    assert "ask 1, example p1" in said["ask"]
    assert "In conflict: age" in said["tell"]
    assert "conflicts            0" in said["status"]
    assert said["verify"].startswith("All is right")
    assert run_json("status", "copy.db")["examples"] == 22  # p1, p2, p7 and 19 of the list


def test_on_a_server(postgres, tmp_path):
    """Asks, results, an allocated list and a whole study by a URL of PostgreSQL, as in a file."""
    url = postgres.new_database()
    (tmp_path / "attributes.csv").write_text(ATTRIBUTES)
    run("create", url, "clinic", "--attributes", tmp_path / "attributes.csv", "--budget", 7, "--seed", 0)
    run("add", url, "p1", "p2")
    ask = run_json("ask", url)["asks"][0]
    names = [a["name"] for a in ask["attributes"]]
    told = run_json("tell", url, ask["id"], *pairs(ask), "--label", "-1.5")
    assert told == {"recorded": [*names, "label"], "repeated": [], "conflicts": []}
    assert run_json("tell", url, ask["id"], *pairs(ask))["repeated"] == names
    assert "the last one is ask 1" in error("tell", url, 99, "age=3")
    made = run_json("allocate", url, 2, "--out", tmp_path / "list.csv")["asks"]
    assert [one["example"] for one in made] == ["p2", "allocated-3"]
    lines = [f"{one['id']},{a['name']},{VALUES[a['name']].split()[0]}" for one in made for a in one["attributes"]]
    (tmp_path / "results.csv").write_text("\n".join(["ask,attribute,value", *lines]))
    assert run_json("import", url, tmp_path / "results.csv", "--dry-run")["recorded"] == len(lines)
    assert run_json("import", url, tmp_path / "results.csv")["recorded"] == len(lines)
    assert run_json("import", url, tmp_path / "results.csv")["repeated"] == len(lines)
    run("backup", url, tmp_path / "copy.jsonl")
    run("import", tmp_path / "copy.db", tmp_path / "copy.jsonl")
    assert run_json("status", tmp_path / "copy.db") == run_json("status", url)
    assert run("verify", url).stdout.startswith("All is right")
