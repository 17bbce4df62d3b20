"""Units are run once, kept whole, and found again: after an end, after a kill, after a file was spoilt."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from experiments.fake_paper import measure, new_paper, no_data, units
from keyhole.experiments.paper import Size, Unit
from keyhole.experiments.running import run_paper
from keyhole.experiments.store import ForeignFolder, Store, name_of


def run(folder: Path, paper=None, only=(), size=Size.quick, seed=0):
    said = io.StringIO()
    store = Store(folder / "fake-2026", size, seed)
    outcomes = run_paper(paper or new_paper(), store, 1, list(only), Console(file=said, width=400))
    return outcomes, said.getvalue()


def rows_of(experiment, size, seed):
    return [row for unit in experiment.units(size, seed) for row in measure(**unit.settings)]


def kept_files(folder: Path) -> list[Path]:
    return sorted((folder / "fake-2026" / "units").rglob("*.json"))


def test_rows_come_in_the_order_of_the_units_and_a_second_run_runs_nothing(tmp_path):
    first, _ = run(tmp_path)
    expected = [rows_of(experiment, Size.quick, 0) for experiment in new_paper().experiments]
    assert [outcome.rows for outcome in first] == expected
    stamps = [path.stat().st_mtime_ns for path in kept_files(tmp_path)]
    again, said = run(tmp_path)
    assert [outcome.rows for outcome in again] == expected
    assert [path.stat().st_mtime_ns for path in kept_files(tmp_path)] == stamps
    assert said == ""


def test_units_that_two_experiments_share_are_run_once(tmp_path):
    run(tmp_path)
    assert len(kept_files(tmp_path)) == len(units(Size.quick, 0)) + 2  # one more each


def test_a_name_does_not_depend_on_the_order_of_settings():
    assert name_of(Unit(measure, {"a": 1, "b": 2})) == name_of(Unit(measure, {"b": 2, "a": 1}, cost=9.0))
    assert name_of(Unit(measure, {"a": 1})) != name_of(Unit(measure, {"a": 2}))


def test_several_processes_give_the_same_rows(tmp_path):
    store = Store(tmp_path / "fake-2026", Size.full, 3)
    outcomes = run_paper(new_paper(), store, 2, [], Console(file=io.StringIO()))
    assert outcomes[0].rows == rows_of(outcomes[0].experiment, Size.full, 3)


def test_only_leaves_the_rest_and_says_so(tmp_path):
    (fig1, table1), _ = run(tmp_path, only=["table1"])
    assert table1.rows
    assert not table1.why_not
    assert fig1.why_not == "not run yet: 2 of its 3 units are kept"


def test_unknown_figure_lists_the_known(tmp_path):
    with pytest.raises(ValueError, match=r"--only fig7: fake-2026 has no such table or figure; it has fig1, table1"):
        run(tmp_path, only=["fig7"])
    assert not list(tmp_path.iterdir())


def test_missing_data_is_an_outcome_and_not_a_failure(tmp_path):
    (fig1, table1), _ = run(tmp_path, new_paper(needs=no_data))
    assert fig1.rows
    assert table1.rows == []
    assert table1.why_not.startswith("moon.npz is not in")


@pytest.mark.parametrize("spoilt", ['{"function": "x", "rows": [{"a"', "", "[1, 2]", '{"rows": 3, "seconds": 1}'])
def test_a_half_written_file_is_put_aside_and_its_unit_run_again(tmp_path, spoilt):
    first, _ = run(tmp_path)
    victim = kept_files(tmp_path)[0]
    victim.write_text(spoilt)
    again, said = run(tmp_path)
    assert [outcome.rows for outcome in again] == [outcome.rows for outcome in first]
    assert str(victim) in said
    assert "run again" in said
    assert victim.with_suffix(".unreadable1").read_text() == spoilt


def test_a_folder_of_other_settings_is_refused_and_untouched(tmp_path):
    run(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for other, held in (({"seed": 1}, "seed 0"), ({"size": Size.full}, "size quick")):
        with pytest.raises(ForeignFolder, match=f"holds a run with {held}, and this one has .*choose another --out"):
            run(tmp_path, **other)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "fake-2026").mkdir()
    (tmp_path / "fake-2026" / "thesis.tex").write_text("mine")
    with pytest.raises(ForeignFolder, match=r"no settings\.json of a reproduction"):
        run(tmp_path)
    (tmp_path / "fake-2026" / "settings.json").write_text('{"format": ')
    with pytest.raises(ForeignFolder, match="not readable"):
        run(tmp_path)
    assert (tmp_path / "fake-2026" / "thesis.tex").read_text() == "mine"


def test_numpy_numbers_are_kept_and_other_things_refused(tmp_path):
    store = Store(tmp_path, Size.quick, 0)
    unit = Unit(measure, {"split": 1})
    name = name_of(unit)
    kept = store.keep(name, unit, [{"a": np.float32(0.5), "b": np.int64(3), "c": float("nan")}], 1.0)
    assert kept.rows[0]["a"] == 0.5
    assert kept.rows[0]["b"] == 3
    assert np.isnan(kept.rows[0]["c"])
    with pytest.raises(TypeError, match="numbers and strings are kept"):
        store.keep(name, unit, [{"a": object()}], 1.0)
    assert store.kept(name).rows[0]["b"] == 3


SLOW_RUN = """
import io, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from rich.console import Console
from experiments.fake_paper import new_paper, slow_units
from keyhole.experiments.paper import Size
from keyhole.experiments.running import run_paper
from keyhole.experiments.store import Store
store = Store(Path(sys.argv[1]) / "fake-2026", Size.quick, 0)
run_paper(new_paper(slow_units), store, int(sys.argv[3]), ["fig1"], Console())
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, jobs):
    here = str(Path(__file__).parent.parent)
    command = [sys.executable, "-c", SLOW_RUN, str(tmp_path), here, jobs]
    victim = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 300
    while len(kept_files(tmp_path)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    survivors = {path: path.stat().st_mtime_ns for path in kept_files(tmp_path)}
    assert 2 <= len(survivors) < 9
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=300)
    assert len(kept_files(tmp_path)) == 9
    assert {path: path.stat().st_mtime_ns for path in survivors} == survivors
