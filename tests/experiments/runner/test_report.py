"""Verdicts follow from the rows, and files lie beside the page."""

from __future__ import annotations

import csv
import json

from experiments.fake_paper import no_data
from keyhole.experiments.runner.paper import FAILS, NOT_RUN


def test_verdicts_follow_the_rows(reproduce):
    _, claims_of = reproduce(seed=2)
    assert claims_of["fig1"][0].verdict == FAILS


def test_what_could_not_be_run_says_why(reproduce):
    folder, claims_of = reproduce(needs=no_data)
    assert claims_of["table1"][0].verdict == NOT_RUN
    assert "Put there the moon." in (folder / "report.html").read_text()
    assert not (folder / "table1.csv").exists()


def test_rows_and_figures_lie_beside_the_page(reproduce):
    folder, _ = reproduce()
    with open(folder / "fig1.csv") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"learner": "AER", "split": "0", "x": "1", "error": "1.0"}
    assert len(rows) == 6
    assert (folder / "fig1.png").read_bytes().startswith(b"\x89PNG")
    assert "mean error" in (folder / "fig1_summary.csv").read_text()
    assert not (folder / "table1.png").exists()


def test_equal_results_give_equal_files(reproduce):
    first, _ = reproduce("a")
    second, _ = reproduce("b")
    assert (first / "fig1.svg").read_bytes() == (second / "fig1.svg").read_bytes()


def test_verdicts_are_written_for_a_page_over_all_papers(reproduce):
    folder, claims_of = reproduce(needs=no_data)
    written = json.loads((folder / "verdicts.json").read_text())
    assert written["settings"] == json.loads((folder / "settings.json").read_text())
    assert [(claim["experiment"], claim["verdict"]) for claim in written["claims"]] == [
        (name, claim.verdict) for name, claims in claims_of.items() for claim in claims
    ]


def test_a_report_of_a_part_says_so(reproduce):
    folder, _ = reproduce(only=["table1"])
    assert json.loads((folder / "verdicts.json").read_text())["parts"] == {}
    folder, claims_of = reproduce(partial=True)
    assert claims_of["fig1"][0].measured == "2.10"
    part = "2 of its 3 tasks are finished: 2 splits."
    assert json.loads((folder / "verdicts.json").read_text())["parts"] == {"fig1": part}
    text = (folder / "report.html").read_text()
    assert f'<p class="warning">A part of this experiment was run. {part}</p>' in text
    assert ", a part of a quick run, seed 0." in text
