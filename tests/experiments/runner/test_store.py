"""Tasks are written whole and found again, and a folder of something else is refused untouched."""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiments.fake_paper import measure
from keyhole.experiments.runner.paper import Size, Task
from keyhole.experiments.runner.store import FORMAT, ForeignFolder, Store, name_of

TASK = Task(measure, {"split": 1})


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "fake-2026", Size.quick, 0)
    found.open()
    return found


def contents(store: Store) -> dict:
    return {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()}


def test_a_name_does_not_depend_on_the_order_of_settings():
    assert name_of(Task(measure, {"a": 1, "b": 2})) == name_of(Task(measure, {"b": 2, "a": 1}, cost=9.0))
    assert name_of(Task(measure, {"a": 1})) != name_of(Task(measure, {"a": 2}))


def test_what_was_written_is_read_again(store):
    name = name_of(TASK)
    assert store.read(name) is None
    written = store.write(name, TASK, [{"a": 1}], 2.5, ["few rows"])
    assert store.read(name) == written == ([{"a": 1}], 2.5, ["few rows"])
    assert [path.name for path in (store.folder / "tasks").iterdir()] == [f"{name}.json"]


@pytest.mark.parametrize("content", ['{"function": "x", "rows": [{"a"', "", "[1, 2]", '{"rows": 3, "seconds": 1}'])
def test_a_file_that_cannot_be_read_is_renamed(store, content):
    name, messages = name_of(TASK), []
    store.write(name, TASK, [{"a": 1}], 2.5)
    path = store.folder / "tasks" / f"{name}.json"
    path.write_text(content)
    assert store.read(name, messages.append) is None
    assert path.with_suffix(".unreadable1").read_text() == content
    assert str(path) in messages[0]
    assert "the task is run again" in messages[0]


def test_numpy_numbers_are_kept_and_other_things_refused(store):
    name = name_of(TASK)
    kept = store.write(name, TASK, [{"a": np.float32(0.5), "b": np.int64(3), "c": float("nan")}], 1.0)
    assert kept.rows[0]["a"] == 0.5
    assert kept.rows[0]["b"] == 3
    assert np.isnan(kept.rows[0]["c"])
    with pytest.raises(TypeError, match="only numbers and strings can be written"):
        store.write(name, TASK, [{"a": object()}], 1.0)
    assert store.read(name).rows[0]["b"] == 3


@pytest.mark.parametrize(
    ("size", "seed", "held", "wanted"),
    [(Size.quick, 1, "seed 0", "seed 1"), (Size.full, 0, "size quick", "size full")],
)
def test_a_folder_of_other_settings_is_refused_and_untouched(store, size, seed, held, wanted):
    before = contents(store)
    with pytest.raises(
        ForeignFolder, match=f"holds a run with {held}, and this one has {wanted}; choose another --out"
    ):
        Store(store.folder, size, seed).open()
    assert contents(store) == before


@pytest.mark.parametrize(("settings", "named"), [({"format": 1, "seed": 0}, "says 1"), ([], "says none")])
def test_a_folder_of_another_format_is_refused_and_untouched(store, settings, named):
    (store.folder / "settings.json").write_text(json.dumps(settings))
    before = contents(store)
    message = f"is a folder of another format: its settings.json {named}, and this version .* format {FORMAT}; choose"
    with pytest.raises(ForeignFolder, match=message):
        store.open()
    assert contents(store) == before


def test_a_folder_of_something_else_is_refused(tmp_path):
    folder = tmp_path / "fake-2026"
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    with pytest.raises(ForeignFolder, match=r"no settings\.json of a reproduction"):
        Store(folder, Size.quick, 0).open()
    (folder / "settings.json").write_text('{"format": ')
    with pytest.raises(ForeignFolder, match="not readable"):
        Store(folder, Size.quick, 0).open()
    assert (folder / "thesis.tex").read_text() == "mine"
