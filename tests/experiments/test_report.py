"""The page stands alone, says what was published beside what was measured, and files lie beside it."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

from rich.console import Console

from experiments.fake_paper import new_paper, no_data
from keyhole.experiments.paper import FAILS, HOLDS, NOT_RUN, UNEXPLAINED, Claim, Size
from keyhole.experiments.report import write_report
from keyhole.experiments.running import run_paper
from keyhole.experiments.store import Store


def reproduce(folder, seed=0, **paper):
    store = Store(folder / "fake-2026", Size.quick, seed)
    made = new_paper(**paper)
    return store.folder, write_report(made, store, run_paper(made, store, 1, [], Console(file=io.StringIO())))


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.sources, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.sources += [value for name, value in attrs if name in ("src", "href") and value and ":" in value]
        if tag not in ("meta", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(tmp_path):
    folder, judged = reproduce(tmp_path)
    text = (folder / "report.html").read_text()
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.sources == []
    assert "<svg" in text
    assert "below 3 &amp; &lt;more&gt;" in text
    assert '<td data-name="published">below 3</td><td data-name="measured">2.10</td>' in text
    assert [claim.verdict for claims in judged.values() for claim in claims] == [HOLDS, HOLDS]


def test_verdicts_follow_the_rows(tmp_path):
    _, judged = reproduce(tmp_path, seed=2)
    assert judged["fig1"][0].verdict == FAILS


def test_what_could_not_be_run_says_why(tmp_path):
    folder, judged = reproduce(tmp_path, needs=no_data)
    assert judged["table1"][0].verdict == NOT_RUN
    assert "Put there the moon." in (folder / "report.html").read_text()
    assert not (folder / "table1.csv").exists()


def test_rows_and_figures_lie_beside_the_page(tmp_path):
    folder, _ = reproduce(tmp_path)
    with open(folder / "fig1.csv") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"learner": "AER", "split": "0", "x": "1", "error": "1.0"}
    assert len(rows) == 6
    assert (folder / "fig1.png").read_bytes().startswith(b"\x89PNG")
    assert "mean error" in (folder / "fig1_summary.csv").read_text()
    assert not (folder / "table1.png").exists()


def test_equal_results_give_equal_files(tmp_path):
    first, _ = reproduce(tmp_path / "a")
    second, _ = reproduce(tmp_path / "b")
    assert (first / "fig1.svg").read_bytes() == (second / "fig1.svg").read_bytes()


def test_a_claim_that_does_not_hold_is_never_without_a_word():
    assert Claim.judged("c", "1", "2", False).why == UNEXPLAINED
    assert Claim.judged("c", "1", "2", False, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows. By 0.1 ± 0.01."
    assert Claim.judged("c", "1", "1", True, "Few rows.", "By 0.1 ± 0.01.").why == "Few rows."
