"""The scripts in examples/ run to their end, and say what their page promises."""

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
SAYS = {
    "clinic.py": (
        *("month 6: 456 patients", "inclusion probability", "not obtainable", "squared error", "new patients"),
        *("examples the error is", "inclusion probabilities that are recorded", "agrees with the log"),
    ),
}


def test_every_example_is_run():
    assert {path.name for path in FOLDER.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", sorted(SAYS))
def test_example(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, str(tmp_path)])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    printed = capsys.readouterr().out
    for words in SAYS[name]:
        assert words in printed
