"""The command ``keyhole plan``, as a new user would try it."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from keyhole.cli import app
from planning.populations import population

QUICK = ("--worlds", 4, "--jobs", 1)


@pytest.fixture
def pilot(tmp_path):
    X, y = population(40, 0)
    frame = pd.DataFrame(X, columns=[f"test {i}" for i in range(6)]).assign(outcome=y)
    frame.to_csv(tmp_path / "pilot.csv", index=False)
    return tmp_path / "pilot.csv"


def keyhole(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_plan_with_costs_json_and_a_picture(pilot, tmp_path):
    (tmp_path / "costs.csv").write_text("attribute,cost,bundle\ntest 0,2,blood\ntest 1,,blood\ntest 2,3,\n")
    words = ("--costs", tmp_path / "costs.csv", "--json", tmp_path / "out.json", "--figure", tmp_path / "plan.svg")
    result = keyhole("plan", pilot, "--label", "outcome", "--total", 80, "--target", 0.95, *words, *QUICK)
    assert result.exit_code == 0, result.output
    assert "Designs for a total of 80 in units of cost" in result.stdout
    said = " ".join(result.stdout.split())
    assert "Target 0.95: the cheapest design" in said
    assert "Target 0.95 for predictions from 4 attributes: the cheapest is" in said
    assert "For the protocol: The design was chosen by simulation" in result.stdout
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["pilot"]["cost_of_a_row"] == 8
    assert set(content["cheapest"]) == {"all", "few"}
    assert "<svg" in (tmp_path / "plan.svg").read_text()


def test_without_a_pilot_an_example_has_no_more_tests_than_attributes():
    result = keyhole("plan", "--attributes", 3, "--total", 12)
    assert result.exit_code == 0
    assert "4 examples, 3 of 3 attributes" in result.stdout
    assert "Theorem 3)" not in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--attributes", 1, "--total", 9), "--attributes 1: a plan needs a whole number, 2 or more"),
        (("--attributes", 9, "--total", "inf"), "--total inf: a plan needs a finite number above 0"),
        (("--attributes", 9, "--total", 2), "--total 2.0: one example with 4 tests costs 4"),
        (("--attributes", 9, "--total", 99, "--target", 0.3), "--target 0.3: this needs a pilot"),
    ],
)
def test_wrong_options_without_a_pilot_are_one_line(words, message):
    result = keyhole("plan", *words)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr


def test_without_a_pilot_the_bounds_are_stated():
    result = keyhole("plan", "--attributes", 30, "--total", 1820)
    assert result.exit_code == 0
    assert "455 examples, 4 of 30 attributes" in result.stdout
    assert "loose" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--total", 100), "--label: a plan needs the name of the column to predict"),
        (("--label", "outcome"), "--total: a plan needs the most that the whole study may cost"),
        (("--label", "nothing", "--total", 100), "there is no column 'nothing'"),
        (("--label", "outcome", "--total", 3), "--total 3.0: the least that a design spends on an example is 2"),
        (("--label", "outcome", "--total", 100, "--target", 7), "--target 7.0: a share of the label's variance"),
        (("--label", "outcome", "--total", 100, "--worlds", 2), "--worlds 2: plan needs a whole number, 4 or more"),
        (
            ("--label", "outcome", "--total", 100, "--attributes", 6),
            "--attributes 6: this is for a plan without a pilot",
        ),
        (("--label", "outcome", "--total", 100, "--figure", "plan.xyz"), "--figure plan.xyz: the name of the picture"),
        (("--label", "outcome", "--total", 100, "--json", "no/such/plan.json"), "there is no folder no/such"),
    ],
)
def test_wrong_options_are_one_line(pilot, words, message):
    result = keyhole("plan", pilot, *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("keyhole: ")
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr


@pytest.mark.parametrize("option", ["--json", "--figure"])
def test_a_folder_in_place_of_a_file_is_refused_before_anything_is_simulated(pilot, tmp_path, option):
    folder = tmp_path / "out.png"
    folder.mkdir()
    result = keyhole("plan", pilot, "--label", "outcome", "--total", 100, option, folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option} {folder}: this is a folder; give the name of a file" in result.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("test 9,2", "no attribute is called 'test 9'; there are 'test 0'"),
        ("test 1,-2", "attribute 'test 1' costs -2; a finite number, 0 or more, is needed"),
        ("test 1,inf", "attribute 'test 1' costs inf; a finite number, 0 or more, is needed"),
    ],
)
def test_wrong_costs_are_named_with_their_file(pilot, tmp_path, line, message):
    costs = tmp_path / "costs.csv"
    costs.write_text(f"attribute,cost\n{line}\n")
    result = keyhole("plan", pilot, "--label", "outcome", "--total", 100, "--costs", costs)
    assert result.exit_code == 2
    assert result.stderr == f"keyhole: --costs {costs}: {message}" + result.stderr.partition(message)[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,y\n" + "1,2,3\n" * 3, "pilot.csv: it has 3 examples; a plan needs at least 12"),
        ("a,b,y\n" + "1,2,1\n2,1,1\n" * 10, "all 20 labels of the pilot are 1"),
        (
            "a,b,y\n" + "1,x,1\n2,y,0\n3,z,0\n" * 10,
            "pilot.csv: column 'b' has 3 values that are not numbers ('x', 'y', 'z'): a plan takes numbers, and two"
            " values as yes or no, and choices of more than two values are not planned with; leave the column out"
            " (--drop b;",
        ),
        ("a,y\n" + "1,ill\n2,ill\n3,ill\n" * 10, "--label: all 30 labels of the pilot are 'ill'; a plan needs labels"),
        (
            "a,y\n" + "1,x\n2,y\n3,z\n" * 10,
            "--label: the labels of the pilot have 3 classes ('x', 'y', 'z'); a plan needs numbers, or two classes",
        ),
        ("a,y\n" + "1,\n2,2\n3,5\n" * 5, "pilot.csv: it has 10 examples with a label; a plan needs at least 12"),
    ],
    ids=["3 rows", "one number", "text", "one class", "three classes", "few labels"],
)
def test_wrong_pilots_are_one_line(tmp_path, text, message):
    (tmp_path / "pilot.csv").write_text(text)
    result = keyhole("plan", tmp_path / "pilot.csv", "--label", "y", "--total", 100)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr


def test_costs_of_columns_that_are_left_out_do_no_harm(pilot, tmp_path):
    (tmp_path / "costs.csv").write_text("attribute,cost\ntest 0,2\ntest 1,3\noutcome,1\n")
    words = ("--costs", tmp_path / "costs.csv", "--drop", "test 0", "--json", tmp_path / "out.json")
    result = keyhole("plan", pilot, "--label", "outcome", "--total", 80, *words, *QUICK)
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "out.json").read_text())["pilot"]["cost_of_a_row"] == 7


def test_a_target_that_no_design_reaches_is_an_error_after_the_table(pilot):
    result = keyhole("plan", pilot, "--label", "outcome", "--total", 40, "--target", 0.001, *QUICK)
    assert result.exit_code == 2
    assert "Designs for a total of 40 tests" in result.stdout
    assert "--target 0.001: no design reaches it; the smallest error that can be expected is" in result.stderr
