"""The warning that judgments are not independent: rare where they are, with numbers where they are not."""

import pickle
import warnings

import pytest

from keyhole.judgments import DependentJudgments, MultiSelector, as_judgments
from keyhole.judgments.workers.independence import dependence, warn_if_dependent


def test_independent_workers_are_rarely_warned_about(crowd):
    """At level 0.01; 60 crowds of 15 workers and 60 of 3, of each at most 3 may be warned about."""
    for workers, judgments in ((15, 4), (3, 2)):
        tables = [crowd(s, workers=workers, judgments=judgments, severity=0.0)[0] for s in range(60)]
        assert sum(bool(dependence(as_judgments(table)).findings) for table in tables) <= 3


def test_severity_is_warned_about_with_its_share(crowd):
    table, labels = crowd(2, severity=1.0)
    with pytest.warns(DependentJudgments, match=r"severity.*\d\d% for 'a'.*15 workers, 1440 judgments"):
        MultiSelector(6).fit(table, labels)
    found = dependence(as_judgments(table))
    assert 0.3 < found.worker_share[0] < 0.7
    assert found.severity_p.max() < 0.01


def test_at_most_five_attributes_are_named(crowd):
    table, _ = crowd(2, severity=1.0, attributes=tuple("abcdefg"))
    (finding,) = dependence(as_judgments(table)).findings
    assert finding.count(" for '") == 5
    assert "and less for 2 more attributes" in finding


def test_halo_is_warned_about_with_its_correlation(crowd):
    table, labels = crowd(3, severity=0.0, halo=1.0)
    assert dependence(as_judgments(table)).halo == pytest.approx(0.5, abs=0.1)
    with pytest.warns(DependentJudgments, match=r"halo.*mean correlation of \+0\.\d\d"):
        MultiSelector(6).fit(table, labels)


def test_the_same_worker_twice_is_warned_about(crowd):
    table, labels = crowd(4, severity=0.0)
    for column in table.values():
        column.append(column[0])
    with pytest.warns(DependentJudgments, match="repetition: a worker judged the same cell again 1 times"):
        MultiSelector(6).fit(table, labels)


def test_there_is_no_warning_without_a_worker_column(crowd):
    table, _ = crowd(5, severity=2.0)
    del table["worker"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_dependent(as_judgments(table))


def test_the_warning_carries_its_findings():
    warning = DependentJudgments(["halo: strong", "repetition: often"])
    assert warning.findings == ("halo: strong", "repetition: often")
    assert warning.summary() == "the judgments are not independent: halo: strong; repetition: often"
    assert str(warning).startswith(warning.summary())
    assert "correct_severity" in str(warning)
    assert str(pickle.loads(pickle.dumps(warning))) == str(warning)
