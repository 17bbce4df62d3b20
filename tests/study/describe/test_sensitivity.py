"""The model learned again with low and high values of what was not obtainable, and what is said of it."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.study.describe.sensitivity import extremes, in_words
from keyhole.study.rules import VALUE, Fact
from keyhole.study.store.replay import CellState, ExampleState

D = [
    kh.Attribute("weight", unit="kg"),
    kh.Attribute("smoker", kind="yes/no"),
    kh.Attribute("group", kind="choice", choices=("a", "b", "c")),
    kh.Attribute("onset", kind="date"),
]


def filled(place, rate, learner=None, n=80, seed=0):
    """A study of which 'weight', that matters most, is not obtainable with the probability ``rate(label)``."""
    rng = np.random.default_rng(seed)
    study = kh.Study.create(place, "s", D, budget=3, learner=learner, seed=seed, renewals="by hand")
    for i in range(n):
        weight, smokes, group, day = rng.normal(70, 10), rng.random() < 0.4, rng.integers(3), rng.integers(1, 28)
        label = (weight - 70) / 10 + smokes + 0.3 * rng.normal()
        known = {"weight": weight, "smoker": bool(smokes), "group": "abc"[group], "onset": f"2024-02-{day:02d}"}
        ask = study.ask(f"p{i}")
        absent = {name: "refused" for name in ask.names if name == "weight" and rng.random() < rate(label)}
        told = label if learner is None else ("high" if label > 0 else "low")
        values = {name: known[name] for name in ask.names if name not in absent}
        study.tell(ask, values, label=told, not_obtainable=absent)
    return study


@pytest.fixture(scope="module")
def related(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("study") / "study.db", lambda label: 0.7 if label > 0.5 else 0.02)


def test_what_depends_on_the_label_is_flagged_and_moves_the_model(related):
    found = related.not_obtainable()
    assert found.related
    (row,) = found.attributes
    assert row.attribute == "weight"
    assert row.differs
    assert [one.attribute for one in found.sensitivity] == ["weight", "weight"]
    assert all(one.n_cells == row.n_missing for one in found.sensitivity)
    assert all(0.02 < one.predictions < 2 and one.coefficient > 0.02 for one in found.sensitivity)
    text = str(found)
    assert "goes with the label" in text
    assert "SD of the label" in text
    assert "kg" in text


def test_the_same_answer_again_and_the_log_is_as_it_was(related):
    before = related.status()["events"]
    assert related.not_obtainable() == related.not_obtainable()
    assert related.status()["events"] == before
    assert related.verify() == []


def test_without_sensitivity_nothing_is_learned(related, monkeypatch):
    monkeypatch.setattr("keyhole.study.describe.sensitivity.learned", None)
    assert related.not_obtainable(sensitivity=False).sensitivity == ()


def test_classes(tmp_path):
    found = filled(tmp_path / "study.db", lambda _: 0.3, learner="KeyholeClassifier").not_obtainable()
    assert found.is_classifier
    assert sum(found.attributes[0].missing.shares.values()) == pytest.approx(1)
    assert all(0 <= one.predictions < 1 for one in found.sensitivity)
    assert "(probability)" in str(found)


def test_values_that_are_tried():
    examples = {i: ExampleState(i, i, cells={0: CellState(True, VALUE, Fact(float(i)))}) for i in range(101)}
    assert [fact.number for fact in extremes(D[0], 0, examples)] == [10.0, 90.0]
    assert [in_words(D[1], fact) for fact in extremes(D[1], 1, examples)] == ["no", "yes"]
    assert [in_words(D[2], fact) for fact in extremes(D[2], 2, examples)] == ["a", "b", "c"]
    assert extremes(D[3], 3, examples) == []
    assert in_words(D[3], Fact(19_782.0)) == "2024-02-29"
    assert in_words(D[0], Fact(71.25)) == "71.25 kg"


def test_report_has_every_part(related):
    text = str(related.report(target=0.5))
    for heading in ("Status", "Models of renewals", "Not obtainable", "Conflicts", "Enough", "Protocol"):
        assert f"\n{heading}" in text
    assert "goes with the label" in text


def test_report_of_an_empty_study(tmp_path):
    study = kh.Study.create(tmp_path / "study.db", "s", ["a", "b"], budget=1, seed=0, renewals="by hand")
    text = str(study.report(target=0.5))
    assert "not known yet: no example can be learned from" in text
    with pytest.raises(kh.StudyError, match="no model with an error to draw yet"):
        study.plot_history()


def test_plot_of_the_history(related):
    made = related.renew()
    ax = related.plot_history()
    assert len(ax.containers[0][0].get_xdata()) == len(related.history()) == made >= 1
    assert "squared error" in ax.get_ylabel()
    drawn = related.plot_history(ax)
    assert drawn is ax
