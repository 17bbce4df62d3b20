"""The page is self-contained, and shows what was published beside what was measured."""

from __future__ import annotations

from html.parser import HTMLParser

from experiments.fake_paper import no_data
from keyhole.experiments.runner.paper import HOLDS


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


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(reproduce):
    folder, claims_of = reproduce()
    text = (folder / "report.html").read_text()
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.sources == []
    assert "<svg" in text
    assert "below 3 &amp; &lt;more&gt;" in text
    assert '<td data-name="published">below 3</td><td data-name="measured">2.10</td>' in text
    assert [claim.verdict for claims in claims_of.values() for claim in claims] == [HOLDS, HOLDS]


def test_the_page_counts_verdicts_and_tasks(reproduce):
    folder, _ = reproduce(needs=no_data)
    text = (folder / "report.html").read_text()
    assert "2 claims: 1 holds, 1 could not be run here. This was a quick run" in text
    assert "<code>keyhole reproduce fake-2026 --quick --seed 0</code>" in text
    assert "3 tasks, 0.0 minutes of one core in all" in text
    assert text.count("<h1>") == 1
