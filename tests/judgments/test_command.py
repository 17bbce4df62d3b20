"""``keyhole select`` from files to a folder, as a user runs it."""

import csv
import re

import pytest
import typer
from typer.testing import CliRunner

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments.command import parse_numbers, parse_pairs, select
from keyhole.judgments.data.columns import Columns


@pytest.fixture
def run(tmp_path, crowd):
    """A function that invokes the command on the files of a crowd; ``run.folder`` holds them."""
    app = typer.Typer()
    app.command("select")(select)
    app.command("other")(lambda: None)  # two commands, so that "select" must be named as in keyhole itself
    table, labels = crowd(0, objects=60, severity=1.0)
    Columns(table).to_csv(tmp_path / "judgments.csv")
    Columns(object=list(labels), label=list(labels.values())).to_csv(tmp_path / "labels.csv")
    (tmp_path / "costs.csv").write_text("attribute,cost,bundle\na,4,\nb,1.5,screen\nc,1.5,screen\n")

    def invoke(*more, budget=20):
        names = [tmp_path / "judgments.csv", "--labels", tmp_path / "labels.csv", "--budget", budget]
        arguments = ["select", *names, "--out", tmp_path / "out", "--resamples", 20, *more]
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    invoke.folder = tmp_path
    return invoke


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_writes_tables_figures_and_a_report(run):
    result = run("--costs", run.folder / "costs.csv")
    assert result.exit_code == 0, result.output
    out = run.folder / "out"
    repeats = {row["attribute"]: int(row["repeats"]) for row in read(out / "selection.csv")}
    assert repeats["b"] == repeats["c"] > 0
    assert 4 * repeats["a"] + 1.5 * repeats["b"] <= 20
    assert float(read(out / "path.csv")[-1]["spent"]) == 4 * repeats["a"] + 1.5 * repeats["b"]
    collect = sum(int(row["collect"]) for row in read(out / "missing_judgments.csv"))
    assert collect == 60 * sum(max(0, r - 4) for r in repeats.values())
    for name in ("repeats", "loss_against_budget", "attributes"):
        assert (out / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
    for name in ("agreement", "loss_against_budget", "variance_components", "workers"):
        assert read(out / f"{name}.csv")
    report = (out / "report.html").read_text()
    assert report.count("data:image/png;base64,") == 3
    assert not re.search(r'(src|href)="(?!data:)', report)
    assert "workers differ in severity" in report
    assert "keyhole: warning: the judgments are not independent: workers differ in severity" in result.stderr
    assert f"Judgments to collect: {collect}. Report: {out / 'report.html'}" in result.stdout
    assert "loss on held-out objects is" in result.stdout


def test_options_reach_the_selection(run):
    result = run("--method", "averages", "--max-repeats", 4, "--severity", "--exclude", "w1", budget=8)
    assert result.exit_code == 0, result.output
    assert "not independent" not in result.output
    assert "Excluded workers (1): w1" in result.output
    report = (run.folder / "out" / "report.html").read_text()
    assert "Excluded workers: w1." in report
    assert "&#x27;averages&#x27;" in report


def test_the_table_shows_costs_and_the_report_explains_its_columns(run):
    run("--costs", run.folder / "costs.csv")
    rows = {row["attribute"]: row for row in read(run.folder / "out" / "selection.csv")}
    assert (rows["a"]["cost"], rows["a"]["bundle"]) == ("4.0", "")
    assert (rows["c"]["cost"], rows["c"]["bundle"]) == ("1.5", "screen")
    assert "covariance_with_label" in rows["a"]
    assert not {"correlation", "external_variance"} & set(rows["a"])
    spent = read(run.folder / "out" / "path.csv")[-1]["spent"]
    report = (run.folder / "out" / "report.html").read_text()
    assert f"The judgments of one object cost {float(spent):g}. Columns: repeats: " in report


def test_gold_errors_are_in_the_table_of_workers(run):
    with open(run.folder / "judgments.csv", "a") as file:
        for i in range(3):
            for w in range(6):
                file.write(f"gold{i},a,{50 if w == 2 else 0.1 * w},w{w}\n")
    (run.folder / "gold.csv").write_text("object,attribute,value\n" + "".join(f"gold{i},a,0\n" for i in range(3)))
    result = run("--gold", run.folder / "gold.csv", "--gold-tolerance", 5)
    assert result.exit_code == 0, result.output
    assert "Excluded workers: w2." in (run.folder / "out" / "report.html").read_text()
    rows = {row["worker"]: row for row in read(run.folder / "out" / "workers.csv")}
    assert float(rows["w2"]["gold_error"]) == 50
    assert rows["w9"]["gold_error"] == ""


def test_without_resamples_there_are_no_intervals(run):
    result = run("--resamples", 0)
    assert result.exit_code == 0, result.output
    assert "% bootstrap interval" not in result.output
    assert "low" not in read(run.folder / "out" / "selection.csv")[0]


def test_the_seed_decides_the_resamples(run):
    intervals = [re.search("interval is (.*?),", run("--seed", seed).stdout).group(1) for seed in (1, 1, 2)]
    assert intervals[0] == intervals[1] != intervals[2]


def test_other_names_words_and_attributes_of_a_long_table(run):
    path = run.folder / "judgments.csv"
    _, *lines = path.read_text().splitlines()
    cells = [line.split(",") for line in lines]
    words = [[o, a, "good" if float(v) > 0 else "bad", w] for o, a, v, w in cells]
    path.write_text("photo,attribute,rating,worker\n" + "\n".join(",".join(row) for row in words) + "\n")
    names = ("--columns", "object=photo,value=rating", "--attributes", "a", "--attributes", "b", "--resamples", 0)
    result = run(*names, "--choices", "good=1,bad=0")
    assert result.exit_code == 0, result.output
    assert {row["attribute"] for row in read(run.folder / "out" / "selection.csv")} == {"a", "b"}


def test_an_mturk_batch_with_two_inputs_and_words(run):
    rows = ["HITId,WorkerId,AssignmentStatus,Input.url,Input.name,Answer.a,Answer.b"]
    for i in range(60):
        for w in range(3):
            answers = f"{(i * 7 + w) % 5},{'high' if (i * 3 + w) % 4 > 1 else 'low'}"
            rows.append(f"h{i},w{w},Approved,u{i},o{i},{answers}")
    (run.folder / "judgments.csv").write_text("\n".join(rows) + "\n")
    assert run().exception.as_option().startswith("--object-column: ")
    assert "'low' is not a number" in str(run("--object-column", "Input.name").exception)
    result = run("--object-column", "Input.name", "--choices", "high=1,low=0", "--resamples", 0)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--max-repeats", 0), "--max-repeats 0: MultiSelector needs a whole number, 1 or more"),
        (("--method", "best"), "--method best: MultiSelector takes 'full' or"),
        (("--ridge", -1), "--ridge -1.0: MultiSelector needs a finite number, 0 or more"),
        (("--gold-tolerance", 1), "--gold: a tolerance for errors on gold items needs the file"),
        (("--columns", "thing=photo"), "--columns: it names 'thing'"),
        (("--choices", "good"), "--choices: 'good' is not a pair NAME=VALUE"),
        (("--choices", "good=much"), "--choices: 'much', given for 'good', is not a number"),
    ],
)
def test_errors_know_their_option(run, options, message):
    """The command raises; ``keyhole.cli`` prints errors of all commands in one way."""
    error = run(*options).exception
    assert isinstance(error, ParameterError)
    assert error.as_option().startswith(message)
    assert not (run.folder / "out").exists()


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (lambda f: (f / "labels.csv").write_text("object,label\no0,1\n"), BadValue, "have no finite label"),
        (lambda f: (f / "labels.csv").unlink(), FileNotFoundError, "there is no file"),
        (lambda f: (f / "costs.csv").write_text("attribute,cost\na,-1\n"), ParameterError, "the cost of 'a' is -1"),
        (
            lambda f: (f / "costs.csv").write_text("attribute,cost\na,4\nb,\nc,1\n"),
            BadValue,
            "attribute 'b' has no cost",
        ),
        (
            lambda f: (f / "judgments.csv").write_text("object,attribute,value\no1,a,x\n"),
            BadValue,
            "line 2, column 'value'",
        ),
    ],
)
def test_bad_files_are_refused_before_anything_is_written(run, change, kind, message):
    change(run.folder)
    error = run("--costs", run.folder / "costs.csv").exception
    assert isinstance(error, kind)
    assert message in str(error)
    assert not (run.folder / "out").exists()


def test_pairs_and_numbers():
    assert parse_pairs([" a = b ,c=d", "e=f=g"], "columns") == {"a": "b", "c": "d", "e": "f=g"}
    assert parse_numbers(["yes=1,no=-2.5"], "choices") == {"yes": 1.0, "no": -2.5}
    assert parse_pairs([], "columns") == {}
