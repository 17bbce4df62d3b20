"""With every cell, the scales of attributes do not matter; under a budget, every line keeps it."""

from __future__ import annotations

import numpy as np
import pytest

from keyhole.experiments.shared.reference_lines import FULL, OWN, RIVALS, budgeted, fully_informed


def test_with_every_cell_scales_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = X @ [1.0, -1.0, 0.5, 0.0, 0.0, 0.0] + 0.1 * rng.normal(size=300)
    scales = np.array([1.0, 1000.0, 1e-3, 1.0, 50.0, 1.0])
    models = fully_informed(X[:200], y[:200], seed=0, n_folds=5)
    scaled = fully_informed(X[:200] * scales, 100 * y[:200], seed=0, n_folds=5)
    assert tuple(models) == FULL
    for name, model in models.items():
        assert np.allclose(100 * model.predict(X[200:]), scaled[name].predict(X[200:] * scales))
        assert np.mean((model.predict(X[200:]) - y[200:]) ** 2) < 0.05 * y.var() or name.startswith("online")


@pytest.mark.parametrize("name", [OWN, *RIVALS])
def test_reference_lines_keep_the_budget(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6))
    model = budgeted(name, 3, seed=0).fit(X, X[:, 0])
    assert model.observed_.distinct <= 3 * 60
