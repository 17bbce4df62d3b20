"""The page is self-contained, and shows what was published beside what was measured."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from experiments.fake_paper import new_paper, no_data, noisy_tasks, three_kinds
from keyhole._version import __version__
from keyhole.experiments.runner.claim_tables import claim_table
from keyhole.experiments.runner.figures import Drawing
from keyhole.experiments.runner.kinds import OTHER_FORM, OWN_QUESTION
from keyhole.experiments.runner.page import Section, headline
from keyhole.experiments.runner.paper import HOLDS, Claim, Experiment
from keyhole.experiments.runner.provenance import code_hash
from keyhole.experiments.runner.running import Outcome


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
    assert "2 published claims, compared" in text
    assert '<li class="holds"><b>1</b> holds</li><li class="notrun"><b>1</b> not run</li>' in text
    assert "<h2>Not run, and why</h2>\n<ul><li id=" in text
    assert "This was a quick run" in text
    assert "<code>keyhole reproduce fake-2026 --quick --seed 0</code>" in text
    assert "3 tasks, 0.0 minutes of one core in all" in text
    assert text.count("<h1>") == 1


def test_failures_come_first_and_reasons_are_folded(reproduce):
    holding, failing = (Claim.with_verdict("c", "1", "2", holds) for holds in (True, False))
    table = claim_table([holding, failing])
    assert table.index('class="verdict fails"') < table.index('class="verdict holds"')
    folder, _ = reproduce(seed=2)
    text = (folder / "report.html").read_text()
    assert "<details><summary>reason</summary>The reason is not known.</details>" in text
    assert "<details open><summary>2 do not hold</summary>" in text
    folder, _ = reproduce("other", seed=0)
    assert "<details><summary>2 hold</summary>" in (folder / "report.html").read_text()


def test_other_forms_and_own_questions_are_listed_apart_and_not_counted(reproduce):
    folder, claims_of = reproduce(claims=three_kinds)
    text = (folder / "report.html").read_text()
    assert [claim.about for claim in claims_of["fig1"]] == ["the paper", OTHER_FORM, OWN_QUESTION]
    assert "2 published claims, compared" in text
    assert '<ul class="counts"><li class="holds"><b>2</b> hold</li></ul>' in text
    counted = "Not counted: 2 claims about other forms and 2 questions of Keyhole's own, "
    assert f'{counted}<a href="#not-counted">listed below</a>.' in text
    section = text[text.index('id="fig1"') : text.index("id='claims'")]
    parts = ["published", "Other forms, not counted</h3>", "scaled", "own questions, not counted</h3>", "best of 96"]
    places = [section.index(part) for part in parts]
    assert places == sorted(places)
    listed = text[text.index("id='claims'") : text.index('id="table1"')]
    assert listed.index("id='not-counted'") < listed.index("scaled") < listed.index("best of 96")
    assert "<details open>" not in listed
    tags = Tags()
    tags.feed(text)
    assert tags.open == []


def test_without_other_claims_there_is_no_word_of_them(reproduce):
    folder, _ = reproduce()
    assert "ot counted" not in (folder / "report.html").read_text()


def test_an_experiment_may_be_another_question_than_the_paper_s(reproduce):
    folder, claims_of = reproduce(needs=no_data, claims_about=OWN_QUESTION)
    assert [claim.about for claim in claims_of["table1"]] == [OWN_QUESTION]
    text = (folder / "report.html").read_text()
    assert "1 published claim, compared" in text
    assert '<ul class="counts"><li class="holds"><b>1</b> holds</li></ul>' in text
    _, claims_of = reproduce(claims_about=OTHER_FORM)
    assert [claim.about for claim in claims_of["table1"]] == [OTHER_FORM]


def test_the_headline_comes_first_with_its_claims(reproduce):
    folder, _ = reproduce()
    text = (folder / "report.html").read_text()
    places = [text.index(part) for part in ('class="counts"', 'id="fig1"', "<svg", "below 3</td>", "id='claims'")]
    assert places == sorted(places)
    assert text.index("id='claims'") < text.index('id="table1"')


def test_the_headline_is_the_named_figure_or_that_with_the_most_claims():
    drawing, claim = Drawing("<svg></svg>", "words"), Claim("c", "1", "1", HOLDS)
    paper = new_paper()
    one, two = (Experiment(name, name, None, None, None) for name in ("one", "two"))
    sections = [Section(Outcome(one, {}), [claim], drawing), Section(Outcome(two, {}), [claim, claim], drawing)]
    assert headline(paper, sections) is sections[1]
    own = replace(claim, about=OWN_QUESTION)
    assert headline(paper, [sections[0], sections[1]._replace(claims=[own, own])]) is sections[0]
    assert headline(replace(paper, headline="one"), sections) is sections[0]
    assert headline(paper, [section._replace(drawing=None) for section in sections]) is None


def test_figures_have_captions_with_code_and_seed_and_alternative_text(reproduce):
    folder, _ = reproduce()
    text = (folder / "report.html").read_text()
    caption = re.search("<figcaption>(.*?)</figcaption>", text).group(1)
    assert caption.startswith("<b>Figure 1: lines.</b> Two points. Keyhole ")
    assert f"code {code_hash()[:12]}, quick run, seed 0." in caption
    assert 'role="img" aria-label="Figure 1: lines. x. AER: 1 at 1, 2 at 2."' in text
    assert code_hash() in text


def test_a_report_by_other_code_names_both(reproduce):
    folder, _ = reproduce()
    path = folder / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"code": "0" * 64}))
    folder, _ = reproduce(redraw=True)
    text = (folder / "report.html").read_text()
    assert f'<span class="hash">{"0" * 64}</span>' in text
    assert f'The report was written by version {__version__}, code <span class="hash">{code_hash()}</span>' in text


def test_warnings_of_tasks_are_folded_in_the_footer(reproduce):
    folder, _ = reproduce(tasks=noisy_tasks)
    text = (folder / "report.html").read_text()
    assert "<li>UserWarning: too few rows (3 tasks)</li>" in text
    assert text.count("is small") == 1
