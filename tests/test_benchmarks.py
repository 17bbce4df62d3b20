"""The scripts in benchmarks/ import what exists, and each of their tables has a place in a page."""

import os
import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCHMARKS, DOCS = ROOT / "benchmarks", ROOT / "docs"
SCRIPTS = sorted(BENCHMARKS.rglob("*.py"))
WRITTEN = {  # the tables of each page
    "evidence.md": {
        *("mnist-2", "mnist-4", "mnist-16", "mnist-57", "breast-cancer", "generated", "every-cell"),
        *("sparse-generated", "sparse-breast-cancer", "families", "subsets", "buying", "risk-at"),
        *("risk-coverage", "risk-mnist", "coef-coverage", "from-moments", "false-alarms", "classes-3-5", "classes-ten"),
    },
    "streaming.md": {"mnist", "distribution-dependent"},
    "sparse.md": {"synthetic", "blogfeedback"},
    "judgments.md": {"crowd", "faces", "ct", "speed"},
}


@pytest.fixture
def folders(monkeypatch):
    """The folders that scripts import from; modules and environment variables are as before at the end."""
    for folder in (BENCHMARKS, BENCHMARKS / "keyhole", BENCHMARKS / "judgments"):
        monkeypatch.syspath_prepend(folder)
    modules, environment = set(sys.modules), dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(environment)
    for name in set(sys.modules) - modules:
        file = Path(getattr(sys.modules[name], "__file__", None) or "/")
        if file.is_relative_to(BENCHMARKS) or name.split(".")[0] == "judgments":  # of tests/, which one script imports
            del sys.modules[name]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(BENCHMARKS)))
def test_a_script_can_be_imported(script, folders):
    runpy.run_path(str(script), run_name="imported")


@pytest.mark.parametrize("page", WRITTEN)
def test_every_table_has_its_place(page):
    text = (DOCS / page).read_text()
    starts = re.findall(r"^<!-- (?!end of)([\w-]+) -->$", text, re.MULTILINE)
    assert sorted(starts) == sorted(WRITTEN[page])
    assert re.findall(r"^<!-- end of ([\w-]+) -->$", text, re.MULTILINE) == starts


def test_a_table_is_written_between_its_markers(folders, tmp_path):
    from pages import with_error, write

    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n")
    write(page, {"a": "new"})
    assert page.read_text() == "before\n<!-- a -->\nnew\n<!-- end of a -->\nafter\n"
    with pytest.raises(ValueError, match="no place for b"):
        write(page, {"b": "new"})
    assert with_error([1.0, 2.0, 3.0]) == "2.000 ± 0.577"


def test_the_picture_of_the_flow_is_what_the_script_draws(folders):
    from flow import drawing

    assert (DOCS / "figures" / "flow.svg").read_text() == drawing()
