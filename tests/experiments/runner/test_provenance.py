"""Results say which code, which data and which machine they come from."""

from __future__ import annotations

import hashlib
import json
import platform

import numpy as np
import pytest

from keyhole.datasets.files import find_file
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.runner.provenance import code, code_hash, file_checksums, runs_in_words, this_run
from keyhole.experiments.runner.store import ForeignFolder, Store


def test_the_hash_depends_on_contents_and_paths_alone(tmp_path):
    def made(name: str, files: dict[str, str]):
        for path, text in files.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text)
        return code_hash(tmp_path / name)

    first = made("one", {"a.py": "x", "b/c.py": "y", "data.csv": "1"})
    assert first == made("two", {"b/c.py": "y", "a.py": "x", "data.csv": "2"})
    assert first != made("three", {"a.py": "x", "b/c.py": "z"})
    assert first != made("four", {"a.py": "x", "b/d.py": "y"})
    assert first != code()["code"]


def test_checksums_are_of_the_files_that_were_found(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    np.savez(tmp_path / "moon.npz", a=[1])
    (tmp_path / "unused.npz").write_text("")
    found = file_checksums(lambda: find_file("moon.npz", "the moon"))
    assert found == {"moon.npz": hashlib.sha256((tmp_path / "moon.npz").read_bytes()).hexdigest()}
    np.savez(tmp_path / "moon.npz", a=[1, 2])
    assert file_checksums(lambda: find_file("moon.npz", "the moon")) != found
    assert file_checksums(lambda: None) == {}


def test_a_run_has_a_date_a_machine_and_versions_but_no_host_name():
    run = this_run()
    assert run["cores"] >= 1
    assert run["numpy"] == np.__version__
    later = run | {"date": "later"}
    (words,) = runs_in_words([run, later])
    assert words.startswith(f"{run['date']}; later: ")
    assert f"Python {platform.python_version()}, NumPy {np.__version__}" in words
    assert not platform.node() or platform.node() not in words


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "fake-2026", Size.quick, 0)
    made.open()
    return made


def test_settings_hold_code_data_and_runs(reproduce):
    folder, _ = reproduce()
    settings = json.loads((folder / "settings.json").read_text())
    assert {name: settings[name] for name in ("keyhole", "code")} == code()
    assert settings["data"] == {}
    assert [run["cores"] for run in settings["runs"]] == [this_run()["cores"]]


def test_a_folder_of_other_code_is_refused_but_may_be_drawn(store):
    path = store.folder / "settings.json"
    path.write_text(json.dumps(store.settings | {"code": "0" * 64}))
    before = path.read_text()
    with pytest.raises(
        ForeignFolder, match=f"with code {'0' * 64}, and this one has code {code()['code']}; .*--redraw"
    ):
        store.open()
    Store(store.folder, Size.quick, 0, redraw=True).open()
    assert path.read_text() == before
    with pytest.raises(ForeignFolder, match="seed 0, and this one has seed 1"):
        Store(store.folder, Size.quick, 1, redraw=True).open()
    with pytest.raises(ForeignFolder, match="nothing to draw"):
        Store(store.folder.parent / "new-2027", Size.quick, 0, redraw=True).open()


def test_another_data_file_is_refused(store):
    store.record_data("fig1", {"moon.npz": "a" * 64})
    store.record_data("fig2", {"moon.npz": "a" * 64, "sun.npz": "b" * 64})
    store.record_data("fig3", {})
    kept = {"fig1": {"moon.npz": "a" * 64}, "fig2": {"moon.npz": "a" * 64, "sun.npz": "b" * 64}}
    assert store.settings["data"] == kept
    with pytest.raises(ForeignFolder, match=r"moon\.npz with the checksum a{64}, and the present file has c{64}"):
        store.record_data("fig3", {"moon.npz": "c" * 64})
    assert store.settings["data"] == kept
