"""Variance components: unbiased for any design, near the truth for a large crowd, unknown where not identified."""

import itertools

import numpy as np
import pytest

from keyhole.errors import BadValue
from keyhole.judgments import as_judgments, variance_components
from keyhole.judgments.workers.variance_components import Components, attribute_components, unbiased_components


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


def test_components_of_a_large_crowd(crowd):
    table, _ = crowd(1, objects=400, workers=60, severity=0.7, noise=0.5)
    found = variance_components(as_judgments(table))
    # Three standard errors: of 400 objects' variance with noise, and of 60 workers'.
    np.testing.assert_allclose(found["object"], 1.0, atol=3 * 0.08)
    np.testing.assert_allclose(found["worker"], 0.49, atol=3 * 0.09)
    np.testing.assert_allclose(found["residual"], 0.25, atol=3 * 0.01)
    assert all(np.isnan(found["object_x_worker"]))
    assert found["judgments"] == [1600] * 3
    assert found["workers"] == [60] * 3


def test_components_that_the_design_does_not_identify_are_unknown():
    x = np.array([1.0, 2.0, 5.0, 7.0])
    each_worker_once = attribute_components(x, np.array([0, 0, 1, 1]), np.arange(4))
    assert np.isnan(each_worker_once.worker)
    assert each_worker_once.residual == pytest.approx(1.25)
    assert each_worker_once.object > 0


def test_the_share_of_workers_is_that_of_the_disagreement():
    assert Components(object=5.0, worker=1.0, interaction=np.nan, residual=3.0).worker_share == 0.25
    assert Components(object=5.0, worker=0.0, interaction=0.0, residual=0.0).worker_share == 0.0


def test_tables_and_files_are_taken_as_they_are_and_workers_are_needed(tmp_path, crowd):
    table, _ = crowd(0, objects=20)
    judgments = as_judgments(table)
    judgments.to_long().to_csv(tmp_path / "judgments.csv")
    for given in (table, tmp_path / "judgments.csv"):
        assert str(variance_components(given)) == str(variance_components(judgments))
    with pytest.raises(BadValue, match="variance components require the worker of each judgment"):
        variance_components(judgments.values)
