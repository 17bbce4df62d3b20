"""``keyhole select`` from files to a folder, as a user runs it."""

import csv
import re

import pytest
import typer
from typer.testing import CliRunner

from judgments.crowd import crowd
from keyhole.judgments.columns import Columns
from keyhole.judgments.command import select


@pytest.fixture
def run(tmp_path):
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


def test_writes_tables_pictures_and_a_report(run):
    result = run("--costs", run.folder / "costs.csv")
    assert result.exit_code == 0, result.output
    out = run.folder / "out"
    repeats = {row["attribute"]: int(row["repeats"]) for row in read(out / "selection.csv")}
    assert repeats["b"] == repeats["c"] > 0
    assert 4 * repeats["a"] + 1.5 * repeats["b"] <= 20
    assert float(read(out / "path.csv")[-1]["spent"]) == 4 * repeats["a"] + 1.5 * repeats["b"]
    collect = sum(int(row["collect"]) for row in read(out / "shopping_list.csv"))
    assert collect == 60 * sum(max(0, r - 4) for r in repeats.values())
    for name in ("repeats", "loss_against_budget", "attributes"):
        assert (out / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
    for name in ("agreement", "loss_against_budget", "variance_components", "workers"):
        assert read(out / f"{name}.csv")
    report = (out / "report.html").read_text()
    assert report.count("data:image/png;base64,") == 3
    assert not re.search(r'(src|href)="(?!data:)', report)
    assert "workers differ in severity" in report
    assert "Warning: the judgments are not independent draws" in result.output
    assert f"{collect} judgments still to collect" in result.output


def test_options_reach_the_selection(run):
    result = run("--method", "averages", "--max-repeats", 4, "--severity", "--exclude", "w1", budget=8)
    assert result.exit_code == 0, result.output
    assert "not independent" not in result.output
    report = (run.folder / "out" / "report.html").read_text()
    assert "Excluded workers: w1." in report
    assert "&#x27;averages&#x27;" in report


def test_gold_objects_test_workers_and_stay_out(run):
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "labels.csv").write_text("object,label\no0,1\n"), "have no finite label"),
        (lambda f: (f / "labels.csv").unlink(), "there is no file"),
        (lambda f: (f / "costs.csv").write_text("attribute,cost\na,-1\n"), "the cost of 'a' is -1"),
        (
            lambda f: (f / "judgments.csv").write_text("object,attribute,value\no1,a,x\n"),
            "line 2, column 'value'",
        ),
    ],
)
def test_errors_are_one_line_and_exit_code_2(run, change, message):
    change(run.folder)
    result = run("--costs", run.folder / "costs.csv")
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert not (run.folder / "out").exists()


def test_too_small_a_budget(run):
    result = run(budget=0.2)
    assert result.exit_code == 2
    assert "a budget of 0.2 buys nothing" in result.output


def test_an_attribute_judged_twice_only_once_still_gives_a_selection(run):
    """No fold but one can measure it on other objects; the report says so instead of failing."""
    path = run.folder / "judgments.csv"
    kept, seen = [], set()
    for line in path.read_text().splitlines():
        thing, attribute = line.split(",")[:2]
        if attribute != "c" or thing == "o0" or (thing, attribute) not in seen:
            kept.append(line)
        seen.add((thing, attribute))
    path.write_text("\n".join(kept) + "\n")
    result = run()
    assert result.exit_code == 0, result.output
    assert "could not be estimated: no object has 2 judgments of attribute 'c'" in result.output
    assert not (run.folder / "out" / "loss_against_budget.csv").exists()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ("attribute,cost\na,4\nb,1\n", "no cost is given for 'c'"),
        ("attribute,cost\na,4\nb,\nc,1\n", "line 3: attribute 'b' has no cost"),
        ("attribute,cost,bundle\na,4,\nb,,s\nc,,s\n", "bundle 's' without a cost"),
    ],
)
def test_what_has_no_price_is_named(run, costs, message):
    (run.folder / "costs.csv").write_text(costs)
    result = run("--costs", run.folder / "costs.csv")
    assert result.exit_code == 2
    assert message in result.output


def test_the_selection_shows_prices_and_names_its_columns(run):
    result = run("--costs", run.folder / "costs.csv")
    rows = {row["attribute"]: row for row in read(run.folder / "out" / "selection.csv")}
    assert (rows["a"]["cost"], rows["a"]["bundle"]) == ("4.0", "")
    assert (rows["c"]["cost"], rows["c"]["bundle"]) == ("1.5", "screen")
    assert "covariance_with_label" in rows["a"]
    assert not {"correlation", "external_variance"} & set(rows["a"])
    spent = read(run.folder / "out" / "path.csv")[-1]["spent"]
    report = (run.folder / "out" / "report.html").read_text()
    assert f"The judgments of one object cost {float(spent):g} in all. Columns: repeats: " in report
    assert "of the budgets" not in result.output
    assert "Estimated on objects that took no part in the choice" in result.output


def test_without_resamples_there_are_no_intervals(run):
    result = run("--resamples", 0)
    assert result.exit_code == 0, result.output
    assert "% interval" not in result.output
    assert "low" not in read(run.folder / "out" / "selection.csv")[0]


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
    assert "--choices takes pairs like NAME=VALUE" in run(*names, "--choices", "good").output
    assert "--columns has 'thing'" in run("--columns", "thing=photo").output


def test_an_mturk_batch_with_two_inputs_and_words(run):
    rows = ["HITId,WorkerId,AssignmentStatus,Input.url,Input.name,Answer.a,Answer.b"]
    for i in range(60):
        for w in range(3):
            answers = f"{(i * 7 + w) % 5},{'high' if (i * 3 + w) % 4 > 1 else 'low'}"
            rows.append(f"h{i},w{w},Approved,u{i},o{i},{answers}")
    (run.folder / "judgments.csv").write_text("\n".join(rows) + "\n")
    assert "say with --object-column which of" in run().output
    asked = run("--object-column", "Input.name").output
    assert '--choices "low=NUMBER"' in asked
    result = run("--object-column", "Input.name", "--choices", "high=1,low=0", "--resamples", 0)
    assert result.exit_code == 0, result.output


def test_messages_speak_of_options(run):
    assert "consider --severity" in run().output
    assert "as --gold" in run("--gold-tolerance", 1).output
    assert "--max-repeats must be a whole number" in run("--max-repeats", 0).output


def test_excluded_workers_are_counted(run):
    assert "1 workers excluded: w1" in run("--exclude", "w1", "--resamples", 0).output
