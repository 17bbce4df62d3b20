"""The compiled factor model against the textbook, and what it must find."""

import numpy as np
import pytest

from keyhole.moments.factors import FactorModel, affordable_rank, blocks, em, fit_factor_model, joint_moments_of
from keyhole.moments.factors.settings import LOADING_PRIOR, MAX_BYTES, NOISE_CAUTION, TOLERANCE
from keyhole.moments.standard.rows import Rows
from moments.conftest import random_rows, textbook_iteration


def one_after_another(kernel, pieces, *arguments):
    for piece in pieces:
        kernel(*piece, *arguments)


@pytest.mark.parametrize("n_labels", [1, 3])
@pytest.mark.parametrize(("fewest", "most"), [(0, 2), (6, 9), (0, 9)])
def test_an_iteration_is_the_textbooks(monkeypatch, n_labels, fewest, most):
    for module in (blocks, em):
        monkeypatch.setattr(module, "BLOCK_ROWS", 32)
    monkeypatch.setattr(blocks, "LEAST_PER_PIECE", 5)
    rows, rank = random_rows(0, 60, 9, fewest, most, n_labels), 4
    rng = np.random.default_rng(1)
    columns = rows.n_columns
    mean, W, noise = rng.normal(size=columns), rng.normal(size=(columns, rank)), rng.uniform(0.2, 2.0, size=columns)
    wanted = textbook_iteration(rows, mean, W, noise)
    state = em.EMState(rows, rank)
    state.mean, state.loadings, state.noise = mean, W, noise
    state.iterate(one_after_another)
    for got, want in zip((state.mean, state.loadings, state.noise), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-10)


def test_the_number_of_cores_changes_nothing(monkeypatch):
    rows = random_rows(0, 5000, 300, 2, 9, 2)
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(blocks, "cpu_count", lambda cores=cores: cores)
        found.append(fit_factor_model(rows, 5, 3, 0))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def test_a_wide_table_gets_fewer_factors():
    assert affordable_rank(785, 32) == 32
    rank = affordable_rank(100_001, 64)
    assert 4 * 100_001 * rank * (rank + 1) <= MAX_BYTES < 4 * 100_001 * (rank + 1) * (rank + 2)


def test_a_model_tells_how_far_the_last_iteration_moved():
    rows = random_rows(0, 200, 9, 3, 6)
    short, long = fit_factor_model(rows, 3, 2, 0), fit_factor_model(rows, 3, 3000, 0)
    assert short.iterations == 2
    assert short.change > TOLERANCE
    assert long.iterations < 3000
    assert long.change <= TOLERANCE


def test_a_fit_that_starts_where_another_ended_ends_soon_and_near_it():
    rows = random_rows(0, 400, 9, 3, 6)
    first = fit_factor_model(rows, 3, 3000, 0)
    again = fit_factor_model(rows, 3, 3000, 1, first)
    assert again.iterations <= 2
    np.testing.assert_allclose(again.loadings, first.loadings, atol=1e-2)


def test_parameters_are_one_vector_and_back():
    state = em.EMState(random_rows(0, 20, 4, 1, 3), 2)
    rng = np.random.default_rng(0)
    mean, loadings, noise = rng.normal(size=5), rng.normal(size=(5, 2)), rng.uniform(0.1, 1.0, size=5)
    state.mean[:], state.loadings[:], state.noise[:] = mean, loadings, noise
    vector = state.parameters
    state.mean[:], state.loadings[:], state.noise[:] = 0.0, 0.0, 1.0
    state.parameters = vector
    for got, want in zip((state.mean, state.loadings, state.noise), (mean, loadings, noise), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-14)


def model_of(loadings, noise, counts):
    return FactorModel(mean=np.zeros(len(noise)), loadings=loadings, noise=noise, counts=counts, iterations=1)


def test_weights_are_those_of_the_dense_covariance():
    rng = np.random.default_rng(0)
    model = model_of(rng.normal(size=(8, 3)), rng.uniform(0.5, 1, size=8), np.full(8, np.inf))
    W, c = model.loadings[:-1], model.loadings[-1]
    dense = np.linalg.solve(W @ W.T + np.diag(model.noise[:-1]), W @ c)
    np.testing.assert_allclose(joint_moments_of(model, 1).weights()[0], dense, rtol=1e-10)


def test_attributes_revealed_few_times_are_trusted_less():
    counts = np.array([0, 1, 100, 10**12, 50])
    model = model_of(np.ones((5, round(1 / LOADING_PRIOR))), np.full(5, 0.5), counts)  # a prior of one row
    joint = joint_moments_of(model, 1)
    np.testing.assert_allclose(joint.noise - 0.5, NOISE_CAUTION / np.sqrt([1, 2, 101, 10**12 + 1]), rtol=1e-3)
    assert joint.label_noise == 0.5
    assert (np.diff(joint.weights()[0]) > 0).all()


def test_finds_the_covariance_from_a_fifth_of_the_cells():
    rng = np.random.default_rng(0)
    n, d = 4000, 30
    W = 0.6 * rng.normal(size=(d, 2))
    h = rng.normal(size=(n, 2))
    X = h @ W.T + 0.6 * rng.normal(size=(n, d))
    label = h[:, 0] + 0.3 * rng.normal(size=n)
    chosen = np.sort(np.argsort(rng.random((n, d)), axis=1)[:, :6], axis=1)
    columns = np.column_stack([chosen, np.full(n, d)]).ravel()
    values = np.column_stack([np.take_along_axis(X, chosen, 1), label]).ravel()
    model = fit_factor_model(Rows(np.arange(n + 1) * 7, columns, values, d + 1, 1), 4, 200, 0)
    found = model.loadings[:-1] @ model.loadings.T
    true = W @ np.vstack([W, [1.0, 0.0]]).T
    assert model.iterations < 200
    assert np.abs(found - true).mean() < 0.05 * np.abs(true).max()
    assert np.corrcoef(found.ravel(), true.ravel())[0, 1] > 0.99


def test_a_column_that_was_never_revealed_has_no_loadings():
    rows = random_rows(0, 50, 4, 1, 4)
    model = fit_factor_model(rows._replace(columns=np.where(rows.columns == 2, 1, rows.columns)), 2, 5, 0)
    np.testing.assert_array_equal(model.loadings[2], 0.0)
    assert np.isfinite(joint_moments_of(model, 1).weights()).all()
