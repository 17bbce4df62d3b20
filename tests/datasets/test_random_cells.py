"""Cells are random: uniform and normal, and different for each seed, example and attribute."""

import numpy as np
import pytest
from scipy.stats import kstest

from keyhole.datasets.random_cells import normal_cell, uniform_cell


@pytest.mark.parametrize(("cell", "distribution"), [(uniform_cell, "uniform"), (normal_cell, "norm")])
def test_cells_follow_their_distribution(cell, distribution):
    values = np.array([cell(7, example, attribute) for example in range(100) for attribute in range(100)])
    assert kstest(values, distribution).pvalue > 1e-3
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 5 / np.sqrt(len(values))


def test_a_cell_depends_on_seed_example_and_attribute():
    assert uniform_cell(1, 2, 3) == uniform_cell(1, 2, 3)
    others = {uniform_cell(1, 2, 3), uniform_cell(2, 2, 3), uniform_cell(1, 3, 3), uniform_cell(1, 2, 4)}
    assert len(others) == 4
