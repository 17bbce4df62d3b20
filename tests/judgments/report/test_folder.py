"""The folder of a selection: its tables, figures and report."""

import csv
import re

import pytest

from keyhole.judgments import MultiSelector, as_judgments, bootstrap, validated_losses
from keyhole.judgments.core.repeats import missing_judgments
from keyhole.judgments.report.folder import write_selection
from keyhole.judgments.report.selection import Selection

TABLES = {
    "selection",
    "path",
    "agreement",
    "variance_components",
    "workers",
    "missing_judgments",
    "loss_against_budget",
}
FIGURES = {"repeats", "loss_against_budget", "attributes"}


@pytest.fixture
def judged(crowd):
    table, labels = crowd(0, objects=40, severity=0.0)
    judgments = as_judgments(table)
    return judgments, [labels[name] for name in judgments.objects]


def selection_of(judgments, y, **changes):
    selector = MultiSelector(10).fit(judgments, y)
    computed = {
        "selector": selector,
        "stability": bootstrap(selector, judgments, y, 10, random_state=0),
        "missing_judgments": missing_judgments(judgments, selector.repeats_),
        "losses": validated_losses(selector, judgments, y, [5, 10]),
        "warnings": ["few objects"],
        "excluded": ["w9", "w7"],
    }
    return Selection(**computed | changes)


def names(folder, ending):
    return {path.stem for path in folder.iterdir() if path.suffix == ending}


def test_all_tables_figures_and_the_report_are_written(tmp_path, judged):
    out = tmp_path / "new" / "folder"
    selection = selection_of(*judged)
    write_selection(selection, judged[0], judged[0], None, out)
    assert names(out, ".csv") == TABLES
    assert names(out, ".png") == FIGURES
    assert all((out / f"{name}.png").read_bytes()[:4] == b"\x89PNG" for name in FIGURES)
    report = (out / "report.html").read_text()
    assert report.count("data:image/png;base64,") == 3
    assert not re.search(r'(src|href)="(?!data:)', report)
    assert "There are 480 judgments of 3 attributes of 40 labelled objects." in report
    assert '<p class="warning">Few objects.</p>' in report
    assert "Excluded workers: w9, w7." in report
    assert "Columns: repeats: judgments to take of each object; low, high: bootstrap interval of the repeats;" in report
    with open(out / "missing_judgments.csv", newline="") as file:
        collect = sum(int(row["collect"]) for row in csv.DictReader(file))
    assert f"{collect} judgments in {selection.missing_judgments.n_rows} cells" in report


def test_what_is_unknown_is_left_out(tmp_path, judged):
    judgments, y = judged
    plain = as_judgments(judgments.values)
    selection = selection_of(plain, y, stability=None, losses="too few judgments", warnings=[], excluded=[])
    write_selection(selection, plain, plain, None, tmp_path)
    assert names(tmp_path, ".csv") == TABLES - {"variance_components", "workers", "loss_against_budget"}
    assert names(tmp_path, ".png") == FIGURES - {"loss_against_budget"}
    report = (tmp_path / "report.html").read_text()
    assert "could not be estimated: too few judgments." in report
    assert "low, high" not in report
    assert "Excluded workers" not in report
