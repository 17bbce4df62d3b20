"""Tasks are run once and found again, also after a run was killed; warnings of tasks are kept for the report."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from experiments.fake_paper import measure, new_paper, no_data, noisy_tasks, tasks
from keyhole.datasets.files import find_file
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.runner.running import messages_of, run_paper
from keyhole.experiments.runner.store import Store

TESTS = str(Path(__file__).parents[2])


def run(folder: Path, paper=None, only=(), size=Size.quick, seed=0, partial=False):
    printed = io.StringIO()
    store = Store(folder / "fake-2026", size, seed)
    outcomes = run_paper(paper or new_paper(), store, 1, list(only), Console(file=printed, width=400), partial)
    return outcomes, printed.getvalue()


def rows_of(experiment, size, seed):
    return [row for task in experiment.tasks(size, seed) for row in measure(**task.settings)]


def finished_files(folder: Path) -> list[Path]:
    return sorted((folder / "fake-2026" / "tasks").rglob("*.json"))


def test_rows_come_in_the_order_of_the_tasks_and_a_second_run_runs_nothing(tmp_path):
    first, _ = run(tmp_path)
    expected = [rows_of(experiment, Size.quick, 0) for experiment in new_paper().experiments]
    assert [outcome.rows for outcome in first] == expected
    stamps = [path.stat().st_mtime_ns for path in finished_files(tmp_path)]
    again, printed = run(tmp_path)
    assert [outcome.rows for outcome in again] == expected
    assert [path.stat().st_mtime_ns for path in finished_files(tmp_path)] == stamps
    assert printed == ""


def test_tasks_that_two_experiments_share_are_run_once(tmp_path):
    run(tmp_path)
    assert len(finished_files(tmp_path)) == len(tasks(Size.quick, 0)) + 2  # one more each


def test_several_processes_give_the_same_rows(tmp_path):
    store = Store(tmp_path / "fake-2026", Size.full, 3)
    outcomes = run_paper(new_paper(), store, 2, [], Console(file=io.StringIO()))
    assert outcomes[0].rows == rows_of(outcomes[0].experiment, Size.full, 3)


def test_only_leaves_the_rest_and_says_so(tmp_path):
    (fig1, table1), _ = run(tmp_path, only=["table1"])
    assert table1.rows
    assert not table1.why_not
    assert fig1.why_not == "not run yet: 2 of its 3 tasks are finished"


def test_a_part_is_reported_where_it_is_asked_for_and_nothing_is_run(tmp_path):
    run(tmp_path, only=["table1"])
    files = finished_files(tmp_path)
    (fig1, table1), _ = run(tmp_path, partial=True)
    assert finished_files(tmp_path) == files
    assert fig1.part == "2 of its 3 tasks are finished: 2 splits."
    assert (fig1.why_not, table1.why_not, table1.part) == ("", "", "")
    assert fig1.rows == [row for split in (0, 1) for row in measure("AER", split, 0)]
    assert run(tmp_path / "empty", partial=True)[0][0].why_not == "not run yet: 0 of its 3 tasks are finished"
    run(tmp_path / "other", only=["fig1"])
    (_, table1), _ = run(tmp_path / "other", partial=True)  # table1 cannot say which part of it was run
    assert (table1.part, table1.rows) == ("", [])
    assert table1.why_not == "not run yet: 2 of its 3 tasks are finished"


def test_an_unknown_figure_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="--only fig7"):
        run(tmp_path, only=["fig7"])
    assert not list(tmp_path.iterdir())


def test_missing_data_is_an_outcome_and_not_a_failure(tmp_path):
    (fig1, table1), _ = run(tmp_path, new_paper(needs=no_data))
    assert fig1.rows
    assert table1.rows == []
    assert table1.why_not.startswith("moon.npz is not in")


def test_the_reason_does_not_name_folders_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path / "mine"))
    (_, table1), _ = run(tmp_path, new_paper(needs=lambda: find_file("moon.npz", "the moon")))
    assert table1.why_not.startswith("moon.npz is not in $KEYHOLE_DATA or ~/.cache/keyhole. Put there the moon")


def test_a_task_whose_file_cannot_be_read_is_run_again(tmp_path):
    first, _ = run(tmp_path)
    victim = finished_files(tmp_path)[0]
    victim.write_text('{"function": "x", "rows": [{"a"')
    again, printed = run(tmp_path)
    assert [outcome.rows for outcome in again] == [outcome.rows for outcome in first]
    assert str(victim) in printed
    assert victim.with_suffix(".unreadable1").exists()


RUN = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from rich.console import Console
from experiments import fake_paper
from keyhole.datasets.files import find_file
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.runner.running import run_paper
from keyhole.experiments.runner.store import Store
store = Store(Path(sys.argv[1]) / "fake-2026", Size.quick, 0)
paper = fake_paper.new_paper(getattr(fake_paper, sys.argv[4]))
run_paper(paper, store, int(sys.argv[3]), ["fig1"], Console(force_terminal=True, width=100, color_system=None))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, jobs):
    command = [sys.executable, "-c", RUN, str(tmp_path), TESTS, jobs, "slow_tasks"]
    victim = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 300
    while len(finished_files(tmp_path)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    survivors = {path: path.stat().st_mtime_ns for path in finished_files(tmp_path)}
    assert 2 <= len(survivors) < 9
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=300)
    assert len(finished_files(tmp_path)) == 9
    assert {path: path.stat().st_mtime_ns for path in survivors} == survivors


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_warnings_of_tasks_are_kept_for_the_report_and_counted_on_the_screen(tmp_path, jobs):
    command = [sys.executable, "-c", RUN, str(tmp_path), TESTS, jobs, "noisy_tasks"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    assert done.stdout.index("Tasks gave 3 kinds of warnings") > done.stdout.rindex("4/4 tasks")
    assert "Warning:" not in done.stdout
    kept = [json.loads(path.read_text())["messages"] for path in finished_files(tmp_path)]
    assert sorted(message for messages in kept for message in messages) == [
        *["UserWarning: split 0 is small", "UserWarning: split 1 is small", "UserWarning: split 2 is small"],
        *["UserWarning: too few rows"] * 3,
        *["a line on standard error"] * 3,
    ]


def test_a_task_does_not_see_a_terminal(tmp_path, monkeypatch):
    """So that no library shows a progress bar of its own inside the runner's."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    (fig1, _), _ = run(tmp_path, new_paper(noisy_tasks), only=["fig1"])
    assert [row["terminal"] for row in fig1.rows if "terminal" in row] == [0, 0, 0]
    assert sys.stderr.getvalue() == ""


def test_warnings_of_one_kind_are_counted_together(tmp_path):
    (fig1, _), printed = run(tmp_path, new_paper(noisy_tasks), only=["fig1"])
    found = messages_of(fig1.finished.values())
    assert found == {"UserWarning: too few rows": 3, "UserWarning: split 0 is small": 3, "a line on standard error": 3}
    assert "Tasks gave 3 kinds of warnings, which the report lists." in printed
