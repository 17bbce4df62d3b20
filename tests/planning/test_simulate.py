"""Simulated studies."""

import numpy as np
import pytest

from keyhole import Attribute
from keyhole.planning.designs import EVERY_TEST, ROWS, Design
from keyhole.planning.simulate import Task, run, simulate
from keyhole.planning.worlds.labels import LabelModel
from keyhole.planning.worlds.world import World

ATTRIBUTES = [Attribute(f"x{i}") for i in range(4)]
WORLD = World(np.zeros((4, 1)), np.ones(4), LabelModel("values", np.full(4, 0.5), 1.0))
DESIGNS = (Design(ROWS, 20, 4.0, 4.0, 80), Design(EVERY_TEST, 2000, 4.0, 4.0, 8000))


def test_many_examples_reach_the_share_of_noise():
    key, errors = run(Task((0, 80.0), WORLD, DESIGNS, 1), ATTRIBUTES, 2)
    assert key == (0, 80.0)
    assert errors[1, 0] == pytest.approx(WORLD.noise_share, rel=0.02)
    assert errors[0, 0] > errors[1, 0]
    # Two of four independent attributes with equal weights explain half of what all explain.
    assert errors[1, 1] == pytest.approx((1 + WORLD.noise_share) / 2, rel=0.06)


def test_results_do_not_depend_on_the_number_of_processes():
    tasks = [Task((i, 80.0), WORLD, DESIGNS, i) for i in range(3)]
    one, two = (simulate(tasks, ATTRIBUTES, 2, n_jobs) for n_jobs in (1, 2))
    assert one.keys() == two.keys() == {(0, 80.0), (1, 80.0), (2, 80.0)}
    for key, errors in one.items():
        np.testing.assert_allclose(errors, two[key], rtol=1e-9)
