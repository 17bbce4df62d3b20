"""The command line, on real files."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import keyhole as kh
from keyhole.cli import LEARNERS, app
from keyhole.demo import models
from keyhole.saving import load_model, save_model

NAMES = [f"test {i}" for i in range(9)]


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(120, 9)), columns=NAMES)
    frame["y"] = frame["test 2"] - 0.5 * frame["test 7"] + 3
    frame["site"] = "Basel"
    frame.to_csv(tmp_path / "data.csv", index=False)
    frame.to_parquet(tmp_path / "data.parquet")
    return tmp_path / "data.csv"


def keyhole(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def fit(data, *more, budget=4, out="model.keyhole"):
    out = data.with_name(out)
    return keyhole("fit", data, "--label", "y", "--budget", budget, "--drop", "site", "--out", out, *more)


def test_fit_then_predict(data):
    result = fit(data, "--learner", "aerr", "--seed", 3, "--radius", 2)
    assert result.exit_code == 0, result.output
    for words in (
        "examples",
        "120",
        "attributes",
        "9",
        "cells revealed",
        "share of all cells",
        "most cells of one example",
    ):
        assert words in result.stdout
    frame = pd.read_csv(data)
    learner = kh.AERR(4, 2.0, random_state=3).fit(frame[NAMES], frame["y"])
    assert f"{learner.observed_.distinct:,}" in result.stdout

    result = keyhole("predict", data.with_name("model.keyhole"), data)
    lines = result.stdout.splitlines()
    assert lines[0] == "prediction"
    assert len(lines) == 121
    np.testing.assert_allclose([float(line) for line in lines[1:]], learner.predict(frame[NAMES]), rtol=1e-12)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_by_its_name(name, data):
    result = fit(data, "--learner", name, budget=8)
    assert result.exit_code == 0, result.output
    model = load_model(data.with_name("model.keyhole"))
    assert list(model.feature_names_in_) == NAMES
    assert type(model).__name__ == LEARNERS[name]
    result = keyhole("predict", data.with_name("model.keyhole"), data)
    assert result.exit_code == 0, result.output


def test_the_usual_learner_is_keyholes_own(data):
    result = fit(data)
    assert result.exit_code == 0, result.output
    assert "keyhole, budget 4" in result.stdout
    assert result.stderr == ""
    frame = pd.read_csv(data)
    learner = kh.KeyholeRegressor(4, random_state=0).fit(frame[NAMES], frame["y"])
    assert learner.family_ in result.stdout
    np.testing.assert_allclose(load_model(data.with_name("model.keyhole")).coef_, learner.coef_)


def test_without_a_budget_a_table_with_holes_is_taken_as_it_is(data):
    frame = pd.read_csv(data)
    holes = frame[NAMES].mask(np.random.default_rng(0).random((120, 9)) < 0.3)
    holes["test 4"], holes["y"] = np.nan, frame["y"]
    holes.to_csv(data.with_name("holes.csv"), index=False)
    out = data.with_name("model.keyhole")
    result = keyhole("fit", data.with_name("holes.csv"), "--label", "y", "--out", out)
    assert result.exit_code == 0, result.output
    assert "keyhole, every cell of the table" in result.stdout
    assert f"{holes[NAMES].notna().to_numpy().sum():,}" in result.stdout
    warning = "KeyholeRegressor: no cell was revealed of 'test 4': the coefficient is 0"
    assert result.stderr == f"keyhole: warning: {warning}\n"
    assert load_model(out).score(frame[NAMES], frame["y"]) > 0.8
    result = keyhole("fit", data, "--label", "y", "--learner", "aerr", "--out", out)
    assert "--budget: aerr needs one; the learner keyhole takes all cells of the table without it" in result.stderr


@pytest.mark.parametrize(
    ("name", "budget", "title", "spent"),
    [
        ("keyhole", None, "keyhole, total 105", None),
        ("keyhole", 3, "keyhole, budget 3, total 105", None),
        ("complete-rows", None, "complete-rows, total 105", 99),
        ("complete-rows", 3, "complete-rows, total 105", 99),
        ("screened-panel", None, "screened-panel, budget 4, total 105", 104),
        ("screened-panel", 3, "screened-panel, budget 3, total 105", 105),
        ("impute-then-ridge", 2, "impute-then-ridge, budget 2, total 105", 104),
    ],
)
def test_a_total_with_or_without_a_budget_and_what_is_left_of_it(name, budget, title, spent, data):
    out = data.with_name("model.keyhole")
    words = () if budget is None else ("--budget", budget)
    result = keyhole(
        "fit", data, "--label", "y", "--total", 105, *words, "--learner", name, "--drop", "site", "--out", out
    )
    assert result.exit_code == 0, result.output
    model = load_model(out)
    assert model.observed_.cost == (spent or model.layout_.spent) <= 105
    assert title in result.stdout
    assert f"left of the total │ {105 - model.observed_.cost:g} │" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--learner", "complete-rows"), "--budget: complete-rows needs one or a total; the learner keyhole takes all"),
        (("--learner", "aerr", "--total", 100), "--total: aerr has no total"),
        (("--learner", "complete-rows", "--total", 8), "--total 8: CompleteRows reveals whole rows, and one costs 9"),
    ],
)
def test_limits_that_a_learner_cannot_be_without_or_does_not_have(words, complaint, data):
    result = keyhole("fit", data, "--label", "y", "--drop", "site", "--out", data.with_name("model.keyhole"), *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["exploration", "hybrid", "dantzig", "dual-averaging"])
def test_sparse_learners_take_a_sparsity(name, data):
    result = fit(data, "--learner", name, "--sparsity", 3, budget=8)
    assert result.exit_code == 0, result.output
    model = load_model(data.with_name("model.keyhole"))
    assert model.sparsity == 3
    assert 0 < np.count_nonzero(model.coef_) <= 3
    assert f"predictions need │ {np.count_nonzero(model.coef_)} │" in " ".join(result.stdout.split())


def test_parquet_and_csv_give_the_same(data):
    fit(data)
    fit(data.with_suffix(".parquet"), out="again.keyhole")
    again, model = (load_model(data.with_name(name)) for name in ("again.keyhole", "model.keyhole"))
    np.testing.assert_array_equal(again.coef_, model.coef_)
    for suffix in (".csv", ".parquet"):
        out = data.with_name("predictions" + suffix)
        result = keyhole("predict", data.with_name("model.keyhole"), data.with_suffix(suffix), "--out", out)
        assert (result.exit_code, result.stdout) == (0, "")
    frame = pd.read_parquet(out)
    pd.testing.assert_frame_equal(frame, pd.read_csv(out.with_suffix(".csv")), rtol=1e-15)


def test_columns_are_matched_by_name(data):
    fit(data)
    usual = keyhole("predict", data.with_name("model.keyhole"), data).stdout
    frame = pd.read_csv(data)
    frame[frame.columns[::-1]].to_csv(data.with_name("turned.csv"), index=False)
    turned = keyhole("predict", data.with_name("model.keyhole"), data.with_name("turned.csv")).stdout
    assert turned == usual
    frame.drop(columns=["test 3", "test 5"]).to_csv(data.with_name("short.csv"), index=False)
    result = keyhole("predict", data.with_name("model.keyhole"), data.with_name("short.csv"))
    assert result.exit_code == 2
    assert "there is no column 'test 3', 'test 5'" in result.stderr


def test_scaling_and_a_model_without_names(data):
    assert fit(data, "--learner", "aerr", "--scaling", "none").exit_code == 0
    model = load_model(data.with_name("model.keyhole"))
    assert (model.scaling, model.intercept_) == ("none", 0.0)
    frame = pd.read_csv(data).drop(columns="site")
    nameless = kh.AERR(4, random_state=0).fit(frame[NAMES].to_numpy(), frame["y"])
    save_model(nameless, data.with_name("nameless.keyhole"))
    frame[NAMES].to_csv(data.with_name("X.csv"), index=False)
    assert keyhole("predict", data.with_name("nameless.keyhole"), data.with_name("X.csv")).exit_code == 0
    frame.to_csv(data.with_name("Xy.csv"), index=False)
    result = keyhole("predict", data.with_name("nameless.keyhole"), data.with_name("Xy.csv"))
    assert "10 features, but AERR is expecting 9" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--learner", "magic"], "--learner magic: there is no such learner; there are keyhole, aer, baseline"),
        (["--radius", "1"], "--radius: keyhole has no radius"),
        (
            ["--learner", "aerr", "--radius", "-1"],
            "keyhole: --radius -1.0: AERR needs 'auto' or a finite number above 0",
        ),
        (["--learner", "aerr", "--scaling", "some"], "--scaling some: AERR takes 'running' or 'none'"),
        (["--learner", "complete-rows", "--radius", "1"], "--radius: complete-rows has no radius"),
        (["--drop", "nothing"], "there is no column 'nothing'"),
        (["--learner", "aerr", "--sparsity", "2"], "--sparsity: aerr has no sparsity"),
        (["--learner", "hybrid", "--sparsity", "9"], "--sparsity 9: with budget=4"),
        (["--learner", "aerr", "--budget", "1"], "--budget 1: AERR needs at least 2"),
        (["--budget", "10"], "--budget 10: this is more than n_features = 9"),
        (["--seed", "-1"], "Invalid value for '--seed': "),
        (["--bugdet", "3"], "No such option: --bugdet (Possible options: --budget"),
        (["--budget", "many"], "Invalid value for '--budget': "),
        (["--label", "site"], "line 2, column 'site': the label 'Basel' is not a finite number"),
    ],
)
def test_what_is_wrong_is_one_line(words, complaint, data):
    result = fit(data, *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("keyhole: ")
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert not data.with_name("model.keyhole").exists()


def test_files_that_are_not_there(data):
    result = keyhole("fit", "none.csv", "--label", "y", "--budget", 4, "--out", "m.json")
    assert (result.exit_code, result.stderr) == (2, "keyhole: none.csv: No such file or directory\n")
    result = keyhole("predict", "none.json", data)
    assert (result.exit_code, result.stderr) == (2, "keyhole: none.json: No such file or directory\n")
    for command in (["demo"], ["predict", data, data], ["fit", data, "--label", "y", "--budget", 4]):
        result = keyhole(*command, "--out", data.parent / "nowhere" / "x.json")
        assert result.exit_code == 2
        assert "there is no folder" in result.stderr
    result = keyhole("predict", data, data)
    assert "not a whole Keyhole model file" in result.stderr
    fit(data)
    result = keyhole("predict", data.with_name("model.keyhole"), data, "--out", "p.xlsx")
    assert "p.xlsx: a table is a .csv or a .parquet file" in result.stderr


def test_a_column_of_text_is_refused_before_anything_is_learned(data):
    result = keyhole("fit", data, "--label", "y", "--budget", 4, "--out", data.with_name("model.keyhole"))
    assert result.exit_code == 2
    assert "column 'site' has the type text (such as 'Basel'), which is not of numbers" in result.stderr


def test_an_absent_value(data):
    frame = pd.read_csv(data)
    frame.loc[5:, "test 4"] = np.nan
    frame.to_csv(data, index=False)
    result = fit(data)
    assert result.exit_code == 0, result.output
    assert "skipped" not in result.stdout
    result = keyhole("predict", data.with_name("model.keyhole"), data)  # it predicts from what is known
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == len(frame) + 1
    assert "skipped" in fit(data, "--learner", "aerr").stdout
    result = keyhole("predict", data.with_name("model.keyhole"), data)
    assert "line 7, column 'test 4': there is no value" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["fit"], "keyhole: Missing argument 'data' (see keyhole fit --help)\n"),
        (["--quiet"], "keyhole: No such option: --quiet (see keyhole --help)\n"),
        (["fitt"], "keyhole: No such command 'fitt'. Did you mean 'fit'? (see keyhole --help)\n"),
        (["select"], "keyhole: Missing argument 'judgments' (see keyhole select --help)\n"),
        (["reproduce", "all", "--jobs", "x"], "keyhole: Invalid value for '--jobs': "),
        (["--debug", "fit"], "keyhole: Missing argument 'data' (see keyhole fit --help)\n"),
    ],
)
def test_wrong_usage_is_one_line_with_the_same_exit_code(words, complaint):
    result = keyhole(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(complaint)
    assert result.stderr.count("\n") == 1


def test_debug_shows_the_traceback(data):
    result = keyhole("--debug", "predict", "none.json", data)
    assert isinstance(result.exception, FileNotFoundError)


def test_version_and_help():
    assert keyhole("--version").stdout == f"keyhole {kh.__version__}\n"
    result = keyhole("--help")
    assert result.exit_code == 0
    for word in ("fit", "predict", "demo", "select", "reproduce", "Exit codes"):
        assert word in result.stdout
    without = keyhole()
    assert (without.exit_code, without.stdout.strip()) == (0, result.stdout.strip())


@pytest.mark.parametrize("command", ["fit", "demo", "select", "reproduce"])
def test_every_command_that_draws_takes_a_seed(command):
    assert "--seed" in keyhole(command, "--help").stdout


def test_the_seed_of_the_demo_changes_the_splits(tmp_path, monkeypatch):
    seeds = []
    monkeypatch.setattr("keyhole.demo.models.assess", lambda row, task, split: seeds.append(split))
    monkeypatch.setattr("keyhole.demo.models.rows", lambda: [models.Row("one", "learner", dict, errors=[1.0])])
    for name in ("draw", "_table", "_summary"):
        monkeypatch.setattr(f"keyhole.demo.{name}", lambda *_: "")
    for seed in (0, 2):
        result = keyhole("demo", "--quick", "--seed", seed, "--out", tmp_path / "demo.png")
        assert result.exit_code == 0, result.output
    assert sorted(set(seeds)) == [0, 1, 2, 20, 21, 22]


def test_the_command_itself_and_a_closed_pipe(data):
    fit(data)
    command = [sys.executable, "-m", "keyhole"]
    predict = [*command, "predict", str(data.with_name("model.keyhole")), str(data)]
    done = subprocess.run(predict, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("prediction\n")
    with subprocess.Popen(predict, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
