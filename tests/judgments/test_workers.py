"""Workers: variance components, the independence warning, severity, gold items, the table per worker."""

import itertools
import warnings

import numpy as np
import pytest

from judgments.crowd import crowd
from keyhole.judgments import (
    DependentJudgments,
    MultiSelector,
    as_judgments,
    correct_severity,
    variance_components,
    worker_table,
    workers_failing_gold,
)
from keyhole.judgments.workers.independence import dependence
from keyhole.judgments.workers.severity import severities
from keyhole.judgments.workers.variance_components import attribute_components, unbiased_components


def designs():
    """Who judged what, as (object, worker) pairs: crossed, with gaps, with repetitions."""
    full = list(itertools.product(range(4), range(3)))
    yield full, False
    yield [pair for i, pair in enumerate(full) if i not in (2, 7)], False
    yield full + full[:5], True


@pytest.mark.parametrize(("design", "repeated"), list(designs()))
def test_components_are_unbiased_for_any_design(design, repeated):
    """Estimates are quadratic forms: summed over the axes of the covariance they give their expectation."""
    objects, workers = np.array(design).T
    sizes = np.array([2.0, 0.7, 0.4, 1.3])
    same_o, same_w = objects[:, None] == objects, workers[:, None] == workers
    covariance = sizes[0] * same_o + sizes[1] * same_w + sizes[2] * (same_o & same_w)
    covariance = covariance + sizes[3] * np.eye(len(design))
    values, vectors = np.linalg.eigh(covariance)
    axes = vectors * np.sqrt(np.maximum(values, 0))
    expected = sum(unbiased_components(x, objects, workers) for x in axes.T)
    true = sizes if repeated else [2.0, 0.7, np.nan, 0.4 + 1.3]
    np.testing.assert_allclose(expected, true, atol=1e-10)


def test_components_of_a_large_crowd():
    table, _ = crowd(1, objects=400, workers=60, severity=0.7, noise=0.5)
    found = variance_components(as_judgments(table))
    # Three standard errors: of 400 objects' variance with noise, and of 60 workers'.
    np.testing.assert_allclose(found["object"], 1.0, atol=3 * 0.08)
    np.testing.assert_allclose(found["worker"], 0.49, atol=3 * 0.09)
    np.testing.assert_allclose(found["residual"], 0.25, atol=3 * 0.01)
    assert all(np.isnan(found["object_x_worker"]))


def test_components_that_the_design_cannot_tell_are_unknown():
    x = np.array([1.0, 2.0, 5.0, 7.0])
    each_worker_once = attribute_components(x, np.array([0, 0, 1, 1]), np.arange(4))
    assert np.isnan(each_worker_once.worker)
    assert each_worker_once.residual == pytest.approx(1.25)
    assert each_worker_once.object > 0


def test_independent_workers_are_rarely_warned_about():
    """At level 0.01; 60 crowds of 15 workers and 60 of 3, of each at most 3 may be unlucky."""
    for workers, judgments in ((15, 4), (3, 2)):
        tables = [crowd(s, workers=workers, judgments=judgments, severity=0.0)[0] for s in range(60)]
        assert sum(bool(dependence(as_judgments(table)).messages) for table in tables) <= 3


@pytest.mark.parametrize(("workers", "judgments"), [(15, 4), (3, 2), (40, 3)])
def test_chances_are_chances(workers, judgments):
    """Without severity and halo, p-values are uniform: a tenth lies below 0.1 (300 and 100 of them)."""
    severity_p, halo_p = [], []
    for seed in range(100):
        found = dependence(as_judgments(crowd(seed, 60, workers, judgments, severity=0.0)[0]))
        severity_p += list(found.severity_p)
        halo_p.append(found.halo_p)
    assert 0.05 < np.mean(np.array(severity_p) < 0.1) < 0.15
    assert 0.01 < np.mean(np.array(halo_p) < 0.1) < 0.19


def test_severity_is_warned_about_with_figures():
    table, labels = crowd(2, severity=1.0)
    with pytest.warns(DependentJudgments, match=r"severity.*a \d\d%.*15 workers, 1440 judgments"):
        MultiSelector(6).fit(table, labels)


def test_halo_is_warned_about_with_figures():
    table, labels = crowd(3, severity=0.0, halo=1.0)
    found = dependence(as_judgments(table))
    assert found.halo == pytest.approx(0.5, abs=0.1)
    with pytest.warns(DependentJudgments, match=r"halo.*correlates \+0\.\d\d"):
        MultiSelector(6).fit(table, labels)


def test_the_same_worker_twice_is_warned_about():
    table, labels = crowd(4, severity=0.0)
    for column in table.values():
        column.append(column[0])
    with pytest.warns(DependentJudgments, match="judged the same thing before: 1"):
        MultiSelector(6).fit(table, labels)


def test_nothing_is_said_without_a_worker_column():
    table, labels = crowd(5, severity=2.0)
    del table["worker"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MultiSelector(6).fit(table, labels)


def test_severity_correction_finds_the_severities_and_removes_them():
    table, _ = crowd(6, objects=300, severity=2.0, noise=0.5)
    before = as_judgments(table)
    after = correct_severity(before)
    rng = np.random.default_rng(6)
    rng.normal(size=(300, 3))
    true = 2.0 * rng.normal(size=(15, 3))
    order = [int(name[1:]) for name in before.workers]
    np.testing.assert_allclose(severities(before), true[order] - true.mean(axis=0), atol=0.25)
    found = variance_components(after)
    assert max(found["worker"]) < 0.02 * min(variance_components(before)["worker"])
    np.testing.assert_allclose(found["residual"], 0.25, rtol=0.1)


def test_severity_correction_leaves_a_crowd_without_severity_alone():
    before = as_judgments(crowd(7, severity=0.0)[0])
    moved = np.nanmax(np.abs(correct_severity(before).values - before.values))
    assert moved < 0.5  # noise of one judgment is 1


def test_excluded_workers_are_gone_and_unknown_ones_refused():
    before = as_judgments(crowd(8)[0])
    after = before.without_workers(["w3", "w4"])
    gone = sum(w in ("w3", "w4") for w in before.to_long()["worker"])
    assert after.counts.sum() == before.counts.sum() - gone
    assert not {"w3", "w4"} & set(after.to_long()["worker"])
    assert not np.isnan(after.values[:, :, 0]).all()
    with pytest.raises(ValueError, match="no judgment is by worker 'zoe'"):
        before.without_workers(["zoe"])
    with pytest.raises(ValueError, match="no worker column"):
        as_judgments(np.ones((3, 2, 2))).without_workers(["w1"])


def test_gold_items_find_the_careless_worker():
    table, _ = crowd(9, severity=0.0, noise=0.3)
    rng = np.random.default_rng(0)
    table["value"] = [
        float(rng.normal(scale=5)) if w == "w5" else x for x, w in zip(table["value"], table["worker"], strict=True)
    ]
    judgments = as_judgments(table)
    truth = np.random.default_rng(9).normal(size=(120, 3))
    gold = {(f"o{i}", name): truth[i, a] for i in range(60) for a, name in enumerate("abc")}
    assert workers_failing_gold(judgments, gold, tolerance=1.0) == ["w5"]
    rows = {row[0]: row for row in worker_table(judgments, gold).rows()}
    names = list(worker_table(judgments))
    assert rows["w5"][names.index("gold_error")] > 3
    assert rows["w5"][names.index("agreement")] < 0.3 < rows["w1"][names.index("agreement")]
    with pytest.raises(ValueError, match=r"'nobody'.*never judged"):
        worker_table(judgments, {("nobody", "a"): 1.0})


def test_worker_functions_need_workers():
    plain = as_judgments(np.random.default_rng(0).normal(size=(5, 2, 2)))
    for function in (variance_components, worker_table, correct_severity):
        with pytest.raises(ValueError, match="column 'worker'"):
            function(plain)


def test_long_tables_and_files_are_taken_as_they_are(tmp_path):
    table, _ = crowd(0, objects=20)
    judgments = as_judgments(table)
    judgments.to_long().to_csv(tmp_path / "judgments.csv")
    for given in (table, tmp_path / "judgments.csv"):
        assert str(variance_components(given)) == str(variance_components(judgments))
        assert worker_table(given)["severity"] == worker_table(judgments)["severity"]
        np.testing.assert_array_equal(correct_severity(given).values, correct_severity(judgments).values)
