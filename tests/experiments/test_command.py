"""``keyhole reproduce``: what it runs, prints and refuses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import keyhole.experiments
from experiments.fake_paper import new_paper, three_kinds
from keyhole.cli import app
from keyhole.experiments.runner import running


@pytest.fixture
def reproduce(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(keyhole.experiments, "PAPERS", {"fake-2026": "fake"})
    known = keyhole.experiments.load_paper
    monkeypatch.setattr(
        keyhole.experiments, "load_paper", lambda name: new_paper() if name == "fake-2026" else known(name)
    )
    return lambda *arguments: CliRunner().invoke(app, ["reproduce", *arguments], env={"COLUMNS": "200"})


@pytest.mark.parametrize("which", ["fake-2026", "all"])
def test_a_run_prints_verdicts_and_writes_the_report(reproduce, tmp_path, which):
    result = reproduce(which, "--quick", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "holds" in result.output
    assert "Report: reproduced-quick/fake-2026/report.html" in result.output
    assert (tmp_path / "reproduced-quick" / "fake-2026" / "report.html").is_file()
    assert (tmp_path / "reproduced-quick" / "fake-2026" / "fig1.svg").is_file()


def test_claims_of_other_kinds_have_a_table_of_their_own(reproduce, monkeypatch):
    monkeypatch.setattr(keyhole.experiments, "load_paper", lambda name: new_paper(claims=three_kinds))
    result = reproduce("fake-2026", "--quick", "--jobs", "1")
    assert result.exit_code == 0, result.output
    first, second = result.output.split("Not counted: 2 claims about other forms and 2 questions of Keyhole's own.")
    assert "A fake paper. Published claims: 2 hold." in first
    assert "the error stays below 3" in first
    assert "scaled" not in first
    assert "does not hold" not in first
    assert "scaled" in second
    assert "another form" in second
    assert "the error stays below 3" not in second


def test_only_and_seed(reproduce, tmp_path):
    result = reproduce("fake-2026", "--quick", "--jobs", "1", "--only", "table1", "--seed", "2", "--out", "here")
    assert result.exit_code == 0, result.output
    assert "does not hold" in result.output  # the seed moves the error over 3
    assert "not run yet" in result.output
    assert not (tmp_path / "here" / "fake-2026" / "fig1.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fake-2027"], "fake-2027: there is no such paper; there are 'fake-2026', and 'all' for all of them"),
        (
            ["fake-2026", "--only", "fig9"],
            "--only fig9: fake-2026 has no such table or figure; it has 'fig1', 'table1'",
        ),
        (["all", "--only", "fig1"], "--only: it names a table or figure of one paper"),
        (["fake-2026", "--jobs", "0"], "--jobs 0: 1 or more processes"),
        (["fake-2026", "--seed", "-1"], "--seed -1: a whole number from 0 to 1,000,000"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(reproduce, tmp_path, arguments, said):
    result = reproduce(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_another_seed_in_the_same_folder_is_refused(reproduce):
    assert reproduce("fake-2026", "--quick", "--jobs", "1").exit_code == 0
    result = reproduce("fake-2026", "--quick", "--jobs", "1", "--seed", "1")
    assert result.exit_code == 2
    assert "fake-2026 holds a run with seed 0, and this one has seed 1; choose another --out" in result.stderr


def test_results_of_other_code_are_refused_unless_only_the_report_is_wanted(reproduce, tmp_path):
    assert reproduce("fake-2026", "--quick", "--jobs", "1").exit_code == 0
    settings = tmp_path / "reproduced-quick" / "fake-2026" / "settings.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"code": "0" * 64}))
    result = reproduce("fake-2026", "--quick", "--jobs", "1")
    assert result.exit_code == 2
    assert f"holds a run with code {'0' * 64}, and this one has code " in result.stderr
    assert "--redraw" in result.stderr
    result = reproduce("fake-2026", "--quick", "--redraw")
    assert result.exit_code == 0, result.output
    assert "0" * 64 in settings.with_name("report.html").read_text()


def test_an_interrupted_run_says_how_to_go_on(reproduce, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_paper", interrupted)
    result = reproduce("fake-2026", "--quick")
    assert result.exit_code == 130
    assert "the same command continues from there" in result.output


def test_partial_reports_what_is_there(reproduce):
    assert reproduce("fake-2026", "--quick", "--jobs", "1", "--only", "table1").exit_code == 0
    result = reproduce("fake-2026", "--quick", "--partial")
    assert result.exit_code == 0, result.output
    assert "not run yet" not in result.output
